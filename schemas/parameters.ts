import { periods, timeframes } from '../market/window.ts'
import * as form from './parameter-form.ts'

/** A query parameter. Of several names sent, the first listed wins. */
export type Parameter = {
  readonly names: readonly [string, ...string[]]
  readonly says: string
  /** The words it may be, in any case; null: any text its reader accepts. */
  readonly values: readonly string[] | null
  /** What an absent or empty parameter means; null: nothing. */
  readonly fallback: string | null
  /** Further words that mean the fallback. */
  readonly same?: readonly string[]
  /** What a text must be where no words are listed. */
  readonly form?: form.Form
  /** Nothing can be answered without it. */
  readonly isRequired?: true
}

/** A flag's words. */
export const flags = ['true', 'false', '1', '0'] as const

/** The length of time of boards, index and volume. */
export const period: Parameter = {
  names: ['timeframe', 'period'],
  says: 'Length of time that changes and volume_period are of',
  values: periods,
  fallback: '24h',
}

/** The length of time of trending lists. */
export const timeframe: Parameter = {
  names: ['timeframe', 'period'],
  says: 'Length of time in which a token must have traded',
  values: timeframes,
  fallback: '24h',
}

/** What a list is ordered by: one of `values`, of which `fallback` is its own order; `same` mean that too. */
export const sortBy = (
  values: readonly string[],
  fallback: string,
  same: readonly string[] = [],
): Parameter => ({
  names: ['sort_by', 'sort'],
  says: 'What the list is ordered by',
  values: [...values, ...same],
  fallback,
  same,
})

export const sortOrder: Parameter = {
  names: ['sort_order', 'order'],
  says: 'desc: best first; asc: the reverse. Unknown values stand last in both',
  values: ['desc', 'asc'],
  fallback: 'desc',
}

export const limit: Parameter = {
  names: ['limit'],
  says: 'Rows of the answer, 1-100',
  values: null,
  form: form.integerParameter(1, 100),
  fallback: '100',
}

export const discoverLimit: Parameter = {
  names: ['limit'],
  says: 'Rows of the answer, 1-50',
  values: null,
  form: form.integerParameter(1, 50),
  fallback: '20',
}

export const offset: Parameter = {
  names: ['offset'],
  says: 'Rows to skip, 0 or more',
  values: null,
  form: form.integerParameter(0),
  fallback: '0',
}

export const includeChanges: Parameter = {
  names: ['include_changes'],
  says: 'false leaves the change and historical fields out',
  values: flags,
  fallback: 'true',
  same: ['1'],
}

export const values: Parameter = {
  names: ['values'],
  says: 'display prints volume_24h, total_volume and, on posts, market_cap as display text',
  values: ['number', 'display'],
  fallback: 'number',
}

export const envelope: Parameter = {
  names: ['envelope'],
  says: 'true wraps the list: {data, meta: {total, page, per_page}}',
  values: flags,
  fallback: 'false',
  same: ['0'],
}

export const snapshot: Parameter = {
  names: ['snapshot'],
  says: 'Id of a snapshot of the last 15 minutes that pages are to be read from',
  values: null,
  fallback: null,
}

export const strict: Parameter = {
  names: ['strict'],
  says: 'true refuses unknown parameters instead of ignoring them',
  values: flags,
  fallback: 'false',
  same: ['0'],
}

/** The snapshots that an answer holds. */
export const snapshotsLimit: Parameter = { ...limit, fallback: '20' }

/** The tokens that an answer holds: each that is on no board costs several reads. */
export const tokensLimit: Parameter = {
  ...{ names: ['limit'], says: 'Rows of the answer, 1-10', values: null },
  ...{ form: form.integerParameter(1, 10), fallback: '10' },
}

/** The swaps of one token that an answer holds. */
export const swapsLimit: Parameter = { ...limit, fallback: '50' }

/** The order of a list in time. */
export const timeOrder: Parameter = {
  names: ['sort_order', 'order'],
  says: 'desc: newest first; asc: oldest first',
  values: ['desc', 'asc'],
  fallback: 'desc',
}

export const side: Parameter = {
  names: ['type'],
  says: 'Only swaps that buy, or only those that sell, the token of the pool',
  values: ['buy', 'sell', 'all'],
  fallback: 'all',
}

export const minValue: Parameter = {
  names: ['min_value'],
  says: 'Only swaps of at least so many US dollars, compared before rounding',
  values: null,
  form: form.decimal,
  fallback: '0',
}

export const tokenFilter: Parameter = {
  names: ['token'],
  says: 'Only swaps of this token: its address, or a symbol, which may be that of several tokens',
  values: null,
  form: form.soughtFor(1, 128),
  fallback: null,
}

export const fill: Parameter = {
  names: ['fill'],
  says: 'false leaves out the steps in which the token’s own price was not set',
  values: flags,
  fallback: 'true',
  same: ['1'],
}

export const tokenField: Parameter = {
  names: ['field'],
  says: 'What the value is compared with',
  values: ['symbol', 'name', 'address', 'creator'],
  fallback: null,
  isRequired: true,
}

export const tokenValue: Parameter = {
  names: ['value'],
  says: 'Found where it is equal but for case, width and spacing; a creator is an address or a handle',
  values: null,
  form: form.textParameter(1, 256),
  fallback: null,
  isRequired: true,
}

export const searchText: Parameter = {
  names: ['q'],
  says: 'Part of a symbol, name or address',
  values: null,
  form: form.soughtFor(2, 100),
  fallback: null,
  isRequired: true,
}

const day = (names: Parameter['names'], says: string): Parameter => ({
  names,
  says,
  values: null,
  form: form.day,
  fallback: null,
})

export const from = day(
  ['from'],
  'First moment, ISO 8601 in UTC; a date alone means its start. Default: 7 days before `to`',
)

export const to = day(['to'], 'Last moment, ISO 8601 in UTC; a date alone means its end. Default: now')

export const before = day(
  ['before'],
  'Only swaps before this moment, ISO 8601 in UTC; a date alone means its start. Default: now',
)

export const interval: Parameter = {
  names: ['interval'],
  says: 'Length of the steps, in UTC; weeks begin on Monday',
  values: ['hourly', 'daily', 'weekly'],
  fallback: 'daily',
}
