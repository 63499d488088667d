/** Endpoints by their protocol: calls go to HTTP, WebSockets only push new blocks, portals only have old ones. */
import { kindOf } from './faults.ts'

/** None of the endpoints takes calls. */
export const NoHttpEndpointError = kindOf(
  'NoHttpEndpointError',
  (hosts: string) =>
    `${hosts}: a WebSocket only pushes new blocks, and a portal has none of the last hour; add an http or https endpoint for all calls`,
  false,
)

/** Whether a URL is a WebSocket's. */
export const isSocketUrl = (url: string): boolean => /^wss?:/i.test(url)

/** Whether a URL names a dataset of an SQD Portal (portal.ts): `portal+`, then its https address. */
export const isPortalUrl = (url: string): boolean => /^portal\+https?:/i.test(url)

/** Whether an endpoint of this URL takes all calls. */
export const takesCalls = (url: string): boolean => !isSocketUrl(url) && !isPortalUrl(url)

/** Splits endpoints by protocol, in their order. Throws NoHttpEndpointError if none of those given takes calls. */
export function endpointUrls(urls: readonly string[]): {
  readonly http: readonly string[]
  readonly portals: readonly string[]
  readonly sockets: readonly URL[]
} {
  const [http, portals] = [urls.filter(takesCalls), urls.filter(isPortalUrl)]
  // A WebSocket throws for a URL with a fragment.
  const sockets = urls.filter(isSocketUrl).map((url) => new URL(url.replace(/#.*/, '')))
  if (http.length === 0 && urls.length > 0)
    throw new NoHttpEndpointError(urls.map((url) => new URL(url).host).join(', '))
  return { http, portals, sockets }
}
