import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An emulator of an AWS service at `url` (http, no trailing slash), until `stop` resolves, which may be called again. */
export type Emulator = { readonly name: string; readonly url: string; stop(): Promise<void> }

export type ListenOptions = {
  /** @default any free one */
  readonly port?: number | undefined
  /** Whether web pages may send requests; otherwise requests with an Origin are refused. @default false */
  readonly isForPages?: boolean
  /** The address of this machine that it listens at. @default 127.0.0.1 */
  readonly host?: string | undefined
  /** The name that a proxy in front is reached by, as Host has it: its last X-Forwarded-For is the reader's address. @default none */
  readonly publicHost?: string | undefined
  /** @default 403 without a body */
  readonly refuse?: RequestListener
}

/**
 * As long as anvil's. With a shorter timeout, a client that pauses for some seconds would find all its connections
 * closed at once, more than an SDK retries.
 */
const KEEP_ALIVE_MS = 75_000
/** Unless told otherwise only reachable from this machine. The IP also makes S3 clients use path-style addresses. */
const HOST = '127.0.0.1'

/**
 * Starts `server`. Rejects with the system's error if the port is in use. A web page may point its own name
 * to this machine (DNS rebinding), or send cross-origin requests: both are refused before the server sees them.
 */
export async function listen(name: string, server: Server, options: ListenOptions = {}): Promise<Emulator> {
  guardRequests(server, options)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(options.port ?? 0, options.host ?? HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const stop = () => {
    closed ??= close(server)
    return closed
  }
  return { name, url: `http://${HOST}:${port}`, stop }
}

/** Runs the checks before the server's listeners. If a listener throws, only its connection is closed. */
function guardRequests(
  server: Server,
  { isForPages = false, publicHost, refuse = refused }: ListenOptions,
): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const host = hostOf(request) ?? ''
    const isPublic = publicHost !== undefined && host.toLowerCase() === publicHost.toLowerCase()
    if (isPublic) noteReader(request)
    const isAllowed =
      (isPublic || localHost.test(host)) && (isForPages || request.headers.origin === undefined)
    try {
      if (!isAllowed) refuse(request, response)
      else for (const listener of listeners) listener.call(server, request, response)
    } catch {
      response.destroy()
    }
  })
}

const refused: RequestListener = (_request, response) => {
  response.writeHead(403, { connection: 'close' }).end()
}

/** Local host names. */
const localHost = /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/** The Host header, of which a request has exactly one. */
function hostOf({ rawHeaders }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  return hosts.length === 1 ? hosts[0] : undefined
}

/** Readers' addresses, as the proxy in front tells them. */
const told = new WeakMap<IncomingMessage, string>()

function noteReader(request: IncomingMessage): void {
  const last = [request.headers['x-forwarded-for'] ?? []].flat().join().split(',').at(-1)?.trim()
  if (last) told.set(request, last)
}

/** The reader's address. `isTold`: by a proxy, whose last X-Forwarded-For it is. */
export const viewerAddressOf = (
  request: IncomingMessage,
): { readonly address: string; readonly isTold: boolean } => ({
  address: told.get(request) ?? request.socket.remoteAddress ?? '127.0.0.1',
  isTold: told.has(request),
})

/** Keep-alive and streaming connections would block `close` forever. */
function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
