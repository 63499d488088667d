import { describe, expect, it } from 'vitest'
import { movesOf } from '../../../market/board/token-page.ts'
import { fold } from '../../../market/fold/fold.ts'
import { NOBODY } from '../../../market/fold/holders.ts'
import { MIGRATIONS_MAX } from '../../../market/rules.ts'
import type { Address, Hash } from '../../../market/segment.ts'
import {
  address,
  block,
  blockOf,
  coin,
  HOOK,
  hash,
  initialized,
  known,
  launched,
  MANAGER,
  migrated,
  minuteOf,
  ONE_X96,
  prior,
  provided,
  swapped,
  transferred,
  USD,
  WHOLE,
  ZORA,
} from '../../support/market/facts.ts'
import { both, creator, creatorPost, foldFacts } from '../one-post.ts'

describe('fold: launch, migration, supply', () => {
  it('fixes the launch state at the creation log: Initialize price, supply minted so far, hook not a holder', () => {
    const born = coin({ address: address(0xd), quote: ZORA })
    const mint = transferred(born, [NOBODY, born.address], [10n * WHOLE, 0n, 10n * WHOLE])
    const toHook = transferred(born, [born.address, HOOK], [5n * WHOLE, 5n * WHOLE, 5n * WHOLE])
    const { segment } = foldFacts(
      both(),
      mint,
      toHook,
      initialized(born),
      swapped({ token: born, sqrtPriceX96: 2n * ONE_X96 }),
      launched(born),
    )
    expect(segment.tokens[0]).toMatchObject({
      before: null,
      after: { launch: { priceUsdE36: USD, supply: 10n * WHOLE } },
    })
    expect(segment.rows[0]?.after).toMatchObject({
      supply: 10n * WHOLE,
      selfHeld: 5n * WHOLE,
      holders: 0,
      cumTrades: 1,
    })
    expect(segment.balances).toEqual(
      [born.address, HOOK].map((holder) => ({ token: born.address, holder, before: 0n, after: 5n * WHOLE })),
    )
  })

  it('keeps the balance of the pool manager with the state of the token, and every other by itself', () => {
    const { segment } = foldFacts(
      both(),
      transferred(creator, [address(1), MANAGER], [2n, 1n, 7n]),
      transferred(creator, [MANAGER, address(2)], [2n, 5n, 2n]),
    )
    expect(segment.rows[0]).toMatchObject({ before: { pooled: 0n }, after: { pooled: 5n } })
    expect(segment.balances.map(({ holder, after }) => [holder, after])).toEqual([
      [address(1), 1n],
      [address(2), 2n],
    ])
  })

  it('counts the token’s own holding after it received or paid its own tokens', () => {
    const heldAfter = (from: Address, to: Address) =>
      foldFacts(both(), transferred(creator, [from, to], [2n, 3n, 7n])).segment.rows[0]?.after.selfHeld
    expect(heldAfter(address(1), creator.address)).toBe(7n)
    expect(heldAfter(creator.address, address(1))).toBe(3n)
    expect(heldAfter(address(1), address(2))).toBe(0n)
  })

  it('takes price and reserves from the new pool from the migration on, and trades run on', () => {
    const poolId = hash(0x77)
    const after = { ...creator, poolId, hook: address(0x42) }
    const { segment } = foldFacts(
      both(),
      swapped({ token: creator }),
      initialized(after, 3n * ONE_X96),
      provided(after, WHOLE, [-887200, 887200]),
      migrated(after),
      swapped({ token: creator, sqrtPriceX96: 7n * ONE_X96 }),
      swapped({ token: after, sqrtPriceX96: 4n * ONE_X96 }),
    )
    const state = segment.rows[0]!.after
    expect(state).toMatchObject({ sqrtPriceX96: 4n * ONE_X96, cumTrades: 2, cumVolumeMicroUsd: 2_000_000n })
    expect(state.reserveQuote).toBeGreaterThan(0n)
    expect(segment.tokens[0]?.after.poolId).toBe(poolId)
    expect(segment.hooks).toEqual([address(0x42)])
  })

  it('notes when a token moved to another pool, as often as is kept, and no move to its own pool or of another token', () => {
    const pools = Array.from({ length: MIGRATIONS_MAX + 2 }, (_, n) => hash(0x700 + n))
    const moved = (poolId: Hash) => migrated({ ...creator, poolId })
    const { segment, after } = foldFacts(both(), ...pools.map(moved), moved(pools.at(-1)!))
    const { after: token } = segment.tokens[0]!
    const led = pools.map((toPool, at) => ({ fromPool: pools[at - 1] ?? creator.poolId, toPool }))
    expect(movesOf(token)).toEqual(
      led.slice(2).map((pools) => ({ ...pools, blockNumber: 10, timestamp: 600 })),
    )
    expect(after.tokens.get(creator.address)!.token.migrations).toEqual(token.migrations)
    expect(after.tokens.get(creatorPost.address)!.token.migrations).toEqual([])
    const stranger = { ...moved(hash(0x99)), token: address(0x5713) }
    expect(foldFacts(after, stranger).segment.rows).toEqual([])
    const next = foldFacts(after, moved(creator.poolId)).segment.tokens[0]!.after
    expect(movesOf(next).at(-1)).toMatchObject({ fromPool: pools.at(-1), toPool: creator.poolId })
    expect(next.migrations).toHaveLength(MIGRATIONS_MAX)
  })

  it('moves a post that migrates to another quote from the sums of its creator token to its creator’s, in the same segment', () => {
    const moved = { ...creatorPost, poolId: hash(0x78), quote: ZORA }
    const priced = foldFacts(both(), swapped({ token: creator }), swapped({ token: creatorPost })).after
    const { segment } = foldFacts(priced, initialized(moved), migrated(moved))
    expect(segment.rows.map(({ token }) => token)).toEqual([creator.address, creatorPost.address].sort())
    const sums = segment.owners.map(({ owner, before, after }) => [
      owner,
      before.posts.map(({ quote, count }) => [quote, count]),
      after.posts.map(({ quote, count }) => [quote, count]),
    ])
    expect(sums).toContainEqual([creator.address, [[creator.address, 1]], []])
    expect(sums).toContainEqual([creatorPost.creator, [], [[ZORA, 1]]])
  })

  it('keeps ATH and ATL of closes at the closing rate, only where the own price was set', () => {
    const quiet = foldFacts(both(), transferred(creator, [address(1), address(2)], [1n, 1n, 1n]))
    expect(quiet.segment.rows[0]).toMatchObject({ candle: null, after: { athUsdE36: 0n } })
    const traded = foldFacts(
      both(),
      swapped({ token: creator, sqrtPriceX96: 4n * ONE_X96 }),
      swapped({ token: creator }),
    )
    expect(traded.segment.rows[0]).toMatchObject({
      candle: { high: 16n * USD, close: USD },
      after: { athUsdE36: USD, atlUsdE36: USD },
    })
  })

  it('states the first minute in which each was reached', () => {
    const prices = [ONE_X96, 2n * ONE_X96, 2n * ONE_X96, ONE_X96 / 2n]
    let before = both()
    const extremes = prices.map((sqrtPriceX96, at) => {
      const facts = [swapped({ token: creator, sqrtPriceX96 })]
      const { segment, after } = fold(before, minuteOf(blockOf(block(10 + at, 600 + 60 * at), facts)))
      before = after
      const { athMinute, atlMinute } = segment.rows.find(({ token }) => token === creator.address)!.after
      return [athMinute, atlMinute]
    })
    expect(extremes).toEqual([
      [10, 10],
      [11, 10],
      [11, 10],
      [11, 13],
    ])
  })

  it('lets no number outgrow its field where prices at the end of the tick range are multiplied', () => {
    const edge = 2n ** 160n
    const absurd = known({ coin: creator, state: { sqrtPriceX96: edge } })
    const trade = swapped({ token: creatorPost, amountQuote: 2n ** 127n, sqrtPriceX96: edge })
    const { segment } = foldFacts(prior([absurd, known({ coin: creatorPost })]), trade, trade)
    expect(segment.rows.find((row) => row.token === creatorPost.address)?.after).toMatchObject({
      cumVolumeMicroUsd: 2n ** 128n - 1n,
      cumRankVolumeMicroUsd: 2n ** 128n - 1n,
      athUsdE36: 2n ** 256n - 1n,
    })
  })

  it('counts a (wallet, hour) pair once, again in the next hour, and only from ten cents', () => {
    const cents = (amountQuote: bigint) => swapped({ token: creator, amountQuote })
    const first = foldFacts(both(), cents(99_999n * 10n ** 12n), cents(10n ** 17n))
    expect(first.segment.rows[0]?.after.cumEngagement).toBe(1)
    const sameHour = fold(first.after, minuteOf(blockOf(block(11, 660), [cents(WHOLE)])))
    expect(sameHour.segment.rows[0]?.after.cumEngagement).toBe(1)
    const nextHour = fold(first.after, minuteOf(blockOf(block(12, 3_600), [cents(WHOLE)])))
    expect(nextHour.segment.rows[0]?.after.cumEngagement).toBe(2)
  })
})
