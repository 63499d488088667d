import { DAY_SECONDS } from '../calendar.ts'
import { isCoveredByHour } from '../coverage.ts'
import { divideHalfAway } from '../display.ts'
import { byLaunch } from '../launch-order.ts'
import { DISCOVER_SIZE, NEW_LAUNCH_DAYS, RISING_MIN_WALLET_HOURS, RISING_OFFSET_MICRO_USD } from '../rules.ts'
import type { MicroUsd, UsdE36 } from '../segment.ts'
import { asOf, changeOf, startOf } from '../window.ts'
import { tieKeys } from './board.ts'
import { amountSince, countSince, type MarketAt } from './market-at.ts'
import { isAbove, type ListedToken, type RankingKey, ranked, shortlisted } from './ranking.ts'
import type { Market } from './rankings.ts'
import { priceChange, summaryOf, type TokenSummary } from './row.ts'
import { countGrowth } from './valuation.ts'

/** Inputs of a token's score. Rank volume: the growth of the largest |net position| of each (wallet, UTC hour). */
export type RisingParts = {
  readonly rankVolume1h: MicroUsd
  readonly rankVolume25h: MicroUsd
  /** (wallet, UTC hour) pairs that counted in the last hour. */
  readonly walletHours1h: number
  /** Percent × 100. */
  readonly change1hE2: bigint | null
}

/** A row of the rising list. */
export type RisingRow = TokenSummary & {
  readonly parts: RisingParts
  /** × 1e6. */
  readonly scoreE6: bigint
}

/** Hours before the last one that it is compared with. */
const HOURS_BEFORE = 24n

/** Rank volume of the last hour divided by the hourly mean of the 24 hours before, both plus RISING_OFFSET_MICRO_USD. */
export const risingScore = ({
  rankVolume1h,
  rankVolume25h,
}: Pick<RisingParts, 'rankVolume1h' | 'rankVolume25h'>) => ({
  over: HOURS_BEFORE * (rankVolume1h + RISING_OFFSET_MICRO_USD),
  under: rankVolume25h - rankVolume1h + HOURS_BEFORE * RISING_OFFSET_MICRO_USD,
})

/** The rising tokens, strongest first: enough wallets in the last hour, and a price above that of an hour ago. */
export function risingTokens(market: Market): readonly ListedToken[] {
  const { tokenOf } = market.at.now
  const scoreOf = (number: number) => risingScore(rankVolumes(market, number))
  const numbers = risingNumbers(market)
  const about = new Float64Array(market.at.now.count)
  for (const number of numbers) {
    const { over, under } = scoreOf(number)
    about[number] = Number(over) / Number(under)
  }
  const key: RankingKey = { about, exactly: scoreOf }
  return ranked(numbers, tokenOf, [key, ...tieKeys(market.valuations.now)], DISCOVER_SIZE)
}

/** The rows of the rising tokens. */
export const risingRows = (market: Market, rising = risingTokens(market)): readonly RisingRow[] =>
  rising.map((entry, at) => {
    const parts = risingParts(market, entry)
    const { over, under } = risingScore(parts)
    return { parts, scoreE6: divideHalfAway(over * 1_000_000n, under), ...summaryOf(market, entry, at + 1) }
  })

/** Numbers of the eligible tokens. */
function risingNumbers(market: Market): readonly number[] {
  const { now, '1h': hourAgo } = market.at
  const { launchedAt, isImported } = now.coins()
  // Without the last 25 hours, the score of a token older than the log is unknown.
  const isKnown = (number: number) =>
    isImported[number] === 0 || isCoveredByHour(launchedAt[number] as number, startOf(market.minute, '25h'))
  const { change, youngFrom } = market.since['1h']
  const isUp = (number: number): boolean => {
    const exactly = () => priceChange(market, { number, token: now.tokenOf(number) }, '1h').isUp === true
    return (launchedAt[number] as number) < youngFrom
      ? isAbove(change[number] as number, 1, exactly)
      : exactly()
  }
  const walletHours = countGrowth('cumEngagement', now, hourAgo).about
  const numbers: number[] = []
  for (let number = 0; number < now.count; number++) {
    if ((walletHours[number] as number) < RISING_MIN_WALLET_HOURS || !isKnown(number)) continue
    if (isUp(number)) numbers.push(number)
  }
  return numbers
}

function rankVolumes({ at }: Market, number: number): Pick<RisingParts, 'rankVolume1h' | 'rankVolume25h'> {
  const { now, '1h': hourAgo, '25h': dayBeforeThat } = at
  return {
    rankVolume1h: amountSince('cumRankVolumeMicroUsd', now, hourAgo)(number),
    rankVolume25h: amountSince('cumRankVolumeMicroUsd', now, dayBeforeThat)(number),
  }
}

const risingParts = (market: Market, entry: ListedToken): RisingParts => ({
  walletHours1h: countSince('cumEngagement', market.at.now, market.at['1h'])(entry.number),
  change1hE2: priceChange(market, entry, '1h').percentE2,
  ...rankVolumes(market, entry.number),
})

/** A row of the new launches. */
export type LaunchRow = TokenSummary & {
  readonly ageSeconds: number
  /** Null without a route to USD at the launch. */
  readonly launchPriceUsdE36: UsdE36 | null
  /** Percent × 100. */
  readonly changeSinceLaunchE2: bigint | null
  readonly tradesSinceLaunch: number
  /** (wallet, UTC hour) pairs that count as engagement. */
  readonly buyersSinceLaunch: number
}

/** The newest DISCOVER_SIZE tokens of the last NEW_LAUNCH_DAYS days, newest first. */
export function launchRows(market: Market): readonly LaunchRow[] {
  const end = asOf(market.minute)
  const { coins, tokenOf } = market.at.now
  const young = createdSince(market.at.now, end - NEW_LAUNCH_DAYS * DAY_SECONDS)
  const entries = shortlisted(young, [{ about: coins().launchedAt, isWhole: true }], DISCOVER_SIZE)
    .map((number) => ({ number, token: tokenOf(number) }))
    .sort((a, b) => byLaunch(b.token, a.token))
  return entries.slice(0, DISCOVER_SIZE).map((entry, at) => {
    const { token, number } = entry
    const summary = summaryOf(market, entry, at + 1)
    const { priceUsdE36 } = token.launch
    return {
      ageSeconds: end - token.launchedAt.timestamp,
      launchPriceUsdE36: priceUsdE36,
      changeSinceLaunchE2: changeOf(priceUsdE36, summary.priceUsdE36).percentE2,
      tradesSinceLaunch: market.at.now.read('cumTrades', number),
      buyersSinceLaunch: market.at.now.read('cumEngagement', number),
      ...summary,
    }
  })
}

/** Numbers of the tokens created at or after a time (Unix seconds), without imported ones. */
export function createdSince({ count, coins }: MarketAt, seconds: number): readonly number[] {
  const { launchedAt, isImported } = coins()
  const numbers: number[] = []
  for (let number = 0; number < count; number++) {
    if ((launchedAt[number] as number) >= seconds && isImported[number] === 0) numbers.push(number)
  }
  return numbers
}
