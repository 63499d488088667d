import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { chains } from '../ingest/chains.ts'
import { readEnv } from '../schemas/env.ts'
import { ApiError, MethodNotAllowedError, ServiceUnavailableError } from '../schemas/errors.ts'
import { type OperationName, operations } from '../schemas/operations.ts'
import type { ReadName } from '../schemas/read-operations.ts'
import { NothingReadableError } from '../store/applied-read.ts'
import { openBucket } from '../store/bucket.ts'
import { openFeed } from '../store/feed.ts'
import { openLog } from '../store/log.ts'
import { openRecentSwaps } from '../store/recent-swaps.ts'
import { openTable } from '../store/table.ts'
import type { Endpoint, ReadStores } from './endpoints/endpoint.ts'
import { fromDocument } from './endpoints/from-document.ts'
import { priceHistory } from './endpoints/price-history.ts'
import { search } from './endpoints/search.ts'
import { recentSwaps, tokenSwaps } from './endpoints/swaps.ts'
import { holders, metrics, token } from './endpoints/token.ts'
import { tokens } from './endpoints/tokens.ts'
import { type ApiRequest, preflight, refuse, requestFrom, respond } from './http.ts'
import { openDocuments } from './published-documents.ts'
import { findRoute, type RouteName, spell } from './routes.ts'

/** Each operation that is read; one left out does not compile. */
const reading: Readonly<Record<ReadName, Endpoint>> = {
  token,
  metrics,
  priceHistory,
  holders,
  tokenSwaps,
  recentSwaps,
  tokens,
  search,
}

const published = Object.fromEntries(
  (Object.keys(operations) as OperationName[]).map((name) => [name, fromDocument(name)]),
) as Record<OperationName, Endpoint>

const endpoints: Readonly<Record<RouteName, Endpoint>> = { ...published, ...reading }

/** Kept while the function stays warm. */
let stores: ReadStores | undefined

/** Invoked by API Gateway for every request under /v1. What is no ApiError is a 500 that says nothing, and a line in the log. */
export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const request = requestFrom(event)
  try {
    stores ??= openStores()
    return await answer(request, stores)
  } catch (error) {
    if (!(error instanceof ApiError)) log(request, error)
    return refuse(request, error)
  }
}

/** The edge's word for a request that names a document; it takes any such word of a viewer away. */
const SCOPE = 'x-z100-scope'

async function answer(request: ApiRequest, from: ReadStores): Promise<APIGatewayProxyResult> {
  const start = performance.now()
  if (request.method === 'OPTIONS') return preflight(request)
  const route = findRoute(request.path, request.query, request.headers[SCOPE] === 'shared')
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowedError(request.method)
  const spelt = spell(route)
  const found = await endpoints[route.name](spelt.asked, from).catch(orUnavailable)
  const readMs = performance.now() - start
  const path = route.operation.path.replace('{id}', encodeURIComponent(route.id))
  return respond({ request, answer: found, spelt, path, now: Date.now() / 1_000, readMs })
}

const RETRY_SECONDS = 5

/** Before the first minute is applied, and while minutes are taken back, there is nothing to say. */
function orUnavailable(error: unknown): never {
  if (error instanceof NothingReadableError) throw new ServiceUnavailableError(RETRY_SECONDS)
  throw error
}

function openStores(): ReadStores {
  const env = readEnv('api', process.env)
  const chain = Object.values(chains).find(({ name }) => name === env.CHAIN)
  if (!chain) throw new UnknownChainError(env.CHAIN)
  const table = openTable(env.MARKET_TABLE)
  const bucket = openBucket(env.PUBLISHED_BUCKET)
  return {
    table,
    log: openLog(table, bucket),
    recentSwaps: openRecentSwaps(openFeed(table)),
    documents: openDocuments(bucket),
    references: new Map(chain.references.map((currency) => [currency.address, currency])),
    poolManager: chain.poolManager,
  }
}

/** CHAIN names no chain. */
class UnknownChainError extends Error {
  override readonly name = 'UnknownChainError'
}

/** One line of JSON, as CloudWatch Logs reads them; it has all that the reader is not told. */
function log(request: ApiRequest, error: unknown): void {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error))
  const line = { service: 'api', request_id: request.id, path: request.path, query: request.query }
  process.stdout.write(
    `${JSON.stringify({ ...line, error: name, message, stack, cause: cause && String(cause) })}\n`,
  )
}
