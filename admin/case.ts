import type { Rpc } from '../ingest/rpc.ts'
import { effectiveEntries, type SealedEntry } from '../market/log.ts'
import { RULES_VERSION } from '../market/rules.ts'
import type { LogEntry } from '../market/segment.ts'
import type { Manifest } from '../schemas/service.ts'
import { checkBlock, OtherRulesError } from './check-log.ts'
import { different, type Finding, unknown } from './finding.ts'

/** A snapshot to be proved: what its manifest says, and what the log had in force at its place. */
export type Case = {
  readonly manifest: Manifest
  /** Minutes in force, oldest first; after the checkpoint where there is one. */
  readonly entries: readonly SealedEntry[]
  /** Corrections among the log's entries up to there. */
  readonly corrections: number
}

/** Part of the log: its entries, oldest first, and what stood before them. */
export type LogPart = { readonly entries: readonly LogEntry[]; readonly correctionsBefore: number }

/** A manifest beside the log. */
export function caseOf(manifest: Manifest, { entries, correctionsBefore }: LogPart): Case {
  const until = entries.filter(({ n }) => n <= manifest.log_position)
  const omissions = until.filter((entry) => entry.is === 'rewound' && entry.cause === 'omission')
  return {
    manifest,
    entries: effectiveEntries(until),
    corrections: correctionsBefore + omissions.length,
  }
}

/** Why a case cannot be held against the chain; none: it can. Throws IngestError. */
export async function doubtsOf({ manifest, entries }: Case, rpc: Rpc): Promise<readonly Finding[]> {
  const subject = `manifest of ${manifest.snapshot_id}`
  if (manifest.rules_version !== RULES_VERSION) {
    return [unknown(subject, new OtherRulesError(manifest.rules_version))]
  }
  const end = entries.at(-1)
  if (end && end.minute !== manifest.minute) {
    const says = `minute ${manifest.minute} is not the one that entry ${manifest.log_position} of the log leaves last, ${end.minute}`
    return [different(subject, says)]
  }
  if (end && end.last.hash !== manifest.block_hash) {
    return [different(subject, `block_hash: published ${manifest.block_hash}, the log says ${end.last.hash}`)]
  }
  return checkBlock(manifest, rpc)
}
