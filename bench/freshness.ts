/** How soon a trade can be read in the live feed, and how soon the stream tells it through the edge, after its block was mined, with ingest running beside and snapshots being rebuilt. */
import { get } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MinedBlock } from '../devnet/miner.ts'
import { startCloudfront } from '../emulators/cloudfront.ts'
import { topicOf } from '../ingest/decode/events.ts'
import { distribution } from '../lambdas/edge/distribution.ts'
import { type RebuildStores, rebuild, type Warm } from '../snapshot/rebuild.ts'
import { runStream } from '../stream/main.ts'
import { type DevnetMarket, startDevnetMarket } from '../test/support/devnet-market.ts'
import { startIngest } from '../test/support/ingest-child.ts'
import { startStores } from '../test/support/ingest-stores.ts'
import { atMost, quantile, say, table } from './measuring.ts'

/** Milliseconds from the answer to evm_mine until a reader has the block's swaps. One stall of the machine makes a p99, so only the p50 can be missed. */
const GOALS = { p50: 350, p99: 700 }
/** What is not in the feed by then never will be. */
const FED_WITHIN_MS = 20_000
/** The reader of the table asks so often: more would take the time of those it measures. */
const READ_EVERY_MS = 20
/** Chain time between blocks, as on a local run's chain: every tenth begins a minute, and the one before it is sealed. */
const BLOCK_SECONDS = 6
/** Blocks that are not measured: a process is slow while it is young. */
const WARM_BLOCKS = 12

/** How blocks come. */
const beats = [
  { name: 'a block each 2 s', blocks: 45, everyMs: 2_000, trades: 3 },
  { name: 'a block each 3 s', blocks: 40, everyMs: 3_000, trades: 3 },
]

/** Measures every beat; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const [market, stores] = await Promise.all([startDevnetMarket(51), startStores()])
  const ingest = startIngest({ ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl, POLL_MS: '200' })
  const missed: string[] = []
  try {
    const stream = await startStream()
    const readers = { feed: readFeed(stores.feed), 'stream, through the edge': readStream(stream.url) }
    await warm(market, stores, Object.values(readers))
    const building = rebuildAgainAndAgain(stores)
    const stillness = monitorEventLoopDelay()
    stillness.enable()
    const rows = []
    for (const { name, ...beat } of beats) {
      const measured = await measure(beat, market, Object.values(readers))
      for (const [reader, whose] of Object.keys(readers).entries()) {
        const delays = measured[reader] ?? []
        const [p50 = 0, ...tail] = [0.5, 0.9, 0.95, 0.99].map((share) => quantile(delays, share))
        rows.push([`${whose}: ${name}`, String(delays.length), p50, ...tail, Math.max(...delays)])
        const lost = delays.filter((delay) => delay === Number.POSITIVE_INFINITY).length
        missed.push(...atMost(`${name}, blocks that never came to the ${whose}`, lost, 0))
        missed.push(...atMost(`${whose}: p50`, p50, GOALS.p50, ' ms'))
      }
    }
    for (const reader of Object.values(readers)) reader.stop()
    await building.stop()
    await stream.stop()
    say(table([['block mined → read, ms', 'blocks', 'p50', 'p90', 'p95', 'p99', 'most'], ...rows]))
    say(`goals: p50 ${GOALS.p50}, p99 ${GOALS.p99}; snapshots rebuilt meanwhile: ${building.count()}`)
    say(`The process of tables, snapshots, stream and edge stood still for ${ms(stillness.max)} ms at most.`)
  } finally {
    await ingest.kill()
    await Promise.all([market.stop(), stores.stop()])
  }
  return missed
}

/** Whole ms of ns. */
const ms = (ns: number): string => (ns / 1e6).toFixed(0)

/** Trades until all are at the head, and ingest has nothing left to seal: more than a minute of blocks, so the one before the last is sealed. */
async function warm(market: DevnetMarket, stores: RebuildStores, readers: readonly SwapReader[]) {
  let minute = 0
  for (let left = WARM_BLOCKS; left > 0; left--) {
    const { hash, timestamp } = await market.mine(BLOCK_SECONDS, 3)
    await Promise.all(readers.map((reader) => reader.seen(hash)))
    minute = Math.floor(timestamp / 60)
  }
  while (((await stores.log.applied())?.minute ?? 0) < minute - 1) await sleep(READ_EVERY_MS)
}

async function measure(
  { blocks, everyMs, trades }: { readonly blocks: number; readonly everyMs: number; readonly trades: number },
  market: DevnetMarket,
  readers: readonly SwapReader[],
): Promise<readonly (readonly number[])[]> {
  const delays: Promise<number>[][] = readers.map(() => [])
  for (let block = 0; block < blocks; block += 1) {
    const next = sleep(everyMs * (0.9 + 0.2 * market.random.next()))
    const mined = await market.mine(BLOCK_SECONDS, trades)
    const minedAt = performance.now()
    if (hasTrade(mined)) {
      for (const [at, reader] of readers.entries())
        delays[at]?.push(reader.seen(mined.hash).then((seenAt) => seenAt - minedAt))
    }
    await next
  }
  return Promise.all(delays.map((each) => Promise.all(each)))
}

const hasTrade = ({ logs }: MinedBlock): boolean => logs.some(({ topics }) => topics[0] === topicOf.swapped)

/** When (performance.now) a block's swaps could first be read; Infinity: they never could. */
type SwapReader = { seen(blockHash: string): Promise<number>; stop(): void }

function readFeed(feed: Awaited<ReturnType<typeof startStores>>['feed']): SwapReader {
  const seenAt = new Map<string, number>()
  let isStopped = false
  const follow = async () => {
    let seq = 0
    while (!isStopped) {
      for await (const entry of feed.after(seq)) {
        seq = entry.seq
        seenAt.set(entry.block.hash, performance.now())
      }
      await sleep(READ_EVERY_MS)
    }
  }
  void follow()
  return {
    seen: seenIn(seenAt),
    stop: () => {
      isStopped = true
    },
  }
}

/** Reads the stream as bytes and notes when each block's first swap was there. */
function readStream(url: string): SwapReader {
  const seenAt = new Map<string, number>()
  let text = ''
  const asked = get(`${url}/stream/swaps`, (answer) => {
    answer.on('data', (part) => {
      const now = performance.now()
      text += String(part)
      for (const [, hash = ''] of text.matchAll(/"block_hash":"(0x[0-9a-f]{64})"/g)) {
        if (!seenAt.has(hash)) seenAt.set(hash, now)
      }
      text = text.slice(-80)
    })
    // It is cut at the end.
    answer.on('error', () => {})
  })
  asked.on('error', () => {})
  return { seen: seenIn(seenAt), stop: () => asked.destroy() }
}

/** A task with its edge before it, as in a local run. */
async function startStream() {
  const env = {
    MARKET_TABLE: process.env['MARKET_TABLE'] ?? '',
    CHAIN: 'devnet',
    PORT: '0',
    TRUSTED_PROXIES: '1',
  }
  const stream = await runStream(env, { host: '127.0.0.1', drainMs: 0 })
  const edge = await startCloudfront({ ...distribution(), origins: { stream: stream.url } })
  return { url: edge.url, stop: () => Promise.all([edge.stop(), stream.stop()]) }
}

/** Pause between rebuilds. */
const REBUILD_EVERY_MS = 1_000

/** Builds snapshots in this process, as a local run does each minute. */
function rebuildAgainAndAgain(stores: RebuildStores) {
  const stopping = new AbortController()
  let count = 0
  const warm: Warm = {}
  const loop = async () => {
    while (!stopping.signal.aborted) {
      if (await rebuild(stores, { warm, clock: () => performance.now() })) count += 1
      await sleep(REBUILD_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = loop()
  return {
    count: () => count,
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

/** When a block was seen, once it has been. */
const seenIn =
  (seenAt: ReadonlyMap<string, number>) =>
  async (blockHash: string): Promise<number> => {
    const deadline = performance.now() + FED_WITHIN_MS
    for (;;) {
      const time = seenAt.get(blockHash)
      if (time !== undefined) return time
      if (performance.now() > deadline) return Number.POSITIVE_INFINITY
      await sleep(READ_EVERY_MS)
    }
  }
