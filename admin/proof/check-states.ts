import type { SealedEntry } from '../../market/log.ts'
import { type Address, type Minute, stateNames } from '../../market/segment.ts'
import type { SegmentReader } from '../../snapshot/engine/follow.ts'
import { chunked } from '../../store/aws/parallel.ts'
import type { Reads } from '../../store/aws/table.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import type { Now } from '../../store/items/rows.ts'
import { readCurrent } from '../../store/items/tokens.ts'
import { different, type Finding } from './check.ts'

/** Tokens per read. */
const TOKENS_AT_ONCE = 50

type Row = SegmentStates['rows'][number]

/**
 * Tokens that the rebuilt minutes touched whose description or newest state in the tables is missing, or is not that of
 * the chain. States of later minutes are left out: the service goes on meanwhile.
 */
export async function checkStates(
  table: Reads,
  { entries, read }: { readonly entries: readonly SealedEntry[]; readonly read: SegmentReader },
): Promise<readonly Finding[]> {
  const last = new Map<Address, Row>()
  for (const { segment } of entries) for (const row of (await read(segment)).rows) last.set(row.token, row)
  const findings: Finding[] = []
  const end = entries.at(-1)?.minute ?? 0
  for (const some of chunked([...last], TOKENS_AT_ONCE)) {
    const { tokens, nows } = await readCurrent(
      table,
      some.map(([token]) => token),
    )
    for (const [token, row] of some) {
      const fault = tokens.has(token) ? faultOf(row, nows.get(token), end) : 'the tables do not describe it'
      if (fault) findings.push(different(`token ${token}`, fault))
    }
  }
  return findings
}

function faultOf({ after }: Row, now: Now | undefined, end: Minute): string | undefined {
  if (!now) return 'it is described, but the tables have no state of it'
  if (now.minute !== null && now.minute > end) return undefined
  const name = stateNames.find((one) => now.state[one] !== after[one])
  return name && `${name}: stored ${now.state[name]}, rebuilt ${after[name]}`
}
