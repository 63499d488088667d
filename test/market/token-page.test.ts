import { expect, it } from 'vitest'
import { tokenPageOf } from '../../market/board/token-page.ts'
import { candleIntervals, gridAt, startOfSlot } from '../../market/interval.ts'
import type { TokenState } from '../../market/segment.ts'
import { address, coin, known, ZORA } from '../support/facts.ts'

const { token, state } = known({ coin: coin({ address: address(0xa), quote: ZORA }) })

it('the page of a token has what was traded and earned since the day before', () => {
  const path = (numbers: Partial<TokenState>) => ({ states: [{ ...state, ...numbers }], rate: null })
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
  })
})

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
