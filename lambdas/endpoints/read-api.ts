import type { APIGatewayProxyResult } from 'aws-lambda'
import { type EdgeUsage, SITE_TIER, tiers, usageHourOf, VIEWER_HEADER } from '../../schemas/api/access.ts'
import {
  ApiError,
  MethodNotAllowedError,
  RouteNotFoundError,
  ServiceUnavailableError,
} from '../../schemas/api/errors.ts'
import type { OperationName } from '../../schemas/api/operations.ts'
import { readQuery } from '../../schemas/api/request-query.ts'
import * as parameters from '../../schemas/values/parameters.ts'
import { NothingReadableError } from '../../store/log/applied-read.ts'
import type { SnapshotInfo } from '../../store/published/documents.ts'
import { type ApiEvent, admit, callerOf, requireTier } from '../api/admission.ts'
import type { ApiEndpoint, Asking, ReadStores } from '../api/endpoint.ts'
import {
  type ApiRequest,
  errorResponse,
  provenanceHeaders,
  requestFrom,
  respond,
  siteOf,
} from '../api/http.ts'
import { findRoute, isFilePath, type Routing } from '../api/routes.ts'
import { boardHistory } from './board-history.ts'
import { candles, priceHistory } from './candles.ts'
import { creatorPage } from './creator.ts'
import * as documents from './from-document.ts'
import { historical } from './historical.ts'
import { holderHistory } from './holder-history.ts'
import { holders } from './holders.ts'
import { launchPages } from './launches.ts'
import { recap } from './recap.ts'
import { screener } from './screener.ts'
import { search } from './search.ts'
import {
  robots,
  sitemap,
  snapshotEndpoint,
  snapshots,
  status,
  statusDay,
  tokenPage,
  usage,
} from './service.ts'
import { recentSwaps, tokenSwaps } from './swaps.ts'
import { tokenMetrics } from './token.ts'
import { token } from './token-parts.ts'
import { tokens } from './tokens.ts'
import { traders } from './traders.ts'
import { wallet } from './wallet.ts'
import { walletSwaps } from './wallet-swaps.ts'

/** The endpoint of every operation; a missing one does not compile. */
const endpoints: Readonly<Record<OperationName, ApiEndpoint>> = {
  ...documents,
  launches: launchPages,
  screener,
  token,
  tokenPage,
  robots,
  sitemap,
  metrics: tokenMetrics,
  priceHistory,
  candles,
  holders,
  holderHistory,
  traders,
  creator: creatorPage,
  boardHistory,
  recap,
  wallet,
  walletSwaps,
  tokenSwaps,
  recentSwaps,
  tokens,
  historical,
  search,
  snapshots,
  snapshot: snapshotEndpoint,
  status,
  statusDay,
  openapi: async (...a) => (await import('./fixed.ts')).openapi(...a),
  llms: async (...a) => (await import('./fixed.ts')).llms(...a),
  usage,
}

/** Their answers are in the code. */
const fixed: ReadonlySet<OperationName> = new Set(['openapi', 'llms', 'robots'])

export type ReadApiOptions = {
  readonly stores: () => ReadStores
  /** Awaited before stores are read: makes them those of the log that is live now. */
  readonly renew: () => Promise<void>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Called with errors that a reader only sees as a 500. */
  readonly onDefect: (request: ApiRequest, error: unknown) => void
  /** Called for each request of an account over its limit. */
  readonly onExhausted: (usage: EdgeUsage, limit: number) => void
}

/** The read API: maps an event of API Gateway to a response. Never rejects. */
export function openReadApi({ stores, renew, clock, onDefect, onExhausted }: ReadApiOptions) {
  return async (event: ApiEvent): Promise<APIGatewayProxyResult> => {
    const request = requestFrom(event)
    const refused = (error: unknown) => {
      if (!(error instanceof ApiError)) onDefect(request, error)
      return errorResponse(request, error)
    }
    try {
      if (isFilePath(request.path)) throw new RouteNotFoundError(request.path)
      const viewer = request.headers[VIEWER_HEADER] ?? ''
      const asking = { caller: callerOf(event), viewer, now: clock() / 1_000, site: siteOf(request.headers) }
      const isForDocument = request.headers[SCOPE] === 'shared'
      // A path that leads nowhere is counted, too, before it is refused.
      const routing = findRoute(request.path, request.query, isForDocument)
      const operation = routing.is === 'route' ? routing.route.operation : null
      const isShared = isForDocument && routing.is === 'route' && AS_OF in routing.route.sent
      const entrant = { ...asking, operation, isForDocument, isShared }
      const { refusal, headers, isSpent } = await admit(entrant, stores().usage)
      const { caller, now } = asking
      // The edge can refuse an account over its limit, but not a single visitor of the pages.
      if (isSpent && caller && caller.tier !== SITE_TIER) {
        const { account, tier } = caller
        onExhausted({ account, hour: usageHourOf(now) }, tiers[tier].limitPerHour)
      }
      const answered = refusal
        ? refused(refusal)
        : await answer(request, { routing, isShared, asking, stores, renew, clock }).catch(refused)
      const isRefused = answered.statusCode >= 400 && answered.statusCode < 500
      const snapshot = isRefused && caller !== null ? await newestSnapshot(stores()) : null
      return {
        ...answered,
        headers: { ...answered.headers, ...provenanceHeaders(snapshot, now), ...headers },
      }
    } catch (error) {
      return refused(error)
    }
  }
}

/** Chain time headers of an error: the newest snapshot, if known. */
const newestSnapshot = ({ lists }: ReadStores): Promise<SnapshotInfo | null> =>
  lists.newest().catch(() => null)

/** Header by which the edge marks a request for a document; the edge removes it from viewers' requests. */
const SCOPE = 'x-z100-scope'
const [AS_OF] = parameters.asOfTime.names

type Answering = {
  readonly routing: Routing
  /** Among accounts, by the edge. */
  readonly isShared: boolean
  readonly asking: Asking
  readonly stores: ReadApiOptions['stores']
  readonly renew: ReadApiOptions['renew']
  readonly clock: () => number
}

/** Throws the ApiError that answers the request instead. */
async function answer(
  request: ApiRequest,
  { routing, isShared, asking, stores, renew, clock }: Answering,
): Promise<APIGatewayProxyResult> {
  const start = clock()
  if (routing.is === 'refusal') throw routing.error
  const { route } = routing
  const { operation } = route
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowedError(request.method)
  requireTier(operation, asking.caller)
  const asked = readQuery([...(operation.documentParameters ?? []), ...operation.rest], route.sent)
  if (!fixed.has(route.name)) await renew()
  const found = await endpoints[route.name]({ ...asked, id: route.id }, stores(), asking).catch(orUnavailable)
  const path = operation.path.replace('{id}', encodeURIComponent(route.id))
  const readMs = clock() - start
  const now = clock() / 1_000
  return respond({ request, answer: found, asked, operation, path, now, readMs, isShared })
}

const RETRY_SECONDS = 5

/** Nothing can be answered before the first minute is applied, or while minutes are being rolled back. */
function orUnavailable(error: unknown): never {
  if (error instanceof NothingReadableError) throw new ServiceUnavailableError(RETRY_SECONDS)
  throw error
}
