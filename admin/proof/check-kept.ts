import {
  builders,
  type Snapshot,
  screenedMarketOf,
  snapshotInfoOf,
  storedDocuments,
} from '../../snapshot/publish/documents.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { openScreened, writeScreened } from '../../store/published/screened.ts'
import type { ServiceStores } from '../base/deployment.ts'
import { different, type Finding, PARALLEL_READS } from './check.ts'
import { firstDifference } from './difference.ts'
import type { Rebuilt } from './repair.ts'

/**
 * Compares what parameterised answers are cut from, as far as it is kept: a snapshot's documents in the tables, and its
 * screened tokens in the bucket.
 */
export async function checkTableDocuments(
  { snapshot }: Rebuilt,
  { documents: store, published }: Pick<ServiceStores, 'documents' | 'published'>,
): Promise<{ readonly checked: number; readonly findings: readonly Finding[] }> {
  const { id, n, minute } = snapshotInfoOf(snapshot)
  const results = await mapParallel(
    storedDocuments,
    PARALLEL_READS,
    async ({ name, operation, parameterValues }) => {
      const stored = await store.readDocument(name, minute)
      if (stored?.snapshot.n !== n) return null
      const { text, whole = text } = builders[operation](snapshot, parameterValues)
      const found = firstDifference(stored.text, whole)
      if (!found) return []
      const description = `${found.where}: stored ${found.published}, rebuilt ${found.rebuilt}`
      return [different(`table document ${name} of ${id}`, description)]
    },
  )
  const checked = [...results, await checkScreened(snapshot, published)].filter((one) => one !== null)
  return { checked: checked.length, findings: checked.flat() }
}

async function checkScreened(
  snapshot: Snapshot,
  published: ServiceStores['published'],
): Promise<readonly Finding[] | null> {
  const { id, minute } = snapshotInfoOf(snapshot)
  const stored = await openScreened(published).read(minute)
  if (stored?.snapshot.id !== id) return null
  const found = firstDifference(
    Buffer.from(stored.bytes).toString(),
    Buffer.from(writeScreened(screenedMarketOf(snapshot))).toString(),
  )
  if (!found) return []
  const description = `${found.where}: stored ${found.published}, rebuilt ${found.rebuilt}`
  return [different(`the screened tokens of ${id}`, description)]
}
