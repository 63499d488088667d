import { expect, it } from 'vitest'
import { sinceAt, trendingAt } from '../../../market/board/trending.ts'
import { valuationAt } from '../../../market/board/valuation.ts'
import type { TokenState } from '../../../market/segment.ts'
import { marketOfEntries } from '../../support/market/exact-market.ts'
import { ONE_X96, stateWith, tokenAt, WHOLE } from '../../support/market/facts.ts'

it('each trending list has its own order, and the one of losses is that of gains reversed', () => {
  const [cheap, dear] = [ONE_X96, 2n * ONE_X96]
  const tokens = [0, 1, 2].map((number) => tokenAt(number, 100 + number, { isCurrency0: true }))
  const marketOf = (states: readonly Partial<TokenState>[]) =>
    marketOfEntries(
      tokens.map((token, at) => [token, stateWith({ reserveQuote: 10n ** 6n * WHOLE, ...states[at] })]),
    )
  const before = marketOf([{ sqrtPriceX96: cheap }, { sqrtPriceX96: dear }, { sqrtPriceX96: cheap }])
  const traded = (volume: bigint, rank: bigint, numbers: Partial<TokenState>) => ({
    cumTrades: 1,
    cumVolumeMicroUsd: volume,
    cumRankVolumeMicroUsd: rank,
    ...numbers,
  })
  const now = marketOf([
    traded(30n, 2n, { sqrtPriceX96: dear, supply: WHOLE, holders: 5 }),
    traded(20n, 1n, { sqrtPriceX96: cheap, supply: 1_000n * WHOLE, holders: 9 }),
    traded(10n, 3n, { sqrtPriceX96: cheap, supply: 100n * WHOLE, holders: 1 }),
  ])
  const valuation = valuationAt(now, before)
  const since = sinceAt(valuation, { market: before, start: 100_000, youngFrom: 100_000 })
  const lists = Object.entries(trendingAt(valuation, since)).map(([order, rows]) => [
    order,
    rows.map(({ number }) => number),
  ])
  expect(Object.fromEntries(lists)).toEqual({
    volume: [0, 1, 2],
    rank_volume: [2, 0, 1],
    market_cap: [1, 2, 0],
    change: [0, 2, 1],
    holders: [1, 0, 2],
    change_asc: [1, 2, 0],
  })
})
