import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Option } from 'commander'
import { reproject } from '../../ingest/writer/reproject.ts'
import type { SealedEntry } from '../../market/log.ts'
import type { Minute } from '../../market/segment.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import { readEnv } from '../../schemas/deployment/env.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { EmptyEngineError, type Engine } from '../../snapshot/engine/engine.ts'
import { cachedSegments, followLog } from '../../snapshot/engine/follow.ts'
import { builders, type Snapshot, snapshotOf } from '../../snapshot/publish/documents.ts'
import { publish } from '../../snapshot/publish/publish.ts'
import type { StoredObject } from '../../store/aws/bucket.ts'
import { invalidate } from '../../store/aws/edge.ts'
import { openMemoryBucket } from '../../store/aws/memory.ts'
import { manifestKey } from '../../store/aws/tables.ts'
import { effectiveBackwards } from '../../store/log/log.ts'
import {
  type CommandCall,
  type CommandGroup,
  commandOf,
  type ExitCode,
  minuteFrom,
  sayResult,
} from '../base/command.ts'
import { openStores, type ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'

type RebuildFlags = { readonly at: Minute; readonly into?: string }

/** `admin rebuild`: 0 built (and, where the minute was published, with the published digests), 1 with others, 2 it cannot be built. */
const rebuildCommand = commandOf<RebuildFlags>({
  usage: 'rebuild',
  description: "Builds a minute's documents from the log of minutes into a directory.",
  options: [
    new Option('--at <minute>', 'a time such as 2026-01-31T12:05Z, or the number of a minute')
      .argParser(minuteFrom)
      .makeOptionMandatory(),
    new Option('--into <dir>', "a new or empty directory; else one with the snapshot's name, here"),
  ],
  run: runRebuild,
})

async function runRebuild(call: CommandCall<RebuildFlags>): Promise<ExitCode> {
  const { options, progress } = call
  if (options.into !== undefined) await assertEmpty(options.into)
  const stores = await openStores(await call.deployment())
  const { n, minute } = await entryAt(stores, options.at)
  const published = await stores.manifests.at(minute)
  const facts = {
    log_position: published?.log_position ?? n,
    log_switches: published?.log_switches ?? 0,
    chain: stores.chain.name,
    code_version: stores.codeVersion ?? null,
  }
  const rebuilt = await rebuildAt(stores, facts, progress)
  const { snapshot_id: id, documents } = rebuilt.manifest
  const dir = options.into ?? id
  await assertEmpty(dir)
  await saveRebuilt(rebuilt, dir)
  const isPublished = published?.snapshot_id === id
  const others = isPublished ? unlike(published, rebuilt) : []
  const names = Object.keys(documents)
  const same = isPublished ? 'every digest is as published' : 'no manifest of this snapshot is kept'
  sayResult(
    call,
    { snapshot_id: id, directory: dir, documents: names, is_published: isPublished, unlike: others },
    `${id}: ${names.length} documents of minute ${isoTime(minute * 60)} in ${dir}`,
    ...(others.length === 0 ? [same] : others.map((name) => `not as published: ${name}`)),
  )
  return others.length > 0 ? 1 : 0
}

async function assertEmpty(dir: string): Promise<void> {
  const held = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (held.length > 0)
    throw new OperatorFault('DirectoryNotEmpty', `${dir} is not empty: name another with --into`)
}

/** The entry of the last minute in force up to a minute. Throws NoSuchMinute. */
export async function entryAt({ log }: ServiceStores, minute: Minute): Promise<SealedEntry> {
  const tail = await log.tail()
  for await (const entry of effectiveBackwards(log, (tail?.n ?? 0) + 1)) {
    if (entry.minute <= minute) return entry
  }
  throw new OperatorFault('NoSuchMinute', `the log has no minute sealed up to ${isoTime(minute * 60)}`)
}

/** Rebuilds the snapshot of a log position, from the newest checkpoint before it. */
export async function rebuildAt(
  { log, segments }: ServiceStores,
  facts: Omit<RebuiltSnapshot, 'corrections'>,
  progress: CommandCall['progress'],
): Promise<Rebuilt> {
  const to = facts.log_position
  let [first, folded] = [0, 0]
  const isOver = () => {
    folded += 1
    progress.step('folding minutes', Math.min(folded, to - first), to - first)
    return false
  }
  const reading = {
    entriesBefore: log.entriesBefore,
    // Called with the position of the checkpoint.
    entriesAfter: (n: number) => {
      first = n
      return log.entriesAfter(n)
    },
  }
  const read = cachedSegments(log)
  const engine = await followLog(undefined, { log: reading, bucket: segments, read, to, isOver })
  return rebuiltFrom(engine, { ...facts, corrections: engine.corrections })
}

/** Names of the documents whose rebuilt digest is not the manifest's; unpublished ones are left out. */
export function unlike(manifest: Manifest, rebuilt: Rebuilt): readonly string[] {
  const left = new Set(manifest.unpublished)
  return Object.entries(rebuilt.manifest.documents)
    .filter(([name, { sha256 }]) => !left.has(name) && manifest.documents[name]?.sha256 !== sha256)
    .map(([name]) => name)
}

/** A rebuilt snapshot: its manifest, and its documents by their keys. */
export type Rebuilt = {
  readonly snapshot: Snapshot
  readonly manifest: Manifest
  readonly documents: ReadonlyMap<string, Pick<StoredObject, 'bytes' | 'metadata'>>
}

/** Fields of a manifest that do not follow from its minute. */
export type RebuiltSnapshot = Pick<
  Manifest,
  'log_position' | 'log_switches' | 'corrections' | 'chain' | 'code_version'
>

/** Publishes an engine's minute, as the service does, into memory. Throws EmptyEngineError. */
export async function rebuiltFrom(engine: Engine, facts: RebuiltSnapshot): Promise<Rebuilt> {
  const { log_position: n, log_switches: switches, corrections, chain, code_version: codeVersion } = facts
  const snapshot = snapshotOf({ ...engine, n, corrections }, { chain, codeVersion, switches })
  const bucket = openMemoryBucket()
  const { manifest } = await publish(snapshot, { bucket }, builders)
  if (!manifest) throw new EmptyEngineError()
  const documents = [...bucket.objects].filter(([key]) => key in manifest.documents)
  return { snapshot, manifest, documents: new Map(documents) }
}

/** Writes the documents and the manifest under a directory, each at its key in the bucket. */
export async function saveRebuilt({ manifest, documents }: Rebuilt, dir: string): Promise<void> {
  const manifestText = Buffer.from(JSON.stringify(manifest, null, 1))
  for (const [key, { bytes }] of [...documents, [manifestKey, { bytes: manifestText }] as const]) {
    const path = join(dir, key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
}

/** `admin purge`: after a correction or a rollback. */
const purgeCommand = commandOf<object>({
  usage: 'purge [paths...]',
  description: "Invalidates the edge's cache at these paths ('/v1/z100/*'); without any: everything.",
  run: runPurge,
})

async function runPurge(call: CommandCall<object>): Promise<ExitCode> {
  const given = (call.args[0] ?? []) as readonly string[]
  const paths = given.length > 0 ? given : ['/*']
  const { DISTRIBUTION_ID } = readEnv('adminPurge', (await call.deployment()).env)
  const { id, status } = await invalidate(DISTRIBUTION_ID, paths)
  return sayResult(call, { id, status, paths }, `purged ${paths.join(' ')}: invalidation ${id}, ${status}`)
}

const reprojectCommand = commandOf({
  usage: 'reproject',
  description: 'Rewrites the tables from the log of minutes: repairs lost or damaged items. Can be repeated.',
  run: async (call) => {
    const { log } = await openStores(await call.deployment())
    const put = await reproject({
      log,
      now: Math.floor(Date.now() / 1_000),
      onEntry: (done, total) => call.progress.step('entries of the log', done, total),
    })
    return sayResult(call, { items: put }, `${put} items put as the log says`)
  },
})

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'Repair', commands: [rebuildCommand, reprojectCommand, purgeCommand] },
]
