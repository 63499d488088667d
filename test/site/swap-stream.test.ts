import { createServer, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { listenToSwaps } from '../../site/browser/base/swap-stream.ts'

let server: Emulator
const readers: { readonly url: string; readonly response: ServerResponse }[] = []
/** Answers with 503 while it is true: an EventSource gives up then. */
let isAway: boolean

beforeEach(async () => {
  readers.length = 0
  isAway = false
  const answering = createServer((request, response) => {
    if (isAway) return void response.writeHead(503).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 7.0\nevent: ready\ndata: {"head":"7.0","oldest_id":"1.0"}\n\n')
    readers.push({ url: request.url ?? '', response })
  })
  server = await listen('stream', answering)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  return server.stop()
})

const unheard = { onSwap: () => {}, onRetract: () => {}, onGap: () => {} }

it('a page without a swap yet reconnects where it began, so that none is missed', async () => {
  const states: string[] = []
  const stop = listenToSwaps(
    { origin: server.url, filter: {} },
    { ...unheard, onState: (state) => states.push(state) },
  )
  await vi.waitUntil(() => states.length === 1)
  isAway = true
  readers[0]!.response.end()
  await vi.waitUntil(() => states.length === 2)
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.waitUntil(() => states.length === 3)
  isAway = false
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.waitUntil(() => states.length === 4)
  expect(states).toEqual(['open', 'waiting', 'waiting', 'open'])
  expect(readers.at(-1)!.url).toBe('/stream/swaps?last_event_id=7.0')
  stop()
})

it('a page reopens a stream without data for 45 seconds, and keeps one that sends comments', async () => {
  const states: string[] = []
  let swaps = 0
  const stop = listenToSwaps(
    { origin: server.url, filter: {} },
    {
      ...unheard,
      onSwap: () => {
        swaps += 1
      },
      onState: (state) => states.push(state),
    },
  )
  await vi.waitUntil(() => states.length === 1)
  readers[0]!.response.write('id: 9.0\ndata: {}\n\n')
  await vi.waitUntil(() => swaps === 1)
  for (let beats = 0; beats < 4; beats += 1) {
    await vi.advanceTimersByTimeAsync(30_000)
    readers[0]!.response.write(`: heartbeat\n\nid: 9.${beats}\ndata: {}\n\n`)
    await vi.waitUntil(() => swaps === 2 + beats)
  }
  expect(states).toEqual(['open'])
  await vi.advanceTimersByTimeAsync(45_000)
  await vi.waitUntil(() => states.length === 2)
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.waitUntil(() => states.length === 3)
  expect(states).toEqual(['open', 'waiting', 'open'])
  expect(readers.map(({ url }) => url)).toEqual(['/stream/swaps', '/stream/swaps?last_event_id=9.3'])
  stop()
})
