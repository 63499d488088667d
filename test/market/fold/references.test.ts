import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { closeReferences, recentCloses } from '../../../market/fold/references.ts'
import type { RateClose } from '../../../market/prior.ts'
import { sourceFigures } from '../../../market/rate-source.ts'
import type { References } from '../../../market/segment.ts'
import { DOLLAR, hash, ONE_X96, rate, USD, WHOLE, ZORA } from '../../support/market/facts.ts'

const MINUTE = 29_000_000

/** What a source says at a close: its price in dollars and what moves it by 2 %; `age`: hours since its swap. */
type Said = { readonly usd: number; readonly depth?: number; readonly age?: number }

function swapOf({ usd, depth = 1_000, age = 0 }: Said, minute: number) {
  const sqrtPriceX96 = BigInt(Math.round(Math.sqrt(usd) * 2 ** 48)) << 48n
  const quoteSide = BigInt(Math.round((depth / (Math.sqrt(1.02) - 1)) * 1e6)) * 10n ** 12n
  const liquidity = (quoteSide * ONE_X96) / sqrtPriceX96
  return { sqrtPriceX96, liquidity, swappedAt: (minute + 1) * 60 - age * 3_600 }
}

/** ZORA's rate after closes of one minute each, in dollars; a source that says nothing keeps what it said last. */
function ratesAfter(closes: readonly (readonly (Said | undefined)[])[], first = 0): number[] {
  const pools = closes[0]!.map((_, n) => hash(n + 1))
  const untouched = { quote: DOLLAR, isCurrency0: true, sqrtPriceX96: 0n, liquidity: 0n, swappedAt: 0 }
  const sources = pools.map((pool) => ({ pool, ...untouched }))
  let references: References = new Map([
    [ZORA, { ...rate(BigInt(Math.round(first * 1e6)) * 10n ** 30n), sources }],
    [DOLLAR, rate()],
  ])
  let past: readonly RateClose[] = []
  return closes.map((said, n) => {
    const minute = MINUTE + n
    const swaps = new Map(
      said.flatMap((one, at) => (one ? [[pools[at]!, swapOf(one, minute)] as const] : [])),
    )
    references = closeReferences(references, { minute, swaps, closes: past })
    past = recentCloses([...past, { minute, references }])
    return Math.round(Number(references.get(ZORA)!.heldUsdE36) / 1e32) / 1e4
  })
}

const at = (...prices: readonly number[]): readonly Said[] => prices.map((usd) => ({ usd }))
const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value)

describe('the close of a reference rate', () => {
  it.each<[what: string, said: readonly Said[], close: number]>([
    ['of three votes is the middle one', at(0.25, 1.1025, 9), 1.1025],
    ['of two is the one nearer the rate in force', at(1.21, 0.9025), 0.9025],
    ['of four is the one of the middle two that is nearer', at(0.25, 1.0404, 0.9025, 4), 1.0404],
    [
      'counts no source that is too shallow',
      [...at(1.1025), { usd: 1.21, depth: 199 }, { usd: 4, depth: 199 }],
      1.1025,
    ],
    [
      'counts one of just the least depth',
      [
        { usd: 0.9025, depth: 201 },
        { usd: 1, depth: 199 },
      ],
      0.9025,
    ],
    [
      'counts no source that has not swapped for a day',
      [
        { usd: 1.1025, age: 25 },
        { usd: 0.9025, age: 24 },
      ],
      0.9025,
    ],
    [
      'without a vote is the price of the deepest source',
      [
        { usd: 1.1025, depth: 9 },
        { usd: 1.0404, depth: 8, age: 90 },
      ],
      1.1025,
    ],
  ])('%s', (_what, said, close) => {
    expect(ratesAfter([said], 1)).toEqual([close])
  })

  it('is the one before while no source has a price, and the first price as it comes', () => {
    expect(ratesAfter([[undefined], at(7.29)])).toEqual([0, 7.29])
  })

  it('is at the closing rate of what the source is priced in, in the same minute', () => {
    const [ether, pools] = [hash(0xee), [hash(1), hash(2)] as const]
    const source = (pool: typeof ether, quote: typeof ZORA) => ({
      pool,
      quote,
      isCurrency0: true,
      ...swapOf({ usd: 1 }, 0),
    })
    const before: References = new Map([
      [ZORA, { ...rate(USD), sources: [source(pools[0], ether as never)] }],
      [ether as never, { ...rate(USD), sources: [source(pools[1], DOLLAR)] }],
      [DOLLAR, rate()],
    ])
    const swaps = new Map([
      [pools[0], swapOf({ usd: 0.25 }, MINUTE)],
      [pools[1], swapOf({ usd: 1.1025 }, MINUTE)],
    ])
    const after = closeReferences(before, { minute: MINUTE, swaps, closes: [] })
    expect(after.get(ZORA)?.observedUsdE36).toBe((after.get(ether as never)!.heldUsdE36 * 25n) / 100n)
  })

  it('needs $450 to move by 2 % in a pool of $91,000', () => {
    const sqrtPriceX96 = ONE_X96 / 10n
    const liquidity = 45_500n * WHOLE * 10n
    const source = { pool: hash(1), quote: DOLLAR, sqrtPriceX96, liquidity, swappedAt: 0 }
    const quote = { usdE36: USD, decimals: 18 }
    for (const isCurrency0 of [true, false]) {
      // As currency1 the pool holds as much of the other side.
      const own = isCurrency0 ? source : { ...source, liquidity: liquidity / 100n }
      const { depthMicroUsd } = sourceFigures(
        { ...own, isCurrency0 },
        { quote, decimals: 18, minute: MINUTE },
      )
      expect(Number(depthMicroUsd) / 1e6).toBeCloseTo(45_500 * (Math.sqrt(1.02) - 1), 2)
    }
  })
})

describe('the hold', () => {
  const steps = (...prices: readonly number[]) =>
    ratesAfter(
      prices.map((usd) => at(usd)),
      prices[0],
    )

  it('follows moves of up to 20 %', () => {
    expect(steps(1, 1.1881, 0.9604)).toEqual([1, 1.1881, 0.9604])
  })
  it('holds a larger move until the third close in a row outside, in either direction', () => {
    expect(steps(1, 1.21, 1.3225, 0.64)).toEqual([1, 1, 1, 0.64])
  })
  it('a close back inside starts the count again', () => {
    expect(steps(1, 1.3225, 1.3225, 1.1025, 1.3924, 1.3924, 1.3689)).toEqual([
      1, 1, 1, 1.1025, 1.1025, 1.1025, 1.3689,
    ])
  })
  it('goes no further than 40 % from the rate of an hour before, until the fifteenth such close in a row', () => {
    const climb = [1, 1.1881, 1.3924, 1.5129]
    const held = steps(...climb, ...times(14, 1.5129), 1.69, 2.25, 2.25, 2.25)
    expect(held.slice(0, 17)).toEqual([1, 1.1881, ...times(15, 1.3924)])
    // From the fifteenth on, closes are taken; a jump is still held for two closes.
    expect(held.slice(17)).toEqual([1.5129, 1.69, 1.69, 1.69, 2.25])
  })
  it('measures from the rate in force an hour before, once the log is that old', () => {
    const slow = Array.from({ length: 200 }, (_, n) => (1 + n / 200) ** 2)
    expect(steps(...slow).at(-1)).toBeCloseTo(slow.at(-1)!, 3)
  })
})

describe('one pumped source', () => {
  const others = [1, 1.002].map((usd): Said => ({ usd }))
  it('of three leaves the rate within 1 % of the others, raised five times by 19 %', () => {
    const closes = [0, 1, 2, 3, 4, 5].map((n) => [{ usd: 1.19 ** n }, ...others])
    for (const held of ratesAfter(closes, 1)) expect(Math.abs(held - 1)).toBeLessThan(0.01)
  })
})

describe('what it takes to move every figure by 20 %', () => {
  const row = readFileSync('market/README.md', 'utf8').match(/\| every figure in USD.*/)?.[0] ?? ''
  const [least, deep, lost] = [...row.matchAll(/\$(\d[\d,]*)(?= in and out| at \$91,000| at fees)/g)].map(
    ([, text]) => Number(text!.replace(',', '')),
  ) as [number, number, number]
  /** Dollars that raise a pool's price by a fifth: liquidity × the difference of the roots. */
  const toRaise = (quoteSide: number) => quoteSide * (Math.sqrt(1.2) - 1)
  const leastSide = 200 / (Math.sqrt(1.02) - 1)

  it('is what market/README says: two of three sources', () => {
    expect(least).toBe(Math.round(2 * toRaise(leastSide)))
    expect(deep).toBe(Math.round(2 * toRaise(91_000 / 2)))
    expect(lost).toBe(Math.round(2 * least * 0.003))
    const lying = { usd: 1.2 * 0.9999, depth: 201 }
    expect(
      ratesAfter(
        [
          [{ usd: 1 }, { usd: 1 }, { usd: 1 }],
          [lying, lying, { usd: 1 }],
        ],
        1,
      )[1],
    ).toBeCloseTo(1.2, 3)
    expect(
      ratesAfter(
        [
          [{ usd: 1 }, { usd: 1 }, { usd: 1 }],
          [lying, { usd: 1 }, { usd: 1 }],
        ],
        1,
      )[1],
    ).toBe(1)
  })
})
