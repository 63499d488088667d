import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ORIGIN_HEADER } from '../schemas/api/access.ts'
import {
  ALLOWED_METHODS,
  MethodNotAllowedError,
  RouteNotFoundError,
  ServiceUnavailableError,
} from '../schemas/api/errors.ts'
import { asyncapiDocument, asyncapiPaths, type ResyncLine, streamPaths } from '../schemas/api/stream.ts'
import { readerAddress, type StreamAdmission } from './admission.ts'
import type { Channel } from './channel.ts'
import { type Cursor, cursorText } from './cursor.ts'
import { readyBytes, resyncBytes, retryLine } from './events.ts'
import {
  answer,
  askedOf,
  preflight,
  refuseBytes,
  refuseRequest,
  type StreamRequest,
  streamHead,
  streamHeaders,
} from './http.ts'
import type { Metrics } from './metrics.ts'
import { lifetime, Reader, type RetryTimes, retryAfterCut } from './reader.ts'
import type { Replay } from './replay.ts'
import { cursorFrom } from './ring.ts'
import type { Tail } from './tail.ts'

/** Dependencies of the server. */
export type ServerDeps = {
  readonly tail: Tail
  readonly channel: Channel
  readonly replay: Replay
  readonly admission: StreamAdmission
  readonly metrics: Metrics
}

export type ServerOptions = RetryTimes & {
  /** Number of trusted proxies in front: see readerAddress. */
  readonly proxies: number
  /** What the edge sends in ORIGIN_HEADER, where nothing else before the server keeps others away; undefined: nothing is asked. */
  readonly originSecret: string | undefined
  /** Longest time without anything sent to a reader; proxies close silent connections. */
  readonly heartbeatMs: number
  /** Mean lifetime of a connection. */
  readonly connectionMs: number
  /** Called with errors of which readers only see that their connection ends. */
  readonly onFault: (error: unknown) => void
}

type Open = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => void

const described = asyncapiDocument()

/** If the feed could not be read for this long, the task is unhealthy. */
const SILENT_MS = 30_000
const SWEEP_MS = 1_000
/** Bytes that may wait for all readers of a task together; it has 512 MB. */
const UNSENT_BYTES = 128 * 1_024 * 1_024
/** Time limit for receiving a request. */
const REQUEST_MS = 10_000
/** Longer than the idle timeout of the load balancer. */
const KEEP_ALIVE_MS = 75_000

/** The http server of a task: admits, serves and disconnects readers. */
export class StreamServer {
  readonly readers = new Set<Reader>()
  readonly #deps: ServerDeps
  readonly #options: ServerOptions
  readonly #server: Server
  readonly #sweep: NodeJS.Timeout
  /** Connections with a stream; a second request on one would corrupt it. */
  readonly #streaming = new WeakSet<Socket>()
  readonly #paths: ReadonlyMap<string, Open>
  #isDraining = false

  constructor(deps: ServerDeps, options: ServerOptions) {
    this.#deps = deps
    this.#options = options
    this.#paths = new Map<string, Open>([
      ['/health', (_, response) => this.#health(response)],
      ...streamPaths.map((path): [string, Open] => [path, (...asked) => this.#stream(...asked)]),
      ...asyncapiPaths.map((path): [string, Open] => [
        path,
        (_, response) => answer(response, 200, described),
      ]),
    ])
    this.#server = createServer({ requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS })
    this.#server.on('request', (request, response) => this.#serve(request, response))
    this.#server.on('clientError', (_, socket) => refuseBytes(socket as Socket))
    this.#sweep = setInterval(() => this.#tendReaders(), SWEEP_MS)
  }

  /** Its port, once it listens. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port))
    })
  }

  /** Stops accepting readers; new ones must go to another task. */
  refuseNew(): void {
    this.#isDraining = true
    this.#server.close()
    this.#server.closeIdleConnections()
  }

  /** Closes the remaining connections. */
  close(): void {
    clearInterval(this.#sweep)
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#streaming.has(request.socket)) return void request.socket.destroy()
    try {
      this.#route(request, response)
    } catch (error) {
      if (error instanceof ServiceUnavailableError) this.#deps.metrics.add('Refused')
      refuseRequest(response, error)
    }
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request
    const [sent = '', query = ''] = url.split(/\?(.*)/s)
    const path = sent.replace(/(?<=.)\/$/, '')
    const open = this.#paths.get(path)
    const { originSecret } = this.#options
    const isOfEdge = originSecret === undefined || request.headers[ORIGIN_HEADER] === originSecret
    if (!open || (!isOfEdge && path !== '/health')) throw new RouteNotFoundError(sent)
    if (!ALLOWED_METHODS.split(', ').includes(method)) throw new MethodNotAllowedError(method)
    if (method === 'OPTIONS') preflight(response)
    else open(request, response, new URLSearchParams(query))
  }

  #stream(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const asked = askedOf(request, query)
    if (request.method === 'GET') this.#open(request, asked)
    else response.writeHead(200, streamHeaders(asked)).end()
  }

  #health(response: ServerResponse): void {
    const { tail } = this.#deps
    const isFollowing = Date.now() - tail.polledAt < SILENT_MS
    const isWell = isFollowing && !this.#isDraining
    answer(response, isWell ? 200 : 503, {
      status: isWell ? 'ok' : 'unavailable',
      readers: this.readers.size,
      head: cursorText(tail.ring.head),
      is_draining: this.#isDraining,
    })
  }

  #open({ socket, headers }: IncomingMessage, asked: StreamRequest): void {
    const { admission, metrics, channel } = this.#deps
    if (this.#isDraining) throw new ServiceUnavailableError(1)
    const address = readerAddress({ socket, headers }, this.#options.proxies)
    const leave = admission.enter(address)
    const { connectionMs } = this.#options
    const reader = new Reader(socket, {
      wish: asked.wish,
      endsAt: Date.now() + lifetime(connectionMs),
      onCut: () => metrics.add('Dropped'),
    })
    this.#streaming.add(socket)
    if (this.readers.size === 0) this.#deps.tail.wake()
    this.readers.add(reader)
    socket.once('close', () => {
      leave()
      this.readers.delete(reader)
      channel.leave(reader)
    })
    reader.open(streamHead(asked), retryLine(retryAfterCut(this.#options)))
    this.#begin(reader, asked, address).catch((error: unknown) => {
      this.#options.onFault(error)
      // The reader reconnects and tries again.
      reader.end(this.#options.retryMs)
    })
  }

  /** Sends where the connection begins, and brings the reader from there to the head. */
  async #begin(reader: Reader, { lastId }: StreamRequest, network: string): Promise<void> {
    const { tail, replay } = this.#deps
    const cursor = lastId === null ? null : cursorFrom(lastId)
    const reason = lastId === null ? null : cursor ? await replay.refusal(cursor) : 'unknown'
    const oldest = oldestText(await tail.oldest())
    const { head } = tail.ring
    const from = reason === null && cursor ? cursor : head
    const heartbeatSeconds = Math.ceil(this.#options.heartbeatMs / 1_000)
    reader.write(readyBytes(from, { head: cursorText(head), oldest, heartbeatSeconds }), Date.now())
    if (reason !== null) this.#resync(reader, from, { reason, oldest })
    for (let at = from; !(await replay.bring(reader, at, network)); at = tail.ring.head)
      this.#resync(reader, tail.ring.head, { reason: 'limited', oldest })
  }

  #resync(reader: Reader, at: Cursor, line: ResyncLine): void {
    this.#deps.metrics.add('Resynced')
    reader.write(resyncBytes(at, line), Date.now())
  }

  #tendReaders(): void {
    const now = Date.now()
    const { channel, tail } = this.#deps
    const { heartbeatMs, retryMs } = this.#options
    cutLargest(this.readers, UNSENT_BYTES)
    for (const reader of this.readers) {
      if (now >= reader.endsAt) reader.end(retryMs)
      else if (now - reader.wroteAt >= heartbeatMs) channel.remind(reader, tail.ring.head)
    }
  }
}

/** An entry's first event needs nothing before it. */
const oldestText = (seq: number): string => cursorText({ seq: seq > 1 ? seq : 0, index: 0 })

/** Disconnects the readers with the most waiting bytes until the total is within the limit. */
export function cutLargest(readers: Iterable<Pick<Reader, 'unsentBytes' | 'cut'>>, most: number): void {
  const waiting = [...readers].map((reader) => ({ reader, bytes: reader.unsentBytes }))
  let total = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= most) return
  for (const { reader, bytes } of waiting.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= most) return
    reader.cut()
    total -= bytes
  }
}
