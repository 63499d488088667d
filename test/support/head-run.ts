/** Ingest at the head of a chain with blocks every two seconds, on a clock that the run moves: what it asks for, and how late it reads a block. */
import { openHead } from '../../ingest/head.ts'
import { readHeader } from '../../ingest/headers.ts'
import { openRanges } from '../../ingest/range.ts'
import { openRpc } from '../../ingest/rpc.ts'
import { guessedTimeMs } from '../../ingest/schedule.ts'
import { followChain } from '../../ingest/writer.ts'
import { randomFrom } from '../../local/devnet/random.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { memoryStores, roomsOver, verifying } from './ingest-stores.ts'
import { openNode } from './json-rpc.ts'
import type { RelaidChain } from './recorded-chain.ts'

export type HeadRun = {
  readonly seconds: number
  readonly minutes: number
  readonly gaps: number
  readonly requests: number
  /** By method. */
  readonly calls: ReadonlyMap<string, number>
  /** From when a block with logs could be seen until it was read, ascending. */
  readonly lateMs: readonly number[]
}

/** A block can be seen so long after its time, and up to so much later. */
const VISIBLE_MS = 550
const SPREAD_MS = 300
/** What a request takes. */
const REQUEST_MS = 30

/** `setTime` moves what Date.now gives; `blocks`: how many are followed. */
export async function runAtHead(
  chain: RelaidChain,
  endpoints: number,
  { blocks, setTime }: { readonly blocks: number; readonly setTime: (ms: number) => void },
): Promise<HeadRun> {
  const { rules } = chain
  const node = openNode(chain)
  const random = randomFrom(9, 1)
  const first = rules.creationsFrom
  const visibleAt = Array.from(
    { length: blocks + 2 },
    (_, at) => (guessedTimeMs(rules.schedule, first + at) ?? 0) + VISIBLE_MS + random.below(SPREAD_MS),
  )
  const calls = new Map<string, number>()
  let requests = 0
  const pass = (ms: number) => {
    setTime(Date.now() + ms)
    while ((visibleAt[node.head + 1 - first] ?? Number.POSITIVE_INFINITY) <= Date.now()) node.head += 1
  }
  const answer = async (body: string): Promise<string> => {
    const asked = JSON.parse(body) as { method: string } | readonly { method: string }[]
    requests += 1
    for (const { method } of [asked].flat()) calls.set(method, (calls.get(method) ?? 0) + 1)
    pass(REQUEST_MS)
    return node.answer(body)
  }
  node.head = first + 1
  setTime(visibleAt[2] ?? 0)
  const proxies = await Promise.all(Array.from({ length: endpoints }, () => startFaultyProxy(answer)))
  const rpc = openRpc(proxies.map(({ url }) => url))
  const stores = memoryStores()
  const head = openHead(rpc, rules)
  const writer = followChain(
    roomsOver(stores, {
      ...{ rpc, chain: rules, head, verification: verifying(stores) },
      readWith: (source) => openRanges({ ...source, rpc: head.rpc }),
      start: (await readHeader(rpc, first - 1)) ?? null,
    }),
  )
  const withLogs = new Set(chain.logs.map(({ blockNumber }) => Number(blockNumber)))
  const lateMs: number[] = []
  const counted = { minutes: 0, gaps: 0 }
  let last = first + 1
  for await (const progress of writer) {
    if (progress.is === 'gap') counted.gaps += 1
    if (progress.is === 'sealed') counted.minutes += 1
    if (progress.is === 'read') {
      for (; last < progress.last.number; last += 1)
        if (withLogs.has(last + 1)) lateMs.push(Date.now() - (visibleAt[last + 1 - first] ?? 0))
      if (last >= first + blocks) break
    }
    if (progress.is === 'idle') pass(Math.max(1, head.idleMs()))
  }
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  return { seconds: blocks * 2, ...counted, requests, calls, lateMs: lateMs.sort((a, b) => a - b) }
}
