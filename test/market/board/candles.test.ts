import { expect, it } from 'vitest'
import { slotFrom } from '../../../market/board/candles.ts'
import { pointsOf, rolledUp } from '../../../market/board/price-points.ts'
import type { Candle, Token, TokenState } from '../../../market/segment.ts'
import { address, candleAt, coin, known, ONE_X96, USD, ZORA } from '../../support/market/facts.ts'

const { token: first, state } = known({ coin: coin({ address: address(0xa), quote: ZORA }) })
const token: Token = { ...first, launchedAt: { ...first.launchedAt, timestamp: 0 } }

/** A slot of five minutes from minute 5 on. */
function slot(
  candles: readonly Candle[],
  states: { readonly before?: Partial<TokenState>; readonly after?: Partial<TokenState>; of?: Token } = {},
  rate: bigint | null = USD,
) {
  const [before, after] = [
    { ...state, sqrtPriceX96: ONE_X96, ...states.before },
    { ...state, sqrtPriceX96: ONE_X96, ...states.after },
  ]
  const path = (own: TokenState) => ({
    states: [own],
    rate: rate === null ? null : { usdE36: rate, decimals: 18 },
  })
  return slotFrom({
    start: 300,
    end: 600,
    asOf: 600,
    path: [states.of ?? token],
    quoteDecimals: 18,
    before: path(before),
    after: path(after),
    points: pointsOf(
      candles.map((candle, at) => ({ minute: 5 + at, row: { before, after, candle }, volumeQuote: 7n })),
    ),
  })
}

const candleWith = (prices: Partial<Candle>): Candle => ({ ...candleAt(), firstSqrt: 0n, ...prices })

it('a candle is filled where no trade set the price, not where one set a price without a route to USD', () => {
  const noRoute = candleWith({ open: 0n, high: 0n, low: 0n, close: 0n })
  const traded = slot([noRoute], { after: { cumTrades: 1 } }, null)
  expect(traded).toMatchObject({ trades: 1, isFilled: false, usd: { open: null, high: null, close: null } })
  expect(traded.quote).toEqual({ open: USD, high: USD, low: USD, close: USD })
  expect(slot([], {}, null)).toMatchObject({ trades: 0, isFilled: true, usd: { close: null } })
})

it('a candle opens at the close before, which its high and low include', () => {
  const rises = slot([candleWith({ high: 3n * USD, low: 2n * USD })], {
    after: { sqrtPriceX96: ONE_X96 * 2n },
  })
  // At twice the square root it costs four times as much.
  expect(rises.usd).toEqual({ open: USD, high: 4n * USD, low: USD, close: 4n * USD })
  const falls = slot([candleWith({ high: USD / 2n, low: USD / 3n })])
  expect(falls.usd).toEqual({ open: USD, high: USD, low: USD / 3n, close: USD })
})

it('a candle in the quote has the prices of the pool itself, whatever the quote is worth', () => {
  const moved = slot([candleWith({ highSqrt: 4n * ONE_X96, lowSqrt: ONE_X96 / 2n })], {}, 5n * USD)
  expect(moved.quote).toEqual({ open: USD, high: 16n * USD, low: USD / 4n, close: USD })
})

it('the candle of the launch opens at the launch price, in the quote at the pool’s first price', () => {
  const born: Token = {
    ...token,
    launchedAt: { ...token.launchedAt, timestamp: 330 },
    launch: { priceUsdE36: 9n * USD, supply: 1n },
  }
  const facts = { of: born, before: { sqrtPriceX96: 0n }, after: { sqrtPriceX96: ONE_X96 } }
  const launched = slot([candleWith({ firstSqrt: ONE_X96 / 2n })], facts)
  expect(launched.usd).toEqual({ open: 9n * USD, high: 9n * USD, low: USD, close: USD })
})

it('a candle has the growth of volumes and trades, and the amount of the quote that was traded', () => {
  const before = { cumVolumeMicroUsd: 70n, cumTrades: 4, cumBuys: 2, cumBuyVolumeMicroUsd: 30n }
  const after = { cumVolumeMicroUsd: 100n, cumTrades: 6, cumBuys: 3, cumBuyVolumeMicroUsd: 35n }
  const facts = { volume: 30n, trades: 2, buys: 1, buyVolume: 5n, volumeQuote: 14n, isPartial: false }
  expect(slot([candleWith({}), candleWith({})], { before, after })).toMatchObject(facts)
})

it('the price before the first row of a token is the one it had, else that of its first trade, if there is one', () => {
  const priceBefore = (sqrtPriceX96: bigint, candle: Candle | null) =>
    pointsOf([
      { minute: 5, row: { before: { ...state, sqrtPriceX96 }, after: state, candle }, volumeQuote: 0n },
    ])[0]?.state.sqrtPriceX96
  const traded = candleWith({ firstSqrt: 5n })
  expect([priceBefore(7n, traded), priceBefore(0n, traded), priceBefore(0n, null)]).toEqual([7n, 5n, 0n])
})

it('minutes that are rolled up have the last one’s state and the sum of what was traded', () => {
  const row = { before: state, after: state, candle: null }
  const rows = [5, 6, 10].map((minute) => ({ minute, row, volumeQuote: BigInt(minute) }))
  const rolled = rolledUp(pointsOf(rows), 5)
  expect(rolled.map(({ minute, volumeQuote }) => [minute, volumeQuote])).toEqual([
    [4, 0n],
    [6, 11n],
    [10, 10n],
  ])
})
