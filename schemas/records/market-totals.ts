import type { BoardRow } from '../../market/board/row.ts'
import type { MarketStats, MarketVolume, VolumeBucket } from '../../market/board/totals.ts'
import { formatUsd } from '../../market/display.ts'
import type { IndexAnswer } from '../../market/index/index-answer.ts'
import { LIQUIDITY_MIN_MICRO_USD } from '../../market/rules.ts'
import type { MarketTotals } from '../../market/segment.ts'
import { asOf, changeOf, periods, windows } from '../../market/window.ts'
import { type FieldTable, fieldsOf, listKind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { rateFields } from './rates.ts'
import { boardFields, coverage, trendingFields } from './token-row.ts'
import { indexFields } from './z100-index.ts'

const step = fieldsOf<VolumeBucket>()
const volume = fieldsOf<MarketVolume>()
const stats = fieldsOf<MarketStats>()
const all = fieldsOf<AllAnswer>()

/** Sums over a span; null: it begins before the log. */
type Sums = { readonly totals: MarketTotals | null }
const sumOf =
  <V>(figureOf: (totals: MarketTotals) => V) =>
  ({ totals }: Sums): V | null =>
    totals && figureOf(totals)

const volumeOf = sumOf(({ volume }) => volume)
const buyVolumeOf = sumOf(({ buyVolume }) => buyVolume)
const sellVolumeOf = sumOf(({ volume, buyVolume }) => volume - buyVolume)
const tradesOf = sumOf(({ trades }) => trades)
const buysOf = sumOf(({ buys }) => buys)
const sellsOf = sumOf(({ trades, buys }) => trades - buys)

/** A step of the market's volume. */
export const bucketFields: FieldTable<VolumeBucket> = {
  timestamp: step(kind.count, (bucket) => bucket.start, 'Start of the step, Unix seconds'),
  datetime: step(kind.time, (bucket) => bucket.start, 'The same, ISO 8601'),
  volume_usd: step(orNull(kind.usd), volumeOf, 'Volume of the step, USD; null before coverage_from'),
  buy_volume: step(orNull(kind.usd), buyVolumeOf, 'Part of it: buys'),
  sell_volume: step(orNull(kind.usd), sellVolumeOf, 'Part of it: sells'),
  trades: step(orNull(kind.count), tradesOf, 'Swaps of the step'),
}

/** v1/market/volume: sums over all tokens; a purchase that passes through two pools counts in each. */
export const volumeFields: FieldTable<MarketVolume> = {
  period: volume(kind.choice(periods), (row) => row.period, 'The requested period'),
  total_volume: volume(orNull(kind.usd), volumeOf, {
    description: 'Volume of all tokens in the period, USD; null if the period begins before coverage_from',
    aliases: ['volume_usd'],
  }),
  creator_volume: volume(
    orNull(kind.usd),
    sumOf((sums) => sums.creatorVolume),
    'Part of it: creator tokens',
  ),
  post_volume: volume(
    orNull(kind.usd),
    sumOf((sums) => sums.volume - sums.creatorVolume),
    'Part of it: post tokens',
  ),
  buy_volume: volume(orNull(kind.usd), buyVolumeOf, 'Part of it: buys'),
  sell_volume: volume(orNull(kind.usd), sellVolumeOf, 'Part of it: sells'),
  total_trades: volume(orNull(kind.count), tradesOf, 'Swaps in the period'),
  total_buys: volume(orNull(kind.count), buysOf, 'Part of them: buys'),
  total_sells: volume(orNull(kind.count), sellsOf, 'Part of them: sells'),
  previous_volume: volume(orNull(kind.usd), (row) => row.previousVolume, {
    description: 'Volume of the previous period, USD; null if the history does not reach back that far',
  }),
  volume_change_percent: volume(orNull(kind.percent), changeOfVolume, 'Change against the previous period'),
  bucket_seconds: volume(kind.count, (row) => windows[row.period].stepMinutes * 60, 'Length of a step'),
  buckets: volume(listKind(bucketFields), (row) => row.buckets, {
    description:
      'Equal steps from the period’s start, oldest first; they add up to the totals, each rounded on its own',
  }),
  coverage_from: volume(orNull(kind.time), (row) => row.coverageFrom, coverage),
  timestamp: volume(kind.count, (row) => asOf(row.minute), 'The time of the figures, Unix seconds'),
  last_updated: volume(kind.time, (row) => asOf(row.minute), 'The same, ISO 8601'),
}

function changeOfVolume({ previousVolume, totals }: MarketVolume): bigint | null {
  return changeOf(previousVolume, volumeOf({ totals })).percentE2
}

/** v1/market/stats. */
export const statsFields: FieldTable<MarketStats> = {
  total_market_cap: stats(kind.usd, ({ counted }) => counted.creator + counted.post, {
    description:
      'Market cap of all tokens, USD; everything priced through one pool counts for at most 25 × what that pool holds',
  }),
  total_market_cap_plain: stats(kind.usd, (row) => row.marketCap, {
    description:
      'Price × total supply, USD, summed over the tokens whose own pool backs at least a 25th of it; a post quoted in a creator token counts if that token passes, too',
  }),
  creator_market_cap: stats(kind.usd, (row) => row.counted.creator, {
    description: 'Part of total_market_cap: creator tokens',
  }),
  post_market_cap: stats(kind.usd, (row) => row.counted.post, 'Part of total_market_cap: posts'),
  total_volume_24h: stats(orNull(kind.usd), ({ day }) => volumeOf(day), {
    description: 'Volume of the last 24 hours, USD; null if they begin before coverage_from',
  }),
  buy_volume_24h: stats(orNull(kind.usd), ({ day }) => buyVolumeOf(day), 'Part of it: buys'),
  sell_volume_24h: stats(orNull(kind.usd), ({ day }) => sellVolumeOf(day), 'Part of it: sells'),
  volume_change_24h: stats(orNull(kind.percent), ({ day }) => changeOfVolume(day), {
    description:
      'Change against the 24 hours before, percent; null if the history does not reach back that far',
  }),
  total_trades_24h: stats(orNull(kind.count), ({ day }) => tradesOf(day), 'Swaps of the last 24 hours'),
  buys_24h: stats(orNull(kind.count), ({ day }) => buysOf(day), 'Part of them: buys'),
  sells_24h: stats(orNull(kind.count), ({ day }) => sellsOf(day), 'Part of them: sells'),
  bucket_seconds: stats(kind.count, ({ day }) => windows[day.period].stepMinutes * 60, 'Length of a step'),
  buckets: stats(listKind(bucketFields), ({ day }) => day.buckets, {
    description: 'Equal steps of these 24 hours, as in v1/market/volume',
  }),
  total_tokens: stats(kind.count, ({ tokens }) => tokens.creator + tokens.post, {
    description: 'Tokens known to the service',
  }),
  total_creators: stats(kind.count, ({ tokens }) => tokens.creator, 'Part of them: creator tokens'),
  total_posts: stats(kind.count, ({ tokens }) => tokens.post, 'Part of them: post tokens'),
  active_tokens_24h: stats(orNull(kind.count), (row) => row.active, {
    description: 'Tokens with a swap in the last 24 hours; null if these begin before coverage_from',
  }),
  new_tokens_24h: stats(orNull(kind.count), (row) => row.born, {
    description: 'Tokens created in the last 24 hours; null if these begin before coverage_from',
  }),
  total_holders: stats(orNull(kind.count), (row) => row.holders, {
    description:
      'Holders summed over tokens: a wallet is a holder of each token it holds; null if coverage_from is set',
  }),
  total_liquidity_usd: stats(kind.usd, (row) => row.liquidity, {
    description: 'Reference currency (ZORA, ETH, dollars) in the pools of tokens quoted in it, USD',
  }),
  references: stats(listKind(rateFields), (row) => row.rates, {
    description: 'The reference rates, with their sources',
  }),
  index_value: stats(kind.points, ({ index }) => index.valueE8, 'The Z100 Index now'),
  index_change_24h: stats(orNull(kind.percent), ({ index }) => index.change24hE2, {
    description: 'Its change over 24 hours, percent; null if the index is younger',
  }),
  top_gainer: stats(orNull(recordKind(trendingFields)), (row) => row.topGainer, {
    description: `Largest price change (\`change\`) of the tokens traded in the last 24 hours with ${formatUsd(LIQUIDITY_MIN_MICRO_USD)} of liquidity on their path: first of v1/market/trending/24h/change`,
  }),
  top_volume: stats(orNull(recordKind(trendingFields)), (row) => row.topVolume, {
    description: 'Largest volume of the last 24 hours: first of v1/market/trending/24h/volume',
  }),
  coverage_from: stats(orNull(kind.time), ({ day }) => day.coverageFrom, {
    description: `${coverage.description}. Totals then cover only tokens with a log since that time`,
  }),
  timestamp: stats(kind.count, ({ day }) => asOf(day.minute), 'The time of the figures, Unix seconds'),
  last_updated: stats(kind.time, ({ day }) => asOf(day.minute), 'The same, ISO 8601'),
}

/** Both boards and the index in a period. */
export type AllAnswer = {
  readonly creators: readonly BoardRow[]
  readonly posts: readonly BoardRow[]
  readonly index: IndexAnswer
}

/** v1/all. */
export const allFields: FieldTable<AllAnswer> = {
  period: all(kind.choice(periods), ({ index }) => index.period, 'The requested period'),
  timestamp: all(kind.count, ({ index }) => asOf(index.minute), 'The time of the figures, Unix seconds'),
  last_updated: all(kind.time, ({ index }) => asOf(index.minute), 'The same, ISO 8601'),
  total_creators: all(kind.count, ({ creators }) => creators.length, 'Rows of the creators board'),
  total_posts: all(kind.count, ({ posts }) => posts.length, 'Rows of the posts board'),
  index: all(recordKind(indexFields), (row) => row.index, 'As v1/z100/index'),
  creators: all(listKind(boardFields), (row) => row.creators, 'As v1/z100/creators'),
  posts: all(listKind(boardFields), (row) => row.posts, 'As v1/z100/posts'),
}
