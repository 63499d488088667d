import { setTimeout as sleep } from 'node:timers/promises'
import { readHeader } from '../../ingest/client/headers.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import type { SealedEntry } from '../../market/log.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import type { Minute } from '../../market/segment.ts'
import { LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import type { StoredObject } from '../../store/aws/bucket.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { type LogStore, SegmentDigestError, SegmentMissingError } from '../../store/log/log.ts'
import { infoOfManifest, orderOf } from '../../store/published/documents.ts'
import type { ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'
import { firstDifference, shortDigest } from './difference.ts'
import type { Rebuilt } from './repair.ts'

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

/** 1 when anything differs, else 2 when anything could not be compared, else 0. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ is }) => is === 'different')) return 1
  return findings.length > 0 ? 2 : 0
}

/** Reads at once. */
export const PARALLEL_READS = 16

/** Why nothing is compared that was made by other rules than this code's: ingest folds it again first. */
export const otherRules = (version: number, own: number): string =>
  `it was made by version ${version} of the rules, and this code has version ${own}`

/** Whether the chain still has the block that a snapshot ends with. Throws IngestError. */
export async function checkBlock(
  { snapshot_id, block_number, block_hash }: Manifest,
  rpc: Rpc,
): Promise<readonly Finding[]> {
  const found = (await readHeader(rpc, block_number))?.hash
  if (found === block_hash) return []
  const description = `block ${block_number} ${block_hash} is not on the endpoint's chain, which has ${found ?? 'none there'}: a reorg replaced it, or the endpoint is of another chain`
  return [unknown(snapshot_id, description)]
}

/** Where the log's minutes (in force at one place of it, oldest first) are not those that the chain gives. */
export function checkEntries(
  claimed: readonly SealedEntry[],
  made: readonly SealedEntry[],
): readonly Finding[] {
  const truth = new Map(made.map((entry) => [entry.minute, entry]))
  const known = new Set(claimed.map(({ minute }) => minute))
  const wrong = claimed.flatMap((entry) => {
    const own = truth.get(entry.minute)
    const subject = entry.segment.key
    if (!own) return [different(subject, `minute ${entry.minute} is in the log and not on the chain`)]
    if (own.last.hash !== entry.last.hash || own.firstBlock !== entry.firstBlock) {
      const blocks = ({ firstBlock, last }: SealedEntry) => `${firstBlock} to ${last.number} ${last.hash}`
      return [different(subject, `blocks: the log says ${blocks(entry)}, the chain has ${blocks(own)}`)]
    }
    const { rules = 1 } = entry
    if (rules !== FOLD_VERSION) return [unknown(subject, otherRules(rules, FOLD_VERSION))]
    if (own.segment.sha256 === entry.segment.sha256) return []
    return [
      different(
        subject,
        `minute ${entry.minute}: the log says ${shortDigest(entry.segment.sha256)}, the chain gives ${shortDigest(own.segment.sha256)}`,
      ),
    ]
  })
  const lacking = made.filter(({ minute }) => !known.has(minute))
  return [
    ...wrong,
    ...lacking.map(({ minute }) => different(`minute ${minute}`, 'is on the chain and not in the log')),
  ]
}

/** Stored segments without the digest that the log names. One that is older than every window may be missing. */
export async function checkStored(
  log: LogStore,
  entries: readonly SealedEntry[],
  onRead: () => void,
): Promise<readonly Finding[]> {
  const oldest = (entries.at(-1)?.minute ?? 0) - LONGEST_WINDOW_MINUTES
  const findings = await mapParallel(entries, PARALLEL_READS, async ({ minute, segment }) => {
    const fault = await log.readSegment(segment).then(
      () => null,
      (error: unknown) => error,
    )
    onRead()
    return fault ? faultOfSegment(fault, minute < oldest, { minute, key: segment.key }) : []
  })
  return findings.flat()
}

function faultOfSegment(fault: unknown, isPast: boolean, entry: { minute: Minute; key: string }): Finding[] {
  if (fault instanceof SegmentMissingError) {
    return isPast ? [] : [different(entry.key, `the segment of minute ${entry.minute} is not stored`)]
  }
  if (fault instanceof SegmentDigestError) {
    const description = `the stored bytes of minute ${entry.minute} do not have the digest that the log names`
    return [different(entry.key, description)]
  }
  throw fault
}

/** A snapshot as it was published: its manifest and its stored documents. */
export type PublishedDocuments = {
  readonly manifest: Manifest
  /** The stored documents by their keys; one that is absent is left out. */
  readonly documents: ReadonlyMap<string, StoredText>
  /** Whether it is the current snapshot: then each document must be stored with the manifest's digest. */
  readonly isInForce: boolean
}

/** A stored document, unverified. */
export type StoredText = {
  readonly text: string
  readonly sha256: string
  /** The edge sends it as headers. */
  readonly metadata: Readonly<Record<string, string>>
}

/** Attempts at reading all documents between two publications, a minute apart, and the pause after one that met the next of them. */
const ATTEMPTS = 5
const PUBLISHING_MS = 2_000

/** The manifest in force and its documents, consistent with each other. Throws NothingPublished, RestlessService. */
export async function readPublished({
  manifests,
  published,
}: Pick<ServiceStores, 'manifests' | 'published'>): Promise<PublishedDocuments> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const manifest = await manifests.newest()
    if (!manifest)
      throw new OperatorFault(
        'NothingPublished',
        'there is no manifest: the service has not published a snapshot',
      )
    const found = await mapParallel(Object.keys(manifest.documents), PARALLEL_READS, async (key) => {
      const object = await published.read(key)
      return object ? [[key, storedText(object)] as const] : []
    })
    const documents = new Map(found.flat())
    // The manifest is put after its documents: some of the next one may be there already.
    const isNextUnderWay = [...documents.values()].some(
      ({ metadata }) => Number(metadata['position']) > orderOf(infoOfManifest(manifest)),
    )
    if (isNextUnderWay && attempt < ATTEMPTS) await sleep(PUBLISHING_MS)
    else if ((await manifests.newest())?.snapshot_id === manifest.snapshot_id)
      return { manifest, documents, isInForce: true }
  }
  throw new OperatorFault(
    'RestlessService',
    `the manifest has changed ${ATTEMPTS} times while the documents were read`,
  )
}

const storedText = ({ bytes, metadata }: StoredObject): StoredText => ({
  text: Buffer.from(bytes).toString(),
  sha256: sha256Of(bytes),
  metadata,
})

/** Compares the manifest in force with its copy by minute. */
export async function checkCopy(
  { manifest }: PublishedDocuments,
  { manifests }: ServiceStores,
): Promise<readonly Finding[]> {
  const copy = await manifests.at(manifest.minute)
  // The copy is put after the manifest in force, and is of that minute's last snapshot.
  if (!copy || copy.log_position > manifest.log_position) return []
  const found = firstDifference(JSON.stringify(manifest), JSON.stringify(copy))
  if (!found) return []
  const description = `${found.where}: in force ${found.published}, in the copy ${found.rebuilt}`
  return [different(`manifest of ${manifest.snapshot_id}`, description)]
}

/** Manifest fields that a rebuild reproduces. */
type Comparable = Omit<Manifest, 'documents' | 'code_version' | 'unpublished'>

/** Fields of a manifest that differ from the rebuilt one. */
export function checkManifest({ manifest }: PublishedDocuments, rebuilt: Rebuilt): readonly Finding[] {
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

/** Documents whose digest, or, of the current snapshot, whose stored bytes differ from the rebuilt ones. */
export function checkDocuments(claimed: PublishedDocuments, rebuilt: Rebuilt): readonly Finding[] {
  const { manifest } = claimed
  const names = new Set([...Object.keys(rebuilt.manifest.documents), ...Object.keys(manifest.documents)])
  const left = new Set(manifest.unpublished)
  return [...names].filter((name) => !left.has(name)).flatMap((name) => checkDocument(name, claimed, rebuilt))
}

function checkDocument(
  name: string,
  { manifest, documents, isInForce }: PublishedDocuments,
  rebuilt: Rebuilt,
): Finding[] {
  const subject = `${name} of ${manifest.snapshot_id}`
  const [claim, truth] = [manifest.documents[name], rebuilt.manifest.documents[name]]
  if (!claim) return [different(subject, 'is not in the manifest')]
  if (!truth) return [different(subject, 'is in the manifest, and no such document is made of the chain')]
  const [stored, made] = [documents.get(name), rebuilt.documents.get(name)]
  if (isInForce && !stored) return [different(subject, 'is in the manifest and not stored')]
  // Older versions are not kept: bytes are compared only where the stored ones have the claimed digest.
  const isAtHand = isInForce || stored?.sha256 === claim.sha256
  const row = isAtHand && firstDifference(stored?.text ?? '', Buffer.from(made?.bytes ?? []).toString())
  const isTrue = claim.sha256 === truth.sha256
  const description = [
    ...(row ? [`${row.where}: published ${row.published}, rebuilt ${row.rebuilt}`] : []),
    ...(isTrue
      ? []
      : [
          `digest: the manifest says ${shortDigest(claim.sha256)}, the chain gives ${shortDigest(truth.sha256)}`,
        ]),
    ...(isTrue || isAtHand ? [] : ['its bytes of then are stored no more']),
    ...(isInForce && stored?.sha256 !== claim.sha256
      ? [`the stored bytes do not have the manifest's digest ${shortDigest(claim.sha256)}`]
      : []),
    ...(claim.total === truth.total ? [] : [`total: published ${claim.total}, rebuilt ${truth.total}`]),
    ...(isInForce
      ? falseHeaders(stored?.metadata ?? {}, made?.metadata ?? {}, claim.snapshot_id === manifest.snapshot_id)
      : []),
  ]
  return description.length > 0 ? [different(subject, description.join('; '))] : []
}

/** Headers that depend on a document's bytes alone. */
const lasting = ['total', 'limit', 'sort', 'period']

/** Wrong headers of a stored document. The rest name the snapshot that last changed it, so they are compared where that is this one. */
function falseHeaders(stored: Metadata, made: Metadata, isChangedNow: boolean): readonly string[] {
  const names = isChangedNow ? Object.keys(made).filter((name) => name !== 'sha256') : lasting
  return names
    .filter((name) => stored[name] !== made[name])
    .map(
      (name) => `header ${name}: published ${stored[name] ?? 'nothing'}, rebuilt ${made[name] ?? 'nothing'}`,
    )
}

type Metadata = Readonly<Record<string, string>>
