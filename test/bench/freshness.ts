/** How soon a trade can be read in the live feed after its block was mined, at the chain's beat and in a burst, with ingest running beside. */
import { setTimeout as sleep } from 'node:timers/promises'
import { topicOf } from '../../ingest/events.ts'
import type { MinedBlock } from '../../local/devnet/miner.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/devnet-market.ts'
import { startIngest } from '../support/ingest-child.ts'
import { startStores } from '../support/ingest-stores.ts'
import { at, say, table } from './rounds.ts'

/** Milliseconds from the answer to evm_mine until a reader of the table has the block's swaps. One slow moment of the machine makes a p99, so only the p50 can be missed. */
const GOALS = { p50: 350, p99: 700 }
/** What is not in the feed by then never will be. */
const FED_WITHIN_MS = 20_000
/** A reader asks so often. */
const READ_EVERY_MS = 5

/** How blocks come: only the gate can be missed, for a burst measures this machine. */
const beats = [
  { name: 'a block each 6 s', blocks: 20, everyMs: 6_000, trades: 3, isGate: true },
  { name: 'a block each 2 s', blocks: 40, everyMs: 2_000, trades: 3, isGate: false },
  {
    name: 'a burst: a block each 250 ms, 15 trades each',
    blocks: 80,
    everyMs: 250,
    trades: 15,
    isGate: false,
  },
] as const

/** Measures every beat; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const [market, stores] = await Promise.all([startDevnetMarket(51), startStores()])
  const ingest = startIngest({ ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl })
  const missed: string[] = []
  try {
    const reader = readFeed(stores.feed)
    await reader.seen((await market.mine(1, 3)).hash)
    const rows = []
    for (const { name, isGate, ...beat } of beats) {
      const delays = await measure(beat, market, reader)
      const [p50, p99] = [at(delays, 0.5), at(delays, 0.99)]
      rows.push([name, String(delays.length), p50, p99, Math.max(...delays)] as const)
      const lost = delays.filter((delay) => delay === Number.POSITIVE_INFINITY).length
      if (lost > 0) missed.push(`${lost} blocks of ${name} never came into the feed`)
      if (isGate && p50 > GOALS.p50) missed.push(`p50 ${p50.toFixed(0)} ms, at most ${GOALS.p50}`)
    }
    reader.stop()
    say(table([['block mined → feed entry read, ms', 'blocks', 'p50', 'p99', 'most'], ...rows]))
    say(`goals at 6 s: p50 ${GOALS.p50}, p99 ${GOALS.p99}`)
  } finally {
    await ingest.kill()
    await Promise.all([market.stop(), stores.stop()])
  }
  return missed
}

async function measure(
  { blocks, everyMs, trades }: { readonly blocks: number; readonly everyMs: number; readonly trades: number },
  market: DevnetMarket,
  reader: FeedReader,
): Promise<readonly number[]> {
  const delays: Promise<number>[] = []
  for (let block = 0; block < blocks; block += 1) {
    const next = sleep(everyMs * (0.9 + 0.2 * market.random.next()))
    const mined = await market.mine(2, trades)
    const minedAt = performance.now()
    if (hasTrade(mined)) delays.push(reader.seen(mined.hash).then((seenAt) => seenAt - minedAt))
    await next
  }
  return Promise.all(delays)
}

const hasTrade = ({ logs }: MinedBlock): boolean => logs.some(({ topics }) => topics[0] === topicOf.swapped)

/** When (performance.now) a block's swaps could first be read; Infinity: they never could. */
type FeedReader = { seen(blockHash: string): Promise<number>; stop(): void }

function readFeed(feed: Awaited<ReturnType<typeof startStores>>['feed']): FeedReader {
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
  const seen = async (blockHash: string): Promise<number> => {
    const deadline = performance.now() + FED_WITHIN_MS
    for (;;) {
      const time = seenAt.get(blockHash)
      if (time !== undefined) return time
      if (performance.now() > deadline) return Number.POSITIVE_INFINITY
      await sleep(READ_EVERY_MS)
    }
  }
  return {
    seen,
    stop: () => {
      isStopped = true
    },
  }
}
