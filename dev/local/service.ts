import type { Terminal } from '../../admin/base/terminal.ts'
import { pause } from '../../ingest/run.ts'
import { handler as countEdgeUsage } from '../../lambdas/count-edge-usage.ts'
import { handler as drawPreviews } from '../../lambdas/draw-previews.ts'
import { MISSING_PATH } from '../../lambdas/edge/distribution.ts'
import { rebuildEachMinute, rebuildUntilCurrent } from '../../lambdas/rebuild-each-minute.ts'
import { handler as writeArchive } from '../../lambdas/write-archive.ts'
import { exhaustedFrom } from '../../schemas/api/access.ts'
import { DRAW_EVERY_SECONDS } from '../../schemas/deployment/stages.ts'
import { isTransient } from '../../store/aws/patience.ts'
import { onProgress } from '../../store/aws/progress.ts'
import { deleteExpired } from '../../store/aws/table.ts'
import { type RunningStream, runStream } from '../../stream/main.ts'
import { names, SITE_BUCKET, startApi, startAws, startEdge, startEdgeControl } from './aws-parts.ts'
import {
  type ChainOptions,
  type ChainPart,
  followedChain,
  ingestUntilCaughtUp,
  startChain,
} from './chain-part.ts'
import { clearData, closeDataDir, openDataDir, writeReady } from './data-dir.ts'
import { type DemoKeys, demoKeys } from './demo-keys.ts'
import { keepFunctionLogs, startUsageFeed } from './function-logs.ts'
import { failing, keep, PartFailedError, type Parts, started, startedInFront, stopAll } from './parts.ts'
import { publishSite } from './site-part.ts'

const EXPIRY_EVERY_MS = 600_000
/** Runs of the archive are frequent here, where they cost nothing: one without a new hour takes milliseconds. */
const ARCHIVE_EVERY_MS = 20_000

/** Stands for the Scheduler, until the signal aborts. A failed run is shown. */
const rebuilding = ({ terminal }: Parts, signal: AbortSignal): Promise<void> =>
  rebuildEachMinute({
    signal,
    onEnd: (error) => {
      if (error !== undefined) terminal.say(`rebuild failed: ${String(error)}`)
    },
  })

/** Stands for DynamoDB's TTL. */
export async function expireNowAndThen(
  { stopping: { signal }, terminal }: Parts,
  tables: readonly string[],
): Promise<void> {
  while (!signal.aborted) {
    await pause(EXPIRY_EVERY_MS, signal)
    if (signal.aborted) return
    for (const name of tables)
      await deleteExpired(name, Math.floor(Date.now() / 1_000)).catch((error: unknown) => {
        if (!isTransient(error)) throw error
        terminal.say(`what has expired is deleted later: ${String(error)}`)
      })
  }
}

/** Runs beside the rebuild, each with the pause between two of them, and what is said of a failed one. */
const scheduled = [
  { run: writeArchive, everyMs: ARCHIVE_EVERY_MS, failed: 'the archive was not written' },
  { run: drawPreviews, everyMs: DRAW_EVERY_SECONDS * 1_000, failed: 'a preview was not drawn' },
]

/** Stands for the Scheduler of such a run. A failed one is shown. */
async function repeating(
  { run, everyMs, failed }: (typeof scheduled)[number],
  { stopping: { signal }, terminal }: Parts,
): Promise<void> {
  while (!signal.aborted) {
    await run().catch((error: unknown) => terminal.say(`${failed}: ${String(error)}`))
    await pause(everyMs, signal)
  }
}

export type RunOptions = ChainOptions & {
  /** Whether to delete the data of earlier runs first. */
  readonly reset: boolean
  readonly port: number
  /** The address of this machine that it listens at. */
  readonly host: string
  /** The address that readers know it by, where a proxy stands in front. */
  readonly publicUrl?: URL
}

/** The content of `ready.json`: all addresses, once the first snapshot is published. */
export type Ready = {
  readonly base_url: string
  readonly stream_base_url: string
  readonly rpc_url: string
  readonly chain_id: number
  /** A key of each tier. */
  readonly keys: DemoKeys
  readonly aws: Readonly<Record<'dynamodb' | 's3' | 'keyvaluestore' | 'apigateway' | 'cloudfront', string>>
  /** With these variables set, a process can use this run's tables, buckets and chain like a deployment's. */
  readonly env: Readonly<Record<string, string>>
}

export type RunContext = {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly onReady: (ready: Ready) => void
}

/**
 * Starts every part in order, reports the first published snapshot, and runs until the signal aborts. Rejects with the
 * reason of the first part that fails. In both cases every part is stopped first.
 */
export async function startService(options: RunOptions, context: RunContext): Promise<void> {
  const parts: Parts = { running: [], stopping: new AbortController(), terminal: context.terminal }
  const { signal } = parts.stopping
  const ended = new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => {
      if (signal.reason instanceof PartFailedError) reject(signal.reason)
      else resolve()
    })
  })
  context.signal.addEventListener('abort', () => parts.stopping.abort(), { once: true })
  const run = runParts(options, context.onReady, parts).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  try {
    await Promise.race([run.then(() => ended), ended])
  } finally {
    parts.stopping.abort()
    await stopAll(parts.running.splice(0))
    await run
    // Parts that were still starting when the end was requested.
    await stopAll(parts.running.splice(0))
  }
}

/** The steps of a run, until everything is up; what repeats goes on. */
async function runParts(options: RunOptions, onReady: RunContext['onReady'], parts: Parts): Promise<void> {
  const stopTelling = onProgress(({ step, done, total }) => parts.terminal.step(step, done, total))
  const stores = await openStores(options, parts)
  const followed = await followedChain(options.rpcUrl, parts)
  process.env['CHAIN'] = followed.name
  // Before the chain, so that a port in use is reported at once and early readers are asked to wait.
  const front = await serveReaders(options, parts, { stores, chain: followed.name })
  const keys = await demoKeys(stores.dir.demoKeys)
  const pages = publishSite(options.publicUrl?.origin ?? front.edge.url, parts).catch(failing(parts, 'site'))
  keep(parts, pages)
  const chain = await startChain(followed, options, parts)
  process.env['RPC_URLS'] = chain.env.RPC_URLS
  await publishFirst(chain, parts)
  await pages
  stopTelling()
  const { aws } = stores
  const { edge, control } = front
  const urls = { base_url: edge.url, stream_base_url: edge.url, rpc_url: chain.rpcUrl, chain_id: chain.id }
  const chainEnv = { CHAIN: chain.env.CHAIN, RPC_URLS: options.rpcUrl.join(',') || chain.rpcUrl }
  const env = { ...aws.env, ...control.env, ...chainEnv }
  const ready: Ready = { ...urls, keys, aws: { ...aws.urls, cloudfront: control.url }, env }
  await writeReady(stores.dir, ready)
  if (parts.stopping.signal.aborted) return
  onReady(ready)
  repeatScheduled(parts)
}

/** The data of this run or an earlier one, the AWS that holds it, and what counts the usage that functions log. */
async function openStores({ reset, dataDir }: RunOptions, parts: Parts) {
  parts.terminal.step('opening the tables')
  if (reset) await clearData(dataDir)
  const dir = await openDataDir(dataDir)
  parts.running.push({ stop: () => closeDataDir(dir) })
  const usageFeed = startUsageFeed(countEdgeUsage, parts)
  const onLine = (line: string) => exhaustedFrom(line) && usageFeed.log(line)
  parts.running.push(keepFunctionLogs(process.stdout, dir.logs, onLine))
  return { dir, usageFeed, aws: await startAws(dir, parts) }
}

/** The API and the stream behind the edge, and the edge's control. */
async function serveReaders(
  options: RunOptions,
  parts: Parts,
  { stores, chain }: { readonly stores: Awaited<ReturnType<typeof openStores>>; readonly chain: string },
) {
  const { aws, usageFeed } = stores
  const gateway = await started(parts, startApi(parts, aws.usagePlans))
  const stream = await started(
    parts,
    outlasting(parts, () => startStream(parts, chain)),
  )
  parts.running.push(usageFeed)
  const edge = await startFront(options, parts, {
    origins: originsOf({ s3: aws.s3.url, gateway: gateway.url, stream: stream.url }),
    keyValueStore: aws.keyValueStore,
    onFunctionLog: usageFeed.log,
  })
  return { edge, control: await started(parts, startEdgeControl(edge)) }
}

/** Rebuilds, archives, draws and lets expire, each in its own rhythm. */
function repeatScheduled(parts: Parts): void {
  keep(parts, rebuilding(parts, parts.stopping.signal).catch(failing(parts, 'rebuild')))
  for (const one of scheduled) keep(parts, repeating(one, parts).catch(failing(parts, one.failed)))
  const tables = [names.MARKET_TABLE, names.ACCESS_TABLE, names.USAGE_TABLE]
  keep(parts, expireNowAndThen(parts, tables).catch(failing(parts, 'expiry')))
}

/** The edge, at the address that serves everything, by the name that readers know. */
function startFront(
  { port, host, publicUrl }: RunOptions,
  parts: Parts,
  edge: Omit<Parameters<typeof startEdge>[1], 'onDefect'>,
) {
  if (publicUrl) process.env['SITE_SCHEME'] = publicUrl.protocol.slice(0, -1)
  const onDefect = (error: unknown) => parts.terminal.say(`edge: ${String(error)}`)
  return startedInFront(parts, startEdge(port, { ...edge, host, publicHost: publicUrl?.host, onDefect }))
}

/** The edge's origins by name; one gateway is both of AWS. */
const originsOf = ({ s3, gateway, stream }: Readonly<Record<'s3' | 'gateway' | 'stream', string>>) => ({
  published: `${s3}/${names.PUBLISHED_BUCKET}`,
  api: gateway,
  account: gateway,
  missing: gateway + MISSING_PATH,
  stream,
  site: `${s3}/${SITE_BUCKET}`,
})

/** Ingests up to the head and publishes that; during a long catch-up the pages show the progress. */
async function publishFirst(chain: ChainPart, parts: Parts): Promise<void> {
  const caughtUp = new AbortController()
  const meanwhile = rebuilding(parts, AbortSignal.any([parts.stopping.signal, caughtUp.signal]))
  await ingestUntilCaughtUp(chain, parts).finally(() => caughtUp.abort())
  await meanwhile
  parts.terminal.step('building the first snapshot')
  await outlasting(parts, () => rebuildUntilCurrent(parts.stopping.signal))
}

/** Pause (ms) before the store is asked again. */
const STORE_PAUSE_MS = 2_000

/** Repeats work for as long as the tables or buckets do not answer, and shows why. */
async function outlasting<T>({ stopping: { signal }, terminal }: Parts, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
      terminal.say(`waits for the store: ${String(error)}`)
      await pause(STORE_PAUSE_MS, signal)
    }
  }
}

/** Time in ms for disconnecting stream readers: short, since there is no other task to go to. */
const DRAIN_MS = 1_000

/** The stream, in this process, behind the edge. */
export function startStream({ terminal }: Parts, chain: string): Promise<RunningStream> {
  const env = { MARKET_TABLE: names.MARKET_TABLE, CHAIN: chain, PORT: '0', TRUSTED_PROXIES: '1' }
  const report = (event: string, facts: object) => {
    if (event === 'stream.fault') terminal.say(`stream: ${JSON.stringify(facts)}`)
  }
  // There is only one task here, so readers are not spread.
  return runStream(env, { host: '127.0.0.1', drainMs: DRAIN_MS, retrySpreadMs: 0, report })
}
