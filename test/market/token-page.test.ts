import { expect, it } from 'vitest'
import { pointOf } from '../../market/board/price-points.ts'
import { stepOf } from '../../market/board/token-page.ts'
import type { Candle } from '../../market/segment.ts'
import { address, coin, known, ZORA } from '../support/facts.ts'

const { token, state } = known({ coin: coin({ address: address(0xa), quote: ZORA }) })

it('a step is filled where the price was not set in it, not where a trade set one that has no route to USD', () => {
  const candle = { open: 0n, high: 0n, low: 0n, close: 0n }
  const step = (candles: readonly Candle[]) =>
    stepOf({
      start: 0,
      end: 300,
      asOf: 600,
      path: [token],
      before: state,
      points: candles.map((each, minute) => pointOf(minute, { candle: each, after: state })),
      after: { states: [{ ...state, cumTrades: candles.length }], rate: null },
    })
  expect(step([candle])).toMatchObject({ trades: 1, isFilled: false, candle: { close: null } })
  expect(step([])).toMatchObject({ trades: 0, isFilled: true, candle: { close: null } })
})

it('a step has the prices set in it, and the growth of volume and trades', () => {
  const candle = { open: 3n, high: 5n, low: 2n, close: 4n }
  const before = { ...state, cumVolumeMicroUsd: 70n, cumTrades: 4 }
  const step = stepOf({
    start: 0,
    end: 300,
    asOf: 300,
    path: [token],
    before,
    points: [pointOf(0, { candle, after: state })],
    after: { states: [{ ...state, cumVolumeMicroUsd: 100n, cumTrades: 6 }], rate: null },
  })
  expect(step).toMatchObject({ volume: 30n, trades: 2, isFilled: false, isPartial: false })
  expect(step.candle).toEqual({ open: 3n, high: 5n, low: 2n, close: null })
})
