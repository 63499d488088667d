import { setTimeout as sleep } from 'node:timers/promises'
import { chains } from '../ingest/chains.ts'
import { readHeader } from '../ingest/headers.ts'
import { runIngest } from '../ingest/main.ts'
import { openRpc } from '../ingest/rpc.ts'
import type { Progress } from '../ingest/writer.ts'
import { handler as api } from '../lambdas/api.ts'
import { distribution, edgeErrorBody } from '../lambdas/edge/distribution.ts'
import { handler as rebuildSnapshots } from '../lambdas/rebuild-snapshots.ts'
import { responseHeaders } from '../schemas/headers.ts'
import { edgeTable } from '../schemas/operations.ts'
import { ensureBucket } from '../store/bucket.ts'
import { ensureTables, openTable } from '../store/table.ts'
import { startCloudfront } from './aws/cloudfront.ts'
import { startDynamodb } from './aws/dynamodb.ts'
import { startGateway } from './aws/gateway.ts'
import { startS3 } from './aws/s3.ts'
import { closeDataDir, type DataDir, openDataDir, writeReady } from './data-dir.ts'
import { startDevnet } from './devnet/chain.ts'
import { stopAll } from './stand-in.ts'
import type { Terminal } from './terminal.ts'

export type RunOptions = {
  readonly port: number
  readonly dataDir: string
  readonly seed: number
  /** Endpoints of Base; none: the development chain. */
  readonly rpcUrl: readonly string[]
}

/** What `ready.json` says: where everything is, once the first snapshot is published. */
export type Ready = {
  readonly base_url: string
  readonly stream_base_url: string
  readonly rpc_url: string
  readonly chain_id: number
  readonly keys: Readonly<Record<string, string>>
  readonly aws: { readonly dynamodb: string; readonly s3: string }
}

export type RunContext = {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly onReady: (ready: Ready) => void
}

/** Names of tables and buckets on this machine; on AWS they come from the stacks. */
const names = { MARKET_TABLE: 'market', SEGMENT_BUCKET: 'segments', PUBLISHED_BUCKET: 'published' } as const
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' } as const

/** The Scheduler's beat, and how long after a full minute it falls here: the minute before is sealed by then. */
const REBUILD_EVERY_MS = 60_000
const REBUILD_OFFSET_MS = 14_000
const EXPIRY_EVERY_MS = 600_000

/**
 * Starts every part in order, says when the first snapshot is published, and runs until the signal aborts. Rejects with
 * the reason of the first part that fails; in both cases every part is stopped before it settles.
 */
export async function startService(options: RunOptions, context: RunContext): Promise<void> {
  const parts: Parts = { running: [], stopping: new AbortController() }
  const { signal } = parts.stopping
  const ended = new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => {
      if (signal.reason instanceof PartFailedError) reject(signal.reason)
      else resolve()
    })
  })
  context.signal.addEventListener('abort', () => parts.stopping.abort(), { once: true })
  const run = runParts(options, context, parts).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  try {
    await Promise.race([run.then(() => ended), ended])
  } finally {
    parts.stopping.abort()
    await stopAll(parts.running.splice(0))
    await run
    // What was just coming up when the end was called.
    await stopAll(parts.running.splice(0))
  }
}

/** A part of the run has ended by itself; `cause` is its reason. */
export class PartFailedError extends Error {
  override readonly name = 'PartFailedError'
  constructor(part: string, cause: unknown) {
    super(`${part}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Something that runs until it is stopped. */
type Part = { stop(): Promise<void> }

/** What has been started, and the one signal that ends it. */
type Parts = { readonly running: Part[]; readonly stopping: AbortController }

async function runParts(options: RunOptions, { terminal, onReady }: RunContext, parts: Parts): Promise<void> {
  const { signal } = parts.stopping
  const dir = await openDataDir(options.dataDir)
  parts.running.push({ stop: () => closeDataDir(dir) })
  const aws = await startAws(dir, parts)
  // Before anything that takes long: a port in use is said at once, and early readers are asked to wait.
  process.env['CHAIN'] = options.rpcUrl.length > 0 ? chains.base.name : chains.devnet.name
  const gateway = await started(parts, startApi(terminal))
  const edge = await started(
    parts,
    startEdge(options.port, { published: `${aws.s3.url}/${names.PUBLISHED_BUCKET}`, api: gateway.url }),
  )
  const chain = await startChain(options, terminal, { parts, onExit: failing(parts, 'chain') })
  await ingestUntilCaughtUp(terminal, chain, parts)
  terminal.step('building the first snapshot')
  await rebuildSnapshots()
  const urls = { base_url: edge.url, stream_base_url: edge.url, rpc_url: chain.rpcUrl, chain_id: chain.id }
  const ready: Ready = { ...urls, keys: {}, aws: { dynamodb: aws.dynamodb.url, s3: aws.s3.url } }
  await writeReady(dir, ready)
  if (signal.aborted) return
  onReady(ready)
  keep(parts, rebuildEachMinute(terminal, signal).catch(failing(parts, 'rebuild')))
  keep(parts, expireNowAndThen(signal).catch(failing(parts, 'expiry')))
}

/** A loop that ends by itself when the signal aborts: stopping it is waiting for that. */
const keep = (parts: Parts, loop: Promise<void>): number => parts.running.push({ stop: () => loop })

/** Starts ingest, which goes on; resolves when it has nothing left to read. */
function ingestUntilCaughtUp(terminal: Terminal, { env }: ChainPart, parts: Parts): Promise<void> {
  const { signal } = parts.stopping
  return new Promise((resolve) => {
    const onProgress = (progress: Progress) => showIngest(terminal, progress, resolve)
    const loop = runIngest({ ...names, ...env }, { signal, report: () => {}, onProgress })
    keep(parts, loop.catch(failing(parts, 'ingest')))
  })
}

const failing = (parts: Parts, part: string) => (error: unknown) =>
  parts.stopping.abort(new PartFailedError(part, error))

/** Waits for a part; one that comes up after the end was called is stopped with the rest. */
async function started<P extends Part>(parts: Parts, start: Promise<P>): Promise<P> {
  const part = await start
  parts.running.push(part)
  parts.stopping.signal.throwIfAborted()
  return part
}

/** Tables and objects; from here on the AWS clients of this process find them as they would find AWS. */
async function startAws(dir: DataDir, parts: Parts) {
  const dynamodb = await started(parts, startDynamodb({ path: dir.tables }))
  const s3 = await started(
    parts,
    startS3({ dir: dir.objects, credentials, anonymousRead: [names.PUBLISHED_BUCKET] }),
  )
  Object.assign(process.env, names, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    // Says what the SDK's next versions need; these are pinned.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  })
  await ensureTables([names.MARKET_TABLE])
  for (const bucket of [names.SEGMENT_BUCKET, names.PUBLISHED_BUCKET]) await ensureBucket(bucket)
  return { dynamodb, s3 }
}

type ChainPart = {
  readonly rpcUrl: string
  readonly id: number
  readonly env: { CHAIN: string; RPC_URLS: string; START_BLOCK?: string }
}

async function startChain(
  { rpcUrl, dataDir, seed }: RunOptions,
  terminal: Terminal,
  { parts, onExit }: { readonly parts: Parts; readonly onExit: (error: Error) => void },
): Promise<ChainPart> {
  const [first] = rpcUrl
  if (first !== undefined) {
    const RPC_URLS = rpcUrl.join(',')
    return {
      rpcUrl: first,
      id: chains.base.id,
      env: { CHAIN: 'base', RPC_URLS, START_BLOCK: await dayAgo(RPC_URLS) },
    }
  }
  const report = (text: string, done?: number, total?: number) => terminal.step(text, done, total)
  const devnet = await started(parts, startDevnet({ dataDir, seed, now: Date.now, report, onExit }))
  return { rpcUrl: devnet.rpcUrl, id: devnet.chainId, env: { CHAIN: 'devnet', RPC_URLS: devnet.rpcUrl } }
}

/** Base's block 24 hours ago: two seconds a block. */
async function dayAgo(rpcUrls: string): Promise<string> {
  const head = await readHeader(openRpc(rpcUrls.split(',')), 'latest')
  if (!head) throw new PartFailedError('chain', 'the endpoint has no head')
  return String(head.number - 43_200)
}

/** --port is taken by another program. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError'
  constructor(port: number) {
    super(`port ${port} of this machine is taken; choose another --port`)
  }
}

const startApi = (terminal: Terminal) =>
  startGateway({
    routes: [{ resource: '/v1/{proxy+}', handler: api }],
    errorBody: edgeErrorBody,
    responseHeaders,
    onDefect: (error) => terminal.say(`api: ${String(error)}`),
  })

const startEdge = (port: number, origins: Readonly<Record<string, string>>) =>
  startCloudfront({
    port,
    ...distribution(edgeTable),
    origins,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new PortInUseError(port) : error
  })

function showIngest(terminal: Terminal, progress: Progress, onCaughtUp: () => void): void {
  if (progress.is === 'idle') onCaughtUp()
  if (progress.is === 'sealed')
    terminal.step('ingesting', progress.entry.last?.number ?? 0, progress.head.number)
}

/** In place of the Scheduler. A failed run leaves the last good snapshot, is shown, and the next minute tries again. */
async function rebuildEachMinute(terminal: Terminal, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const sinceMinute = (Date.now() - REBUILD_OFFSET_MS) % REBUILD_EVERY_MS
    await pause(REBUILD_EVERY_MS - sinceMinute, signal)
    if (signal.aborted) return
    await rebuildSnapshots().catch((error: unknown) => terminal.say(`rebuild failed: ${String(error)}`))
  }
}

/** In place of DynamoDB's TTL. */
async function expireNowAndThen(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(EXPIRY_EVERY_MS, signal)
    if (!signal.aborted) await openTable(names.MARKET_TABLE).deleteExpired(Math.floor(Date.now() / 1_000))
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
