import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reservesOf, sqrtPriceAtTick, withLiquidity } from '../../market/pool.ts'
import type { LiquidityRange } from '../../market/segment.ts'

const Q96 = 1n << 96n
const L = 10n ** 21n

const poolAt = (sqrtPriceX96: bigint, isCurrency0 = true) => ({ sqrtPriceX96, isCurrency0 })
const range = (tickLower: number, tickUpper: number, liquidity = L): LiquidityRange => ({
  tickLower,
  tickUpper,
  liquidity,
})

/** Prices of ordinary tokens: quote per token from 1e-12 to 1e12. */
const commonSqrtPrices = fc.bigInt(Q96 / 10n ** 6n, Q96 * 10n ** 6n)
const ticks = fc.integer({ min: -887272, max: 887272 })
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

  it('mirrors: the same pool seen from currency1 swaps the sides', () => {
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
  it('sums a range, keeps the order and drops what is empty', () => {
    const first = withLiquidity([], 10, 20, 5n)
    const second = withLiquidity(first, -10, 20, 7n)
    const third = withLiquidity(second, -10, 5, 1n)
    expect(third).toEqual([range(-10, 5, 1n), range(-10, 20, 7n), range(10, 20, 5n)])
    expect(withLiquidity(third, -10, 20, -7n)).toEqual([range(-10, 5, 1n), range(10, 20, 5n)])
    expect(withLiquidity([], 1, 2, 0n)).toEqual([])
    expect(withLiquidity([], 1, 2, -3n)).toEqual([range(1, 2, -3n)])
  })

  it('does not depend on the order of the changes, and leaves its input alone', () => {
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
