import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chain, chainNamed } from '../../ingest/client/chains.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import { readEnv } from '../../schemas/deployment/env.ts'
import { type Bucket, openBucket } from '../../store/aws/bucket.ts'
import { openTable, type Reads } from '../../store/aws/table.ts'
import { REWIND_WAIT_MS } from '../../store/log/applied-read.ts'
import { type LogStore, openLog } from '../../store/log/log.ts'
import { bucketOfLog, inLog, openLogs } from '../../store/log/logs.ts'
import { type DocumentStore, openDocuments } from '../../store/published/documents.ts'
import { type Manifests, openManifests } from '../../store/published/manifests.ts'
import { OperatorFault } from './terminal.ts'

/** Where a service is, for the operator's commands. */
export type DeployedService = {
  /** Variables that name tables, buckets and endpoints; a command takes its own out with `readEnv`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The service's own endpoints of the chain; empty: unknown. */
  readonly rpcUrls: readonly string[]
}

/** The ready file was not written by this version. */
const invalidReady = (path: string, cause?: unknown) =>
  new OperatorFault('InvalidReady', `${path} is not the ready file of a run of this version`, { cause })

/** The deployment that the process's environment names. */
export const deploymentOfEnv = (environment: NodeJS.ProcessEnv): DeployedService => ({
  env: environment,
  rpcUrls: (environment['RPC_URLS'] ?? '').split(',').filter((url) => url !== ''),
})

/**
 * The local run under a data directory. Sets its variables in `environment`, so that the AWS clients of this process find its
 * emulators. Throws NoRun, InvalidReady.
 */
export async function deploymentOfRun(dir: string, environment: NodeJS.ProcessEnv): Promise<DeployedService> {
  const path = join(dir, 'ready.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new OperatorFault(
          'NoRun',
          `no run is ready in ${dir}: start one with npm start, name its --data-dir, or use --aws with the environment of a deployment`,
        )
      : error
  })
  Object.assign(environment, variablesIn(text, path))
  return deploymentOfEnv(environment)
}

function variablesIn(text: string, path: string): Readonly<Record<string, string>> {
  let ready: { readonly env?: unknown } | null
  try {
    ready = JSON.parse(text) as typeof ready
  } catch (error) {
    throw invalidReady(path, error)
  }
  const variables = ready?.env
  if (typeof variables !== 'object' || variables === null) throw invalidReady(path)
  const entries = Object.entries(variables)
  if (entries.some(([, value]) => typeof value !== 'string')) throw invalidReady(path)
  return Object.fromEntries(entries) as Record<string, string>
}

/** The stores and the published objects of a service. */
export type ServiceStores = {
  readonly chain: Chain
  readonly table: Reads
  readonly log: LogStore
  readonly segments: Bucket
  readonly published: Bucket
  readonly manifests: Manifests
  /** The documents in the table. */
  readonly documents: DocumentStore
  /** Version of this code, as in a manifest; undefined: unknown. */
  readonly codeVersion: string | undefined
}

/** Opens the stores of a deployment, over the live log. Throws InvalidEnvError, UnknownChainError. */
export async function openStores({ env }: DeployedService): Promise<ServiceStores> {
  const { MARKET_TABLE, SEGMENT_BUCKET, PUBLISHED_BUCKET, CHAIN, CODE_VERSION } = readEnv('adminProofs', env)
  const whole = openTable(MARKET_TABLE)
  const { log } = await openLogs(whole).live()
  const table = inLog(whole, log)
  const segments = bucketOfLog(openBucket(SEGMENT_BUCKET), log)
  const published = openBucket(PUBLISHED_BUCKET)
  return {
    chain: chainNamed(CHAIN),
    table,
    segments,
    published,
    log: openLog(table, segments, { rewindWaitMs: REWIND_WAIT_MS }),
    manifests: openManifests(published),
    documents: openDocuments(table),
    codeVersion: CODE_VERSION,
  }
}

/** The manifest of a snapshot: the current one, or one stored by minute. Throws UnknownSnapshot. */
export async function manifestOf(id: string, { manifests }: ServiceStores): Promise<Manifest> {
  const newest = await manifests.newest()
  const manifest = newest?.snapshot_id === id ? newest : await manifests.byId(id)
  if (!manifest)
    throw new OperatorFault(
      'UnknownSnapshot',
      `no manifest of snapshot ${JSON.stringify(id)} is kept; /v1/snapshots lists those that are`,
    )
  return manifest
}

/** The current manifest and the previous ones, newest first, up to a limit. */
export async function newestManifests(
  newest: Manifest,
  count: number,
  { manifests }: ServiceStores,
): Promise<readonly Manifest[]> {
  const copies = (await manifests.recent(count)).filter(({ minute }) => minute < newest.minute)
  return [newest, ...copies].slice(0, count)
}
