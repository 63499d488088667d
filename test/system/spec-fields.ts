/** The tables of the API's specification: fields and types, as its text has them. */

/** What the text calls a type, and whether a value is of it. */
const is = {
  string: (value: unknown) => typeof value === 'string' && value !== '',
  integer: (value: unknown) => Number.isInteger(value),
  decimal: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  /** Live example and schema disagree: formatted text in the one, a decimal in the other. */
  amount: (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^-?\$[\d.]+[KMBT]?$/.test(value)),
  percentText: (value: unknown) => typeof value === 'string' && /^[+-]\d[\d.,]*[KMBT]?%$/.test(value),
  time: (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
  unix: (value: unknown) => Number.isInteger(value) && Number(value) > 1_600_000_000,
  /** An address of a token or wallet. */
  address: (value: unknown) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value),
  hash: (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value),
  strings: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  side: (value: unknown) => value === 'buy' || value === 'sell',
} as const
type Kind = keyof typeof is

/** Fields of a table with their types; with a question mark, null stands for what is not known. */
export type SpecFields = Readonly<Record<string, Kind | `${Kind}?`>>

/** 2.1: a trending token. */
const trending: SpecFields = {
  rank: 'integer',
  symbol: 'string',
  name: 'string',
  contract_address: 'address',
  price_usd: 'decimal',
  market_cap: 'decimal',
  volume_24h: 'decimal',
  holders_count: 'integer',
  change_24h: 'decimal?',
  change_7d: 'decimal?',
  creator_handle: 'string',
  trade_count: 'integer',
}
/** 2.2: a token. */
const detail: SpecFields = {
  symbol: 'string',
  name: 'string',
  contract_address: 'address',
  price_usd: 'decimal',
  market_cap: 'decimal',
  volume_24h: 'decimal',
  holders_count: 'integer',
  liquidity_usd: 'decimal',
  change_24h: 'decimal?',
  change_7d: 'decimal?',
  created_at: 'time',
}
/** 2.3: metrics of a token. */
const metrics: SpecFields = {
  market_cap: 'decimal',
  total_supply: 'decimal',
  circulating_supply: 'decimal',
  holders_count: 'integer',
  volume_24h: 'decimal',
  trades_24h: 'integer',
  price_change_24h: 'decimal?',
  all_time_high: 'decimal',
  all_time_low: 'decimal',
}
/** 2.3: whose metrics they are. */
const tokenRef: SpecFields = { symbol: 'string', name: 'string', address: 'address' }
/** 2.4: holders of a token. */
const holders: SpecFields = {
  token: 'object',
  total_holders: 'integer',
  distribution: 'object',
  holder_types: 'object',
  data_source: 'string',
  last_updated: 'time',
}
/** 2.4: how its balances are spread. */
const distribution: SpecFields = {
  top10_concentration: 'decimal',
  top25_concentration: 'decimal',
  top50_concentration: 'decimal',
  top100_concentration: 'decimal',
  gini_coefficient: 'decimal',
  whale_count: 'integer',
  whale_percentage: 'decimal',
}
/** 2.5: a swap, both field sets. */
const swap: SpecFields = {
  transaction_hash: 'hash',
  pool_id: 'hash',
  timestamp: 'unix',
  token_symbol: 'string',
  is_buy: 'boolean',
  amount_in: 'decimal',
  amount_out: 'decimal',
  volume_usd: 'decimal',
  block_number: 'integer',
  from_address: 'address?',
  to_address: 'address?',
  token_in: 'object',
  token_out: 'object',
  usd_value: 'decimal',
  type: 'side',
}
/** 6: an event of the stream. */
const event: SpecFields = {
  timestamp: 'unix',
  tx_hash: 'hash',
  token_symbol: 'string',
  token_address: 'address',
  is_buy: 'boolean',
  volume_usd: 'decimal',
  amount: 'decimal',
  price_per_token: 'decimal?',
  pool_address: 'string',
  trader: 'address',
}
/** 2.6: with include_changes. */
const changes: SpecFields = {
  price_change_percent: 'decimal?',
  price_is_up: 'boolean?',
  market_cap_change_percent: 'decimal?',
  market_cap_change_value: 'decimal?',
  market_cap_is_up: 'boolean?',
  volume_change_percent: 'decimal?',
  volume_is_up: 'boolean?',
  holders_change_percent: 'decimal?',
  holders_change_value: 'integer?',
  holders_is_up: 'boolean?',
  historical_price: 'decimal?',
  historical_market_cap: 'decimal?',
  historical_volume: 'decimal?',
  historical_holders: 'integer?',
}
const board: SpecFields = {
  rank: 'integer',
  name: 'string',
  creator_address: 'address',
  token_address: 'address',
  pool_id: 'hash',
  price_usd: 'decimal',
  market_cap: 'amount',
  volume_24h: 'amount',
  total_volume: 'amount',
  unique_holders: 'integer',
  is_new: 'boolean',
  change_24h: 'percentText?',
}
/** 2.6: an entry of the creators, both field sets. */
const creator: SpecFields = {
  ...board,
  handle: 'string',
  portfolio_value: 'amount',
  portfolio_value_raw: 'decimal',
}
/** 2.7: an entry of the posts, both field sets. */
const post: SpecFields = { ...board, symbol: 'string', creator_name: 'string?', market_cap_raw: 'decimal' }
/** 2.8: the index. */
const index: SpecFields = {
  period: 'string',
  index_value: 'decimal',
  total_volume: 'decimal',
  total_trades: 'integer',
  creator_volume: 'decimal',
  post_volume: 'decimal',
  active_creators: 'integer',
  active_posts: 'integer',
  top_creators: 'strings',
  top_posts: 'strings',
  timestamp: 'unix',
}

/** The tables by what they are of. */
export const specTables = {
  trending,
  detail,
  metrics,
  tokenRef,
  holders,
  distribution,
  swap,
  event,
  changes,
  creator,
  post,
  index,
} as const satisfies Record<string, SpecFields>

/** What is not as the text says; empty: nothing. */
export function surprisesIn(fields: SpecFields, value: unknown, where: string): readonly string[] {
  const record = Object(value) as Record<string, unknown>
  return Object.entries(fields).flatMap(([name, kind]) => {
    const isNullable = kind.endsWith('?')
    const isWell = (isNullable && record[name] === null) || is[kind.replace('?', '') as Kind](record[name])
    return isWell ? [] : [`${where}: ${name} is ${JSON.stringify(record[name])}, no ${kind}`]
  })
}
