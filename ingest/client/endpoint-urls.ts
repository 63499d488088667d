/** Endpoints by their protocol: calls go to HTTP, WebSockets only push new blocks. */
import { kindOf } from './faults.ts'

/** All endpoints are WebSockets. */
export const NoHttpEndpointError = kindOf(
  'NoHttpEndpointError',
  (hosts: string) =>
    `${hosts}: a WebSocket only pushes new blocks; add an http or https endpoint for all calls`,
  false,
)

/** Whether a URL is of a WebSocket. */
export const isSocketUrl = (url: string): boolean => /^wss?:/i.test(url)

/** Splits endpoints, in their order. Throws NoHttpEndpointError if all of them are WebSockets. */
export function endpointUrls(urls: readonly string[]): {
  readonly http: readonly string[]
  readonly sockets: readonly URL[]
} {
  const sockets = urls.filter(isSocketUrl).map((url) => new URL(url))
  const http = urls.filter((url) => !isSocketUrl(url))
  if (http.length === 0 && sockets.length > 0)
    throw new NoHttpEndpointError(sockets.map(({ host }) => host).join(', '))
  return { http, sockets }
}
