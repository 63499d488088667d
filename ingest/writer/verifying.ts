import type { Table } from '../../store/aws/table.ts'
import { type GapStore, openGapStore } from '../../store/published/stored-status.ts'
import { type SpanVerdict, type Unverified, verifyMinutes } from '../proof/verification.ts'

/** Sealed minutes of the last `reachSeconds` are read again every `everySeconds` of chain time. */
export type RecheckRule = {
  readonly name: string
  readonly everySeconds: number
  readonly reachSeconds: number
}

/** How a writer makes sure that its minutes are complete. */
export type Verification = {
  /** Verifies minutes that were read. Throws IngestError. */
  verify(unverified: Unverified): Promise<SpanVerdict>
  /** Where a gap that no endpoint can close is stored for v1/status. */
  readonly gaps: GapStore
  readonly rechecks: readonly RecheckRule[]
  /** First pause (ms) before a gap is retried; it doubles up to a limit. */
  readonly retryMs: number
  /** How long (ms) a single endpoint must keep reporting no logs, where there usually are many, to be believed. */
  readonly quietMs: number
}

/** Short omissions are found within minutes, long ones within a day. */
const RECHECKS = [
  { name: 'newest', everySeconds: 300, reachSeconds: 900 },
  { name: 'day', everySeconds: 43_200, reachSeconds: 86_400 },
] as const satisfies readonly RecheckRule[]

const RETRY_MS = 2_000
const QUIET_MS = 30_000

/** Verification against all endpoints and the stored state. */
export const openVerification = (
  table: Table,
  { retryMs = RETRY_MS, quietMs = QUIET_MS }: Partial<Pick<Verification, 'retryMs' | 'quietMs'>> = {},
): Verification => ({
  verify: (unverified) => verifyMinutes(unverified, table),
  gaps: openGapStore(table),
  rechecks: RECHECKS,
  retryMs,
  quietMs,
})

/** No verification: the answers of one endpoint are sealed. */
export const noVerification: Verification = {
  verify: async ({ first }) => ({ is: 'verified', blocks: first, incomplete: [] }),
  gaps: { read: async () => undefined, put: async () => {} },
  rechecks: [],
  retryMs: 0,
  quietMs: 0,
}
