/** What a verification found, and how it is said. */

import type { ExitCode } from '../base/command.ts'

/** A result of verify: something differs from what the chain gives, or could not be compared (`unknown`). */
export type Finding = {
  readonly is: 'different' | 'unknown'
  /** The document, segment, manifest field or snapshot it is about. */
  readonly subject: string
  readonly description: string
}

/** A finding that something differs. */
export const different = (subject: string, description: string): Finding => ({
  is: 'different',
  subject,
  description,
})

/** A finding that something could not be compared. */
export const unknown = (subject: string, description: string): Finding => ({
  is: 'unknown',
  subject,
  description,
})

/** One finding that something differs, described by `description`; none where that is null or empty. */
export const foundIf = (subject: string, description: string | null | undefined): readonly Finding[] =>
  description ? [different(subject, description)] : []

/** 1 when anything differs, else 2 when anything could not be compared, else 0. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ is }) => is === 'different')) return 1
  return findings.length > 0 ? 2 : 0
}

/** The compared snapshots and the differences found. */
export type Verdict = {
  /** Oldest first. */
  readonly snapshots: readonly SnapshotVerdict[]
  /** Minutes of the chain that were read again. */
  readonly minutes: number
  /** Of the log, its segments, the states of tokens in the tables, and the manifest in force. */
  readonly findings: readonly Finding[]
  /** Rows of minutes, hours and days in the tables that were compared. */
  readonly rows: number
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

/** Findings that are printed in full; the rest are counted. */
const SHOWN = 8

/** The word for an exit code. */
export const wordOfCode: Readonly<Record<ExitCode, string>> = { 0: 'equal', 1: 'different', 2: 'unknown' }

/** A verdict for people. */
export function* linesOf(
  { snapshots, minutes, findings, rows, unverified }: Verdict,
  code: ExitCode,
): Generator<string> {
  if (minutes > 0)
    yield `${minutes} minutes of the chain read again; the log and its segments: ${wordOf(findings)}`
  yield* shown(findings)
  if (rows > 0) yield `${rows} rows of minutes, hours and days in the tables compared`
  if (unverified > 0)
    yield `${unverified} tokens are older than the log; their state at its start is taken from the service, as no endpoint keeps state that old`
  for (const { id, documents, tableDocuments, findings: own } of snapshots) {
    const counts = documents === 0 ? '' : ` (${documents} documents, ${tableDocuments} of the tables)`
    yield `${id}: ${wordOf(own)}${counts}`
    yield* shown(own)
  }
  yield wordOfCode[code]
}

const wordOf = (findings: readonly Finding[]): string => wordOfCode[exitCodeOf(findings)] ?? ''

function* shown(findings: readonly Finding[]): Generator<string> {
  for (const { is, subject, description } of findings.slice(0, SHOWN))
    yield `  ${is}: ${subject}: ${description}`
  if (findings.length > SHOWN) yield `  and ${findings.length - SHOWN} more`
}
