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
  /** @default 403 without a body */
  readonly refuse?: RequestListener
}

/**
 * As long as anvil's. With a shorter timeout, a client that pauses for some seconds would find all its connections
 * closed at once, more than an SDK retries.
 */
const KEEP_ALIVE_MS = 75_000
/** Only reachable from this machine. The IP also makes S3 clients use path-style addresses. */
const HOST = '127.0.0.1'

/**
 * Starts `server` on 127.0.0.1. Rejects with the system's error if the port is in use. A web page may point its own name
 * to this machine (DNS rebinding), or send cross-origin requests: both are refused before the server sees them.
 */
export async function listen(name: string, server: Server, options: ListenOptions = {}): Promise<Emulator> {
  guardRequests(server, options)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(options.port ?? 0, HOST)
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
function guardRequests(server: Server, { isForPages = false, refuse = refused }: ListenOptions): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isAllowed = isForThisMachine(request) && (isForPages || request.headers.origin === undefined)
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

/** Whether the request has exactly one Host header, which names this machine. */
function isForThisMachine({ rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  return hosts.length === 1 && localHost.test(hosts[0] ?? '')
}

/** Keep-alive and streaming connections would block `close` forever. */
function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
