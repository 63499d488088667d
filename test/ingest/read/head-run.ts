/** Ingest at the head of a chain, on a clock that the run moves: what it asks for, and how late it reads a block. */

import { randomFrom } from '../../../dev/devnet/random.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openHead } from '../../../ingest/read/head.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { depsOver, memoryStores, verifying } from '../../support/aws/ingest-stores.ts'
import type { GeneratedChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { startProxies } from '../../support/chain/strict-endpoint.ts'

export type HeadRun = {
  readonly seconds: number
  readonly minutes: number
  readonly gaps: number
  readonly requests: number
  /** By method. */
  readonly calls: ReadonlyMap<string, number>
  /** From the time of a block with logs until it was read, ascending. */
  readonly lateMs: readonly number[]
}

export type HeadRunOptions = {
  readonly endpoints: number
  readonly pollMs: number
  /** Chain time that is followed. */
  readonly seconds: number
  /** What ingest is told of block times. @default the chain's own schedule */
  readonly schedule?: GeneratedChain['rules']['schedule']
  /** Whether logs carry the seconds of their blocks. @default true */
  readonly hasTimes?: boolean
  /** Moves what Date.now gives. */
  readonly setTime: (ms: number) => void
}

/** A block can be seen so long after its time, and up to so much later. */
const VISIBLE_MS = 150
const SPREAD_MS = 100
/** What a request takes. */
const REQUEST_MS = 30

/** Follows the chain from its first blocks on. */
export async function runAtHead(
  chain: GeneratedChain,
  { endpoints, pollMs, seconds, schedule, hasTimes = true, setTime }: HeadRunOptions,
): Promise<HeadRun> {
  const rules = { ...chain.rules, schedule: schedule ?? chain.rules.schedule }
  const node = openGeneratedNode(chain)
  node.times = { ...node.times, logs: hasTimes }
  const random = randomFrom(9, 1)
  const { first } = chain
  const timeMs = (block: number): number => chain.timeMsOf?.(block) ?? Number.NaN
  const until = timeMs(first) + seconds * 1_000
  const calls = new Map<string, number>()
  let requests = 0
  let visibleAt = 0
  const show = (block: number): void => {
    node.head = block
    visibleAt = timeMs(block + 1) + VISIBLE_MS + random.below(SPREAD_MS)
  }
  const pass = (ms: number): void => {
    setTime(Date.now() + ms)
    while (visibleAt <= Date.now()) show(node.head + 1)
  }
  const answer = async (body: string): Promise<string> => {
    const asked = JSON.parse(body) as { method: string } | readonly { method: string }[]
    requests += 1
    for (const { method } of [asked].flat()) calls.set(method, (calls.get(method) ?? 0) + 1)
    pass(REQUEST_MS)
    return node.answer(body)
  }
  setTime(timeMs(first + 2))
  show(first + 1)
  const { rpc, stop } = await startProxies(Array.from({ length: endpoints }, () => answer))
  const stores = memoryStores()
  const head = openHead(rpc, rules, { pollMs })
  const writer = followChain(
    depsOver(stores, {
      rpc,
      chain: rules,
      head,
      verification: verifying(stores),
      readWith: (source) => openRanges({ ...source, rpc: head.rpc }),
      start: (await readHeader(rpc, first - 1)) ?? null,
    }),
  )
  const lateMs: number[] = []
  const counted = { minutes: 0, gaps: 0 }
  let last = first + 1
  for await (const progress of writer) {
    if (progress.is === 'gap') counted.gaps += 1
    if (progress.is === 'sealed') counted.minutes += 1
    if (progress.is === 'read') {
      const withLogs = chain.logsIn(last + 1, progress.last.number).map((log) => Number(log.blockNumber))
      for (const block of new Set(withLogs)) lateMs.push(Date.now() - timeMs(block))
      last = progress.last.number
    }
    if (Date.now() >= until) break
    if (progress.is === 'idle') pass(Math.max(1, head.idleMs()))
  }
  await stop()
  return { seconds, ...counted, requests, calls, lateMs: lateMs.sort((a, b) => a - b) }
}
