import { cellsIn, poolFrom } from '../schemas/row-pool.ts'
import { objectsFrom } from '../schemas/stored-objects.ts'
import { builders } from '../snapshot/documents.ts'
import { factsOf, twins } from '../snapshot/twins.ts'
import type { DocumentStore } from '../store/documents.ts'
import { mapParallel } from '../store/parallel.ts'
import { firstDifference } from './difference.ts'
import { different, type Finding } from './finding.ts'
import type { Rebuilt } from './rebuilt.ts'

const PARALLEL_READS = 8

/** What the tables still have of a snapshot, and where it differs: what parameterised answers are cut from. */
export async function checkTwins(
  { snapshot }: Rebuilt,
  store: DocumentStore,
): Promise<{ readonly checked: number; readonly findings: readonly Finding[] }> {
  const { id, n, minute } = factsOf(snapshot)
  const results = await mapParallel(twins, PARALLEL_READS, async ({ name, holds, text }) => {
    const stored = await store.readDocument(name, minute)
    if (stored?.snapshot.n !== n) return null
    const rebuilt = text(snapshot, builders)
    if (stored.text === rebuilt) return []
    const spell = spelled[holds]
    const found =
      firstDifference(readable(stored.text, spell), readable(rebuilt, spell)) ??
      firstDifference(stored.text, rebuilt)
    if (!found) return []
    const says = `${found.where}: stored ${found.published}, rebuilt ${found.rebuilt}`
    return [different(`table document ${name} of ${id}`, says)]
  })
  const checked = results.filter((one) => one !== null)
  return { checked: checked.length, findings: checked.flat() }
}

/** What the tables hold is put together for machines; for the eye, a row is given its keys, and an object is told in full. */
const spelled = {
  rows: (text: string) => {
    const { keys, rows, ...orders } = poolFrom(text)
    const spelledOut = rows.map((row) =>
      Object.fromEntries(cellsIn(row).map((cell, at) => [keys[at] ?? at, cell])),
    )
    return JSON.stringify({ rows: spelledOut, ...orders })
  },
  objects: (text: string) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(objectsFrom(text)).map(([name, object]) => [name, JSON.parse(object) as unknown]),
      ),
    ),
} as const

/** Text that is no longer what it was put as stays as it is. */
function readable(text: string, spell: (text: string) => string): string {
  try {
    return spell(text)
  } catch {
    return text
  }
}
