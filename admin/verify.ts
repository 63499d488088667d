import type { Rpc } from '../ingest/rpc.ts'
import type { LogEntry } from '../market/segment.ts'
import type { Manifest } from '../schemas/service.ts'
import { type Case, caseOf, doubtsOf } from './case.ts'
import { checkDocuments, checkManifest } from './check-documents.ts'
import { checkEntries, checkStored } from './check-log.ts'
import { checkTableDocuments } from './check-table-documents.ts'
import { checkpointNamed, type NamedCheckpoint, replayFromCheckpoint } from './checkpoint-replay.ts'
import { enginesOf } from './engines.ts'
import type { Finding } from './finding.ts'
import type { Progress } from './progress.ts'
import { checkCopy, type Published, readPublished } from './published.ts'
import { rebuiltFrom, saveRebuilt } from './rebuilt.ts'
import { type History, replayChain } from './replay.ts'
import type { ServiceStores } from './stores.ts'

/** What is proved, against which chain. */
export type VerifyOptions = {
  readonly rpc: Rpc
  /** The manifests to prove, at least one, of what is published at this moment. */
  readonly select: (published: Published) => Promise<readonly Manifest[]>
  /** Key of the checkpoint to begin from, or `newest`; undefined: from the log's first block. */
  readonly checkpoint: string | undefined
  /** Where the rebuilt documents of each snapshot go. */
  readonly directoryOf: (snapshotId: string) => string
  readonly progress: Progress
}

/** What was compared, and what was found. */
export type Verdict = {
  /** Oldest first. */
  readonly snapshots: readonly SnapshotVerdict[]
  /** Minutes of the chain that were read again. */
  readonly minutes: number
  /** Of the log, its segments and the manifest in force. */
  readonly findings: readonly Finding[]
}

/** Of one snapshot; `documents` and `tableDocuments` are how many were compared. */
export type SnapshotVerdict = {
  readonly id: string
  readonly documents: number
  readonly tableDocuments: number
  readonly findings: readonly Finding[]
}

/**
 * Makes published snapshots again from the chain's own logs, and compares the log's segments and every document with what
 * comes out. Changes nothing of the service's. Throws what reading the stores or the chain throws.
 */
export async function verify(stores: ServiceStores, options: VerifyOptions): Promise<Verdict> {
  const published = await readPublished(stores)
  const manifests = [...(await options.select(published))].sort((a, b) => a.log_position - b.log_position)
  const checkpoint =
    options.checkpoint === undefined
      ? undefined
      : await checkpointNamed(options.checkpoint, manifests[0]?.log_position ?? 0, stores)
  const part = {
    entries: await entriesAfter(stores, checkpoint?.name.n ?? 0),
    correctionsBefore: checkpoint?.engine.corrections ?? 0,
  }
  const cases = manifests.map((manifest) => caseOf(manifest, part))
  const snapshots: SnapshotVerdict[] = []
  const sound: Case[] = []
  for (const one of cases) {
    const findings = await doubtsOf(one, options.rpc)
    if (findings.length === 0) sound.push(one)
    else snapshots.push({ id: one.manifest.snapshot_id, documents: 0, tableDocuments: 0, findings })
  }
  const newest = sound.at(-1)
  const copy = await checkCopy(published, stores)
  if (!newest) return { snapshots, minutes: 0, findings: copy }
  const history = await replay(stores, { ...options, newest, checkpoint })
  const log = await checkLog(stores, { sound, newest, history, progress: options.progress })
  snapshots.push(...(await proveAll(sound, { stores, options, published, history })))
  return { snapshots, minutes: history.entries.length, findings: [...copy, ...log] }
}

async function entriesAfter({ log }: ServiceStores, n: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const entry of log.entriesAfter(n)) entries.push(entry)
  return entries
}

async function replay(
  stores: ServiceStores,
  of: Pick<VerifyOptions, 'rpc' | 'progress'> & {
    readonly newest: Case
    readonly checkpoint: NamedCheckpoint | undefined
  },
): Promise<History> {
  const { rpc, progress, newest, checkpoint } = of
  const { chain } = stores
  const { manifest, entries } = newest
  if (checkpoint) return replayFromCheckpoint(stores, { rpc, chain, checkpoint, to: manifest.log_position })
  const from = entries[0]?.firstBlock ?? chain.creationsFrom
  const to = manifest.block_number
  const total = to - from + 1
  const onBlock = (block: number) =>
    progress.step('reading the chain again: blocks', Math.min(block - from + 1, total), total)
  return replayChain({ rpc, chain, from, to, onBlock })
}

async function checkLog(
  { log }: ServiceStores,
  of: {
    readonly sound: readonly Case[]
    readonly newest: Case
    readonly history: History
    readonly progress: Progress
  },
): Promise<readonly Finding[]> {
  const { sound, newest, history, progress } = of
  let read = 0
  const stored = await checkStored(log, newest.entries, () => {
    read += 1
    progress.step('reading the stored segments', read, newest.entries.length)
  })
  const claims = sound.flatMap(({ manifest, entries }) =>
    checkEntries(
      entries,
      history.entries.filter(({ minute }) => minute <= manifest.minute),
    ),
  )
  // Snapshots have most of their minutes in common.
  const each = new Map([...claims, ...stored].map((finding) => [JSON.stringify(finding), finding]))
  return [...each.values()]
}

async function proveAll(
  cases: readonly Case[],
  of: {
    readonly stores: ServiceStores
    readonly options: VerifyOptions
    readonly published: Published
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
    await saveRebuilt(rebuilt, options.directoryOf(id))
    const isInForce = published.manifest.snapshot_id === id
    const claimed = { manifest, documents: published.documents, isInForce }
    const stored = await checkTableDocuments(rebuilt, stores.documents)
    verdicts.push({
      id,
      documents: rebuilt.documents.size,
      tableDocuments: stored.checked,
      findings: [...checkManifest(claimed, rebuilt), ...checkDocuments(claimed, rebuilt), ...stored.findings],
    })
  }
  return verdicts
}
