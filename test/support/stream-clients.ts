/** Readers of the stream and what stands between them and it, for tests. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCurrencies } from '../../stream/events.ts'
import { type RunningStream, type StreamOptions, serveStream } from '../../stream/main.ts'
import type { IngestStores } from './aws/ingest-stores.ts'

/** A task over a test's stores that polls often and is come back to at once. */
export const startTask = (
  { feed, tokens, log }: Pick<IngestStores, 'feed' | 'tokens' | 'log'>,
  options: StreamOptions & { readonly proxies?: number } = {},
): Promise<RunningStream> =>
  serveStream(
    { feed, currencies: openCurrencies(tokens, []), applied: log.applied },
    { port: 0, proxies: options.proxies ?? 0 },
    { host: '127.0.0.1', pollMs: 20, retryMs: 10, retrySpreadMs: 0, drainMs: 200, ...options },
  )

/** A way to a server that can be cut at any moment, and be turned to another server. */
export type Way = { readonly url: string; turnTo(url: string): void; cut(): void; stop(): Promise<void> }

/** Opens a way to a server. */
export async function openWay(url: string): Promise<Way> {
  let port = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    // Node 20's fetch waits for ever where a connection is cut on which nothing is asked yet.
    near.once('data', () => sockets.add(near).add(far))
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turnTo: (to) => {
      port = Number(new URL(to).port)
    },
    cut,
    stop: async () => {
      server.close()
      cut()
    },
  }
}

/** Waits for a condition; what is not so within three minutes never will be. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'condition'): Promise<void> {
  const deadline = Date.now() + 180_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await sleep(5)
  }
}

/** One event as it was sent. */
export type Sent = { readonly event: string; readonly id: string; readonly data: string }

/** A connection as its bytes: what came, in order. */
export type RawReader = {
  bytes(): Buffer
  text(): string
  events(): readonly Sent[]
  /** The id in the last bytes that came. */
  last(): string
  /** Drops what came. */
  forget(): void
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>
  readonly socket: Socket
}

/** Parts of a connection's bytes that its last event lies in. */
const LAST_PARTS = 3

/** Connects and asks for a path. `isReading` false: it never reads. */
export function readSocket(
  url: string,
  path = '/stream/swaps',
  options: { readonly headers?: Readonly<Record<string, string>>; readonly isReading?: boolean } = {},
): RawReader {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const headers = Object.entries({ host: 'localhost', ...options.headers })
  const head = [`GET ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const parts: Buffer[] = []
  if (options.isReading !== false) socket.on('data', (part) => parts.push(part))
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  const bytes = () => Buffer.concat(parts)
  const text = () => bytes().toString()
  const last = () => {
    const end = Buffer.concat(parts.slice(-LAST_PARTS)).toString()
    return end.endsWith('\n\n')
      ? (end
          .split(/(?:^|\n)id: /)
          .at(-1)
          ?.split('\n')[0] ?? '')
      : ''
  }
  return { bytes, text, events: () => eventsIn(text()), last, forget: () => parts.splice(0), ended, socket }
}

/** The events of a stream's text, its head passed over. */
export function eventsIn(text: string): readonly Sent[] {
  const [, ...rest] = text.split('\r\n\r\n')
  return rest
    .join('')
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? ''
      return { event: field('event'), id: field('id'), data: field('data') }
    })
    .filter(({ data }) => data !== '')
}

/** Swaps among events: those without a name. */
export const sentSwaps = (events: readonly Sent[]): readonly Sent[] =>
  events.filter(({ event }) => event === '')
