import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { openRpc, type Rpc } from '../../ingest/client/rpc.ts'
import type { Address, Minute } from '../../market/segment.ts'
import { allOf } from '../../store/aws/parallel.ts'
import {
  type CommandCall,
  type CommandGroup,
  commandOf,
  countFrom,
  type ExitCode,
  minuteFrom,
  sayResult,
  urlsFrom,
} from '../base/command.ts'
import { manifestOf, newestManifests, openStores, type ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'
import {
  checkCopy,
  checkDocuments,
  checkManifest,
  checkTableDocuments,
  type PublishedDocuments,
  readKept,
  readPublished,
} from './check-documents.ts'
import { caseOf, checkEntries, checkStored, obstaclesTo, type SnapshotCase } from './check-log.ts'
import { checkRows, checkStates } from './check-tables.ts'
import {
  exitCodeOf,
  type Finding,
  linesOf,
  type SnapshotVerdict,
  type Verdict,
  wordOfCode,
} from './finding.ts'
import {
  checkpointNamed,
  enginesOf,
  type History,
  type NamedCheckpoint,
  reindexChain,
  reindexFromCheckpoint,
} from './reindex.ts'
import { rebuiltFrom, saveRebuilt } from './repair.ts'

type VerifyFlags = {
  readonly last: number
  readonly rpcUrl?: readonly string[]
  readonly checkpoint?: string
  readonly into?: string
  /** The newest minute that the kept snapshot may be of. */
  readonly asOf?: Minute
}

const verifyCommand = commandOf<VerifyFlags>({
  usage: 'verify [snapshot-ids...]',
  description:
    "Rebuilds published snapshots from the chain's own logs, and compares every segment, every document, and the tokens' states and rows in the tables.",
  options: [
    new Option('--last <count>', 'without ids: how many of the newest snapshots')
      .argParser(countFrom)
      .default(5),
    new Option(
      '--rpc-url <url>',
      "the chain's endpoint (repeatable: a fallback); else the service's own",
    ).argParser(urlsFrom),
    new Option(
      '--checkpoint <key>',
      "begin from this checkpoint of the engine, or from the 'newest', instead of the chain's first block",
    ),
    new Option(
      '--as-of <time>',
      'the snapshot that answers as_of with this time, with its documents as they are kept; a time such as 2026-01-31T12:00Z',
    ).argParser(minuteFrom),
    new Option(
      '--into <dir>',
      'where the rebuilt documents are written; default: a temporary directory, and only those of a snapshot that differs',
    ),
  ],
  run: runVerify,
})

async function runVerify(call: CommandCall<VerifyFlags>): Promise<ExitCode> {
  const { options, progress } = call
  const ids = (call.args[0] ?? []) as readonly string[]
  if (ids.length > 0 && options.asOf !== undefined)
    throw new OperatorFault(
      'InvalidCommand',
      '--as-of names a snapshot of its own: leave out the ids, or --as-of',
    )
  const deployment = await call.deployment()
  const stores = await openStores(deployment)
  const urls = options.rpcUrl ?? deployment.rpcUrls
  if (urls.length === 0)
    throw new OperatorFault(
      'NoRpcUrl',
      "the chain's endpoint is not known: name it with --rpc-url or, with --aws, in RPC_URLS",
    )
  const rpc = openRpc(urls, { chainId: stores.chain.id })
  let into = options.into
  const directoryFor = async (id: string, isEqual: boolean) => {
    if (isEqual && options.into === undefined) return null
    into ??= await mkdtemp(join(tmpdir(), 'z100-verify-'))
    return join(into, id)
  }
  const verdict = await verify({ stores, rpc, progress, directoryFor }, ids, options)
  const code = exitCodeOf([...verdict.findings, ...verdict.snapshots.flatMap(({ findings }) => findings)])
  const lines = [...linesOf(verdict, code), ...(into === undefined ? [] : [`rebuilt documents: ${into}`])]
  sayResult(call, { result: wordOfCode[code], ...verdict, into: into ?? null }, ...lines)
  return code
}

/** Inputs of a verification. */
type Verifying = {
  readonly stores: ServiceStores
  readonly rpc: Rpc
  readonly progress: CommandCall['progress']
  /** Where the rebuilt documents of a snapshot are written; null: nowhere. */
  readonly directoryFor: (snapshotId: string, isEqual: boolean) => Promise<string | null>
}

/**
 * Rebuilds published snapshots (those of `ids`, or else the `last`) from the chain's own logs, and compares the log's
 * segments and every document with them. Writes nothing to the service. Throws what reading the stores or the chain throws.
 */
async function verify(
  by: Verifying,
  ids: readonly string[],
  { last, checkpoint: wanted, asOf }: VerifyFlags,
): Promise<Verdict> {
  const { stores, rpc } = by
  const past = asOf === undefined ? null : await readKept(stores, asOf)
  const published = past ?? (await readPublished(stores))
  const chosen = past
    ? [past.manifest]
    : ids.length === 0
      ? await newestManifests(published.manifest, last, stores)
      : await Promise.all([...new Set(ids)].map((id) => manifestOf(id, stores)))
  const manifests = chosen.toSorted((a, b) => a.log_position - b.log_position)
  const checkpoint =
    wanted === undefined ? undefined : await checkpointNamed(wanted, manifests[0]?.log_position ?? 0, stores)
  const entries = await allOf(stores.log.entriesAfter(checkpoint?.name.n ?? 0))
  const corrections = checkpoint?.engine.corrections ?? 0
  const snapshots: SnapshotVerdict[] = []
  const comparable: SnapshotCase[] = []
  for (const manifest of manifests) {
    const one = caseOf(manifest, entries, corrections)
    const findings = await obstaclesTo(one, rpc)
    if (findings.length === 0) comparable.push(one)
    else snapshots.push({ id: manifest.snapshot_id, documents: 0, tableDocuments: 0, findings })
  }
  const newest = comparable.at(-1)
  const copy = past ? past.findings : await checkCopy(published, stores)
  if (!newest) return { snapshots, minutes: 0, findings: copy, rows: 0, unverified: 0 }
  const recorded: Address[] = []
  const onRecorded = (token: Address) => recorded.push(token)
  const history = await reindex(by, newest, { checkpoint, onRecorded })
  const log = await checkLog(by, comparable, { newest, history })
  snapshots.push(...(await compareAll(by, comparable, { published, history })))
  const rows = await checkRows(stores.table, history, Math.floor(Date.now() / 1_000))
  const findings = [...copy, ...log, ...(await checkStates(stores.table, history)), ...rows.findings]
  return {
    snapshots,
    minutes: history.entries.length,
    findings,
    rows: rows.checked,
    unverified: recorded.length,
  }
}

async function reindex(
  { stores, rpc, progress }: Verifying,
  { manifest, entries }: SnapshotCase,
  begun: { readonly checkpoint: NamedCheckpoint | undefined; readonly onRecorded: (token: Address) => void },
): Promise<History> {
  const { checkpoint, onRecorded } = begun
  const { chain } = stores
  if (checkpoint) return reindexFromCheckpoint(stores, { rpc, chain, checkpoint, to: manifest.log_position })
  const from = entries[0]?.firstBlock ?? chain.creationsFrom
  const to = manifest.block_number
  const total = to - from + 1
  const onBlock = (block: number) =>
    progress.step('reading the chain again: blocks', Math.min(block - from + 1, total), total)
  return reindexChain({ rpc, chain, from, to, onBlock, recorded: stores.log, onRecorded })
}

async function checkLog(
  { stores: { log }, progress }: Verifying,
  comparable: readonly SnapshotCase[],
  { newest, history }: { readonly newest: SnapshotCase; readonly history: History },
): Promise<readonly Finding[]> {
  let read = 0
  const stored = await checkStored(log, newest.entries, () => {
    read += 1
    progress.step('reading the stored segments', read, newest.entries.length)
  })
  const claims = comparable.flatMap(({ manifest, entries }) => {
    const made = history.entries.filter(({ minute }) => minute <= manifest.minute)
    return checkEntries(entries, made)
  })
  // Snapshots have most of their minutes in common.
  const each = new Map([...claims, ...stored].map((finding) => [JSON.stringify(finding), finding]))
  return [...each.values()]
}

async function compareAll(
  { stores, progress, directoryFor }: Verifying,
  cases: readonly SnapshotCase[],
  { published, history }: { readonly published: PublishedDocuments; readonly history: History },
): Promise<readonly SnapshotVerdict[]> {
  let folded = 0
  const engineAt = enginesOf(history, () => {
    folded += 1
    progress.step('folding minutes', Math.min(folded, history.entries.length), history.entries.length)
  })
  const verdicts: SnapshotVerdict[] = []
  for (const { manifest, corrections } of cases) {
    const { log_position, log_switches, chain, code_version, snapshot_id: id } = manifest
    const facts = {
      ...{ log_position, log_switches, corrections, code_version },
      chain: chain && stores.chain.name,
    }
    const rebuilt = await rebuiltFrom(await engineAt(manifest.minute), facts)
    const isInForce = published.isInForce && published.manifest.snapshot_id === id
    const claimed = { manifest, documents: published.documents, isInForce }
    const stored = await checkTableDocuments(rebuilt, stores)
    const findings = [
      ...checkManifest(claimed, rebuilt),
      ...checkDocuments(claimed, rebuilt),
      ...stored.findings,
    ]
    const dir = await directoryFor(id, findings.length === 0)
    if (dir !== null) await saveRebuilt(rebuilt, dir)
    verdicts.push({ id, documents: rebuilt.documents.size, tableDocuments: stored.checked, findings })
  }
  return verdicts
}

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'Proof of what is published', commands: [verifyCommand] },
]
