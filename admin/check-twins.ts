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
  const results = await mapParallel(twins, PARALLEL_READS, async ({ name, text }) => {
    const stored = await store.readDocument(name, minute)
    if (stored?.snapshot.n !== n) return null
    const found = firstDifference(rowsByKey(stored.text), rowsByKey(text(snapshot, builders)))
    if (!found) return []
    const says = `${found.where}: stored ${found.published}, rebuilt ${found.rebuilt}`
    return [different(`table document ${name} of ${id}`, says)]
  })
  const checked = results.filter((one) => one !== null)
  return { checked: checked.length, findings: checked.flat() }
}

/** A pool of rows says each key once: for the eye, every row is given its keys. Another text stays. */
function rowsByKey(text: string): string {
  const pool = parsedPool(text)
  if (!pool) return text
  const rows = pool.rows.map((cells) => Object.fromEntries(pool.keys.map((key, at) => [key, cells[at]])))
  return JSON.stringify({ ...pool, rows })
}

type Pool = { readonly keys: readonly string[]; readonly rows: readonly (readonly string[])[] }

function parsedPool(text: string): Pool | null {
  try {
    const pool = JSON.parse(text) as Partial<Pool> | null
    return pool && Array.isArray(pool.keys) && Array.isArray(pool.rows) ? (pool as Pool) : null
  } catch {
    return null
  }
}
