import { readHeader } from '../../ingest/client/headers.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import { effectiveEntries, type LogEntry, type SealedEntry } from '../../market/log.ts'
import { FOLD_VERSION, RULES_VERSION } from '../../market/rules.ts'
import type { Minute } from '../../market/segment.ts'
import { LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { type LogStore, SegmentDigestError, SegmentMissingError } from '../../store/log/log.ts'
import { shortDigest } from './difference.ts'
import { different, type Finding, unknown } from './finding.ts'
import { PARALLEL_READS } from './reindex.ts'

/** A manifest, and the minutes of the log that its snapshot was built from. */
export type SnapshotCase = {
  readonly manifest: Manifest
  /** Oldest first; after the checkpoint where there is one. */
  readonly entries: readonly SealedEntry[]
  /** Corrections among the log's entries up to there. */
  readonly corrections: number
}

/** `entries` of the log, oldest first, after `correctionsBefore`. */
export function caseOf(
  manifest: Manifest,
  entries: readonly LogEntry[],
  correctionsBefore: number,
): SnapshotCase {
  const until = entries.filter(({ n }) => n <= manifest.log_position)
  const omissions = until.filter((entry) => entry.is === 'rewound' && entry.cause === 'omission')
  const corrections = correctionsBefore + omissions.length
  return { manifest, entries: effectiveEntries(until), corrections }
}

/** Findings that rule out comparing a snapshot with the chain. Throws IngestError. */
export async function obstaclesTo(
  { manifest, entries }: SnapshotCase,
  rpc: Rpc,
): Promise<readonly Finding[]> {
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

/** Why nothing is compared that was made by other rules than this code's: ingest folds it again first. */
const otherRules = (version: number, own: number): string =>
  `it was made by version ${version} of the rules, and this code has version ${own}`

/** Whether the chain still has the block that a snapshot ends with. Throws IngestError. */
async function checkBlock(
  { snapshot_id, block_number, block_hash }: Manifest,
  rpc: Rpc,
): Promise<readonly Finding[]> {
  const found = (await readHeader(rpc, block_number))?.hash
  if (found === block_hash) return []
  const description = `block ${block_number} ${block_hash} is not on the endpoint's chain, which has ${found ?? 'none there'}: a reorg replaced it, or the endpoint is of another chain`
  return [unknown(snapshot_id, description)]
}

/** Where the log's minutes (in force at one place of it, oldest first) are not those that the chain gives. */
export function checkEntries(
  claimed: readonly SealedEntry[],
  made: readonly SealedEntry[],
): readonly Finding[] {
  const truth = new Map(made.map((entry) => [entry.minute, entry]))
  const known = new Set(claimed.map(({ minute }) => minute))
  const wrong = claimed.flatMap((entry) => {
    const own = truth.get(entry.minute)
    const subject = entry.segment.key
    if (!own) return [different(subject, `minute ${entry.minute} is in the log and not on the chain`)]
    if (own.last.hash !== entry.last.hash || own.firstBlock !== entry.firstBlock) {
      const blocks = ({ firstBlock, last }: SealedEntry) => `${firstBlock} to ${last.number} ${last.hash}`
      return [different(subject, `blocks: the log says ${blocks(entry)}, the chain has ${blocks(own)}`)]
    }
    const { rules = 1 } = entry
    if (rules !== FOLD_VERSION) return [unknown(subject, otherRules(rules, FOLD_VERSION))]
    if (own.segment.sha256 === entry.segment.sha256) return []
    return [
      different(
        subject,
        `minute ${entry.minute}: the log says ${shortDigest(entry.segment.sha256)}, the chain gives ${shortDigest(own.segment.sha256)}`,
      ),
    ]
  })
  const lacking = made.filter(({ minute }) => !known.has(minute))
  return [
    ...wrong,
    ...lacking.map(({ minute }) => different(`minute ${minute}`, 'is on the chain and not in the log')),
  ]
}

/** Stored segments without the digest that the log names. One that is older than every window may be missing. */
export async function checkStored(
  log: LogStore,
  entries: readonly SealedEntry[],
  onRead: () => void,
): Promise<readonly Finding[]> {
  const oldest = (entries.at(-1)?.minute ?? 0) - LONGEST_WINDOW_MINUTES
  const findings = await mapParallel(entries, PARALLEL_READS, async ({ minute, segment }) => {
    const fault = await log.readSegment(segment).then(
      () => null,
      (error: unknown) => error,
    )
    onRead()
    return fault ? faultOfSegment(fault, minute < oldest, { minute, key: segment.key }) : []
  })
  return findings.flat()
}

function faultOfSegment(fault: unknown, isPast: boolean, entry: { minute: Minute; key: string }): Finding[] {
  if (fault instanceof SegmentMissingError) {
    return isPast ? [] : [different(entry.key, `the segment of minute ${entry.minute} is not stored`)]
  }
  if (fault instanceof SegmentDigestError) {
    const description = `the stored bytes of minute ${entry.minute} do not have the digest that the log names`
    return [different(entry.key, description)]
  }
  throw fault
}
