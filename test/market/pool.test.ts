import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  counted,
  marketCapMicroUsd,
  microUsdOf,
  paidUsdE36,
  priceUsdE36,
  reservesOf,
  sqrtPriceAtTick,
  withLiquidity,
} from '../../market/pool.ts'
import type { LiquidityRange } from '../../market/segment.ts'

const Q96 = 1n << 96n
const E36 = 10n ** 36n

const poolAt = (sqrtPriceX96: bigint, isCurrency0 = true, quoteDecimals = 18) => ({
  sqrtPriceX96,
  isCurrency0,
  quoteDecimals,
})

const sqrtPrices = fc.bigInt(4295128739n, 1461446703485210103287273052203988822378723970342n)
const ticks = fc.integer({ min: -887272, max: 887272 })

describe('sqrtPriceAtTick', () => {
  it('meets the ends of the range that Uniswap states', () => {
    expect(sqrtPriceAtTick(-887272)).toBe(4295128739n)
    expect(sqrtPriceAtTick(0)).toBe(Q96)
    expect(sqrtPriceAtTick(887272)).toBe(1461446703485210103287273052203988822378723970342n)
  })

  it('equals the contract’s source, step by step', () => {
    const source = readFileSync('node_modules/@uniswap/v4-core/src/libraries/TickMath.sol', 'utf8')
    const first = /absTick & 0x1 != 0 \? (0x[0-9a-f]+) : (0x[0-9a-f]+);/.exec(source)!
    const others = [
      ...source.matchAll(/absTick & (0x[0-9a-f]+) != 0\) price = \(price \* (0x[0-9a-f]+)\) >> 128/g),
    ]
    expect(others).toHaveLength(19)
    fc.assert(
      fc.property(ticks, (tick) => {
        const distance = Math.abs(tick)
        let price = BigInt(distance & 1 ? first[1]! : first[2]!)
        for (const [, bit, factor] of others) {
          if (distance & Number(bit)) price = (price * BigInt(factor!)) >> 128n
        }
        if (tick > 0) price = (2n ** 256n - 1n) / price
        expect(sqrtPriceAtTick(tick)).toBe((price + 2n ** 32n - 1n) >> 32n)
      }),
      { numRuns: 500 },
    )
  })

  it.each([887273, -887273, 0.5, Number.NaN])('refuses %s', (tick) => {
    expect(() => sqrtPriceAtTick(tick)).toThrow(RangeError)
  })
})

describe('priceUsdE36', () => {
  const weth = priceUsdE36(poolAt(3961408125713216879677197n, true, 6), E36)
  const zora = priceUsdE36(poolAt(8786828287001867512662n, true, 6), E36)
  const creator = priceUsdE36(poolAt(354319114228591420592203432321n, false), zora)
  const post = priceUsdE36(poolAt(3543191142285914205922034323n, true), creator)

  it.each([
    ['WETH in USDC', weth, 2499999999999999999999n],
    ['ZORA in USDC', zora, 12299999999999999n],
    ['a creator token (currency1) in ZORA', creator, 614999999999999n],
    ['a post token (currency0) in its creator token', post, 1229999999999n],
  ])('prices %s', (_name, price, usdE18) => {
    expect(price / 10n ** 18n).toBe(usdE18)
  })

  it('gives the caps of a billion tokens at these prices', () => {
    expect(marketCapMicroUsd(creator, 10n ** 27n)).toBe(614_999_999_999n)
    expect(marketCapMicroUsd(post, 10n ** 27n)).toBe(1_229_999_999n)
  })

  it('is 0 without a pool price, and 0 without a USD rate', () => {
    expect(priceUsdE36(poolAt(0n, false), E36)).toBe(0n)
    expect(priceUsdE36(poolAt(Q96), 0n)).toBe(0n)
  })

  it('is the floor of the exact fraction', () => {
    fc.assert(
      fc.property(
        sqrtPrices,
        fc.boolean(),
        fc.integer({ min: 0, max: 24 }),
        fc.bigInt(0n, 10n ** 42n),
        (sqrtPriceX96, isCurrency0, quoteDecimals, usd) => {
          const square = sqrtPriceX96 ** 2n
          const [up, down] = isCurrency0 ? [square, Q96 ** 2n] : [Q96 ** 2n, square]
          const numerator = up * 10n ** 18n * usd
          const denominator = down * 10n ** BigInt(quoteDecimals)
          const price = priceUsdE36(poolAt(sqrtPriceX96, isCurrency0, quoteDecimals), usd)
          expect(price * denominator <= numerator && numerator < (price + 1n) * denominator).toBe(true)
        },
      ),
    )
  })
})

describe('amounts in micro-dollars', () => {
  it('floors the volume of a swap', () => {
    // 1.5 ZORA at $0.0123 = $0.01845; one base unit less falls below the micro-dollar.
    const rate = 123n * 10n ** 32n
    expect(microUsdOf(15n * 10n ** 17n, rate, 18)).toBe(18450n)
    expect(microUsdOf(15n * 10n ** 17n - 1n, rate, 18)).toBe(18449n)
    expect(microUsdOf(2_500_000n, E36, 6)).toBe(2_500_000n)
  })

  it('computes the price paid per whole token', () => {
    // 3 USDC for 2 tokens = $1.50.
    const trade = { amountToken: 2n * 10n ** 18n, amountQuote: 3_000_000n, quoteDecimals: 6 }
    expect(paidUsdE36(trade, E36)).toBe((3n * E36) / 2n)
    expect(paidUsdE36({ ...trade, amountToken: 0n }, E36)).toBe(0n)
  })

  it('pays the volume back: paid × tokens is the volume within a micro-dollar', () => {
    const amounts = fc.bigInt(1n, 10n ** 27n)
    fc.assert(
      fc.property(amounts, amounts, fc.bigInt(0n, 10n ** 40n), (amountToken, amountQuote, rate) => {
        const volume = microUsdOf(amountQuote, rate, 18)
        const paid = paidUsdE36({ amountToken, amountQuote, quoteDecimals: 18 }, rate)
        const again = marketCapMicroUsd(paid, amountToken)
        expect(again <= volume && volume - again <= 1n).toBe(true)
      }),
    )
  })
})

it.each([
  [1_000_000n, 39_999n, 999_975n],
  [1_000_000n, 40_001n, 1_000_000n],
  [5_000n, 0n, 0n],
])('counted: of $%s over $%s is $%s', (cap, liquidity, part) => {
  expect(counted(cap, liquidity)).toBe(part)
})

const L = 10n ** 21n

const range = (tickLower: number, tickUpper: number, liquidity = L): LiquidityRange => ({
  tickLower,
  tickUpper,
  liquidity,
})

/** Prices of ordinary tokens: quote per token from 1e-12 to 1e12. */
const commonSqrtPrices = fc.bigInt(Q96 / 10n ** 6n, Q96 * 10n ** 6n)
const ranges = fc
  .array(
    fc.record({
      tickLower: fc.integer({ min: -20000, max: 0 }),
      width: fc.integer({ min: 1, max: 20000 }),
      liquidity: fc.bigInt(-(10n ** 6n), 10n ** 27n),
    }),
    { maxLength: 8 },
  )
  .map((list) =>
    list.map(({ tickLower, width, liquidity }) => range(tickLower, tickLower + width, liquidity)),
  )

describe('reservesOf', () => {
  it.each([
    ['full range at price 1', range(-887200, 887200), 0, 999999999999999999945n, 999999999999999999945n],
    ['a band around tick 0', range(-2000, 2000), 0, 95158058067231121917n, 95158058067231121917n],
    ['a band below the price: all of it quote', range(-2000, 2000), 3000, 200323450670463819157n, 0n],
  ])('holds %s', (_name, liquidity, tick, reserveQuote, reserveToken) => {
    expect(reservesOf([liquidity], poolAt(sqrtPriceAtTick(tick)))).toEqual({ reserveQuote, reserveToken })
  })

  it('holds nothing on the quote side of a one-sided launch', () => {
    const launch = [range(0, 2000), range(2000, 9000)]
    expect(reservesOf(launch, poolAt(Q96)).reserveQuote).toBe(0n)
    expect(reservesOf(launch, poolAt(Q96)).reserveToken).toBeGreaterThan(0n)
  })

  it('holds nothing without a price, and counts negative dust as 0', () => {
    expect(reservesOf([range(-2000, 2000)], poolAt(0n))).toEqual({ reserveQuote: 0n, reserveToken: 0n })
    expect(reservesOf([range(-2000, 2000, -L)], poolAt(Q96))).toEqual({ reserveQuote: 0n, reserveToken: 0n })
  })

  it('adds up over ranges', () => {
    fc.assert(
      fc.property(
        ranges,
        ranges,
        commonSqrtPrices,
        fc.boolean(),
        (some, others, sqrtPriceX96, isCurrency0) => {
          const pool = poolAt(sqrtPriceX96, isCurrency0)
          const all = reservesOf([...some, ...others], pool)
          const [a, b] = [reservesOf(some, pool), reservesOf(others, pool)]
          expect(all).toEqual({
            reserveQuote: a.reserveQuote + b.reserveQuote,
            reserveToken: a.reserveToken + b.reserveToken,
          })
        },
      ),
    )
  })

  it('swaps the sides if the token is the other currency', () => {
    fc.assert(
      fc.property(ranges, commonSqrtPrices, (list, sqrtPriceX96) => {
        const straight = reservesOf(list, poolAt(sqrtPriceX96, true))
        const turned = reservesOf(list, poolAt(sqrtPriceX96, false))
        expect(turned).toEqual({ reserveQuote: straight.reserveToken, reserveToken: straight.reserveQuote })
      }),
    )
  })

  it('floors as LiquidityAmounts does: amount0 over one root after the other', () => {
    fc.assert(
      fc.property(
        ticks,
        ticks,
        commonSqrtPrices,
        fc.bigInt(1n, 2n ** 128n - 1n),
        (a, b, price, liquidity) => {
          const [low, high] = a < b ? [a, b] : [b, a]
          const [lower, upper] = [sqrtPriceAtTick(low), sqrtPriceAtTick(high)]
          const amount0 = (from: bigint, to: bigint) => ((liquidity << 96n) * (to - from)) / to / from
          const amount1 = (from: bigint, to: bigint) => (liquidity * (to - from)) / Q96
          let expected = { reserveToken: amount0(price, upper), reserveQuote: amount1(lower, price) }
          if (price <= lower) expected = { reserveToken: amount0(lower, upper), reserveQuote: 0n }
          if (price >= upper) expected = { reserveToken: 0n, reserveQuote: amount1(lower, upper) }
          if (low === high) expected = { reserveToken: 0n, reserveQuote: 0n }
          expect(reservesOf([range(low, high, liquidity)], poolAt(price))).toEqual(expected)
        },
      ),
    )
  })
})

describe('withLiquidity', () => {
  it('sums a range, keeps the order and drops empty ranges', () => {
    const first = withLiquidity([], 10, 20, 5n)
    const second = withLiquidity(first, -10, 20, 7n)
    const third = withLiquidity(second, -10, 5, 1n)
    expect(third).toEqual([range(-10, 5, 1n), range(-10, 20, 7n), range(10, 20, 5n)])
    expect(withLiquidity(third, -10, 20, -7n)).toEqual([range(-10, 5, 1n), range(10, 20, 5n)])
    expect(withLiquidity([], 1, 2, 0n)).toEqual([])
    expect(withLiquidity([], 1, 2, -3n)).toEqual([range(1, 2, -3n)])
  })

  it('does not depend on the order of the changes, and does not modify its input', () => {
    const changes = fc.array(
      fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 3, max: 5 }), fc.bigInt(-3n, 3n)),
    )
    fc.assert(
      fc.property(changes, (list) => {
        const apply = (held: readonly LiquidityRange[], [lower, upper, delta]: [number, number, bigint]) =>
          withLiquidity(Object.freeze(held), lower, upper, delta)
        const forwards = list.reduce<readonly LiquidityRange[]>(apply, [])
        expect(list.reduceRight<readonly LiquidityRange[]>(apply, [])).toEqual(forwards)
        expect(forwards.every(({ liquidity }) => liquidity !== 0n)).toBe(true)
      }),
    )
  })
})
