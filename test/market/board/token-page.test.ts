import { expect, it } from 'vitest'
import { tokenPageOf } from '../../../market/board/token-page.ts'
import { candleIntervals, gridAt, startOfSlot } from '../../../market/interval.ts'
import type { TokenState } from '../../../market/segment.ts'
import { address, coin, known, ONE_X96, USD, WHOLE, ZORA } from '../../support/market/facts.ts'

const { token, state } = known({ coin: coin({ address: address(0xa), quote: ZORA }) })

it('the page of a token has what was traded and earned since the day before', () => {
  const path = (numbers: Partial<TokenState>) => ({
    states: [{ ...state, ...numbers, sqrtPriceX96: ONE_X96, supply: 8n * WHOLE, selfHeld: 5n * WHOLE }],
    rate: { usdE36: USD, decimals: 18 },
  })
  const page = tokenPageOf({
    path: [token],
    creatorToken: null,
    nameFlags: { isMixedScript: false, lookalikeOf: null },
    minute: 100,
    now: path({ cumVolumeMicroUsd: 100n, cumTrades: 6, cumEarnedMicroUsd: 9n }),
    day: path({ cumVolumeMicroUsd: 70n, cumTrades: 4, cumEarnedMicroUsd: 5n }),
    week: path({}),
  })
  expect(page).toMatchObject({
    volume24h: 30n,
    totalVolume: 100n,
    trades24h: 2,
    creatorEarnings24h: 4n,
    creatorEarnings: 9n,
    circulatingMarketCap: 3_000_000n,
  })
})

it.each([
  ['above the highest close', 7n, { high: [7n, 101 * 60], low: [2n, 81 * 60] }],
  ['below the lowest close', 1n, { high: [5n, 91 * 60], low: [1n, 101 * 60] }],
  ['between them', 3n, { high: [5n, 91 * 60], low: [2n, 81 * 60] }],
  ['unknown', 0n, { high: [5n, 91 * 60], low: [2n, 81 * 60] }],
])(
  'a price that its quote has moved is never beyond the all-time high and low: %s',
  (_, usdE36, { high, low }) => {
    const closes = { athUsdE36: 5n, athMinute: 90, atlUsdE36: 2n, atlMinute: 80 }
    const now = { states: [{ ...state, ...closes, sqrtPriceX96: ONE_X96 }], rate: { usdE36, decimals: 18 } }
    const facts = {
      path: [token] as const,
      creatorToken: null,
      nameFlags: { isMixedScript: false, lookalikeOf: null },
    }
    const page = tokenPageOf({ ...facts, minute: 100, now, day: now, week: now })
    expect([page.high, page.low]).toEqual([
      { usdE36: high[0], at: high[1] },
      { usdE36: low[0], at: low[1] },
    ])
  },
)

it('slots of candles begin on full minutes, hours and days of UTC, weeks on Mondays; short ones are kept for a while', () => {
  const minute = Date.UTC(2026, 10, 26, 13, 47) / 60_000 // a Thursday
  const starts = Object.entries(candleIntervals).map(([name, grid]) => [
    name,
    new Date(startOfSlot(grid, gridAt(grid, minute)) * 60_000).toISOString().slice(0, 16),
    grid.keptMinutes && grid.keptMinutes / 1_440,
  ])
  expect(starts).toEqual([
    ['1m', '2026-11-26T13:47', 8],
    ['5m', '2026-11-26T13:45', 8],
    ['15m', '2026-11-26T13:45', 8],
    ['1h', '2026-11-26T13:00', 90],
    ['4h', '2026-11-26T12:00', 90],
    ['1d', '2026-11-26T00:00', null],
    ['1w', '2026-11-23T00:00', null],
  ])
})
