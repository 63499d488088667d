import { formatUsd } from '../../market/display.ts'
import { candleIntervalNames } from '../../market/interval.ts'
import { BOARD_SIZE, DISCOVER_SIZE, ENGAGEMENT_MIN_MICRO_USD } from '../../market/rules.ts'
import { periods, timeframes } from '../../market/window.ts'
import { ADDRESSES_MAX } from './addresses-max.ts'
import type { JsonSchema } from './field.ts'
import { holdingCursorSyntax } from './holding-cursor.ts'
import * as syntax from './parameter-syntax.ts'
import { beforeSyntax } from './swap-cursor.ts'
import { timeSyntax } from './time-syntax.ts'
import { tokenCursorSyntax } from './token-cursor.ts'
import { searchSyntax, tokenSyntax } from './token-id.ts'
import { weekSyntax } from './week-syntax.ts'

/** A query parameter. Of several names sent, the first listed that differs from the default wins. */
export type Parameter = {
  readonly names: readonly [string, ...string[]]
  readonly description: string
  /** The words it may be, in any case; null: any text its reader accepts. */
  readonly values: readonly string[] | null
  /** Value of an absent or empty parameter; null: none. */
  readonly fallback: string | null
  /** Further words that mean the fallback. */
  readonly same?: readonly string[]
  /** The allowed text, if no values are listed. */
  readonly syntax?: syntax.Syntax
  /** Nothing can be answered without it. */
  readonly isRequired?: true
}

/** JSON Schema of a parameter, with its default; a flag is a boolean. */
export function parameterSchema({ values, syntax, fallback }: Parameter): JsonSchema {
  const schema =
    values === flags
      ? { type: 'boolean' }
      : (syntax?.schema ?? { type: 'string', ...(values ? { enum: values } : {}) })
  if (fallback === null) return schema
  // A number or a boolean is spelt as in JSON.
  return { ...schema, default: schema['type'] === 'string' ? fallback : JSON.parse(fallback) }
}

/** A flag's words. */
export const flags = ['true', 'false', '1', '0'] as const

const flag = (name: string, description: string, fallback: 'true' | 'false'): Parameter => ({
  names: [name],
  description,
  values: flags,
  fallback,
  same: [fallback === 'true' ? '1' : '0'],
})

/** One of some words, and the one that it is when it is not sent. */
export const word = (
  names: Parameter['names'],
  description: string,
  [values, fallback]: readonly [readonly string[], string],
): Parameter => ({ names, description, values, fallback })

/** A text of a form. */
export const text = (
  name: string,
  description: string,
  more: Partial<Pick<Parameter, 'syntax' | 'fallback' | 'isRequired'>> = {},
): Parameter => ({ names: [name], description, values: null, fallback: null, ...more })

const rows = (most: number, fallback = most): Parameter =>
  text('limit', `Rows of the answer, 1-${most}`, {
    syntax: syntax.integerParameter(1, most),
    fallback: String(fallback),
  })

const lengths = ['timeframe', 'period'] as const
const orders = ['sort_order', 'order'] as const

/** The length of time of boards, index and volume. */
export const period = word(lengths, 'Period of the changes, volumes or prices', [periods, '24h'])

/** The length of time of trending lists. */
export const timeframe = word(lengths, 'Period in which a token must have traded', [timeframes, '24h'])

/** The order of a list: one of `values`; `fallback` is the default order, and `same` are further names of it. */
export const sortBy = (
  values: readonly string[],
  fallback: string,
  same: readonly string[] = [],
): Parameter => ({ ...word(['sort_by', 'sort'], 'Sort key', [[...values, ...same], fallback]), same })

export const sortOrder = word(
  orders,
  'desc: highest first; asc: lowest first. Unknown values come last in both',
  [['desc', 'asc'], 'desc'],
)

export const limit = rows(BOARD_SIZE)
export const discoverLimit = rows(DISCOVER_SIZE, 20)
export const snapshotsLimit = rows(100, 20)
export const swapsLimit = rows(100, 50)
export const peopleLimit = rows(50, 20)

export const offset = text('offset', 'Rows to skip, 0 or more', {
  syntax: syntax.integerParameter(0),
  fallback: '0',
})

export const includeChanges = flag('include_changes', 'false omits the change and historical fields', 'true')

export const values = word(
  ['values'],
  'display returns volume_24h, total_volume and, on posts, market_cap as formatted text',
  [['number', 'display'], 'number'],
)

export const envelope = flag(
  'envelope',
  'true wraps the list: {data, meta: {total, page, per_page}}',
  'false',
)

export const snapshot = text('snapshot', 'Id of a snapshot of the last 15 minutes, to pin paging to it')

export const asOfTime = text(
  'as_of',
  'As published in the last snapshot of a UTC hour up to this time; a date without a time means its end. Everyone can go back to the start of yesterday (UTC), the professional tier and higher ones further',
  { syntax: timeSyntax },
)

export const week = text('week', 'ISO 8601 week. Default: the last one that is over', { syntax: weekSyntax })

/** UTC days of v1/z100/history/{id}, the most. */
export const HISTORY_DAYS = 366

export const historyDays = text('days', `UTC days, 1-${HISTORY_DAYS}, today included`, {
  syntax: syntax.integerParameter(1, HISTORY_DAYS),
  fallback: '90',
})

export const strict = flag('strict', 'true rejects unknown parameters instead of ignoring them', 'false')

/** The order of a list in time. */
export const timeOrder = word(orders, 'desc: newest first; asc: oldest first', [['desc', 'asc'], 'desc'])

export const side = word(['type'], 'Only buys or only sells of the token', [['buy', 'sell', 'all'], 'all'])

export const minValue = text('min_value', 'Only swaps worth at least this many US dollars', {
  syntax: syntax.decimal,
  fallback: '0',
})

export const tokenFilter = text(
  'token',
  'Only swaps of this token: its address, its pool, or a symbol, which may be that of several tokens',
  { syntax: tokenSyntax },
)

export const fill = flag('fill', 'false omits steps without a price of the token’s own pool', 'true')

/** Interval of candles. */
export const candleInterval = word(
  ['resolution', 'interval'],
  'Length of a slot of UTC time; weeks start on Monday',
  [candleIntervalNames, '1h'],
)

export const candleLimit = rows(1_000, 300)

export const candleFill = word(
  ['fill'],
  'last fills slots without a price of the token’s own pool with the price before, at the quote’s USD of the slot’s end; none omits them',
  [['last', 'none'], 'last'],
)

export const currency = word(
  ['currency'],
  'Currency of the prices: US dollars, or what the token is priced in',
  [['usd', 'quote'], 'usd'],
)

export const candlesFrom = text('from', 'No slot that ends before this time', { syntax: timeSyntax })

export const candlesTo = text(
  'to',
  'No slot that begins after this time; a date without a time means its end',
  { syntax: timeSyntax },
)

export const candlesBefore = text('before', 'Only slots that begin before this time, to page backwards', {
  syntax: timeSyntax,
})

export const tokenField: Parameter = {
  names: ['field'],
  description: 'Field to look up; without it, all tokens are listed',
  values: ['symbol', 'name', 'address', 'creator'],
  fallback: null,
}

export const tokenValue = text(
  'value',
  'The value to find, compared without regard to case, width and spacing; a creator is an address or a handle',
  { syntax: syntax.textParameter(1, 256) },
)

export const include = text(
  'include',
  'Parts to add, separated by commas: metrics, swaps (up to 50), holders (up to 50), price_history (24 hours)',
  { syntax: syntax.textParameter(1, 100) },
)

export const addresses = text(
  'addresses',
  `Addresses of at most ${ADDRESSES_MAX} tokens, separated by commas`,
  { syntax: syntax.textParameter(1, 8_000) },
)

export const tokensCursor = text(
  'cursor',
  'Where the list of all tokens goes on, from the link to its next page',
  { syntax: tokenCursorSyntax },
)

export const holdingCursor = text('cursor', '`next_cursor` of the page before', {
  syntax: holdingCursorSyntax,
})

/** The order of all tokens ever. */
export const launchOrder = word(orders, 'Of all tokens: desc: newest first; asc: oldest first', [
  ['desc', 'asc'],
  'desc',
])

export const searchText = text('q', 'Part of a symbol, name or address, or the id of a pool', {
  syntax: searchSyntax,
  isRequired: true,
})

export const from = text(
  'from',
  'First time; a date without a time means its start. Default: 7 days before `to`',
  { syntax: timeSyntax },
)

export const to = text('to', 'Last time; a date without a time means its end. Default: now', {
  syntax: timeSyntax,
})

export const before = text(
  'before',
  'Only swaps before the one with this `cursor`, or before a time; a date without a time means its start. Default: now',
  { syntax: beforeSyntax },
)

/** Filters of launches, which the published list has none of. */
export const launchKind = word(['kind'], 'Only creator tokens or only posts', [
  ['all', 'creator', 'post'],
  'all',
])
const atLeast = (name: string, what: string): Parameter =>
  text(name, `Only tokens with at least this ${what} since launch`, {
    syntax: syntax.integerParameter(0),
    fallback: '0',
  })
export const minTrades = atLeast('min_trades', 'many swaps')
export const minBuyers = atLeast(
  'min_buyers',
  `many (wallet, UTC hour) pairs with a swap of ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)} or more`,
)
export const minVolume = text(
  'min_volume',
  'Only tokens with at least this volume since launch, US dollars',
  { syntax: syntax.decimal, fallback: '0' },
)
export const launchCursor = text(
  'cursor',
  'Only tokens launched before the one with this `cursor`, or before a time',
  { syntax: beforeSyntax },
)

export const holderInterval = word(['interval'], 'Step length, in UTC', [['1h', '1d'], '1d'])

export const earningsDays = text('days', 'UTC days of earnings, 1-60, today included', {
  syntax: syntax.integerParameter(1, 60),
  fallback: '30',
})

export const interval: Parameter = {
  ...word(['interval'], 'Step length, in UTC: 1h is hourly, 1d daily, 1w weekly, from Monday', [
    ['hourly', 'daily', 'weekly', '1h', '1d', '1w'],
    'daily',
  ]),
  same: ['1d'],
}

export const barLimit = text('limit', 'The newest intervals, instead of those since `from`, 1-260', {
  syntax: syntax.integerParameter(1, 260),
})
