import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in place of a service of AWS, at `url` (http, no slash at the end) until `stop` resolves. */
export type Emulator = { readonly name: string; readonly url: string; stop(): Promise<void> }

export type ListenOptions = {
  /** @default any free one */
  readonly port?: number | undefined
  /** Whether web pages may send requests here; else every request with an Origin is refused. @default false */
  readonly isForPages?: boolean
  /** @default 403 without a body */
  readonly refuse?: RequestListener
}

/** As long as anvil. A client that rests for some seconds between two bursts would else find all its connections closed at once, more than an SDK tries again. */
const KEEP_ALIVE_MS = 75_000
/** Reachable from this machine alone. The IP form also makes S3 clients use path-style addresses. */
const HOST = '127.0.0.1'

/**
 * Starts `server` on 127.0.0.1. Rejects with the system's error when the port is taken. A page elsewhere may have its own name
 * point to this machine (DNS rebinding), or send requests across origins: both are refused before the server sees them.
 */
export async function listen(name: string, server: Server, options: ListenOptions = {}): Promise<Emulator> {
  guardRequests(server, options)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(options.port ?? 0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { name, url: `http://${HOST}:${port}`, stop: () => close(server) }
}

/** Puts the checks before the server's listeners. One that throws costs its own connection, not the process. */
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

/** Names that this machine calls itself. */
const localHost = /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/** Whether a request names this machine, once. */
function isForThisMachine({ rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  return hosts.length === 1 && localHost.test(hosts[0] ?? '')
}

/** The whole body of a request; null: it is longer than so many bytes. */
export async function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limit) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Kept-alive and streaming connections would hold `close` for ever. */
function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
