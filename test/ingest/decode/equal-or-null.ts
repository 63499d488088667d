/** Answers over a log that begins in the middle of the chain's history, against those over all of it: every figure is the same, or null. */
import { isDeepStrictEqual } from 'node:util'
import { BOARD_SIZE } from '../../../market/rules.ts'
import { discoverLimit } from '../../../schemas/values/parameters.ts'

/** Places and lengths of lists, which other tokens decide, too, and names of the creator token, which may be older and silent. */
const places = new Set([
  ...['rank', 'position', 'z100_rank', 'z100_board', 'top_creators', 'top_posts'],
  ...['total_creators', 'total_posts'],
])
const names = new Set(['creator_name', 'creator_handle', 'handle'])

/** Figures that an object with `coverage_from` says it has for what is known since then alone. */
const partial: Readonly<Record<string, ReadonlySet<string>>> = {
  /** Of v1/market/stats. */
  stats: new Set([
    // Sources that have been silent for a day are not known.
    ...['references', 'total_market_cap', 'total_market_cap_plain', 'creator_market_cap', 'post_market_cap'],
    ...[
      'total_tokens',
      'total_creators',
      'total_posts',
      'total_liquidity_usd',
      'index_value',
      'index_change_24h',
    ],
  ]),
  /** Of the index, which begins with the log. */
  index: new Set([
    ...['index_value', 'index_value_start', 'index_change_percent', 'divisor'],
    ...['constituents_count', 'constituents', 'counted_usd'],
  ]),
  /** Of v1/z100/index/hours. */
  hours: new Set(['hours']),
  portfolio: new Set(['posts_market_cap', 'posts_counted', 'posts_count']),
}
/** Of a creator, if its portfolio is partial. */
const ofPortfolio = new Set(['portfolio_value', 'portfolio_value_raw', 'score'])

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
type Record_ = { readonly [key: string]: Json }

/** What was compared: how many values are the same, and the keys of those that are null in the later log alone. */
export type Compared = {
  equal: number
  readonly nulls: Set<string>
  /** Of tokens launched since it began. */
  readonly nullsOfNew: Set<string>
  readonly wrong: string[]
}

export const nothingCompared = (): Compared => ({
  equal: 0,
  nulls: new Set(),
  nullsOfNew: new Set(),
  wrong: [],
})

/** Compares one answer; `path` begins with its name. */
export function compareAnswer(compared: Compared, path: string, all: Json, own: Json): void {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (isUnknown(own) && !isUnknown(all)) compared.nulls.add(key)
  else if (Array.isArray(own) && Array.isArray(all)) compareLists(compared, path, all, own)
  else if (isRecord(own) && isRecord(all)) compareRecords(compared, path, all, own)
  else if (isDeepStrictEqual(own, all)) compared.equal += 1
  else compared.wrong.push(`${path}: ${JSON.stringify(own)}, with all of history ${JSON.stringify(all)}`)
}

/** The display text of null is N/A. */
const isUnknown = (value: Json): boolean => value === null || value === 'N/A'

const isRecord = (value: Json): value is Record_ =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What a row is found by in the other list. */
function nameOf(row: Json): Json {
  if (!isRecord(row)) return row
  const { transaction_hash: transaction, log_index: index, contract_address: token, address, timestamp } = row
  return index === undefined ? (token ?? address ?? timestamp ?? null) : `${transaction}-${index}`
}

const sizeOf = (path: string): number =>
  path.startsWith('v1/discover/') ? Number(discoverLimit.fallback) : BOARD_SIZE

function compareLists(compared: Compared, path: string, all: readonly Json[], own: readonly Json[]): void {
  const rows = new Map(all.map((row) => [nameOf(row), row]))
  for (const row of own) {
    const name = nameOf(row)
    const other = rows.get(name)
    // In a full list, a token that is unknown to the later log leaves its place to another one.
    if (other === undefined && all.length >= sizeOf(path)) continue
    if (other === undefined)
      compared.wrong.push(`${path}: ${JSON.stringify(name)} is not there with all of history`)
    else compareAnswer(compared, `${path}[${name}]`, other, row)
  }
}

function compareRecords(compared: Compared, path: string, all: Record_, own: Record_): void {
  const left = own['coverage_from'] ? partialIn(path, own) : new Set<string>()
  const isOfPartialPortfolio =
    isRecord(own['portfolio'] ?? null) && (own['portfolio'] as Record_)['coverage_from']
  for (const [key, value] of Object.entries(own)) {
    if (places.has(key) || names.has(key) || key === 'coverage_from' || left.has(key)) continue
    if (isOfPartialPortfolio && ofPortfolio.has(key)) continue
    const isOfNew = 'contract_address' in own && own['coverage_from'] === null
    if (isOfNew && isUnknown(value) && !isUnknown(all[key] ?? null)) compared.nullsOfNew.add(key)
    compareAnswer(compared, `${path}.${key}`, all[key] ?? null, value)
  }
}

function partialIn(path: string, own: Record_): ReadonlySet<string> {
  if ('total_tokens' in own) return partial['stats']!
  if ('divisor' in own) return partial['index']!
  if ('hours' in own) return partial['hours']!
  return path.endsWith('.portfolio') ? partial['portfolio']! : new Set()
}
