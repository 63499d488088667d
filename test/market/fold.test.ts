import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BlockFacts } from '../../market/fact.ts'
import { fold } from '../../market/fold.ts'
import { NOBODY } from '../../market/holders.ts'
import type { Address, Prior } from '../../market/segment.ts'
import {
  address,
  block,
  blockOf,
  coin,
  HOOK,
  hash,
  known,
  MANAGER,
  ONE_X96,
  prior,
  swapped,
  transferred,
  USD,
  WHOLE,
  ZORA,
} from '../support/facts.ts'

const creator = coin({ address: address(0xa) })
const post = coin({ address: address(0xb), kind: 'post', quote: creator.address })
const both = () => prior([known({ coin: creator }), known({ coin: post })])
/** The same before ZORA has ever traded. */
const unrated = (): Prior => ({
  ...both(),
  references: new Map([[ZORA, { observedUsdE36: 0n, heldUsdE36: 0n, outside: 0, decimals: 18 }]]),
})

const minuteOf = (blocks: readonly BlockFacts[]) => ({
  minute: Math.floor(blocks[0]!.block.timestamp / 60),
  firstBlock: blocks[0]!.block.number,
  last: blocks.at(-1)!.block,
  blocks,
})
const foldFacts = (before: Prior, ...facts: Parameters<typeof blockOf>[1][number][]) =>
  fold(before, minuteOf([blockOf(block(10, 600), facts)]))

describe('fold: descriptions', () => {
  it('tells of a token whose description changed, in whatever', () => {
    const to = { poolId: creator.poolId, hook: address(0x99), quote: creator.quote, isCurrency0: true }
    const { segment } = foldFacts(both(), { is: 'migrated', token: creator.address, ...to })
    expect(segment.tokens).toMatchObject([{ before: creator, after: { ...creator, ...to } }])
    expect(foldFacts(both(), swapped({ token: creator })).segment.tokens).toEqual([])
  })
})

describe('fold: trades', () => {
  it('values a swap at the close before the minute, not at what the reference trades at within it', () => {
    const { segment } = foldFacts(
      both(),
      { is: 'rated', quote: ZORA, usdE36: 2n * USD },
      swapped({ token: creator }),
    )
    expect(segment.swaps[0]?.volumeMicroUsd).toBe(1_000_000n)
    expect(segment.references.get(ZORA)?.heldUsdE36).toBe(USD) // 100 % away: held back
  })

  it('counts buys among all trades, with their volumes', () => {
    const trades = [true, false, true].map((isBuy) => swapped({ token: creator, isBuy }))
    const { segment } = foldFacts(both(), ...trades)
    expect(segment.rows.find(({ token }) => token === creator.address)?.after).toMatchObject({
      ...{ cumTrades: 3, cumVolumeMicroUsd: 3_000_000n },
      ...{ cumBuys: 2, cumBuyVolumeMicroUsd: 2_000_000n },
    })
  })

  it('before any close uses what the reference last traded at', () => {
    const { segment } = foldFacts(
      unrated(),
      { is: 'rated', quote: ZORA, usdE36: 3n * USD },
      swapped({ token: creator }),
    )
    expect(segment.swaps[0]?.volumeMicroUsd).toBe(3_000_000n)
    expect(segment.references.get(ZORA)?.heldUsdE36).toBe(3n * USD)
  })

  it('opens a candle at the first price in USD, also where trades before it had no route there', () => {
    const trades = [ONE_X96, 2n * ONE_X96].map((sqrtPriceX96) => swapped({ token: creator, sqrtPriceX96 }))
    const rated = { is: 'rated', quote: ZORA, usdE36: USD } as const
    const { segment } = foldFacts(unrated(), trades[0]!, rated, trades[1]!)
    expect(segment.rows[0]?.candle).toEqual({
      open: 4n * USD,
      high: 4n * USD,
      low: 4n * USD,
      close: 4n * USD,
    })
  })

  it("values a post's swap at the creator token's price at that log, internal moves included", () => {
    const doubled = (ONE_X96 * 14142135623730950488n) / 10n ** 19n // sqrt(2)
    const move = {
      is: 'moved',
      token: creator.address,
      poolId: creator.poolId,
      sqrtPriceX96: doubled,
    } as const
    const { segment } = foldFacts(both(), swapped({ token: post }), move, swapped({ token: post }))
    expect(segment.swaps.map((swap) => swap.volumeMicroUsd)).toEqual([1_000_000n, 1_999_999n])
    expect(segment.rows.find((row) => row.token === creator.address)?.after.cumTrades).toBe(0)
  })

  it('gives a post of a post no price and its trades no volume: it is four pools from USD', () => {
    const deep = coin({ address: address(0xdee9), kind: 'post', quote: post.address })
    const before = both()
    const market = { ...before, tokens: new Map([...before.tokens, [deep.address, known({ coin: deep })]]) }
    const { segment } = foldFacts(market, swapped({ token: deep }))
    expect(segment.swaps[0]).toMatchObject({ amountToken: WHOLE, volumeMicroUsd: 0n, paidUsdE36: 0n })
    expect(segment.rows.find((row) => row.token === deep.address)).toMatchObject({
      candle: { close: 0n },
      after: { athUsdE36: 0n, cumTrades: 1 },
    })
  })

  it('ignores a trade, a price and liquidity of a pool that is not the token’s', () => {
    const stray = { ...creator, poolId: hash(0x99) }
    const { segment } = foldFacts(both(), swapped({ token: stray, sqrtPriceX96: 5n * ONE_X96 }))
    expect(segment.swaps).toEqual([])
    expect(segment.rows[0]?.after).toEqual(segment.rows[0]?.before)
  })

  it('names the trader by a trusted router, by the last transfer of the token if the router names nobody, else by tx.from', () => {
    const buyer = address(0x51)
    const pay = (to: number, tx: number) =>
      transferred({
        token: creator,
        from: MANAGER,
        to: address(to),
        amount: 1n,
        fromBalance: 9n,
        toBalance: 1n,
        tx,
      })
    const { segment } = foldFacts(
      both(),
      swapped({ token: creator, trader: buyer, tx: 1 }),
      swapped({ token: creator, trader: null, tx: 2 }),
      pay(0x52, 2),
      pay(0x53, 2),
      { ...swapped({ token: creator, trader: null, tx: 3 }), transactionFrom: address(0x54) } as never,
      { ...swapped({ token: creator, trader: 'untrusted', tx: 4 }), transactionFrom: address(0x55) } as never,
      pay(0x56, 4),
    )
    const [named, unnamed, unpaid, untrusted] = segment.swaps
    expect(named).toMatchObject({ trader: buyer, from: null, to: null })
    expect(unnamed).toMatchObject({ trader: address(0x53), from: MANAGER, to: address(0x53) })
    expect(unpaid).toMatchObject({ trader: address(0x54), from: null, to: null })
    expect(untrusted).toMatchObject({ trader: address(0x55), from: MANAGER, to: address(0x56) })
  })
})

describe('fold: launch, migration, supply', () => {
  it('fixes the launch state at the creation log: Initialize price, supply minted so far, hook not a holder', () => {
    const born = coin({ address: address(0xd), quote: ZORA })
    const mint = transferred({
      token: born,
      from: NOBODY,
      to: born.address,
      amount: 10n * WHOLE,
      fromBalance: 0n,
      toBalance: 10n * WHOLE,
    })
    const toHook = transferred({
      token: born,
      from: born.address,
      to: HOOK,
      amount: 5n * WHOLE,
      fromBalance: 5n * WHOLE,
      toBalance: 5n * WHOLE,
    })
    const { segment } = foldFacts(
      both(),
      mint,
      toHook,
      { is: 'initialized', token: born.address, poolId: born.poolId, sqrtPriceX96: ONE_X96 },
      swapped({ token: born, sqrtPriceX96: 2n * ONE_X96 }),
      { is: 'launched', coin: born },
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
      [born.address, HOOK].map((holder) => ({
        ...{ token: born.address, holder },
        ...{ before: 0n, after: 5n * WHOLE },
      })),
    )
  })

  it('keeps the balance of the pool manager with the state of the token, and every other by itself', () => {
    const transfer = { token: creator, amount: 2n, fromBalance: 1n, toBalance: 7n }
    const { segment } = foldFacts(
      both(),
      transferred({ ...transfer, from: address(1), to: MANAGER }),
      transferred({ ...transfer, from: MANAGER, to: address(2), fromBalance: 5n, toBalance: 2n }),
    )
    expect(segment.rows[0]).toMatchObject({ before: { pooled: 0n }, after: { pooled: 5n } })
    expect(segment.balances.map(({ holder, after }) => [holder, after])).toEqual([
      [address(1), 1n],
      [address(2), 2n],
    ])
  })

  it('knows what the token itself holds after it received or paid of its own', () => {
    const transfer = { token: creator, amount: 2n, fromBalance: 3n, toBalance: 7n }
    const heldAfter = (from: Address, to: Address) =>
      foldFacts(both(), transferred({ ...transfer, from, to })).segment.rows[0]?.after.selfHeld
    expect(heldAfter(address(1), creator.address)).toBe(7n)
    expect(heldAfter(creator.address, address(1))).toBe(3n)
    expect(heldAfter(address(1), address(2))).toBe(0n)
  })

  it('takes price and reserves from the new pool from the migration on, and trades run on', () => {
    const poolId = hash(0x77)
    const migrated = { ...creator, poolId }
    const { segment } = foldFacts(
      both(),
      swapped({ token: creator }),
      { is: 'initialized', token: creator.address, poolId, sqrtPriceX96: 3n * ONE_X96 },
      {
        is: 'provided',
        token: creator.address,
        poolId,
        tickLower: -887200,
        tickUpper: 887200,
        liquidityDelta: WHOLE,
      },
      { is: 'migrated', token: creator.address, poolId, hook: address(0x42), quote: ZORA, isCurrency0: true },
      swapped({ token: creator, sqrtPriceX96: 7n * ONE_X96 }),
      swapped({ token: migrated, sqrtPriceX96: 4n * ONE_X96 }),
    )
    const after = segment.rows[0]!.after
    expect(after).toMatchObject({ sqrtPriceX96: 4n * ONE_X96, cumTrades: 2, cumVolumeMicroUsd: 2_000_000n })
    expect(after.reserveQuote).toBeGreaterThan(0n)
    expect(segment.tokens[0]?.after.poolId).toBe(poolId)
    expect(segment.hooks).toEqual([address(0x42)])
  })

  it('moves a post that migrates to another quote from the sums of its creator token to its creator’s, in the same segment', () => {
    const poolId = hash(0x78)
    const priced = foldFacts(both(), swapped({ token: creator }), swapped({ token: post })).after
    const moved = { is: 'migrated', token: post.address, poolId, hook: post.hook } as const
    const { segment } = foldFacts(
      priced,
      { is: 'initialized', token: post.address, poolId, sqrtPriceX96: ONE_X96 },
      { ...moved, quote: ZORA, isCurrency0: true },
    )
    expect(segment.rows.map(({ token }) => token)).toEqual([creator.address, post.address].sort())
    const sums = segment.owners.map(({ owner, before, after }) => [
      owner,
      before.posts.map(({ quote, count }) => [quote, count]),
      after.posts.map(({ quote, count }) => [quote, count]),
    ])
    expect(sums).toContainEqual([creator.address, [[creator.address, 1]], []])
    expect(sums).toContainEqual([post.creator, [], [[ZORA, 1]]])
  })

  it('keeps ATH and ATL of closes at the closing rate, only where the own price was set', () => {
    const quiet = foldFacts(
      both(),
      transferred({
        token: creator,
        from: address(1),
        to: address(2),
        amount: 1n,
        fromBalance: 1n,
        toBalance: 1n,
      }),
    )
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
      const { segment, after } = fold(before, minuteOf([blockOf(block(10 + at, 600 + 60 * at), facts)]))
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
    const trade = swapped({ token: post, amountQuote: 2n ** 127n, sqrtPriceX96: edge })
    const { segment } = foldFacts(prior([absurd, known({ coin: post })]), trade, trade)
    expect(segment.rows.find((row) => row.token === post.address)?.after).toMatchObject({
      cumVolumeMicroUsd: 2n ** 128n - 1n,
      cumRankVolumeMicroUsd: 2n ** 128n - 1n,
      athUsdE36: 2n ** 256n - 1n,
    })
  })

  it('counts a (wallet, hour) pair once, again in the next hour, and only from ten cents', () => {
    const cents = (amountQuote: bigint) => swapped({ token: creator, amountQuote })
    const first = foldFacts(both(), cents(99_999n * 10n ** 12n), cents(10n ** 17n))
    expect(first.segment.rows[0]?.after.cumEngagement).toBe(1)
    const sameHour = fold(first.after, minuteOf([blockOf(block(11, 660), [cents(WHOLE)])]))
    expect(sameHour.segment.rows[0]?.after.cumEngagement).toBe(1)
    const nextHour = fold(first.after, minuteOf([blockOf(block(12, 3_600), [cents(WHOLE)])]))
    expect(nextHour.segment.rows[0]?.after.cumEngagement).toBe(2)
  })
})

const trade = fc.record({
  isPost: fc.boolean(),
  isBuy: fc.boolean(),
  wallet: fc.integer({ min: 1, max: 4 }),
  quote: fc.bigInt(0n, 10n ** 20n),
})

describe('fold: invariants', () => {
  it('adds up: growth is the sum of the swaps, rank volume each wallet’s largest net position in the hour, after is the next before, and folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.array(trade, { maxLength: 8 }), { minLength: 1, maxLength: 6 }), (minutes) => {
        let before = both()
        const wallets = new Map<string, { net: bigint; peak: bigint; counts: boolean }>()
        for (const [i, trades] of minutes.entries()) {
          const facts = trades.map(({ isPost, isBuy, wallet, quote }) =>
            swapped({ token: isPost ? post : creator, isBuy, amountQuote: quote, trader: address(wallet) }),
          )
          const input = minuteOf([blockOf(block(10 + i, 600 + 60 * i), facts)])
          const { segment, after } = fold(before, input)
          expect(fold(before, input).segment).toEqual(segment)
          for (const row of segment.rows) {
            const own = segment.swaps.filter((swap) => swap.token === row.token)
            const volume = own.reduce((sum, swap) => sum + swap.volumeMicroUsd, 0n)
            expect(row.after.cumVolumeMicroUsd - row.before.cumVolumeMicroUsd).toBe(volume)
            expect(row.after.cumTrades - row.before.cumTrades).toBe(own.length)
            expect(row.before).toEqual(before.tokens.get(row.token)?.state)
            expect(row.after).toEqual(after.tokens.get(row.token)?.state)
          }
          for (const { token, trader, isBuy, volumeMicroUsd } of segment.swaps) {
            const { net, peak, counts } = wallets.get(token + trader) ?? { net: 0n, peak: 0n, counts: false }
            const next = isBuy ? net + volumeMicroUsd : net - volumeMicroUsd
            wallets.set(token + trader, {
              net: next,
              peak: [peak, next, -next].reduce((a, b) => (a > b ? a : b)),
              counts: counts || volumeMicroUsd >= 100_000n,
            })
          }
          for (const [token, { state }] of after.tokens) {
            const own = [...wallets].filter(([key]) => key.startsWith(token)).map(([, wallet]) => wallet)
            expect(state.cumRankVolumeMicroUsd).toBe(own.reduce((sum, { peak }) => sum + peak, 0n))
            expect(state.cumEngagement).toBe(own.filter(({ counts }) => counts).length)
          }
          before = after
        }
      }),
      { numRuns: 200 },
    )
  })
})
