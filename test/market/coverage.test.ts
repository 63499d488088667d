/** What of boards, windows and totals is known in a log that begins later than the platform. */
import { describe, expect, it, test } from 'vitest'
import { rankedMarket } from '../../market/board/rankings.ts'
import { boardRows, trendingRows } from '../../market/board/row.ts'
import { marketVolume } from '../../market/board/totals.ts'
import type { TrendingOrder } from '../../market/board/trending.ts'
import { importedAt, isCovered, isCoveredByHour } from '../../market/coverage.ts'
import type { Token, TokenState } from '../../market/segment.ts'
import { asOf, byName, startOf, type WindowName, windowNames } from '../../market/window.ts'
import { exactMarket } from '../support/market/exact-market.ts'
import { block, references, stateWith, tokenAt, WHOLE } from '../support/market/facts.ts'

const MINUTE = 30_000_000
const DAY = 86_400

test('a time is covered once the log has every block since, and hours once the first is over', () => {
  expect([null, 99, 100, 101].map((from) => isCovered(from, 100))).toEqual([true, true, false, false])
  const [hour, next] = [7 * 3_600, 8 * 3_600]
  expect([hour, hour + 1, next - 1].map((from) => isCoveredByHour(from, next))).toEqual([true, true, true])
  expect([hour - 1, hour, next - 1].map((from) => isCoveredByHour(from, next - 1))).toEqual([
    true,
    false,
    false,
  ])
  expect(isCoveredByHour(next, next)).toBe(false)
  expect(isCoveredByHour(null, 0)).toBe(true)
})

const large = tokenAt(1, MINUTE - 40_000)
const small = tokenAt(2, MINUTE - 40_000)
/** Older than the log; its first log is some minutes old. */
const late = (days: number): Token => ({
  ...tokenAt(3, MINUTE),
  launchedAt: importedAt(block(7, asOf(MINUTE) - days * DAY - 1), 0),
})
const worth = (zora: bigint, numbers: Partial<TokenState> = {}): TokenState =>
  stateWith({ sqrtPriceX96: 2n ** 96n, supply: 10n ** 6n * WHOLE, reserveQuote: zora * WHOLE, ...numbers })

/** The large and the small token have been traded all the time, the older one in between: lately alone, as far as is known. Today the small one was traded less than it. */
function marketWith(days: number, isPartial = true) {
  const older = isPartial ? late(days) : tokenAt(3, MINUTE - 39_000)
  const tokens = [large, small, older]
  const at = (name: WindowName) => {
    const lastSwapMinute = MINUTE - 39_000
    const traded = (cumTrades: number, amount: bigint) =>
      name === 'now' ? { cumTrades, cumVolumeMicroUsd: amount, cumRankVolumeMicroUsd: amount } : {}
    const now = name === 'now' ? { lastSwapMinute: MINUTE } : {}
    const states = new Map([
      [large.address, worth(100n, { lastSwapMinute })],
      [small.address, worth(1n, { lastSwapMinute, holders: 1, ...traded(1, 1n) })],
      [older.address, worth(10n, { holders: 5, ...now, ...traded(3, 9n) })],
    ])
    return exactMarket(tokens, { tokens: new Map(), states, owners: new Map() }, references(1_000))
  }
  return rankedMarket({
    minute: MINUTE,
    at: byName(windowNames, at),
    hasState: () => true,
    closePricesOf: () => [],
    coverageFrom: isPartial ? older.launchedAt.timestamp : null,
  })
}

const placesOf = (...args: Parameters<typeof marketWith>) =>
  boardRows(marketWith(...args), 'creator', '24h').map(({ token, isNew, previousRank }) => [
    token.address,
    isNew,
    previousRank,
  ])

describe('places on an earlier board', () => {
  it('are unknown while the log has less than 30 days', () => {
    expect(placesOf(29)).toEqual([large, late(29), small].map(({ address }) => [address, null, null]))
  })

  it('are known from then on if they do not depend on swaps before the log', () => {
    expect(placesOf(30)).toEqual([
      [large.address, false, 1],
      [late(30).address, null, null],
      [small.address, null, null],
    ])
  })

  it('are all known in a log that begins with the platform', () => {
    expect(placesOf(30, false)).toEqual([
      [large.address, false, 1],
      [late(30).address, true, null],
      [small.address, false, 2],
    ])
  })
})

test('figures of a window are null for a token older than the log while it begins before the log, and for no other', () => {
  const days = ({ address }: Pick<Token, 'address'>, isKnown: boolean) => {
    const rows = trendingRows(marketWith(isKnown ? 2 : 0.5), '24h', 'volume')
    return rows.find(({ token }) => token.address === address)
  }
  const unknown = { volume: null, trades: null, volume24h: null, trades24h: null, rankVolume: null }
  expect(days(late(0.5), false)).toMatchObject(unknown)
  expect(days(late(2), true)).toMatchObject({
    volume: 9n,
    trades: 3,
    volume24h: 9n,
    trades24h: 3,
    rankVolume: 9n,
  })
  const rankOf = (kept: number, address: string) =>
    boardRows(marketWith(kept), 'creator', '24h').find(({ token }) => token.address === address)
  expect(rankOf(0.5, large.address)).toMatchObject({ volume: 0n, trades: 0, engagement: 0 })
  expect(rankOf(0.5, late(0.5).address)).toMatchObject({
    volume: null,
    engagement: null,
    portfolio: { coverageFrom: late(0.5).launchedAt.timestamp },
    baseline: { is: null, volume24h: null },
  })
})

test('trending lists have the tokens for which the figure is null last', () => {
  const orderOf = (days: number, order: TrendingOrder) =>
    trendingRows(marketWith(days), '24h', order).map(({ token }) => token.address)
  for (const order of ['volume', 'rank_volume'] as const) {
    expect(orderOf(0.5, order)).toEqual([small.address, late(0.5).address])
    expect(orderOf(2, order)).toEqual([late(2).address, small.address])
  }
  for (const days of [0.5, 2]) expect(orderOf(days, 'holders')).toEqual([small.address, late(days).address])
})

test('volumes of periods and steps that begin before the log are null, later ones are not', () => {
  const coverageFrom = asOf(MINUTE) - 7_200
  const line = [{ minute: MINUTE, volume: 5n, buyVolume: 5n, creatorVolume: 0n, trades: 1, buys: 1 }]
  const history = { line, firstMinute: MINUTE - 119, coverageFrom }
  const [hour, four] = [marketVolume(history, MINUTE, '1h'), marketVolume(history, MINUTE, '4h')]
  expect(hour).toMatchObject({ totals: { volume: 5n, trades: 1 }, previousVolume: null, coverageFrom })
  expect(four).toMatchObject({ totals: null, previousVolume: null })
  for (const { start, totals } of four.buckets) expect(totals === null).toBe(start <= coverageFrom)
  expect(four.buckets.at(-1)?.totals).toMatchObject({ volume: 5n })
  expect(startOf(MINUTE, '4h')).toBe(four.buckets[0]?.start)
})
