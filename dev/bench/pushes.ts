/** How long after its block's own time a swap is in the live feed of a chain with five blocks a second: with a WebSocket, and with polls alone. In real time. */
import { readHeader } from '../../ingest/client/headers.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import { openHead } from '../../ingest/read/head.ts'
import { openPushes, type Pushes } from '../../ingest/read/pushes.ts'
import { openRanges } from '../../ingest/read/range.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { startPushingNode } from '../../test/ingest/read/pushing-node.ts'
import { depsOver, memoryStores, verifying } from '../../test/support/aws/ingest-stores.ts'
import { startFaultyProxy } from '../../test/support/chain/faulty-proxy.ts'
import { generateChain } from '../../test/support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../test/support/chain/generated-node.ts'
import type { ChainNode } from '../../test/support/chain/json-rpc.ts'
import { fiveASecond } from '../../test/support/chain/paces.ts'
import { atMost, quantile, say, table } from './measuring.ts'

const SECONDS = Number(process.env['SECONDS'] ?? 90)
const POLL_MS = 2_000
/** Milliseconds from the block's own time. */
const GOALS = { pushed: { p50: 400, p99: 1_500 }, polled: { p50: POLL_MS / 2 + 500 } }
/** Readers of an endpoint see a block so long after its time. */
const VISIBLE_MS = 100
const TICK_MS = 10
/** Blocks before the first that is measured: half a minute. */
const BEFORE = 150

const chain = generateChain({
  seed: 73,
  minutes: Math.ceil(SECONDS / 60) + 2,
  creations: 100,
  swapsAMinute: 120,
  paces: fiveASecond,
})
const timeMs = (block: number): number => chain.timeMsOf?.(block) ?? Number.NaN

/** Follows the chain as it is made, and gives how late the feed had each block with swaps, ascending. */
async function measure(
  hasSocket: boolean,
): Promise<{ readonly lateMs: readonly number[]; readonly lost: number }> {
  const node = openGeneratedNode(chain)
  const start = chain.first + BEFORE
  node.head = start
  const [http, socket] = await Promise.all([startFaultyProxy(node.answer), startPushingNode(node)])
  const rpc = openRpc([http.url])
  const pushes = openPushes(hasSocket ? [new URL(socket.url)] : [], chain.rules, () => {})
  const stores = memoryStores()
  const seenAt = new Map<number, number>()
  const feed: typeof stores.feed = {
    ...stores.feed,
    async append(entry) {
      const isFirst = await stores.feed.append(entry)
      if (isFirst && entry.is === 'block' && !seenAt.has(entry.block.number))
        seenAt.set(entry.block.number, Date.now())
      return isFirst
    },
  }
  const ends = new AbortController()
  const startedAt = Date.now()
  const madeAt = (block: number): number => startedAt + timeMs(block) - timeMs(start)
  const making = makeBlocks({ node, push: socket.push, madeAt, signal: ends.signal })
  const head = openHead(rpc, chain.rules, { pollMs: POLL_MS })
  const deps = depsOver(
    { ...stores, feed },
    {
      rpc,
      chain: chain.rules,
      head,
      pushes,
      verification: verifying(stores),
      readWith: (source) => openRanges({ ...source, rpc: head.rpc }),
      start: (await readHeader(rpc, chain.first - 1)) ?? null,
    },
  )
  await follow(deps, pushes, startedAt + SECONDS * 1_000)
  ends.abort()
  await making
  pushes.stop()
  await Promise.all([http.stop(), socket.stop()])
  const last = node.head - (2 * POLL_MS) / 200
  const logs = chain.logsIn(start + BEFORE, last).filter(({ topics }) => topics[0] === topicOf.swapped)
  const withSwaps = new Set(logs.map(({ blockNumber }) => Number(blockNumber)))
  const late = [...withSwaps].flatMap((block) =>
    seenAt.has(block) ? [(seenAt.get(block) ?? 0) - madeAt(block)] : [],
  )
  return { lateMs: late.sort((a, b) => a - b), lost: withSwaps.size - late.length }
}

/** Shows and pushes each block when it is due, until it is told to stop. */
async function makeBlocks(options: {
  readonly node: ChainNode
  readonly push: (block: number) => void
  readonly madeAt: (block: number) => number
  readonly signal: AbortSignal
}): Promise<void> {
  const { node, push, madeAt, signal } = options
  while (!signal.aborted) {
    while (madeAt(node.head + 1) + VISIBLE_MS <= Date.now()) {
      node.head += 1
      push(node.head)
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
}

/** As ingest's own loop. */
async function follow(deps: ReturnType<typeof depsOver>, pushes: Pushes, until: number): Promise<void> {
  const never = new AbortController().signal
  for await (const { is } of followChain(deps)) {
    if (Date.now() >= until) return
    if (is === 'idle') await pushes.wait(deps.head?.idleMs?.() ?? TICK_MS, never)
  }
}

/** Measures both; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const rows: (string | number)[][] = [['block time → feed, ms', 'blocks', 'p50', 'p95', 'p99', 'most']]
  const missed: string[] = []
  for (const [name, hasSocket] of [
    ['a WebSocket, polls every 2 s', true],
    ['polls every 2 s', false],
  ] as const) {
    const { lateMs, lost } = await measure(hasSocket)
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(lateMs, share)) as [
      number,
      number,
      number,
    ]
    rows.push([name, lateMs.length, p50, p95, p99, lateMs.at(-1) ?? 0])
    missed.push(...atMost(`${name}: blocks that never came`, lost, 0))
    if (lateMs.length === 0) missed.push(`${name}: nothing was measured`)
    const goals = hasSocket ? GOALS.pushed : GOALS.polled
    missed.push(...atMost(`${name}: p50`, p50, goals.p50, ' ms'))
    if (hasSocket) missed.push(...atMost(`${name}: p99`, p99, GOALS.pushed.p99, ' ms'))
  }
  say(table(rows))
  return missed
}
