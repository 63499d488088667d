import type { Manifest } from '../schemas/service.ts'
import { builders } from '../snapshot/documents.ts'
import { factsOf, twins } from '../snapshot/twins.ts'
import type { DocumentStore } from '../store/documents.ts'
import { mapParallel } from '../store/parallel.ts'
import { firstDifference, short } from './difference.ts'
import { different, type Finding } from './finding.ts'
import type { StoredText } from './published.ts'
import type { Rebuilt } from './rebuilt.ts'

const PARALLEL_READS = 8

/** A published snapshot: its manifest, and those of its documents that are still stored. */
export type Claimed = {
  readonly manifest: Manifest
  readonly documents: ReadonlyMap<string, StoredText>
  /** The documents are those in force: each must be stored with the manifest's digest. */
  readonly isInForce: boolean
}

/** What no manifest can be compared in: each document's own history, and who built it. */
type Comparable = Omit<Manifest, 'documents' | 'code_version' | 'unpublished'>

/** Where a manifest says something else than what its minute gives. */
export function checkManifest({ manifest }: Claimed, rebuilt: Rebuilt): readonly Finding[] {
  const { documents: _, code_version: __, unpublished: ___, ...fields } = rebuilt.manifest
  const names = Object.keys(fields) as (keyof Comparable)[]
  return names
    .filter((name) => manifest[name] !== fields[name])
    .map((name) =>
      different(
        `manifest of ${manifest.snapshot_id}`,
        `${name}: published ${manifest[name]}, rebuilt ${fields[name]}`,
      ),
    )
}

/** Documents whose digest is not that of the rebuilt bytes or, where they are in force, whose stored bytes are not. */
export function checkDocuments(claimed: Claimed, rebuilt: Rebuilt): readonly Finding[] {
  const { manifest } = claimed
  const names = new Set([...Object.keys(rebuilt.manifest.documents), ...Object.keys(manifest.documents)])
  const left = new Set(manifest.unpublished)
  return [...names].filter((name) => !left.has(name)).flatMap((name) => checkDocument(name, claimed, rebuilt))
}

function checkDocument(
  name: string,
  { manifest, documents, isInForce }: Claimed,
  rebuilt: Rebuilt,
): Finding[] {
  const subject = `${name} of ${manifest.snapshot_id}`
  const [claim, truth] = [manifest.documents[name], rebuilt.manifest.documents[name]]
  if (!claim) return [different(subject, 'is not in the manifest')]
  if (!truth) return [different(subject, 'is in the manifest, and no such document is made of the chain')]
  const stored = documents.get(name)
  const isTrue = claim.sha256 === truth.sha256
  if (isInForce && !stored) return [different(subject, 'is in the manifest and not stored')]
  const isAsClaimed = !isInForce || stored?.sha256 === claim.sha256
  if (isTrue && isAsClaimed && claim.total === truth.total) return []
  const text = Buffer.from(rebuilt.documents.get(name) ?? []).toString()
  // An older version is stored no more: only bytes with the digest in question can tell of it.
  const isAtHand = stored !== undefined && (isInForce || stored.sha256 === claim.sha256)
  const row = isAtHand ? firstDifference(stored.text, text) : null
  const says = [
    ...(row ? [`${row.where}: published ${row.published}, rebuilt ${row.rebuilt}`] : []),
    ...(isTrue
      ? []
      : [`digest: the manifest says ${short(claim.sha256)}, the chain gives ${short(truth.sha256)}`]),
    ...(isAsClaimed ? [] : [`the stored bytes do not have the manifest's digest ${short(claim.sha256)}`]),
    ...(claim.total === truth.total ? [] : [`total: published ${claim.total}, rebuilt ${truth.total}`]),
    ...(isTrue || isAtHand ? [] : ['its bytes of then are stored no more']),
  ]
  return [different(subject, says.join('; '))]
}

/** What the tables still have of a snapshot, and where it differs: what parameterised answers are cut from. */
export async function checkTwins(
  { manifest }: Claimed,
  { snapshot }: Rebuilt,
  store: DocumentStore,
): Promise<{ readonly checked: number; readonly findings: readonly Finding[] }> {
  const { n, minute } = factsOf(snapshot)
  const results = await mapParallel(twins, PARALLEL_READS, async ({ name, text }) => {
    const stored = await store.readDocument(name, minute)
    if (stored?.snapshot.n !== n) return null
    const found = firstDifference(rowsByKey(stored.text), rowsByKey(text(snapshot, builders)))
    if (!found) return []
    const says = `${found.where}: stored ${found.published}, rebuilt ${found.rebuilt}`
    return [different(`table document ${name} of ${manifest.snapshot_id}`, says)]
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
