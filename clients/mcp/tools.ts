import { NEW_LAUNCH_DAYS } from '../../market/rules.ts'
import type { IdName } from '../../schemas/described/openapi-ids.ts'
import { screenerParameters } from '../../schemas/records/screener.ts'
import { boardFields, trendingFields } from '../../schemas/records/token-row.ts'
import { sortKeys } from '../../schemas/values/field.ts'
import type { Path } from '../typescript/index.ts'

/** A tool that answers with one operation of the API. */
export type Tool = {
  readonly title: string
  readonly description: string
  readonly path: Path
  /** Parameters of the operation that the tool takes; the id of a path is one of them. */
  readonly parameters: readonly string[]
  /** What the id of the path names. @default token */
  readonly id?: IdName
  /** Values of parameters that are not given. */
  readonly defaults: Readonly<Record<string, string | number>>
  /** Keys of a row that are answered unless `fields` names others; null: all. */
  readonly fields: readonly string[] | null
  /** The key that each `sort_by` sorts by, which is answered as well. */
  readonly sorts?: Readonly<Record<string, string>>
}

const swapKeys = [
  'datetime',
  'type',
  'token_symbol',
  'token_address',
  'amount',
  'usd_value',
  'trader',
  'confirmed',
]
const FEW = 10

/** The most used keys of a token's row, and those that tell whether its figures are backed by anything. */
const ofRows = [
  ...['rank', 'symbol', 'contract_address', 'price_usd', 'market_cap', 'volume_24h', 'change_24h_percent'],
  ...['trades_24h', 'liquidity_usd', 'effective_market_cap', 'thin_liquidity', 'name_flags'],
]
const ofBoards = [...ofRows, 'unique_holders', 'score']
const ofLists = [...ofRows, 'holders_count', 'type']

/** A list of 100 tokens with a period and an order. */
const list = (
  path: Path,
  fields: readonly string[],
  words: Pick<Tool, 'title' | 'description' | 'sorts'>,
): Tool => ({
  ...words,
  path,
  parameters: ['timeframe', 'limit', 'offset', 'sort_by', 'sort_order'],
  defaults: { limit: FEW },
  fields,
})

/** Every tool but `verify_row`, by name. */
export const tools: Readonly<Record<string, Tool>> = {
  get_creators_board: list('/v1/z100/creators', ofBoards, {
    title: 'Creators board',
    description: 'The leading creator tokens by score.',
    sorts: sortKeys(boardFields),
  }),
  get_posts_board: list('/v1/z100/posts', [...ofBoards, 'creator_handle'], {
    title: 'Posts board',
    description: 'The leading post tokens by engagement.',
    sorts: sortKeys(boardFields),
  }),
  get_index: {
    title: 'Z100 Index',
    description: 'The Z100 Index: its value, its change over a period and the activity of its members.',
    path: '/v1/z100/index',
    parameters: ['timeframe'],
    defaults: {},
    fields: null,
  },
  get_trending: list('/v1/market/trending', [...ofLists, 'volume', 'change', 'trade_count'], {
    title: 'Trending tokens',
    description:
      'The tokens traded most in a timeframe, or those that lead it by another figure; volume, change and trade_count are of the timeframe.',
    sorts: sortKeys(trendingFields),
  }),
  get_market_stats: {
    title: 'Market statistics',
    description: 'Totals of all tokens: market cap, volume, trades, tokens, holders, liquidity.',
    path: '/v1/market/stats',
    parameters: [],
    defaults: {},
    fields: [
      ...['total_market_cap', 'creator_market_cap', 'post_market_cap', 'total_volume_24h', 'buy_volume_24h'],
      ...['sell_volume_24h', 'volume_change_24h', 'total_trades_24h', 'total_tokens', 'active_tokens_24h'],
      ...['new_tokens_24h', 'total_holders', 'total_liquidity_usd', 'index_value', 'index_change_24h'],
      'last_updated',
    ],
  },
  get_market_volume: {
    title: 'Market volume',
    description:
      'Volume of all tokens over a period and the one before; the field `buckets` has equal steps of it.',
    path: '/v1/market/volume',
    parameters: ['timeframe'],
    defaults: {},
    fields: [
      ...['period', 'total_volume', 'creator_volume', 'post_volume', 'buy_volume', 'sell_volume'],
      ...['total_trades', 'previous_volume', 'volume_change_percent', 'last_updated'],
    ],
  },
  get_index_history: {
    title: 'History of the index',
    description: 'The Z100 Index by hour, day or week, oldest first. Needs the tier professional.',
    path: '/v1/z100/historical',
    parameters: ['interval', 'limit', 'before', 'from', 'to'],
    defaults: {},
    fields: ['date', 'index_value', 'open', 'high', 'low', 'change_percent', 'total_volume', 'total_trades'],
  },
  screen_tokens: {
    title: 'Screener',
    description: 'Tokens traded in the last 24 hours, filtered and ordered.',
    path: '/v1/tokens/screener',
    parameters: ['limit', 'offset', ...screenerParameters.map(({ names: [name] }) => name), 'sort_order'],
    defaults: { limit: FEW },
    fields: [...ofLists, 'age_seconds'],
  },
  get_new_launches: {
    title: 'New launches',
    description: `Tokens created in the last ${NEW_LAUNCH_DAYS} days, newest first.`,
    path: '/v1/discover/new-launches',
    parameters: ['limit', 'offset', 'cursor', 'kind', 'min_trades', 'min_buyers', 'min_volume'],
    defaults: { limit: FEW },
    fields: [
      ...['symbol', 'type', 'creator_handle', 'contract_address', 'created_at', 'market_cap', 'volume_24h'],
      ...['trades', 'buyers', 'holders_count', 'liquidity_usd', 'effective_market_cap', 'thin_liquidity'],
      'name_flags',
    ],
  },
  search_tokens: {
    title: 'Search',
    description: 'Tokens on either board whose name, symbol or address matches a text, best match first.',
    path: '/v1/search',
    parameters: ['q', 'limit', 'offset'],
    defaults: { limit: FEW },
    fields: ofLists,
  },
  get_token: {
    title: 'One token',
    description: 'Details of one token by its address: names, creator, price, market cap, supply, liquidity.',
    path: '/v1/tokens/{id}',
    parameters: ['id'],
    defaults: {},
    fields: null,
  },
  get_candles: {
    title: 'Candles',
    description:
      'Price and volume of a token in slots of UTC time, oldest first: the newest ones, or those before a time.',
    path: '/v1/tokens/{id}/candles',
    parameters: ['id', 'interval', 'limit', 'before', 'from', 'to', 'currency'],
    defaults: { limit: 24 },
    fields: ['timestamp', 'open', 'high', 'low', 'close', 'volume_usd'],
  },
  get_holders: {
    title: 'Holders',
    description: 'The largest holders of a token and how its supply is distributed.',
    path: '/v1/tokens/{id}/holders',
    parameters: ['id', 'limit'],
    defaults: { limit: FEW },
    fields: null,
  },
  get_traders: {
    title: 'Traders of a token',
    description: 'Who traded a token: bought, sold and net in USD, and what each holds now.',
    path: '/v1/tokens/{id}/traders',
    parameters: ['id', 'timeframe', 'sort_by', 'sort_order', 'limit'],
    defaults: { limit: FEW },
    fields: null,
  },
  get_swaps: {
    title: 'Swaps of a token',
    description: 'Swaps of one token, newest first.',
    path: '/v1/tokens/{id}/swaps',
    parameters: ['id', 'limit', 'offset', 'type', 'min_value', 'before'],
    defaults: { limit: FEW },
    fields: swapKeys,
  },
  get_creator: {
    title: 'One creator',
    description: 'A creator by address or handle: token, posts, portfolio, and what was earned by day.',
    path: '/v1/creators/{id}',
    id: 'creator',
    parameters: ['id', 'days', 'limit', 'offset'],
    defaults: { limit: 3, days: 3 },
    fields: null,
  },
  get_wallet: {
    title: 'One wallet',
    description: 'Tokens that a wallet holds, largest value first.',
    path: '/v1/wallets/{id}',
    id: 'walletId',
    parameters: ['id', 'limit', 'cursor'],
    defaults: { limit: FEW },
    fields: null,
  },
  get_wallet_swaps: {
    title: 'Swaps of a wallet',
    description: 'Swaps of one wallet in the last 90 days, newest first.',
    path: '/v1/wallets/{id}/swaps',
    id: 'walletId',
    parameters: ['id', 'limit', 'type', 'min_value', 'token', 'before'],
    defaults: { limit: FEW },
    fields: swapKeys,
  },
}
