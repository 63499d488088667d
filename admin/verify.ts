import type { Rpc } from '../ingest/rpc.ts'
import { effectiveEntries, type SealedEntry } from '../market/log.ts'
import { RULES_VERSION } from '../market/rules.ts'
import type { LogEntry, Minute } from '../market/segment.ts'
import type { Manifest } from '../schemas/service.ts'
import type { Engine } from '../snapshot/engine.ts'
import { followLog } from '../snapshot/follow.ts'
import { openMemoryBucket } from '../store/memory.ts'
import { allOf } from '../store/parallel.ts'
import {
  checkBlock,
  checkDocuments,
  checkEntries,
  checkManifest,
  checkStored,
  checkTableDocuments,
  different,
  type Finding,
  otherRules,
  unknown,
} from './check.ts'
import type { CommandCall } from './command.ts'
import type { ServiceStores } from './deployment.ts'
import { checkCopy, type PublishedDocuments, readPublished } from './published.ts'
import { rebuiltFrom, saveRebuilt } from './repair.ts'
import {
  checkpointNamed,
  type History,
  type NamedCheckpoint,
  replayChain,
  replayFromCheckpoint,
} from './replay.ts'

/** What is verified, against which chain. */
export type VerifyOptions = {
  readonly rpc: Rpc
  /** The manifests to verify, at least one. */
  readonly select: (published: PublishedDocuments) => Promise<readonly Manifest[]>
  /** Key of the checkpoint to begin from, or `newest`; undefined: from the log's first block. */
  readonly checkpoint: string | undefined
  /** Where the rebuilt documents of a snapshot are written; null: nowhere. */
  readonly directoryFor: (snapshotId: string, isEqual: boolean) => Promise<string | null>
  readonly progress: CommandCall['progress']
}

/** What was compared, and what was found. */
export type Verdict = {
  /** Oldest first. */
  readonly snapshots: readonly SnapshotVerdict[]
  /** Minutes of the chain that were read again. */
  readonly minutes: number
  /** Of the log, its segments and the manifest in force. */
  readonly findings: readonly Finding[]
  /** Tokens older than the log whose state at its start comes from the service itself: no endpoint keeps state that old. */
  readonly unverified: number
}

/** Of one snapshot; `documents` and `tableDocuments` are how many were compared. */
export type SnapshotVerdict = {
  readonly id: string
  readonly documents: number
  readonly tableDocuments: number
  readonly findings: readonly Finding[]
}

/**
 * Rebuilds published snapshots from the chain's own logs, and compares the log's segments and every document with them.
 * Writes nothing to the service. Throws what reading the stores or the chain throws.
 */
export async function verify(stores: ServiceStores, options: VerifyOptions): Promise<Verdict> {
  const published = await readPublished(stores)
  const manifests = [...(await options.select(published))].sort((a, b) => a.log_position - b.log_position)
  const checkpoint =
    options.checkpoint === undefined
      ? undefined
      : await checkpointNamed(options.checkpoint, manifests[0]?.log_position ?? 0, stores)
  const part = {
    entries: await allOf(stores.log.entriesAfter(checkpoint?.name.n ?? 0)),
    correctionsBefore: checkpoint?.engine.corrections ?? 0,
  }
  const cases = manifests.map((manifest) => caseOf(manifest, part))
  const snapshots: SnapshotVerdict[] = []
  const comparable: SnapshotCase[] = []
  for (const one of cases) {
    const findings = await obstaclesTo(one, options.rpc)
    if (findings.length === 0) comparable.push(one)
    else snapshots.push({ id: one.manifest.snapshot_id, documents: 0, tableDocuments: 0, findings })
  }
  const newest = comparable.at(-1)
  const copy = await checkCopy(published, stores)
  if (!newest) return { snapshots, minutes: 0, findings: copy, unverified: 0 }
  let unverified = 0
  const onRecorded = () => {
    unverified += 1
  }
  const history = await replay(stores, { ...options, newest, checkpoint, onRecorded })
  const log = await checkLog(stores, { comparable, newest, history, progress: options.progress })
  snapshots.push(...(await compareAll(comparable, { stores, options, published, history })))
  return { snapshots, minutes: history.entries.length, findings: [...copy, ...log], unverified }
}

async function replay(
  stores: ServiceStores,
  of: Pick<VerifyOptions, 'rpc' | 'progress'> & {
    readonly newest: SnapshotCase
    readonly checkpoint: NamedCheckpoint | undefined
    readonly onRecorded: () => void
  },
): Promise<History> {
  const { rpc, progress, newest, checkpoint, onRecorded } = of
  const { chain } = stores
  const { manifest, entries } = newest
  if (checkpoint) return replayFromCheckpoint(stores, { rpc, chain, checkpoint, to: manifest.log_position })
  const from = entries[0]?.firstBlock ?? chain.creationsFrom
  const to = manifest.block_number
  const total = to - from + 1
  const onBlock = (block: number) =>
    progress.step('reading the chain again: blocks', Math.min(block - from + 1, total), total)
  return replayChain({ rpc, chain, from, to, onBlock, recorded: stores.log, onRecorded })
}

async function checkLog(
  { log }: ServiceStores,
  of: {
    readonly comparable: readonly SnapshotCase[]
    readonly newest: SnapshotCase
    readonly history: History
    readonly progress: CommandCall['progress']
  },
): Promise<readonly Finding[]> {
  const { comparable, newest, history, progress } = of
  let read = 0
  const stored = await checkStored(log, newest.entries, () => {
    read += 1
    progress.step('reading the stored segments', read, newest.entries.length)
  })
  const claims = comparable.flatMap(({ manifest, entries }) =>
    checkEntries(
      entries,
      history.entries.filter(({ minute }) => minute <= manifest.minute),
    ),
  )
  // Snapshots have most of their minutes in common.
  const each = new Map([...claims, ...stored].map((finding) => [JSON.stringify(finding), finding]))
  return [...each.values()]
}

async function compareAll(
  cases: readonly SnapshotCase[],
  of: {
    readonly stores: ServiceStores
    readonly options: VerifyOptions
    readonly published: PublishedDocuments
    readonly history: History
  },
): Promise<readonly SnapshotVerdict[]> {
  const { stores, options, published, history } = of
  let folded = 0
  const engineAt = enginesOf(history, () => {
    folded += 1
    options.progress.step('folding minutes', Math.min(folded, history.entries.length), history.entries.length)
  })
  const verdicts: SnapshotVerdict[] = []
  for (const { manifest, corrections } of cases) {
    const { log_position, chain, code_version, snapshot_id: id } = manifest
    const facts = { log_position, corrections, chain: chain && stores.chain.name, code_version }
    const rebuilt = await rebuiltFrom(await engineAt(manifest.minute), facts)
    const isInForce = published.manifest.snapshot_id === id
    const claimed = { manifest, documents: published.documents, isInForce }
    const stored = await checkTableDocuments(rebuilt, stores.documents)
    const findings = [
      ...checkManifest(claimed, rebuilt),
      ...checkDocuments(claimed, rebuilt),
      ...stored.findings,
    ]
    const dir = await options.directoryFor(id, findings.length === 0)
    if (dir !== null) await saveRebuilt(rebuilt, dir)
    verdicts.push({ id, documents: rebuilt.documents.size, tableDocuments: stored.checked, findings })
  }
  return verdicts
}

/** A manifest, and the minutes of the log that its snapshot was built from. */
type SnapshotCase = {
  readonly manifest: Manifest
  /** Oldest first; after the checkpoint where there is one. */
  readonly entries: readonly SealedEntry[]
  /** Corrections among the log's entries up to there. */
  readonly corrections: number
}

/** Entries of the log, oldest first, and the count of corrections before them. */
type LogPart = { readonly entries: readonly LogEntry[]; readonly correctionsBefore: number }

function caseOf(manifest: Manifest, { entries, correctionsBefore }: LogPart): SnapshotCase {
  const until = entries.filter(({ n }) => n <= manifest.log_position)
  const omissions = until.filter((entry) => entry.is === 'rewound' && entry.cause === 'omission')
  return {
    manifest,
    entries: effectiveEntries(until),
    corrections: correctionsBefore + omissions.length,
  }
}

/** Findings that rule out comparing a snapshot with the chain. Throws IngestError. */
async function obstaclesTo({ manifest, entries }: SnapshotCase, rpc: Rpc): Promise<readonly Finding[]> {
  const subject = `manifest of ${manifest.snapshot_id}`
  if (manifest.rules_version !== RULES_VERSION) {
    return [unknown(subject, otherRules(manifest.rules_version, RULES_VERSION))]
  }
  const end = entries.at(-1)
  if (end && end.minute !== manifest.minute) {
    const description = `minute ${manifest.minute} is not the one that entry ${manifest.log_position} of the log leaves last, ${end.minute}`
    return [different(subject, description)]
  }
  if (end && end.last.hash !== manifest.block_hash) {
    return [different(subject, `block_hash: published ${manifest.block_hash}, the log says ${end.last.hash}`)]
  }
  return checkBlock(manifest, rpc)
}

/**
 * The engine as of a minute of a history. Each call advances the same engine: ask for minutes in ascending order, and use
 * one before asking for the next. `onMinute` is called after each minute that is folded, and now and then besides.
 */
function enginesOf(history: History, onMinute: () => void): (minute: Minute) => Promise<Engine> {
  const { entries, read, checkpoint } = history
  const log = {
    async *entriesAfter(n: number) {
      yield* entries.filter((entry) => entry.n > n)
    },
    async *entriesBefore(n: number) {
      yield* entries.filter((entry) => entry.n < n).toReversed()
    },
  }
  const isOver = () => {
    onMinute()
    return false
  }
  const bucket = openMemoryBucket()
  let engine = checkpoint
  return async (minute) => {
    const to = entries.findLast((entry) => entry.minute <= minute)?.n ?? checkpoint?.n ?? 0
    engine = await followLog(engine, { log, bucket, read, to, isOver })
    return engine
  }
}
