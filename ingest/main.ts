import { setTimeout as sleep } from 'node:timers/promises'
import { type Env, readEnv } from '../schemas/env.ts'
import { REWIND_WAIT_MS } from '../store/applied-read.ts'
import { openBucket } from '../store/bucket.ts'
import { openFeed } from '../store/feed.ts'
import { openLog } from '../store/log.ts'
import { openGapStore } from '../store/stored-status.ts'
import { openTable } from '../store/table.ts'
import { openTokens } from '../store/tokens.ts'
import type { ToRead } from './catch-up.ts'
import { type Chain, chainNamed } from './chains.ts'
import { IngestError } from './faults.ts'
import { openHead } from './head.ts'
import { headOf, readHeader } from './headers.ts'
import { openHolderViews } from './holder-views.ts'
import { logStart, type MovedStart, sinceFrom } from './log-start.ts'
import { openOldTokens } from './old-tokens.ts'
import type { Wait } from './pacing.ts'
import { Pulse, serveHealth } from './pulse.ts'
import { openReadAhead } from './read-ahead.ts'
import { openRegistry, tokensOfLog } from './registry.ts'
import { openEndpoints, type Rpc, type RpcOptions, rpcOver } from './rpc.ts'
import { followChain, type Progress, type WriterRooms } from './writer.ts'

/** Pause after a fault that may pass; doubles up to the limit. */
const RETRY_MS = 500
const RETRY_LIMIT_MS = 30_000
const METRICS_EVERY_MS = 60_000

/** How the process says what it does: an event's name and its facts. */
export type Report = (event: string, facts: Readonly<Record<string, unknown>>) => void

/** What the caller of the ingest process may hand in. */
export type IngestOptions = {
  readonly signal: AbortSignal
  readonly report: Report
  readonly onProgress?: (progress: Progress) => void
  /** Told what is waited for: before an endpoint is asked again, and before all is begun again. */
  readonly onWait?: (wait: Wait) => void
  /** Told once, before the first block is read: those up to the head, and how many a call is to give. */
  readonly onBegin?: (blocks: ToRead, blocksACall: number) => void
  /** Told where the log begins when no endpoint can show what stood before the block that was wanted. */
  readonly onMoved?: (moved: MovedStart) => void
  /** How patiently endpoints are asked. */
  readonly rpc?: RpcOptions
  /** @default the one that CHAIN names */
  readonly chain?: Chain
}

/**
 * The ingest process: follows the chain until the signal aborts. Faults that may pass are retried for ever, with their
 * cause reported; any other error ends it by rejecting. Fargate and the local run share it.
 */
export async function runIngest(env: Env<'ingest'>, options: IngestOptions): Promise<void> {
  const { chain = chainNamed(env.CHAIN), onWait = () => {} } = options
  const onMoved = (moved: MovedStart): void => {
    options.report('ingest.start_moved', moved)
    options.onMoved?.(moved)
  }
  // Once: what is learnt of endpoints must outlive every retry.
  const endpoints = openEndpoints(env.RPC_URLS.split(','), { onWait, ...options.rpc, chainId: chain.id })
  const rpc = rpcOver(endpoints)
  let { onBegin } = options
  let times = 0
  while (!options.signal.aborted) {
    try {
      const rooms = await openRooms(env, { chain, rpc, onMoved })
      onBegin?.(await toRead(rooms), rpc.endpoint.width.blocks())
      onBegin = undefined
      for await (const progress of followChain(rooms)) {
        if (options.signal.aborted) return
        times = 0
        options.onProgress?.(progress)
        reportProgress(options.report, progress)
        if (progress.is === 'idle') await pause(rooms.head.idleMs(), options.signal)
      }
    } catch (error) {
      if (!(error instanceof IngestError && error.retryable)) throw error
      const pauseMs = Math.min(RETRY_MS * 2 ** times, RETRY_LIMIT_MS)
      times += 1
      const endpoint = rpc.endpoint.name
      const wait = { endpoint, cause: error.message, times, until: Date.now() + pauseMs }
      options.report('ingest.retry', { error: error.name, message: error.message, endpoint, times, pauseMs })
      onWait(wait)
      await pause(pauseMs, options.signal)
    }
  }
}

async function openRooms(
  env: Env<'ingest'>,
  {
    chain,
    rpc,
    onMoved,
  }: { readonly chain: Chain; readonly rpc: Rpc; readonly onMoved: (moved: MovedStart) => void },
) {
  const head = openHead(rpc, chain)
  const table = openTable(env.MARKET_TABLE)
  const tokens = openTokens(table)
  const log = openLog(table, openBucket(env.SEGMENT_BUCKET), { rewindWaitMs: REWIND_WAIT_MS })
  const since = sinceFrom(env.START_BLOCK ?? 'all')
  const start = await logStart({ rpc, chain, log }, since, onMoved)
  const oldTokens = openOldTokens({ rpc, chain }, start)
  const registry = openRegistry({ ...tokens, allTokens: () => tokensOfLog(log) }, chain, oldTokens)
  return {
    rpc,
    chain,
    registry,
    tokens,
    head,
    oldTokens,
    ranges: openReadAhead({ rpc: head.rpc, chain, registry }),
    verification: { table, gaps: openGapStore(table) },
    log,
    holders: openHolderViews({ table, log, rpc, chain }),
    feed: openFeed(table),
    start,
  }
}

/** The blocks after the log's last one, up to the head. */
async function toRead({ rpc, log, start, chain }: WriterRooms): Promise<ToRead> {
  const [tail, head] = await Promise.all([log.tail(), headOf(rpc)])
  const before = tail?.last ?? start
  const from = before ? before.number + 1 : chain.creationsFrom
  const first = before ?? (await readHeader(rpc, from)) ?? head
  return { from, to: head.number, minutes: (head.timestamp - first.timestamp) / 60 }
}

function reportProgress(report: Report, progress: Progress): void {
  if (progress.is === 'idle' || progress.is === 'read') return
  const entry = 'entry' in progress ? { n: progress.entry.n, minute: progress.entry.minute } : {}
  const cause = 'entry' in progress && progress.entry.is === 'rewound' ? { cause: progress.entry.cause } : {}
  const fault =
    'fault' in progress && progress.fault
      ? { error: progress.fault.name, message: progress.fault.message }
      : {}
  const gap = 'gap' in progress ? progress.gap : {}
  report(`ingest.${progress.is.replace(' ', '_')}`, { ...entry, ...cause, ...fault, ...gap })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/** The process on its own: it answers /health where it has a port for it, and tells metrics each minute. */
async function runProcess(env: Env<'ingest'>, signal: AbortSignal): Promise<void> {
  const pulse = new Pulse(Date.now())
  const health = env.PORT ? await serveHealth(Number(env.PORT), () => pulse.isAlive(Date.now())) : undefined
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const printMetrics = () => print(pulse.line(Date.now(), env.METRICS_NAMESPACE))
  const timer = setInterval(printMetrics, METRICS_EVERY_MS)
  const report: Report = (event, facts) => {
    if (event === 'ingest.retry') pulse.retried(Date.now())
    print(JSON.stringify({ event, ...facts }))
  }
  const rpc: RpcOptions = {
    onRequest: (calls) => pulse.asked(calls),
    onWait: (wait) => {
      pulse.waited(wait.until - Date.now())
      report('ingest.wait', { ...wait, until: new Date(wait.until).toISOString() })
    },
  }
  try {
    await runIngest(env, { signal, report, rpc, onProgress: (done) => pulse.progressed(done, Date.now()) })
  } finally {
    clearInterval(timer)
    printMetrics()
    health?.stop()
  }
}

if (process.argv[1] === import.meta.filename) {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort())
  await runProcess(readEnv('ingest', process.env), stop.signal)
}
