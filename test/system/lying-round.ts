/** One round against endpoints that lie: which query, how, where, for how long; and what became of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, randomFrom } from '../../dev/devnet/random.ts'
import { type Chain, chains } from '../../ingest/client/chains.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { emittedByTokens, topicOf } from '../../ingest/decode/events.ts'
import { followChain, type Progress } from '../../ingest/writer/writer.ts'
import { effectiveEntries } from '../../market/log.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openGapStore } from '../../store/published/stored-status.ts'
import { depsOver, type IngestStores, memoryStores, verifying } from '../support/aws/ingest-stores.ts'
import type { Filter, NodeLog } from '../support/chain/json-rpc.ts'
import { referencePool } from '../support/chain/raw-logs.ts'
import type { RecordedChain, RecordedEndpoint } from './recorded-chain.ts'

/** What a query asks for: the platform's own events, what its senders did at the PoolManager, openings of pools and reference prices. */
export const queries = ['platform', 'senders', 'pools'] as const
export const lies = ['no logs', 'one in a hundred left out', 'a transaction left out'] as const
export const phases = ['catching up', 'at the head'] as const
export const settings = [
  'with a healthy endpoint beside it',
  'alone, for a while',
  'alone, for ever',
  'alone, for ever, in every form',
] as const

export type LyingPlan = {
  readonly query: (typeof queries)[number]
  readonly lie: (typeof lies)[number]
  readonly phase: (typeof phases)[number]
  readonly setting: (typeof settings)[number]
}

export type RoundOutcome = {
  /** Minutes in force and their digests, and their first blocks. */
  readonly sealed: ReadonlyMap<number, string>
  readonly firstBlocks: ReadonlyMap<number, number>
  /** The first blocks of the minutes that were sealed otherwise than they should have been, while no gap was reported. */
  readonly wrong: readonly number[]
  readonly gap:
    | { readonly block: number; readonly missing: string; readonly endpoints: readonly string[] }
    | undefined
  /** Logs that were left out of some answer. */
  readonly omitted: ReadonlySet<NodeLog>
}

/** undefined: a query of another kind, which is asked in a second form or because something is missing. */
function queryOf({ topics: [topics, second, third], address }: Filter): LyingPlan['query'] | undefined {
  if (topics?.includes(topicOf.swapped)) return 'platform'
  if (topics?.includes(topicOf.coinTransfer)) return address ? undefined : 'platform'
  if (third) return 'senders'
  return second && !topics?.includes(topicOf.modifyLiquidity) ? 'pools' : undefined
}

const isOf: Record<LyingPlan['query'], (log: NodeLog) => boolean> = {
  platform: ({ topics: [topic] }) => platformTopics.has(topic ?? ''),
  senders: ({ topics: [topic, pool] }) =>
    pool !== referencePool && (topic === topicOf.poolSwap || topic === topicOf.modifyLiquidity),
  pools: ({ topics: [topic, pool] }) =>
    topic === topicOf.initialize || (topic === topicOf.poolSwap && pool === referencePool),
}
const platformTopics = new Set<string>([
  topicOf.swapped,
  topicOf.creatorCoinCreated,
  topicOf.coinCreated,
  ...emittedByTokens,
])

/** Steps of the head at the end of the chain; all before them is caught up with. */
const HEAD_STEPS = 12
/** Blocks in a step. */
export const BLOCKS_A_STEP = { devnet: 1, fiveASecond: 30 } as const
/** Answers for which an endpoint lies, where it lies for a while. */
const WHILE_MOST = 6
/** Rounds of the writer after the last block: more than any pause of a gap needs. */
const PATIENCE = 5

/** What a round is played with. */
export type RoundGiven = {
  readonly chain: RecordedChain
  readonly endpoints: readonly [RecordedEndpoint, RecordedEndpoint]
  readonly random: Random
  readonly clean: ReadonlyMap<number, string>
  /** @default those of the devnet */
  readonly rules?: Chain | undefined
  /** Blocks that come at once at the head. @default one */
  readonly step?: number
}

/** Makes the endpoint lie as planned; gives the logs that it leaves out, as it does. */
function lieAs(plan: LyingPlan, { chain, endpoints: [endpoint], random, step = 1 }: RoundGiven) {
  const border = chain.last + 1 - HEAD_STEPS * step
  const isInPhase = ({ blockNumber }: NodeLog) =>
    Number(blockNumber) >= border === (plan.phase === 'at the head')
  const ofQuery = chain.logs.filter(isOf[plan.query])
  const inPhase = ofQuery.filter(isInPhase)
  const target = random.pick(inPhase.length > 0 ? inPhase : ofQuery)
  const omitted = new Set<NodeLog>()
  let left = plan.setting === 'alone, for a while' ? 1 + random.below(WHILE_MOST) : Number.POSITIVE_INFINITY
  const inEveryForm = plan.setting === 'alone, for ever, in every form'
  /** A lie that is repeated is the same one each time. */
  const isSteady = plan.setting.startsWith('alone, for ever')
  const seed = random.below(2 ** 31)
  const isUnlucky = ({ blockNumber, logIndex }: NodeLog): boolean =>
    (isSteady ? randomFrom(seed, Number(blockNumber), Number(logIndex)) : random).chance(0.01)
  const isLeftOut: Record<LyingPlan['lie'], (log: NodeLog) => boolean> = {
    'no logs': (log) =>
      inEveryForm ? log.blockNumber === target.blockNumber && isOf[plan.query](log) : true,
    'one in a hundred left out': (log) => log === target || (isOf[plan.query](log) && isUnlucky(log)),
    'a transaction left out': (log) =>
      log.transactionHash === target.transactionHash && (inEveryForm ? isOf[plan.query](log) : true),
  }
  endpoint.lie = (logs, filter) => {
    const isAsked = filter === 'receipt' ? inEveryForm : inEveryForm || queryOf(filter) === plan.query
    if (!isAsked || !logs.includes(target) || left <= 0) return logs
    left -= 1
    const leftOut = new Set(logs.filter(isLeftOut[plan.lie]))
    for (const log of leftOut) omitted.add(log)
    return logs.filter((log) => !leftOut.has(log))
  }
  return omitted
}

/** A transfer outside a trade and a rename: nothing else on the chain refers to them. */
export const isAlone = (log: NodeLog, { logs }: RecordedChain): boolean =>
  logs.every(
    ({ transactionHash, address }) =>
      transactionHash !== log.transactionHash || address !== chains.devnet.poolManager,
  )

/** Reads the chain from its first block to its last, first all at once and then block by block. `plan`: null for the endpoint as it is. `clean`: each minute's digest as it should be. */
export async function playRound(plan: LyingPlan | null, given: RoundGiven): Promise<RoundOutcome> {
  const { chain, endpoints, clean, rules, step = BLOCKS_A_STEP.devnet } = given
  const used = plan?.setting === 'with a healthy endpoint beside it' ? endpoints : [endpoints[0]]
  const omitted = plan ? lieAs(plan, given) : new Set<NodeLog>()
  const stores = memoryStores()
  const wrong = new Set<number>()
  const note = (progress: Progress) => {
    if (progress.is !== 'sealed' || progress.entry.is !== 'sealed') return
    const { minute, segment, firstBlock } = progress.entry
    if (clean.get(minute) !== segment.sha256) wrong.add(firstBlock)
  }
  const urls = used.map(({ url }) => url)
  const follower = openFollower(stores, urls, { rules })
  const goOn = async () => {
    for (const progress of await follower.goOn()) note(progress)
  }
  const { last } = chain
  for (let head = last - HEAD_STEPS * step; head <= last; head += step) {
    for (const endpoint of endpoints) endpoint.head = head
    await goOn()
  }
  for (let round = 0; round < PATIENCE; round += 1) {
    await sleep(150)
    await goOn()
  }
  await follower.stop()
  endpoints[0].lie = (logs) => logs
  const entries = effectiveEntries(await allOf(stores.log.entriesAfter(0)))
  return {
    sealed: new Map(entries.map(({ minute, segment }) => [minute, segment.sha256])),
    firstBlocks: new Map(entries.map(({ minute, firstBlock }) => [minute, firstBlock])),
    wrong: [...wrong],
    gap: await openGapStore(stores.table).read(),
    omitted,
  }
}

/** A writer that goes on until there is nothing to do or a gap stops it. `isVerified`: false seals whatever is read. */
export function openFollower(
  stores: IngestStores,
  urls: readonly string[],
  {
    isVerified = true,
    rules = chains.devnet,
  }: { readonly isVerified?: boolean; readonly rules?: Chain | undefined } = {},
) {
  const verification = verifying(stores, { retryMs: 40, quietMs: 250 })
  const own = { rpc: openRpc(urls, { backoffMs: 1 }), chain: rules }
  const writer = followChain(depsOver(stores, { ...own, ...(isVerified && { verification }) }))
  return {
    async goOn(): Promise<readonly Progress[]> {
      const seen: Progress[] = []
      for await (const progress of { [Symbol.asyncIterator]: () => ({ next: () => writer.next() }) }) {
        seen.push(progress)
        if (progress.is === 'idle' || progress.is === 'gap') break
      }
      return seen
    },
    stop: () => writer.return(undefined),
  }
}
