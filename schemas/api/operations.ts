import { trendingSorts } from '../../market/board/trending.ts'
import { BOARD_SIZE, DISCOVER_SIZE, NEW_LAUNCH_DAYS, SCREENER_SIZE } from '../../market/rules.ts'
import { periods, stepsOf } from '../../market/window.ts'
import { PAGE_CACHE } from '../pages/site.ts'
import { candleFields, priceStepFields } from '../records/candles.ts'
import { creatorFields } from '../records/creator.ts'
import { foundFields, launchFields, risingFields, summaryFields } from '../records/discover-row.ts'
import { allFields, statsFields, volumeFields } from '../records/market-totals.ts'
import { screenerFields, screenerParameters } from '../records/screener.ts'
import { swapFields, swapFilters } from '../records/swap.ts'
import { metricsFields } from '../records/token-page.ts'
import { tokenSchema } from '../records/token-parts.ts'
import { boardFields, trendingFields } from '../records/token-row.ts'
import { constituentsFields, indexBarFields, indexFields, indexHoursFields } from '../records/z100-index.ts'
import { type JsonSchema, rowSchema, sortKeys } from '../values/field.ts'
import type { Parameter } from '../values/parameters.ts'
import * as parameters from '../values/parameters.ts'
import { RECENT_SWAPS, REPLAY_HOURS } from '../values/stream-times.ts'
import { historyOperations, statusDayOperation } from './history-operations.ts'
import { holderOperations } from './holder-operations.ts'
import {
  FIXED_CACHE,
  fixedOperation as fixed,
  fixedTextOperation as fixedText,
  LASTING_CACHE,
  type Operation,
  publishedOperation as published,
  readOperation as read,
} from './operation.ts'
import { manifestSchema, snapshotFields, statusSchema, usageFields } from './service.ts'

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', maxItems: BOARD_SIZE, items })

const paging = [parameters.limit, parameters.offset]
const forms = [parameters.envelope, parameters.snapshot]
const past = [parameters.asOfTime]
const page = (limit: Parameter) => [limit, parameters.offset, parameters.envelope]

const boardSorts = Object.keys(sortKeys(boardFields))

const board = (noun: string, path: `/v1/${string}`, ownSort: string) =>
  published(path, `The 100 ${noun} of the board, with their changes over a period`, {
    documentParameters: [parameters.period],
    rest: [
      ...paging,
      parameters.sortBy(boardSorts, 'rank', [ownSort]),
      parameters.sortOrder,
      parameters.includeChanges,
      parameters.values,
      ...forms,
      ...past,
    ],
    body: listOf(rowSchema(boardFields)),
  })

/** A list of discovery: the document holds its first rows, as many as the limit's default. */
const discovery = (
  description: string,
  path: `/v1/${string}`,
  items: JsonSchema,
  own: readonly Parameter[] = [],
) =>
  published(path, description, {
    rest: [parameters.discoverLimit, parameters.offset, ...forms, ...own],
    body: { ...listOf(items), maxItems: DISCOVER_SIZE },
  })

const swaps = listOf(rowSchema(swapFields))
const filters = swapFilters.map(({ parameter }) => parameter)
const filtersOfToken = filters.filter((parameter) => parameter !== parameters.tokenFilter)

/** Every operation of the API, by name. `{id}` in a path is a token's address or pool, or a snapshot's id. */
export const operations = {
  // Published as documents.
  creators: board('creators', '/v1/z100/creators', 'value'),
  posts: board('posts', '/v1/z100/posts', 'engagement'),
  index: published('/v1/z100/index', 'The Z100 Index with the trading activity of both boards', {
    documentParameters: [parameters.period],
    rest: past,
    body: rowSchema(indexFields),
  }),
  indexHours: published('/v1/z100/index/hours', 'The Z100 Index of the last seven days, hour by hour', {
    body: rowSchema(indexHoursFields),
  }),
  constituents: published(
    '/v1/z100/index/constituents',
    'All members of the Z100 Index, heaviest first, with their quantities and weights',
    { rest: past, body: rowSchema(constituentsFields) },
  ),
  all: published('/v1/all', 'Both boards and the index in one response', {
    documentParameters: [parameters.period],
    rest: [parameters.includeChanges, parameters.values, parameters.snapshot, ...past],
    body: rowSchema(allFields),
  }),
  trending: published('/v1/market/trending', 'The top 100 tokens traded in a timeframe', {
    documentParameters: [parameters.timeframe, parameters.sortBy(trendingSorts, 'volume', ['rank'])],
    rest: [...paging, parameters.sortOrder, ...forms, ...past],
    body: listOf(rowSchema(trendingFields)),
  }),
  volume: published(
    '/v1/market/volume',
    'Market-wide volume in equal steps, with the previous period’s total',
    { documentParameters: [parameters.period], body: rowSchema(volumeFields) },
  ),
  stats: published('/v1/market/stats', 'Market-wide statistics', {
    rest: past,
    body: rowSchema(statsFields),
  }),
  rising: discovery(
    'Tokens that attracted unusually high net buying in the last hour, compared with the day before',
    '/v1/discover/rising',
    rowSchema(risingFields),
  ),
  launches: discovery(
    `Tokens created in the last ${NEW_LAUNCH_DAYS} days, newest first`,
    '/v1/discover/new-launches',
    rowSchema(launchFields),
    [
      parameters.launchCursor,
      parameters.launchKind,
      parameters.minTrades,
      parameters.minBuyers,
      parameters.minVolume,
    ],
  ),
  screener: published(
    '/v1/tokens/screener',
    `Every token traded in the last 24 hours, filtered and ordered: the ${SCREENER_SIZE.toLocaleString('en-US')} with the largest rank volume; X-Left-Out says how many more have traded`,
    {
      rest: [...paging, ...screenerParameters, parameters.sortOrder, ...forms],
      body: listOf(rowSchema(screenerFields)),
    },
  ),
  status: {
    ...published('/v1/status', 'The latest snapshot and the health of the service', { body: statusSchema }),
    needs: 'nothing',
  },

  statusDay: statusDayOperation,

  // Answered from the tables.
  token: read('/v1/tokens/{id}', 'One token, with all that a page about it shows if it is included', {
    rest: [parameters.include],
    body: tokenSchema,
  }),
  metrics: read('/v1/tokens/{id}/metrics', 'Figures of one token', { body: rowSchema(metricsFields) }),
  priceHistory: read('/v1/tokens/{id}/price-history', 'Price history of a token in equal steps of UTC time', {
    rest: [parameters.period, parameters.fill, parameters.envelope],
    body: { ...listOf(rowSchema(priceStepFields)), maxItems: Math.max(...periods.map(stepsOf)) },
  }),
  candles: {
    ...read(
      '/v1/tokens/{id}/candles',
      'Candles of a token on a grid of UTC time, oldest first: the newest, or those before a time. 1m, 5m and 15m are kept for 8 days, 1h and 4h for 90 days, 1d and 1w for ever',
      {
        rest: [
          parameters.candleInterval,
          parameters.candleLimit,
          parameters.candlesBefore,
          parameters.candlesFrom,
          parameters.candlesTo,
          parameters.candleFill,
          parameters.currency,
          parameters.envelope,
        ],
        body: { ...listOf(rowSchema(candleFields.usd)), maxItems: 1_000 },
      },
    ),
    lastingCacheControl: LASTING_CACHE,
  },
  ...holderOperations,
  creator: read('/v1/creators/{id}', 'A creator: token, posts, portfolio and earnings', {
    rest: [parameters.earningsDays, parameters.discoverLimit, parameters.offset, parameters.timeOrder],
    body: rowSchema(creatorFields),
  }),
  tokenSwaps: read(
    '/v1/tokens/{id}/swaps',
    'Swaps of one token: the last 500 before a time within the last 8 days',
    {
      rest: [...page(parameters.swapsLimit), ...filtersOfToken, parameters.timeOrder, parameters.before],
      body: swaps,
    },
  ),
  recentSwaps: read(
    '/v1/market/recent-swaps',
    `Recent swaps of all tokens: the last ${RECENT_SWAPS.toLocaleString('en-US')} within ${REPLAY_HOURS} hours`,
    { rest: [...page(parameters.limit), ...filters, parameters.timeOrder, parameters.before], body: swaps },
  ),
  tokens: read(
    '/v1/tokens',
    'Tokens: all that were ever launched; or by symbol, name, address or creator, those on a board first, then the oldest; or those at some addresses, in their order',
    {
      rest: [
        parameters.tokenField,
        parameters.tokenValue,
        parameters.addresses,
        parameters.tokensCursor,
        parameters.launchOrder,
        ...page(parameters.limit),
      ],
      body: listOf(rowSchema(summaryFields)),
    },
  ),
  historical: {
    ...read('/v1/z100/historical', 'The Z100 Index in equal steps of UTC time, oldest first', {
      rest: [
        parameters.from,
        parameters.to,
        parameters.interval,
        parameters.barLimit,
        parameters.candlesBefore,
        parameters.envelope,
      ],
      // 31 days in hours, the most.
      body: { ...listOf(rowSchema(indexBarFields)), maxItems: 745 },
    }),
    tier: 'professional',
  },
  ...historyOperations,
  usage: {
    ...read('/v1/usage', 'Your account’s requests in this hour; this call is not counted', {
      body: rowSchema(usageFields),
    }),
    isUncounted: true,
  },
  snapshots: read('/v1/snapshots', 'Published snapshots, newest first: the last 1,000 up to a time', {
    rest: [parameters.to, ...page(parameters.snapshotsLimit)],
    body: listOf(rowSchema(snapshotFields)),
  }),
  snapshot: read(
    '/v1/snapshots/{id}',
    'A snapshot’s manifest: its documents and their digests, kept for 90 days',
    { body: manifestSchema },
  ),
  search: read('/v1/search', 'Tokens on either board that match a text, best match first', {
    rest: [parameters.searchText, ...page(parameters.limit)],
    body: listOf(rowSchema(foundFields)),
  }),

  // Texts: descriptions of the API, and what browsers and crawlers read.
  openapi: fixed({
    path: '/v1/openapi.json',
    description: 'The OpenAPI 3.1 description of this API',
    mediaType: 'application/json; charset=utf-8',
    body: {
      type: 'object',
      properties: {
        openapi: { type: 'string', const: '3.1.0', description: 'Version of OpenAPI' },
        info: { type: 'object', description: 'What the API is' },
        paths: { type: 'object', description: 'Its operations' },
      },
      required: ['openapi', 'info', 'paths'],
      additionalProperties: true,
    },
  }),
  tokenPage: fixedText(
    '/v1/token-pages/{id}',
    'The HTML page of a token, also at /token/{id}; title and preview name the token',
    ['text/html', PAGE_CACHE],
  ),
  robots: fixedText('/v1/robots.txt', 'Rules for crawlers, also at /robots.txt', ['text/plain', PAGE_CACHE]),
  sitemap: fixedText(
    '/v1/sitemap.xml',
    'The sitemap of the pages and of the tokens on both boards, also at /sitemap.xml',
    ['application/xml', PAGE_CACHE],
  ),
  llms: fixedText('/v1/llms.txt', 'A short guide to this API for language models', [
    'text/plain',
    FIXED_CACHE,
  ]),
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
/** Operations whose answers are published as documents. */
export type PublishedName = {
  [Name in OperationName]: (typeof operations)[Name]['documentParameters'] extends null ? never : Name
}[OperationName]

/** Every operation by its name, in the order of the list. */
export const operationEntries = Object.entries(operations) as readonly (readonly [OperationName, Operation])[]
