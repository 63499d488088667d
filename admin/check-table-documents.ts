import { builders, factsOf, storedDocuments } from '../snapshot/documents.ts'
import type { DocumentStore } from '../store/documents.ts'
import { mapParallel } from '../store/parallel.ts'
import { firstDifference } from './difference.ts'
import { different, type Finding } from './finding.ts'
import type { Rebuilt } from './rebuilt.ts'

const PARALLEL_READS = 8

/** What the tables still have of a snapshot, and where it differs: what parameterised answers are cut from. */
export async function checkTableDocuments(
  { snapshot }: Rebuilt,
  store: DocumentStore,
): Promise<{ readonly checked: number; readonly findings: readonly Finding[] }> {
  const { id, n, minute } = factsOf(snapshot)
  const results = await mapParallel(storedDocuments, PARALLEL_READS, async ({ name, operation, axes }) => {
    const stored = await store.readDocument(name, minute)
    if (stored?.snapshot.n !== n) return null
    const { text, whole = text } = builders[operation](snapshot, axes)
    const found = firstDifference(stored.text, whole)
    if (!found) return []
    const says = `${found.where}: stored ${found.published}, rebuilt ${found.rebuilt}`
    return [different(`table document ${name} of ${id}`, says)]
  })
  const checked = results.filter((one) => one !== null)
  return { checked: checked.length, findings: checked.flat() }
}
