/** Sources of other people that send as much as they can: the smallest of each kind that once ended a process, or could. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { spanHolding } from '../../archive/span.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { ARCHIVED_FROM } from '../archive/archived-market.ts'

const MB = 1_048_576
const hash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`

/** So many bytes of these pieces, and then nothing, or no end. */
function* pieces(piece: string, bytes: number): Generator<Buffer> {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void
const sends =
  (head: string, piece: string, bytes: number, tail = ''): Answer =>
  (response) =>
    void Readable.from([Buffer.from(head), ...pieces(piece, bytes), Buffer.from(tail)]).pipe(response)

const RESULT = '{"jsonrpc":"2.0","id":1,"result":['
const zeros = gzipSync(Buffer.alloc(64 * MB))
const LONG = `"${'0'.repeat(1_000)}",`

/** Answers of an endpoint, by the path of its URL. */
const endpoints: Readonly<Record<string, Answer>> = {
  '/endless': sends(RESULT, LONG, 200 * MB),
  '/separators': sends(RESULT, '{},', 12 * MB, '{}]}'),
  '/bomb': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(zeros),
  '/unfinished': (response) => {
    const some = Readable.from([Buffer.from(RESULT), ...pieces(LONG, 12 * MB)])
    some.pipe(response, { end: false })
  },
}

/** A portal: one block an answer, with a log of 8 MB. */
const portal: Answer = async (response, request) => {
  let text = ''
  for await (const part of request) text += String(part)
  const { fromBlock: number } = JSON.parse(text) as { readonly fromBlock: number }
  const header = { number, hash: hash(number), parentHash: hash(number - 1), timestamp: 1_700_000_000 }
  const log = { address: '0x', topics: [], data: '0'.repeat(8 * MB), logIndex: 0, transactionHash: hash(1) }
  response.end(`${JSON.stringify({ header, logs: [log] })}\n`)
}

/** What a WebSocket sends once it was asked for the second subscription; `send` takes JSON. */
const sockets: Readonly<Record<string, (send: (message: object) => void, at: number) => void>> = {
  '/subscriptions': (send, at) => send({ id: 1, result: `another ${at}` }),
  '/message': (send) => send({ id: 9, result: '0'.repeat(2 * MB) }),
  '/parents': (send, at) => send(pushed('headers', headerOf(7, at))),
  '/blocks': (send, at) =>
    send(pushed('headers', { ...headerOf(at, at + 1), parentHash: '0'.repeat(MB / 2) })),
  '/logs': (send, at) =>
    send(
      pushed('logs', {
        address: '0x',
        topics: [],
        data: '0'.repeat(MB / 2),
        blockNumber: '0x7',
        blockHash: hash(at % 3),
        logIndex: at,
        transactionHash: hash(at),
      }),
    ),
}
const pushed = (subscription: string, result: object) => ({ params: { subscription, result } })
const headerOf = (own: number, parent: number) => ({
  number: '0x7',
  hash: hash(own),
  parentHash: hash(parent),
  timestamp: '0x7',
})

type Day = {
  readonly log: Uint8Array
  readonly object: Uint8Array
  readonly parts?: number
  readonly claims?: number
}

/** An archive of one day with one minute, whose digests are right. */
function archiveOf({
  log,
  object,
  parts = 1,
  claims = object.length,
}: Day): Readonly<Record<string, Uint8Array>> {
  const { name: span } = spanHolding('day', ARCHIVED_FROM)
  const fileOf = (set: string, content: Uint8Array, bytes: number) => ({
    set,
    path: `archive/v1/${set}/${span}/part-000.bin`,
    rows: 1,
    bytes,
    sha256: sha256Of(content),
  })
  const files = [
    fileOf('log', log, log.length),
    ...Array.from({ length: parts }, () => fileOf('segments', object, claims)),
  ]
  const revision = { revision: 1, log_sha256: '0'.repeat(64), files, replaced: [] }
  const manifest = {
    version: 1,
    chain: 'devnet',
    sealed_until: null,
    log: 'log',
    log_entry: 1,
    days: [{ span, first_block: 1, last_block: 30, ...revision }],
    hours: [],
  }
  return {
    'archive/v1/manifest.json': Buffer.from(JSON.stringify(manifest)),
    [`archive/v1/log/${span}/part-000.bin`]: log,
    [`archive/v1/segments/${span}/part-000.bin`]: object,
  }
}

function lineOf(unpacked: Uint8Array, object: Uint8Array): Buffer {
  const line = {
    minute: ARCHIVED_FROM,
    first_block: 1,
    last_block: 30,
    last_hash: hash(30),
    last_timestamp: ARCHIVED_FROM * 60,
    rules: 7,
    sha256: sha256Of(unpacked),
    bytes: object.length,
  }
  return Buffer.from(`${JSON.stringify(line)}\n`)
}

function minuteOf(unpacked: Uint8Array): Day {
  const object = gzipSync(unpacked)
  return { log: lineOf(unpacked, object), object }
}

const small = minuteOf(Buffer.from('\u0002{}'))
const archives: Readonly<Record<string, Readonly<Record<string, Uint8Array>>>> = {
  '/segment': archiveOf(minuteOf(Buffer.alloc(64 * MB))),
  '/dense': archiveOf(minuteOf(Buffer.concat([Buffer.from('\u0002['), ...pieces('[],', 20 * MB)]))),
  '/file': archiveOf({ ...small, parts: 12, claims: 200 * MB }),
  '/log': archiveOf({ ...small, log: Buffer.concat([...pieces('{"minute":1}\n', 2 * MB)]) }),
}

/** Starts all of them, at one address each over HTTP and WebSocket. */
export async function startHostileSources() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://source')
    const [, first = '', ...rest] = pathname.split('/')
    const file = archives[`/${first}`]?.[rest.join('/')]
    const answer = endpoints[pathname]
    if (pathname.endsWith('/finalized-stream')) portal(response, request)
    else if (pathname.startsWith('/manifest/')) sends('[', LONG, 100 * MB)(response, request)
    else if (answer) answer(response, request)
    else if (file) response.end(file)
    else response.writeHead(404).end()
  })
  const { url, stop } = await listen('hostile', server)
  const pushing = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(pushing, 'listening')
  pushing.on('connection', (socket, request) => {
    const push = sockets[request.url ?? '/']
    const send = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
    const goOn = (at: number): void => {
      if (socket.readyState !== socket.OPEN || !push) return
      push(send, at)
      // As fast as it is read.
      if (socket.bufferedAmount < MB) setImmediate(goOn, at + 1)
      else setTimeout(goOn, 1, at + 1)
    }
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { readonly id: number }
      send({ id, result: id === 1 ? 'headers' : 'logs' })
      if (id === 2) goOn(1)
    })
    socket.on('error', () => {})
  })
  const { port } = pushing.address() as { readonly port: number }
  return {
    url,
    socketUrl: `ws://127.0.0.1:${port}`,
    async stop() {
      for (const socket of pushing.clients) socket.terminate()
      pushing.close()
      await stop()
    },
  }
}
