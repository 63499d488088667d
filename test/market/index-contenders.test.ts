import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContendersMarket, contendersAt } from '../../market/index-contenders.ts'
import { capAt, lowerMedian } from '../../market/index-median.ts'
import { effectiveCap, marketCapMicroUsd, microUsdOf, priceUsdE36 } from '../../market/pool.ts'
import { emptyState, type References, type Token, type TokenState } from '../../market/segment.ts'
import type { Edge } from '../../market/worth.ts'
import { minuteBefore } from '../../snapshot/index-state.ts'
import { addressOf, references, stateOf, tokenAt } from '../support/market-history.ts'

const NOW = 29_000_000
const Q96 = 2n ** 96n
const WHOLE = 10n ** 18n

/** A market after a minute, all of it. */
type Moment = {
  readonly minute: number
  readonly tokens: readonly Token[]
  readonly states: readonly TokenState[]
  readonly references: References
}

const edgeOf = ({ tokens, states, references }: Moment): Edge => ({
  tokens,
  references,
  numberOf: (address) => {
    const number = tokens.findIndex((token) => token.address === address)
    return number < 0 ? undefined : number
  },
  read: (field, number) => (states[number] ?? emptyState)[field],
})

/** 1 token = 1 quote; 10,000 of both in the pool; a million in all. */
const LIQUID = stateOf({
  sqrtPriceX96: Q96,
  supply: 10n ** 6n * WHOLE,
  reserveQuote: 10_000n * WHOLE,
  cumTrades: 3,
  cumVolumeMicroUsd: 900n,
})
const OLD = NOW - 5_000

/** The market of single moments, oldest first; the last one is now. 1 ZORA = $1. */
function marketOf(
  moments: readonly Moment[],
  { tradedBefore = 0, volumeBefore = 0n } = {},
): ContendersMarket {
  const now = moments.at(-1)!
  const recent = moments.slice(1).map((moment, at) => {
    const rows = moment.tokens.map(({ address }, number) => ({
      token: address,
      after: moment.states[number]!,
    }))
    const segment = { minute: moment.minute, rows, tokens: moment.tokens.map((after) => ({ after })) }
    return minuteBefore(edgeOf(moments[at]!), segment)
  })
  return {
    minute: now.minute,
    firstMinute: moments[0]!.minute,
    now: edgeOf(now),
    dayBefore: { ...edgeOf(now), read: () => volumeBefore as never },
    tradedSince: { ...edgeOf(now), read: () => tradedBefore as never },
    recent,
  }
}

const single = (token: Token, state: TokenState, rate = 1000): Moment => ({
  minute: NOW,
  tokens: [token],
  states: [state],
  references: references(rate),
})
const token = tokenAt(1, OLD)
const isIn = (market: ContendersMarket) => contendersAt(market).length === 1

describe('who may sit', () => {
  it('is a token with all that is needed, told with its volume of the day', () => {
    const market = marketOf([single(token, LIQUID)], { tradedBefore: 2, volumeBefore: 400n })
    expect(contendersAt(market)).toEqual([
      {
        token,
        supply: LIQUID.supply,
        priceUsdE36: 10n ** 36n,
        medianPriceUsdE36: 10n ** 36n,
        // 25 × $10,000 of a market cap of $1,000,000
        medianCap: 250_000_000_000n,
        marketCap: 1_000_000_000_000n,
        volume24h: 500n,
      },
    ])
  })

  it('has a price and a route to USD', () => {
    expect(isIn(marketOf([single(token, { ...LIQUID, sqrtPriceX96: 0n })]))).toBe(false)
    expect(isIn(marketOf([single({ ...token, quote: addressOf(77) }, LIQUID)]))).toBe(false)
  })

  it('has traded within seven days', () => {
    expect(isIn(marketOf([single(token, LIQUID)], { tradedBefore: 3 }))).toBe(false)
  })

  it('was created at least 60 minutes before the minute’s end', () => {
    const born = (seconds: number) => ({ ...token, launchedAt: { ...token.launchedAt, timestamp: seconds } })
    expect(isIn(marketOf([single(born((NOW - 59) * 60), LIQUID)]))).toBe(true)
    expect(isIn(marketOf([single(born((NOW - 59) * 60 + 1), LIQUID)]))).toBe(false)
  })

  it('has $100 on the quote side of its pool', () => {
    const reserve = (reserveQuote: bigint) => ({ ...LIQUID, reserveQuote })
    expect(isIn(marketOf([single(token, reserve(100n * WHOLE))]))).toBe(true)
    expect(isIn(marketOf([single(token, reserve(100n * WHOLE - 10n ** 12n))]))).toBe(false)
  })

  it('has them along its whole path: a post’s creator token too', () => {
    const post = tokenAt(2, OLD, { kind: 'post', quote: token.address })
    const kinds = (reserveQuote: bigint) =>
      contendersAt(
        marketOf([
          { ...single(token, LIQUID), tokens: [token, post], states: [{ ...LIQUID, reserveQuote }, LIQUID] },
        ]),
      ).map((each) => [each.token.kind, each.medianCap])
    expect(kinds(100n * WHOLE)).toEqual([
      ['creator', 2_500_000_000n],
      ['post', 2_500_000_000n],
    ])
    expect(kinds(99n * WHOLE)).toEqual([])
  })
})

describe('medians', () => {
  const priced = (minute: number, rate: number): Moment => ({ ...single(token, LIQUID, rate), minute })
  const medianPrice = (moments: readonly Moment[]) =>
    Number(contendersAt(marketOf(moments))[0]!.medianPriceUsdE36 / 10n ** 33n)

  it('count clock minutes, and a minute without a block as the one before it', () => {
    // 8 minutes at $1 (NOW − 14 … NOW − 7), 7 at $2 (NOW − 6 … NOW)
    expect(medianPrice([priced(NOW - 90, 1_000), priced(NOW - 6, 2_000), priced(NOW, 2_000)])).toBe(1_000)
    // 7 at $1, 8 at $2
    expect(medianPrice([priced(NOW - 90, 1_000), priced(NOW - 7, 2_000), priced(NOW, 2_000)])).toBe(2_000)
  })

  it('do not see a pump of seven minutes', () => {
    const pump = Array.from({ length: 7 }, (_, at) => priced(NOW - 6 + at, 50_000))
    expect(medianPrice([priced(NOW - 90, 1_000), ...pump])).toBe(1_000)
  })

  it('begin with the log, and are the lower of two', () => {
    expect(medianPrice([priced(NOW - 3, 1_000), priced(NOW - 1, 4_000), priced(NOW, 4_000)])).toBe(1_000)
    expect(medianPrice([priced(NOW, 7_000)])).toBe(7_000)
    expect([lowerMedian([]), lowerMedian([3n]), lowerMedian([9n, 1n]), lowerMedian([9n, 1n, 5n])]).toEqual([
      0n,
      3n,
      1n,
      5n,
    ])
  })

  it('equal what the whole market of each minute says', () => {
    const change = fc.record({
      gap: fc.integer({ min: 1, max: 6 }),
      rate: fc.integer({ min: 500, max: 2_000 }),
      changes: fc.array(
        fc.record({
          number: fc.nat(5),
          price: fc.bigInt(Q96 / 3n, Q96 * 3n),
          supply: fc.bigInt(1n, 10n ** 24n),
          // Worth $100 and more at a ninth of half a dollar, too: all six stay eligible.
          reserveQuote: fc.bigInt(2n * 10n ** 21n, 10n ** 23n),
          flips: fc.boolean(),
        }),
        { maxLength: 2 },
      ),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), (history) => {
        const tokens = [1, 2, 3, 4, 5, 6].map((number) =>
          tokenAt(number, OLD, number > 3 ? { kind: 'post', quote: addressOf(number - 3) } : {}),
        )
        const moments: Moment[] = [
          { minute: NOW, tokens, states: tokens.map(() => LIQUID), references: references(1000) },
        ]
        for (const { gap, rate, changes } of history) {
          const last = moments.at(-1)!
          const [next, nextStates] = [[...last.tokens], [...last.states]]
          for (const { number, price, supply, reserveQuote, flips } of changes) {
            nextStates[number] = { ...nextStates[number]!, sqrtPriceX96: price, supply, reserveQuote }
            if (flips) next[number] = { ...next[number]!, isCurrency0: !next[number]!.isCurrency0 }
          }
          moments.push({
            minute: last.minute + gap,
            tokens: next,
            states: nextStates,
            references: references(rate),
          })
        }
        const { minute } = moments.at(-1)!
        const looks = Array.from({ length: 15 }, (_, at) => minute - at)
          .filter((clock) => clock >= NOW)
          .map((clock) => edgeOf(moments.findLast((moment) => moment.minute <= clock)!))
        const contenders = contendersAt(marketOf(moments))
        expect(contenders).toHaveLength(6)
        for (const [number, { medianCap, medianPriceUsdE36 }] of contenders.entries()) {
          expect(medianCap).toBe(lowerMedian(looks.map((edge) => worthBy(edge, number).cap)))
          expect(medianPriceUsdE36).toBe(lowerMedian(looks.map((edge) => worthBy(edge, number).price)))
        }
      }),
      { numRuns: 150 },
    )
  })
})

/** Price and effective cap by hand: a creator token in ZORA, a post in a creator token. */
function worthBy(edge: Edge, number: number): { price: bigint; cap: bigint } {
  const token = edge.tokens[number]!
  const zora = [...edge.references.values()][0]!.heldUsdE36
  const creator = token.kind === 'post' ? edge.numberOf(token.quote)! : null
  const quote = creator === null ? zora : worthBy(edge, creator).price
  const price = priceUsdE36(
    { sqrtPriceX96: edge.read('sqrtPriceX96', number), isCurrency0: token.isCurrency0, quoteDecimals: 18 },
    quote,
  )
  const own = microUsdOf(edge.read('reserveQuote', number), quote, 18)
  const rest = creator === null ? own : microUsdOf(edge.read('reserveQuote', creator), zora, 18)
  const supply = edge.read('supply', number)
  const cap = effectiveCap(marketCapMicroUsd(price, supply), lowerMedian([own, rest]))
  expect(capAt(edge, number, supply)).toBe(cap)
  return { price, cap }
}
