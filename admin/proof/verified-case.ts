import { effectiveEntries, type LogEntry, type SealedEntry } from '../../market/log.ts'
import type { Manifest } from '../../schemas/api/service.ts'

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
