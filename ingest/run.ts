import { setTimeout as sleep } from 'node:timers/promises'
import type { Env } from '../schemas/deployment/env.ts'
import { openBucket } from '../store/aws/bucket.ts'
import { bulkTable } from '../store/aws/bulk.ts'
import { isTransient, type OnPause, outlastThrottling } from '../store/aws/patience.ts'
import { newClient, openTable } from '../store/aws/table.ts'
import { openTokens } from '../store/items/tokens.ts'
import { REWIND_WAIT_MS } from '../store/log/applied-read.ts'
import { openFeed } from '../store/log/feed.ts'
import { openLog } from '../store/log/log.ts'
import { inLog, keepLive, openLogs } from '../store/log/logs.ts'
import {
  type ChainTrouble,
  type ChainTroubleStore,
  openChainTroubleStore,
} from '../store/published/stored-status.ts'
import type { ToRead } from './catch-up.ts'
import { openChainWatch } from './chain-watch.ts'
import { type ChainClock, openChainClock } from './client/chain-clock.ts'
import { type Chain, chainNamed } from './client/chains.ts'
import { endpointUrls } from './client/endpoint-urls.ts'
import { IngestError, kindOf, StoreUnavailableError } from './client/faults.ts'
import { headOf, readHeader } from './client/headers.ts'
import type { Wait } from './client/pacing.ts'
import { openRpc, type Rpc, type RpcOptions } from './client/rpc.ts'
import { type LeftOut, openOldTokens } from './decode/old-tokens.ts'
import { openRegistry, tokensOfLog } from './decode/registry.ts'
import { type Head, openHead } from './read/head.ts'
import { logStart, type MovedStart, sinceFrom } from './read/log-start.ts'
import { narrowEndpoints } from './read/narrow-endpoints.ts'
import { pollMsFrom } from './read/poll.ts'
import { openPushes, type Pushes } from './read/pushes.ts'
import { openReadAhead } from './read/read-ahead.ts'
import type { IngestEvent } from './report.ts'
import { openHolderViews } from './writer/holder-views.ts'
import { openNewLog, openOwnLog } from './writer/own-log.ts'
import { isAtHead } from './writer/progress.ts'
import { openVerification } from './writer/verifying.ts'
import { followChain, type WriterDeps } from './writer/writer.ts'

/** Pause after a transient fault; doubles up to the limit. */
const RETRY_MS = 500
const RETRY_LIMIT_MS = 30_000
/** The own tables and buckets, among what is waited for. */
const STORE = 'the store'

/** Options of the ingest process. */
export type IngestOptions = {
  readonly signal: AbortSignal
  readonly onEvent: (event: IngestEvent) => void
  /**
   * Whether newer rules may catch up in a log of their own. A deployed writer must not: readers would be left with a log that
   * nobody continues. @default false
   */
  readonly isBeside?: boolean
  /** Calls `heard` for each new block of the chain, which is then not polled in between. @default it is polled */
  readonly onBlock?: (heard: () => void) => void
  /** Retry settings of endpoints. */
  readonly patience?: Pick<RpcOptions, 'timeoutMs' | 'backoffMs' | 'refusalPauseMs'> & {
    /** The first pause after a transient fault. */
    readonly retryMs?: number
  }
}

/**
 * The ingest process: follows the chain until the signal aborts. Transient faults are reported and retried forever; any
 * other error ends it by rejecting. Shared by Fargate and the local run.
 */
export async function runIngest(
  env: Env<'ingest'>,
  {
    signal,
    onEvent,
    isBeside = false,
    onBlock,
    patience: { retryMs = RETRY_MS, ...patience } = {},
  }: IngestOptions,
): Promise<void> {
  const chain = chainNamed(env.CHAIN)
  const watch = openChainWatch()
  // Once, so that knowledge about endpoints survives retries.
  const urls = env.RPC_URLS.split(',')
  const rpc = openRpc(urls, {
    ...patience,
    chainId: chain.id,
    onRequest: (calls) => onEvent({ is: 'asked', calls }),
    onWait: (wait) => {
      watch.waits(wait)
      onEvent({ is: 'wait', wait })
    },
  })
  const clock = openChainClock(chain.schedule, (off) =>
    onEvent({ is: 'off schedule', ...off, isFirst: watch.off(off, nowSeconds()) }),
  )
  const told = {
    onMoved: (moved: MovedStart) => onEvent({ is: 'start moved', ...moved }),
    onLeftOut: (left: LeftOut) => onEvent({ is: 'left out', ...left }),
  }
  const onState = (endpoint: string, cause: string | null) => onEvent({ is: 'socket', endpoint, cause })
  const pushes = openPushes(endpointUrls(urls).sockets, chain, onState)
  const polling = openPolling(env, pushes, onBlock)
  signal.addEventListener('abort', () => pushes.stop(), { once: true })
  let hasBegun = false
  let times = 0
  let stores: Stores | undefined
  while (!signal.aborted) {
    try {
      // A new log is this process's own: it goes on with it after a fault.
      if (!stores?.unknown || stores.unknown.isKnown()) stores = await openStores(env, { isBeside, onEvent })
      const deps = await openDeps(env, stores, { chain, rpc, clock, pushes, polling, ...told })
      if (!hasBegun) {
        for (const narrow of await narrowEndpoints(rpc, chain)) onEvent({ is: 'narrow endpoint', ...narrow })
        onEvent({ is: 'begins', blocks: await toRead(deps), blocksACall: widest(rpc) })
      }
      hasBegun = true
      for await (const progress of followChain(deps)) {
        if (signal.aborted) return
        times = 0
        // Before anybody is told that nothing is left to read.
        if (isAtHead(progress)) await makeKnown(stores, onEvent)
        onEvent(progress)
        if (progress.is !== 'idle') continue
        await stores.reportTrouble(watch.seen(progress.head, nowSeconds()))
        // Not longer than between polls: a round also does what is due by then.
        await pushes.wait(Math.min(deps.head.idleMs(), polling.pollMs), signal)
      }
    } catch (thrown) {
      const fault = passingFault(thrown)
      const pauseMs = Math.min(retryMs * 2 ** times, RETRY_LIMIT_MS)
      times += 1
      // A repeated fault can be due to the answers of the preferred endpoint.
      if (times > 1) rpc.next()
      const endpoint = fault instanceof StoreUnavailableError ? STORE : rpc.endpoint.name
      const wait: Wait = { for: 'fault', endpoint, cause: fault.message, times, until: Date.now() + pauseMs }
      onEvent({ is: 'retry', wait, fault })
      // The store may be what does not answer.
      await stores?.reportTrouble(watch.trouble(nowSeconds())).catch(passingFault)
      await pause(pauseMs, signal)
    }
  }
}

/** A fault after which another attempt can help. Throws any other error. */
function passingFault(thrown: unknown): IngestError {
  const fault = thrown instanceof Error && isTransient(thrown) ? new StoreUnavailableError(thrown) : thrown
  if (fault instanceof IngestError && fault.retryable) return fault
  throw fault
}

/** Reports that the tables throttle. */
const throttling =
  (onEvent: IngestOptions['onEvent']): OnPause =>
  (cause, times, ms) => {
    const fault = new StoreUnavailableError(cause)
    const until = Date.now() + ms
    const wait: Wait = { for: 'fault', endpoint: STORE, cause: fault.message, times, until }
    onEvent({ is: 'retry', wait, fault })
  }

type Polling = ReturnType<typeof openPolling>

/** How the head is asked. At a block that the chain tells of, a wait ends and the head that was opened last is asked. */
function openPolling({ POLL_MS }: Env<'ingest'>, pushes: Pushes, onBlock: IngestOptions['onBlock']) {
  let head: Head | undefined
  onBlock?.(() => {
    head?.heard()
    pushes.wake()
  })
  const opened = (next: Head): Head => {
    head = next
    return next
  }
  return { pollMs: pollMsFrom(POLL_MS), isTold: onBlock !== undefined, opened }
}

type Stores = Awaited<ReturnType<typeof openStores>>

/** What ingest writes to, which needs no endpoint: the log of its rules or, where there is none, a new one that nobody reads yet. */
async function openStores(
  env: Env<'ingest'>,
  { isBeside, onEvent }: Required<Pick<IngestOptions, 'isBeside' | 'onEvent'>>,
) {
  const client = outlastThrottling(newClient(), throttling(onEvent))
  const whole = openTable(env.MARKET_TABLE, { client })
  const segments = openBucket(env.SEGMENT_BUCKET)
  const logs = openLogs(whole)
  const own = { table: whole, segments, logs, now: () => Date.now() / 1_000 }
  const bulk = bulkTable(env.MARKET_TABLE, whole, client)
  const onResumed = (minutes: number) => onEvent({ is: 'resumed', minutes })
  const unknown = await openNewLog({ ...own, bulk, onResumed })
  const onCopied = (items: number) => onEvent({ is: 'copying', items })
  const { log: name } = unknown ?? (await openOwnLog({ ...own, isBeside, onCopied }))
  const table = unknown?.table ?? inLog(whole, name)
  const live = keepLive(logs)
  return {
    unknown,
    table,
    tokens: openTokens(table),
    log: openLog(table, segments, { rewindWaitMs: REWIND_WAIT_MS }),
    feed: openFeed(whole),
    async isLive() {
      const { log, switches } = await live()
      // Until a log is known the feed is everybody's: its entries have guards of their own.
      return log === name || (unknown !== undefined && switches === 0)
    },
    reportTrouble: openTroubleReports(openChainTroubleStore(table)),
  }
}

/** Another process has written the first log meanwhile: this one goes on with that. */
const LogTakenError = kindOf('LogTakenError', () => 'readers follow the log of another process', true)

/** A new log has caught up: readers follow it from now on. Throws LogTakenError. */
async function makeKnown({ unknown }: Stores, onEvent: IngestOptions['onEvent']): Promise<void> {
  if (!unknown || unknown.isKnown()) return
  if (!(await unknown.register())) throw new LogTakenError()
  onEvent({ is: 'known' })
}

/** How ingest reads the chain. */
type Reading = {
  readonly chain: Chain
  readonly rpc: Rpc
  readonly clock: ChainClock
  readonly pushes: Pushes
  readonly polling: Polling
  readonly onMoved: (moved: MovedStart) => void
  readonly onLeftOut: (left: LeftOut) => void
}

async function openDeps(
  env: Env<'ingest'>,
  { table, tokens, log, feed, isLive }: Stores,
  { chain, rpc, clock, pushes, polling, onMoved, onLeftOut }: Reading,
): Promise<WriterDeps> {
  const head = polling.opened(openHead(rpc, chain, polling))
  const start = await logStart({ rpc, chain, log }, sinceFrom(env.START_BLOCK ?? 'all'), onMoved)
  const oldTokens = openOldTokens({ rpc, chain }, start, onLeftOut)
  const registry = openRegistry({ ...tokens, allTokens: () => tokensOfLog(log) }, chain, oldTokens)
  const ranges = openReadAhead({ rpc: head.rpc, chain, registry, clock })
  const verification = openVerification(table)
  const holders = openHolderViews({ table, log, rpc, chain })
  const parts = { registry, tokens, head, pushes, oldTokens, ranges, verification, log, holders, feed }
  return { rpc, chain, clock, start, isLive, ...parts }
}

/** The most blocks a call that any endpoint allows, as far as is known. */
const widest = (rpc: Rpc): number => Math.max(...rpc.each().map(({ endpoint }) => endpoint.width.blocks()))

/** How often trouble that lasts is stored again (seconds). */
const TROUBLE_EVERY_SECONDS = 60

/** Stores the chain's trouble when it begins, changes, ends, and once a minute in between. */
function openTroubleReports(store: ChainTroubleStore) {
  let reported: ChainTrouble | null | undefined
  return async (trouble: ChainTrouble | null): Promise<void> => {
    const isSame = reported !== undefined && nameOf(reported) === nameOf(trouble)
    if (isSame && (trouble?.seenAt ?? 0) - (reported?.seenAt ?? 0) < TROUBLE_EVERY_SECONDS) return
    await store.put(trouble, Date.now())
    reported = trouble
  }
}

/** The kinds of trouble, without their times. */
const nameOf = (trouble: ChainTrouble | null): string =>
  trouble
    ? [trouble.stillSince, trouble.lateAt, trouble.offSince, trouble.quota].map((one) => one !== null).join()
    : ''

/** The blocks after the log's last one, up to the head. */
async function toRead({ rpc, log, start, chain }: WriterDeps): Promise<ToRead> {
  const [tail, head] = await Promise.all([log.tail(), headOf(rpc)])
  const before = tail?.last ?? start
  const from = before ? before.number + 1 : chain.creationsFrom
  const first = before ?? (await readHeader(rpc, from)) ?? head
  return { from, to: head.number, minutes: (head.timestamp - first.timestamp) / 60 }
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

/** Waits, but not beyond the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
