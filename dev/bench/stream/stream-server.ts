/** One server of the stream's benchmark, as a process of its own: it sends its port, publishes the loads it receives, and reports when it is done. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import { feedEntryBytes } from '../../../store/bytes/codec.ts'
import type { Feed } from '../../../store/log/feed.ts'
import { ReplayAllowance, replayLimits, StreamAdmission } from '../../../stream/admission.ts'
import { Channel } from '../../../stream/channel.ts'
import { openCurrencies } from '../../../stream/events.ts'
import { serveStream } from '../../../stream/main.ts'
import { Metrics } from '../../../stream/metrics.ts'
import { Replay } from '../../../stream/replay.ts'
import { StreamServer } from '../../../stream/server.ts'
import { Tail } from '../../../stream/tail.ts'
import { memoryStores } from '../../../test/support/aws/ingest-stores.ts'
import type { StreamLoad } from './stream-rate.ts'
import { sendAtRate } from './stream-rate.ts'
import { entriesOf, swapCurrencies } from './stream-swaps.ts'

/**
 * A server under measurement: its port, and how an event of this text is sent to every reader; `number` is its
 * own. `everyMs`: it is not told of events one by one as they are due, but of those that are due so often.
 */
type Contestant = {
  readonly port: number
  readonly everyMs?: number
  publish(number: number, text: string): void
}

/** So many readers are let in by all. */
const READERS = 20_000
const HOUR = 3_600_000
/** Events that a load sends at most. */
const MOST_EVENTS = 4_000
const none = new Uint8Array()

async function ours(): Promise<Contestant> {
  const { feed, tokens, log } = memoryStores()
  const deps = { feed, currencies: openCurrencies(tokens, []), applied: log.applied }
  const quiet = { onEntries: () => {}, onFault: () => {} }
  const tail = await Tail.open(deps, { pollMs: 250, ...quiet })
  const channel = new Channel()
  const metrics = new Metrics()
  const replay = new Replay({ tail, channel, allowance: new ReplayAllowance(replayLimits), metrics })
  const admission = new StreamAdmission({ perTask: READERS, perAddress: READERS, perSite: READERS })
  const server = new StreamServer(
    { tail, channel, replay, admission, metrics },
    {
      proxies: 0,
      originSecret: undefined,
      retryMs: 3_000,
      retrySpreadMs: 0,
      heartbeatMs: 15_000,
      connectionMs: HOUR,
      onFault: () => {},
    },
  )
  return {
    port: await server.listen(0, '127.0.0.1'),
    publish: (seq, text) => {
      const bytes = Buffer.from(`id: ${seq}.0\ndata: ${text}\n\n`)
      channel.publish([{ cursor: { seq, index: 0 }, line: null, launch: null, symbol: '', bytes }])
    },
  }
}

/** Entries come into a feed without the task; what it takes the bench to put them there must not count. */
const FEED_EVERY_MS = 25

/** The whole task over a feed: what is published is an entry of its own there, and is found by the next poll. */
async function task(): Promise<Contestant> {
  const stored = entriesOf(MOST_EVENTS).map(feedEntryBytes.write)
  let newest = 0
  const read = async (seq: number) =>
    seq <= newest ? feedEntryBytes.read(stored[seq - 1] ?? none) : undefined
  const feed: Feed = {
    read,
    tail: async () => newest,
    append: async () => false,
    async *after(seq) {
      for (let at = seq + 1; at <= newest; at++) yield (await read(at)) as FeedEntry
    },
    async *before() {},
  }
  const deps = { feed, currencies: swapCurrencies, applied: async () => undefined }
  const given = { host: '127.0.0.1', caps: { perTask: READERS, perAddress: READERS, perSite: READERS } }
  const { url } = await serveStream(deps, { port: 0, proxies: 0 }, given)
  return {
    port: Number(new URL(url).port),
    everyMs: FEED_EVERY_MS,
    publish: (number) => {
      newest = number
    },
  }
}

/** Of better-sse what is used here: the package need not be there when types are checked. */
type BetterSse = {
  createChannel(): {
    register(session: object): void
    broadcast(text: string, event: string, options: { readonly eventId: string }): void
  }
  createSession(request: IncomingMessage, response: ServerResponse, options: object): Promise<object>
}
const BETTER_SSE: string = 'better-sse'

async function betterSse(): Promise<Contestant> {
  const { createChannel, createSession }: BetterSse = await import(BETTER_SSE)
  const channel = createChannel()
  const options = { serializer: String, keepAlive: null, retry: 3_000 }
  const server = createServer(async (request, response) => {
    channel.register(await createSession(request, response, options))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    publish: (number, text) => channel.broadcast(text, 'message', { eventId: `${number}.0` }),
  }
}

const contestants: Readonly<Record<string, () => Promise<Contestant>>> = {
  ours,
  task,
  'better-sse': betterSse,
}

const contestant = await contestants[process.argv[2] ?? '']?.()
process.send?.({ port: contestant?.port })
/** Events so far. */
let published = 0
process.on('message', async (load: StreamLoad) => {
  await sendAtRate(load, () => contestant?.publish(++published, load.text), contestant?.everyMs)
  process.send?.({ isDone: true })
})
