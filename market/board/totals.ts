import { isCovered } from '../coverage.ts'
import { emptyTotals } from '../fold/running-totals.ts'
import { microUsdOf } from '../pool.ts'
import type {
  MarketTotals,
  MicroUsd,
  Minute,
  PointsE8,
  References,
  ReferenceTotals,
  RunningTotals,
  TokenKind,
} from '../segment.ts'
import { asOf, changeOf, countUpTo, type Period, startOf, stepsOf, windows } from '../window.ts'
import { createdSince } from './discovery.ts'
import type { Lists } from './lists.ts'
import { type Market, youngFrom } from './rankings.ts'
import { type RateRow, rateRows } from './rates.ts'
import type { TrendingRow } from './row.ts'

/** Totals after each minute with trades, oldest first; before the first they are `emptyTotals`, or not needed. */
export type TotalsLine = readonly (MarketTotals & { readonly minute: Minute })[]

/** The line, and the log's first minute and coverage. */
export type TotalsHistory = { readonly line: TotalsLine } & Pick<RunningTotals, 'coverageFrom'> & {
    readonly firstMinute: Minute
  }

/** Totals as of a time (Unix seconds): after the last minute that ends by then. */
export const totalsAt = (line: TotalsLine, seconds: number): MarketTotals =>
  line[countUpTo(line, Math.floor(seconds / 60) - 1) - 1] ?? emptyTotals

/** Trades between two times. */
const between = (from: MarketTotals, to: MarketTotals): MarketTotals => ({
  volume: to.volume - from.volume,
  buyVolume: to.buyVolume - from.buyVolume,
  creatorVolume: to.creatorVolume - from.creatorVolume,
  trades: to.trades - from.trades,
  buys: to.buys - from.buys,
})

/** One step of a period. */
export type VolumeBucket = {
  /** Unix seconds. */
  readonly start: number
  /** Null: it begins before the log. */
  readonly totals: MarketTotals | null
}

/** The market's volume in the period that ends with `minute`. */
export type MarketVolume = {
  /** Null: the period begins before the log. */
  readonly totals: MarketTotals | null
  /** Unix seconds from which the market is known; null: from its beginning. */
  readonly coverageFrom: number | null
  readonly period: Period
  readonly minute: Minute
  /** Of the period before; null if the log does not reach back that far. */
  readonly previousVolume: MicroUsd | null
  /** Equal steps from the period's start; they add up to its totals. */
  readonly buckets: readonly VolumeBucket[]
}

/** The volume of all tokens in the period that ends with `minute`. */
export function marketVolume(
  { line, firstMinute, coverageFrom }: TotalsHistory,
  minute: Minute,
  period: Period,
): MarketVolume {
  const [start, end] = [startOf(minute, period), asOf(minute)]
  const startBefore = 2 * start - end
  const isKnownBefore = startBefore >= firstMinute * 60 && isCovered(coverageFrom, startBefore)
  const count = stepsOf(period)
  const width = windows[period].stepMinutes * 60
  const totals = Array.from({ length: count + 1 }, (_, at) => totalsAt(line, start + at * width))
  const buckets = totals
    .slice(1)
    .map((to, at) => ({
      start: start + at * width,
      totals: isCovered(coverageFrom, start + at * width) ? between(totals[at] ?? emptyTotals, to) : null,
    }))
  const atStart = totalsAt(line, start)
  return {
    period,
    minute,
    coverageFrom,
    totals: isCovered(coverageFrom, start) ? between(atStart, totalsAt(line, end)) : null,
    previousVolume: isKnownBefore ? atStart.volume - totalsAt(line, startBefore).volume : null,
    buckets,
  }
}

/** Figures of the whole market: sums over all tokens ever launched, and the last 24 hours. */
export type MarketStats = {
  readonly day: MarketVolume
  readonly index: { readonly valueE8: PointsE8; readonly change24hE2: bigint | null }
  /** Counted caps of creator tokens, the additional counted caps of posts, and plain caps of all tokens. */
  readonly counted: Readonly<Record<TokenKind, MicroUsd>>
  readonly marketCap: MicroUsd
  readonly tokens: Readonly<Record<TokenKind, number>>
  readonly rates: readonly RateRow[]
  /** Tokens created, and tokens traded, in the last 24 hours. Null: these begin before the log. */
  readonly born: number | null
  readonly active: number | null
  /** A wallet is a holder of each token it holds. Null: some tokens are older than the log. */
  readonly holders: bigint | null
  /** Quote side of the pools quoted in reference currencies. */
  readonly liquidity: MicroUsd
  /**
   * Of the tokens traded in the last 24 hours, that with the largest price change and that with the largest volume. Null
   * if there was none, or if those hours begin before the log.
   */
  readonly topGainer: TrendingRow | null
  readonly topVolume: TrendingRow | null
}

/** The market's running totals, and those of each minute before. */
export type Totals = { readonly now: RunningTotals; readonly history: TotalsHistory }

/** Tokens created, and tokens traded, in the 24 hours before a minute. */
export type DayCounts = { readonly born: number; readonly active: number }

/** The counts of a market. */
export const dayCountsOf = ({ at, minute, since }: Market): DayCounts => ({
  born: createdSince(at.now, startOf(minute, '24h')).length,
  active: since['24h'].trades.about.reduce((count, trades) => count + Number(trades > 0), 0),
})

/** Inputs of the figures of the whole market. */
export type StatsFacts = {
  readonly minute: Minute
  readonly references: References
  readonly counts: DayCounts
  readonly lists: Pick<Lists, 'trending'>
  readonly totals: Totals
  readonly index: {
    readonly valueE8: PointsE8
    readonly startValues: Readonly<Record<Period, PointsE8 | null>>
  }
}

/** Figures of the whole market. */
export function marketStats({ totals: { now, history }, ...facts }: StatsFacts): MarketStats {
  const { minute, references, counts, lists, index } = facts
  const sumOf = (...parts: (keyof ReferenceTotals)[]) => valueInUsd(now, references, parts)
  const { change, volume } = lists.trending['24h']
  const [gainer = null] = change
  const day = marketVolume(history, minute, '24h')
  const isKnown = day.totals !== null
  return {
    day,
    index: {
      valueE8: index.valueE8,
      change24hE2: changeOf(index.startValues['24h'], index.valueE8).percentE2,
    },
    counted: { creator: sumOf('creatorCounted'), post: sumOf('postCounted') },
    marketCap: sumOf('creatorPlain', 'postPlain'),
    liquidity: sumOf('liquidity'),
    rates: rateRows(references, minute),
    tokens: { creator: now.creators, post: now.posts },
    born: isKnown ? counts.born : null,
    active: isKnown ? counts.active : null,
    holders: now.coverageFrom === null ? BigInt(now.holders) : null,
    // A token launched in the hour before is compared with its price an hour after the launch.
    topGainer:
      isCovered(now.coverageFrom, youngFrom(minute, '24h')) && gainer?.changeE2 != null ? gainer : null,
    topVolume: isKnown ? (volume[0] ?? null) : null,
  }
}

/** Values sums by reference currency in USD, each sum once. */
function valueInUsd(
  { references: totals }: RunningTotals,
  references: References,
  parts: readonly (keyof ReferenceTotals)[],
): MicroUsd {
  return [...totals].reduce((value, [currency, sums]) => {
    const rate = references.get(currency)
    const sum = parts.reduce((total, part) => total + sums[part], 0n)
    return rate ? value + microUsdOf(sum, rate.heldUsdE36, rate.decimals) : value
  }, 0n)
}
