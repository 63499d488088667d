import { createServer, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, type Launch, type StreamEvent } from '../../clients/typescript/index.ts'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { launchEventFields } from '../../schemas/api/stream.ts'
import { wireKeys } from '../../schemas/values/field.ts'

/** Entries of a feed, one block of two swaps each; every tenth block is replaced by the next entry. */
type Entry = { readonly id: string; readonly text: string }
const ENTRIES = 5_600
const hashOf = (entry: number) => `0x${entry}`
const isRetraction = (entry: number) => entry % 10 === 9
const feed: readonly Entry[] = Array.from({ length: ENTRIES }, (_, entry): Entry[] => {
  if (isRetraction(entry)) {
    const data = JSON.stringify({ block_number: entry, block_hash: hashOf(entry - 1), timestamp: 1 })
    return [{ id: `${entry + 1}.0`, text: `event: retract\ndata: ${data}` }]
  }
  const swap = (index: number) =>
    JSON.stringify({ block_hash: hashOf(entry), log_index: index, symbol: 'é\n$x' })
  return [
    { id: `${entry}.1`, text: `data: ${swap(0)}` },
    { id: `${entry + 1}.0`, text: `data: ${swap(1)}` },
  ]
}).flat()
const head = `${ENTRIES}.0`

let server: Emulator
let asked: string[]
let answer: (response: ServerResponse, lastId: string | null) => void

/** Sends what comes after an id, and cuts the connection in the middle of a line after so many bytes. */
function send(response: ServerResponse, lastId: string | null, bytes: number) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(
    `retry: 1\n\nid: ${lastId ?? head}\nevent: ready\ndata: {"head":"${head}","oldest_id":"0.0"}\n\n`,
  )
  const from = lastId === null ? feed.length : feed.findIndex(({ id }) => id === lastId) + 1
  const text = feed
    .slice(from)
    .map((entry) => `id: ${entry.id}\n${entry.text}\n\n`)
    .join('')
  const cut = Buffer.from(text).subarray(0, bytes)
  response.write(cut, () => (cut.length < Buffer.byteLength(text) ? response.destroy() : undefined))
}

beforeEach(async () => {
  asked = []
  answer = (response, lastId) => send(response, lastId, Number.POSITIVE_INFINITY)
  server = await listen(
    'stream',
    createServer(({ url }, response) => {
      asked.push(url ?? '')
      answer(response, new URL(url ?? '', 'http://x').searchParams.get('last_event_id'))
    }),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  return server.stop()
})

const client = () => createClient({ baseUrl: server.url })

/** Reads events until one satisfies. */
async function readUntil(
  options: Parameters<ReturnType<typeof client>['stream']>[0],
  isLast: (event: StreamEvent) => boolean,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of client().stream(options)) {
    events.push(event)
    if (isLast(event)) break
  }
  return events
}

describe('the stream of the client', () => {
  it('gives 10,000 swaps over 20 cuts and 560 replaced blocks exactly once', async () => {
    let cuts = 0
    answer = (response, lastId) =>
      send(response, lastId, ++cuts > 20 ? Number.POSITIVE_INFINITY : 35_000 + cuts)
    const events = await readUntil({ lastEventId: '0.0' }, ({ id, type }) => id === head && type !== 'open')
    const standing = new Set<string>()
    let received = 0
    for (const event of events) {
      if (event.type === 'swap') {
        const key = `${event.swap.block_hash} ${event.swap.log_index}`
        expect(standing.has(key)).toBe(false)
        standing.add(key)
        received++
      } else if (event.type === 'retract') {
        expect(event.swaps).toHaveLength(2)
        for (const swap of event.swaps) standing.delete(`${swap.block_hash} ${swap.log_index}`)
      }
    }
    expect(asked.length).toBe(21)
    expect(received).toBe(2 * ENTRIES * 0.9)
    expect(standing.size).toBe(2 * ENTRIES * 0.8)
    expect(events.filter(({ type }) => type === 'waiting')).toHaveLength(20)
  })

  it('begins a number of entries before the head', async () => {
    const events = await readUntil({ entriesBefore: 3 }, ({ id, type }) => id === head && type !== 'open')
    expect(asked).toEqual(['/stream/swaps', `/stream/swaps?last_event_id=${ENTRIES - 3}.0`])
    expect(events.filter(({ type }) => type === 'swap')).toHaveLength(4)
  })

  it('gives launches, and lists those of a replaced block', async () => {
    const keys = Object.keys({
      ...{ type: 0, symbol: 0, name: 0, contract_address: 0, token_address: 0, creator_address: 0 },
      ...{ creator_verified: 0, launched_by: 0, pool_id: 0, quote_address: 0, created_at: 0, timestamp: 0 },
      ...{ launch_block: 0, block_hash: 0, launch_transaction_hash: 0, log_index: 0, launch_price_usd: 0 },
      ...{ total_supply: 0, cursor: 0, confirmed: 0 },
    } satisfies Record<keyof Launch | 'token_address', 0>)
    expect(keys).toEqual(wireKeys(launchEventFields).map(({ key }) => key))
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 9.0\nevent: launch\ndata: {"block_hash":"0x9","symbol":"NEW"}\n\n')
      response.write('id: 10.0\nevent: retract\ndata: {"block_hash":"0x9"}\n\n')
    }
    const options = { filter: { events: 'swap,launch' }, lastEventId: '8.0' }
    const launch = { block_hash: '0x9', symbol: 'NEW' }
    expect(await readUntil(options, ({ type }) => type === 'retract')).toEqual([
      { type: 'launch', id: '9.0', launch },
      { type: 'retract', id: '10.0', blockHash: '0x9', swaps: [], launches: [launch] },
    ])
    expect(asked).toEqual(['/stream/swaps?events=swap%2Claunch&last_event_id=8.0'])
    // A reader that knows them by itself has the client keep none.
    const [, retraction] = await readUntil({ ...options, remembered: 0 }, ({ type }) => type === 'retract')
    expect(retraction).toEqual({ type: 'retract', id: '10.0', blockHash: '0x9', swaps: [], launches: [] })
  })

  it.each([
    [60, 180_000],
    [undefined, 45_000],
  ])('gives up after three of the heartbeats that `ready` announces, here %s s', async (seconds, limitMs) => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const data = JSON.stringify({ head, oldest_id: '0.0', heartbeat_seconds: seconds })
      response.write(`id: ${head}\nevent: ready\ndata: ${data}\n\n`)
      setTimeout(() => response.write('id: 9.0\nevent: resync\ndata: {"reason":"expired"}\n\n'), 50)
    }
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await readUntil({}, ({ type }) => type === 'resync')
    const limits = timers.mock.calls.flatMap(([, ms = 0]) => (ms >= 45_000 ? [ms] : []))
    expect(limits.at(-1)).toBe(limitMs)
  })

  it('connects again after a silence of three heartbeats', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const data = JSON.stringify({ head, oldest_id: '0.0', heartbeat_seconds: 0.0625 })
      response.write(`retry: 1\nid: ${head}\nevent: ready\ndata: ${data}\n\n`)
    }
    const events = await readUntil({}, () => asked.length > 1)
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'open' },
      { type: 'waiting', error: { message: 'The stream was silent for 0.1875 seconds.' } },
    ])
  })

  it('tells when swaps may be missing', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 9.0\nevent: resync\ndata: {"reason":"expired","oldest_id":"5.0"}\n\n')
    }
    const events = await readUntil({ lastEventId: '1.0' }, ({ type }) => type === 'resync')
    expect(events).toEqual([{ type: 'resync', id: '9.0', reason: 'expired' }])
  })

  it('waits while the service is unavailable, and ends when it is refused', async () => {
    let times = 0
    answer = (response, lastId) =>
      ++times === 1 ? void response.writeHead(503, { 'retry-after': '0' }).end() : send(response, lastId, 1e9)
    const events = await readUntil({}, ({ type }) => type === 'open')
    expect(events.map(({ type }) => type)).toEqual(['waiting', 'open'])
    answer = (response) =>
      void response
        .writeHead(400)
        .end(
          JSON.stringify({
            error: { code: 'INVALID_PARAMETER', message: 'The parameter type is not valid.' },
          }),
        )
    await expect(readUntil({ filter: { type: 'x' } }, () => false)).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
    })
  })

  // The second is longer than a timer can be.
  it.each(['600', '3000000'])('ends with its signal, also while it waits %s seconds', async (seconds) => {
    const end = new AbortController()
    answer = (response) => void response.writeHead(503, { 'retry-after': seconds }).end()
    const events: string[] = []
    for await (const { type } of client().stream({ signal: end.signal })) {
      events.push(type)
      setTimeout(() => end.abort(), 10)
    }
    expect(events).toEqual(['waiting'])
  })
})
