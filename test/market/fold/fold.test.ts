import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../../market/fold/fold.ts'
import { NOBODY } from '../../../market/fold/holders.ts'
import type { PriorState } from '../../../market/prior.ts'
import type { Address } from '../../../market/segment.ts'
import {
  address,
  block,
  blockOf,
  coin,
  HOOK,
  hash,
  known,
  MANAGER,
  migrated,
  minuteOf,
  moved,
  ONE_X96,
  prior,
  rated,
  swapped,
  transferred,
  USD,
  WHOLE,
  ZORA,
} from '../../support/market/facts.ts'
import { both, creator, creatorPost, foldFacts } from '../one-post.ts'

/** The same before ZORA has ever traded. */
const unrated = (): PriorState => ({ ...both(), references: prior([], 0n).references })

it('fold lists a token whose description changed in any field', () => {
  const to = { poolId: creator.poolId, hook: address(0x99), quote: creator.quote, isCurrency0: true }
  const { segment } = foldFacts(both(), migrated({ ...creator, ...to }))
  expect(segment.tokens).toMatchObject([{ before: creator, after: { ...creator, ...to } }])
  expect(foldFacts(both(), swapped({ token: creator })).segment.tokens).toEqual([])
})

it('the supply grows by what is minted and shrinks by what is burned', () => {
  const holder = address(0x71)
  const { segment } = foldFacts(
    both(),
    transferred(creator, [NOBODY, holder], [5n * WHOLE, 0n, 5n * WHOLE]),
    transferred(creator, [holder, NOBODY], [2n * WHOLE, 3n * WHOLE, 0n]),
  )
  const row = segment.rows.find(({ token }) => token === creator.address)
  expect(row!.after.supply - row!.before.supply).toBe(3n * WHOLE)
})

describe('fold: trades', () => {
  it('values a swap at the close before the minute, not at the reference’s price within it', () => {
    const { segment } = foldFacts(both(), rated(4n * USD), swapped({ token: creator }))
    expect(segment.swaps[0]?.volumeMicroUsd).toBe(1_000_000n)
    expect(segment.references.get(ZORA)?.heldUsdE36).toBe(USD) // 300 % away: held back
  })

  it('counts buys among all trades, with their volumes', () => {
    const trades = [true, false, true].map((isBuy) => swapped({ token: creator, isBuy }))
    const { segment } = foldFacts(both(), ...trades)
    expect(segment.rows.find(({ token }) => token === creator.address)?.after).toMatchObject({
      cumTrades: 3,
      cumVolumeMicroUsd: 3_000_000n,
      cumBuys: 2,
      cumBuyVolumeMicroUsd: 2_000_000n,
    })
  })

  it('before the first close, uses the reference’s last trade', () => {
    const { segment } = foldFacts(unrated(), rated(4n * USD), swapped({ token: creator }))
    expect(segment.swaps[0]?.volumeMicroUsd).toBe(4_000_000n)
    expect(segment.references.get(ZORA)?.heldUsdE36).toBe(4n * USD)
  })

  it('opens a candle at the first price in USD, also where trades before it had no route there', () => {
    const trades = [ONE_X96, 2n * ONE_X96].map((sqrtPriceX96) => swapped({ token: creator, sqrtPriceX96 }))
    const { segment } = foldFacts(unrated(), trades[0]!, rated(USD), trades[1]!)
    expect(segment.rows[0]?.candle).toEqual({
      open: 4n * USD,
      high: 4n * USD,
      low: 4n * USD,
      close: 4n * USD,
      // Its pool had a price before the minute.
      firstSqrt: 0n,
      highSqrt: 2n * ONE_X96,
      lowSqrt: ONE_X96,
    })
  })

  it("values a post's swap at the creator token's price at that log, internal moves included", () => {
    const doubled = (ONE_X96 * 14142135623730950488n) / 10n ** 19n // sqrt(2)
    const post = swapped({ token: creatorPost })
    const { segment } = foldFacts(both(), post, moved(creator, doubled), post)
    expect(segment.swaps.map((swap) => swap.volumeMicroUsd)).toEqual([1_000_000n, 1_999_999n])
    expect(segment.rows.find((row) => row.token === creator.address)?.after.cumTrades).toBe(0)
  })

  it('gives a post of a post no price and its trades no volume: it is four pools from USD', () => {
    const deep = coin({ address: address(0xdee9), kind: 'post', quote: creatorPost.address })
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

  it('treats a swap of a hook as a price move, even if the hook first appears later in the minute', () => {
    const later = address(0x99)
    const sold = (sender: Address, price: bigint) =>
      swapped({ token: creator, isBuy: false, sender, sqrtPriceX96: price * ONE_X96 })
    const appears = migrated({ ...creatorPost, poolId: hash(0x77), hook: later, quote: ZORA })
    const { segment } = foldFacts(both(), sold(HOOK, 2n), sold(later, 3n), appears)
    expect(segment.swaps).toEqual([])
    const { after, candle } = segment.rows.find(({ token }) => token === creator.address)!
    expect(after).toMatchObject({ sqrtPriceX96: 3n * ONE_X96, cumTrades: 0, cumVolumeMicroUsd: 0n })
    expect(after.lastSwapMinute).toBe(0)
    expect(candle).toMatchObject({ open: 4n * USD, close: 9n * USD })
    const trades = foldFacts(both(), sold(HOOK, 2n), sold(later, 3n)).segment.swaps
    expect(trades).toHaveLength(1)
  })

  it('names the trader given by a trusted router, else the recipient of the last transfer, else tx.from', () => {
    const buyer = address(0x51)
    const pay = (to: number, tx: number) => ({
      ...transferred(creator, [MANAGER, address(to)], [1n, 9n, 1n]),
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

const trade = fc.record({
  isPost: fc.boolean(),
  isBuy: fc.boolean(),
  wallet: fc.integer({ min: 1, max: 4 }),
  quote: fc.bigInt(0n, 10n ** 20n),
})

it('a fold adds up: growth is the sum of the swaps, rank volume each wallet’s largest net position in the hour, after is the next before, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.array(trade, { maxLength: 8 }), { minLength: 1, maxLength: 6 }), (minutes) => {
      let before = both()
      const wallets = new Map<string, { net: bigint; peak: bigint; counts: boolean }>()
      for (const [i, trades] of minutes.entries()) {
        const facts = trades.map(({ isPost, isBuy, wallet, quote }) =>
          swapped({
            token: isPost ? creatorPost : creator,
            isBuy,
            amountQuote: quote,
            trader: address(wallet),
          }),
        )
        const input = minuteOf(blockOf(block(10 + i, 600 + 60 * i), facts))
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
