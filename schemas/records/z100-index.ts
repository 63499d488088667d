import { changeE2 } from '../../market/display.ts'
import type { Constituent, Constituents, IndexAnswer } from '../../market/index/index-answer.ts'
import { firstMinuteOf, type Interval, type StoredBar } from '../../market/index/index-history.ts'
import type { IndexHours } from '../../market/index/index-hours.ts'
import { INDEX_SEATS } from '../../market/rules.ts'
import { asOf, periods } from '../../market/window.ts'
import {
  type FieldTable,
  fieldsOf,
  type JsonSchema,
  type Kind,
  listKind,
  orNull,
  rowSchema,
  rowWriter,
} from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { descriptions, handleOf, shownSymbol } from './token-description.ts'
import { coverage } from './token-row.ts'

const answer = fieldsOf<IndexAnswer>()
const bar = fieldsOf<IndexBarRow>()
const names: JsonSchema = { type: 'array', items: { type: 'string' } }

const indexCoverage = { description: `${coverage.description}; the index begins there, too` }

/** v1/z100/index. `period` applies to the totals and to the change, never to the value. */
export const indexFields: FieldTable<IndexAnswer> = {
  period: answer(kind.choice(periods), (row) => row.period, 'The requested period'),
  index_value: answer(kind.points, (row) => row.valueE8, 'The Z100 Index now'),
  total_volume: answer(orNull(kind.usd), bothVolumes, {
    description: 'Volume of both boards in the period, USD; null if that of some row is',
  }),
  total_trades: answer(orNull(kind.count), (row) => row.trades, 'Swaps of both boards in the period'),
  creator_volume: answer(orNull(kind.usd), (row) => row.volumes.creator, 'Volume of the creators board'),
  post_volume: answer(orNull(kind.usd), (row) => row.volumes.post, 'Volume of the posts board'),
  active_creators: answer(orNull(kind.count), (row) => row.active.creator, {
    description: 'Rows of the creators board that traded in the period',
  }),
  active_posts: answer(orNull(kind.count), (row) => row.active.post, {
    description: 'Rows of the posts board that traded in the period',
  }),
  top_creators: answer(
    kind.json(names),
    (row) => row.top.creator.map((one) => handleOf(one) ?? shownSymbol(one.token)),
    { description: 'Handles of the top ten of the creators board' },
  ),
  top_posts: answer(kind.json(names), (row) => row.top.post.map(({ token }) => shownSymbol(token)), {
    description: 'Symbols of the top ten of the posts board',
  }),
  timestamp: answer(kind.count, (row) => asOf(row.minute), 'The time of the figures, Unix seconds'),
  index_change_percent: answer(orNull(kind.percent), (row) => row.change.percentE2, {
    description: 'Change of the index over the period; null if the index is younger',
  }),
  index_value_start: answer(orNull(kind.points), (row) => row.startValueE8, {
    description: 'The index at the start of the period; null if the index is younger',
  }),
  divisor: answer(orNull(kind.divisor), (row) => row.divisor || null, {
    description: 'Dollars per index point, exact decimal text; null before the first point',
  }),
  constituents_count: answer(kind.count, (row) => row.members.size, {
    description: 'Members of the index; 0 before its first point',
  }),
  coverage_from: answer(orNull(kind.time), (row) => row.coverageFrom, indexCoverage),
  as_of: answer(kind.time, (row) => asOf(row.minute), 'The same time, ISO 8601'),
}

function bothVolumes({ volumes: { creator, post } }: IndexAnswer): bigint | null {
  return creator === null || post === null ? null : creator + post
}

/** A bar of the index's history, with the times (Unix seconds) it ends at and is known up to. */
type IndexBarRow = StoredBar & { readonly end: number; readonly asOf: number }

/** A bar as a row of an answer whose figures hold for `asOf`, Unix seconds. */
export const barRow = (interval: Interval, stored: StoredBar, asOf: number): IndexBarRow => ({
  ...stored,
  end: firstMinuteOf(interval, stored.at + 1) * 60,
  asOf,
})

/** Rows of v1/z100/historical. */
export const indexBarFields: FieldTable<IndexBarRow> = {
  timestamp: bar(kind.count, (row) => row.end, 'End of the interval, Unix seconds'),
  date: bar(kind.time, (row) => row.end, 'The same, ISO 8601'),
  index_value: bar(kind.points, (row) => row.close, {
    description: 'The index at the end of the interval, or now if it is partial',
    aliases: ['close'],
  }),
  open: bar(kind.points, (row) => row.open, {
    description: 'Close of the previous interval; for the first one, the index at its first minute',
  }),
  high: bar(kind.points, (row) => row.high, 'The highest value'),
  low: bar(kind.points, (row) => row.low, 'The lowest value'),
  change_percent: bar(orNull(kind.percent), (row) => changeE2(row.open, row.close), {
    description: 'Change from open to close',
  }),
  total_volume: bar(kind.usd, (row) => row.creatorVolume + row.postVolume, {
    description: 'Volume of the tokens that were members in each minute, USD',
  }),
  total_trades: bar(kind.count, (row) => row.trades, 'Their swaps'),
  creator_volume: bar(kind.usd, (row) => row.creatorVolume, 'Part of the volume from creator tokens'),
  post_volume: bar(kind.usd, (row) => row.postVolume, 'Part of the volume from post tokens'),
  active_creators: bar(kind.count, (row) => row.activeCreators, 'Creator tokens that traded'),
  active_posts: bar(kind.count, (row) => row.activePosts, 'Post tokens that traded'),
  partial: bar(kind.flag, (row) => row.end > row.asOf, 'The interval is not over yet'),
}

/** Rows of v1/z100/index/hours: a bar without the volume of members. */
export const indexHourFields: FieldTable<IndexBarRow> = Object.fromEntries(
  Object.entries(indexBarFields).filter(([key]) => !/volume|trades|active/.test(key)),
)

const ofHours = fieldsOf<IndexHours>()

/** v1/z100/index/hours. */
export const indexHoursFields: FieldTable<IndexHours> = {
  hours: ofHours(
    listKind(indexHourFields),
    (row) => row.bars.map((each) => barRow('hour', each, asOf(row.minute))),
    {
      description:
        'The last seven days hour by hour, oldest first; an hour without a block keeps the value before',
    },
  ),
  coverage_from: ofHours(orNull(kind.time), (row) => row.coverageFrom, indexCoverage),
  timestamp: ofHours(kind.count, (row) => asOf(row.minute), 'The time of the figures, Unix seconds'),
  last_updated: ofHours(kind.time, (row) => asOf(row.minute), 'The same, ISO 8601'),
}

const member = fieldsOf<Constituent>()
const whole = fieldsOf<Constituents>()

/** Rows of v1/z100/index/constituents. */
export const constituentFields: FieldTable<Constituent> = {
  rank: member(kind.count, (row) => row.rank, 'Rank by weight'),
  type: descriptions.type,
  symbol: descriptions.symbol,
  name: descriptions.name,
  creator_handle: descriptions.creator_handle,
  contract_address: descriptions.contract_address,
  quantity: member(kind.exactAmount, (row) => row.quantity, {
    description: 'Quantity in whole tokens, exact: its total supply when last reviewed or seated',
  }),
  price_usd: member(orNull(kind.price), (row) => row.priceUsdE36, {
    description: 'Pool price in USD; null without a route to USD',
  }),
  counted_usd: member(kind.usd, (row) => row.counted, {
    description: 'Quantity × price, at most 25 × the least quote-side liquidity on its path',
  }),
  weight_percent: member(kind.fourPlaces, (row) => row.weightE4, {
    description: 'Its share of what all members count for, percent',
  }),
  contribution_24h: member(orNull(kind.pointsChange), (row) => row.contributionE8, {
    description:
      'Index points that the quantity brought in 24 hours: what it counts for less what it counted for then, over the divisor of now; null if the history does not reach back that far',
  }),
  since: member(kind.time, (row) => asOf(row.since), 'Member without interruption since this time'),
}

/** Bytes of a member are a line: a difference shows. */
const write = rowWriter(constituentFields)
const rows: Kind<readonly Constituent[]> = {
  schema: { type: 'array', maxItems: 2 * INDEX_SEATS, items: rowSchema(constituentFields) },
  write: (members) => `[${members.map(write).join(',\n')}]`,
}

/** v1/z100/index/constituents. */
export const constituentsFields: FieldTable<Constituents> = {
  index_value: whole(kind.points, (row) => row.valueE8, 'The Z100 Index now'),
  divisor: whole(orNull(kind.divisor), (row) => row.divisor || null, {
    description: 'Dollars per index point, exact decimal text; null before the first point',
  }),
  counted_usd: whole(kind.usd, (row) => row.counted, {
    description: 'Sum of what all members count for, USD; divided by the divisor it is the index',
  }),
  constituents_count: whole(kind.count, (row) => row.rows.length, {
    description: 'Members of the index; 0 before its first point',
  }),
  coverage_from: whole(orNull(kind.time), (row) => row.coverageFrom, indexCoverage),
  timestamp: whole(kind.count, (row) => asOf(row.minute), 'The time of the figures, Unix seconds'),
  as_of: whole(kind.time, (row) => asOf(row.minute), 'The same time, ISO 8601'),
  constituents: whole(rows, (row) => row.rows, 'All members, the heaviest first'),
}
