import type { Manifest } from '../schemas/service.ts'
import { firstDifference, short } from './difference.ts'
import { different, type Finding } from './finding.ts'
import type { StoredText } from './published.ts'
import type { Rebuilt } from './rebuilt.ts'

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
  const [stored, made] = [documents.get(name), rebuilt.documents.get(name)]
  if (isInForce && !stored) return [different(subject, 'is in the manifest and not stored')]
  // An older version is stored no more: only bytes with the digest in question can tell of it.
  const isAtHand = isInForce || stored?.sha256 === claim.sha256
  const row = isAtHand && firstDifference(stored?.text ?? '', Buffer.from(made?.bytes ?? []).toString())
  const isTrue = claim.sha256 === truth.sha256
  const says = [
    ...(row ? [`${row.where}: published ${row.published}, rebuilt ${row.rebuilt}`] : []),
    ...(isTrue
      ? []
      : [`digest: the manifest says ${short(claim.sha256)}, the chain gives ${short(truth.sha256)}`]),
    ...(isTrue || isAtHand ? [] : ['its bytes of then are stored no more']),
    ...(isInForce && stored?.sha256 !== claim.sha256
      ? [`the stored bytes do not have the manifest's digest ${short(claim.sha256)}`]
      : []),
    ...(claim.total === truth.total ? [] : [`total: published ${claim.total}, rebuilt ${truth.total}`]),
    ...(isInForce
      ? falseHeaders(stored?.metadata ?? {}, made?.metadata ?? {}, claim.snapshot_id === manifest.snapshot_id)
      : []),
  ]
  return says.length > 0 ? [different(subject, says.join('; '))] : []
}

/** What holds for a document's bytes whichever snapshot they are of. */
const lasting = ['total', 'limit', 'sort', 'period']

/** What a stored document says of itself in headers, where it is false. The place is that of the snapshot that changed it last. */
function falseHeaders(stored: Metadata, made: Metadata, isChangedNow: boolean): readonly string[] {
  const names = isChangedNow ? Object.keys(made).filter((name) => name !== 'sha256') : lasting
  return names
    .filter((name) => stored[name] !== made[name])
    .map(
      (name) => `header ${name}: published ${stored[name] ?? 'nothing'}, rebuilt ${made[name] ?? 'nothing'}`,
    )
}

type Metadata = Readonly<Record<string, string>>
