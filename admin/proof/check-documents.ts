/** Published documents: those in force, those that are kept of an earlier hour, and how they are compared with rebuilt ones. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hourOfMinute } from '../../market/calendar.ts'
import type { Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import {
  builders,
  type Snapshot,
  screenedMarketOf,
  snapshotInfoOf,
  storedDocuments,
} from '../../snapshot/publish/documents.ts'
import type { StoredObject } from '../../store/aws/bucket.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { infoOfManifest, orderOf } from '../../store/published/documents.ts'
import { openKeptStore } from '../../store/published/kept.ts'
import { PRICES, writePrices } from '../../store/published/prices.ts'
import { openScreened, writeScreened } from '../../store/published/screened.ts'
import type { ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'
import { fieldDifferences, firstDifference, STORED, shortDigest } from './difference.ts'
import { different, type Finding, foundIf } from './finding.ts'
import { PARALLEL_READS } from './reindex.ts'
import type { Rebuilt } from './repair.ts'

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
  text: textOf(bytes),
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
  const found = firstDifference(JSON.stringify(manifest), JSON.stringify(copy), ['in force', 'in the copy'])
  return foundIf(`manifest of ${manifest.snapshot_id}`, found)
}

/** Fields of a manifest that differ from the rebuilt one. */
export function checkManifest({ manifest }: PublishedDocuments, rebuilt: Rebuilt): readonly Finding[] {
  const { documents: _, code_version: __, unpublished: ___, ...fields } = rebuilt.manifest
  const subject = `manifest of ${manifest.snapshot_id}`
  return fieldDifferences(Object.keys(fields), manifest, fields).map((text) => different(subject, text))
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
): readonly Finding[] {
  const subject = `${name} of ${manifest.snapshot_id}`
  const [claim, truth] = [manifest.documents[name], rebuilt.manifest.documents[name]]
  if (!claim) return [different(subject, 'is not in the manifest')]
  if (!truth) return [different(subject, 'is in the manifest, and no such document is made of the chain')]
  const [stored, made] = [documents.get(name), rebuilt.documents.get(name)]
  if (isInForce && !stored) return [different(subject, 'is in the manifest and not stored')]
  // Older versions are not kept: bytes are compared only where the stored ones have the claimed digest.
  const isAtHand = isInForce || stored?.sha256 === claim.sha256
  const row = isAtHand ? firstDifference(stored?.text ?? '', textOf(made?.bytes ?? [])) : null
  const isTrue = claim.sha256 === truth.sha256
  const description = [
    ...(row ? [row] : []),
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
  return foundIf(subject, description.join('; '))
}

/** Headers that depend on a document's bytes alone. */
const lasting = ['total', 'limit', 'sort', 'period']

/** Wrong headers of a stored document. The rest name the snapshot that last changed it, so they are compared where that is this one. */
function falseHeaders(stored: Metadata, made: Metadata, isChangedNow: boolean): readonly string[] {
  const names = isChangedNow ? Object.keys(made).filter((name) => name !== 'sha256') : lasting
  return fieldDifferences(names, stored, made).map((text) => `header ${text}`)
}

type Metadata = Readonly<Record<string, string>>

/** A kept snapshot: its manifest, the documents that are kept of it, and where these are not those of the manifest. */
export type KeptDocuments = PublishedDocuments & { readonly findings: readonly Finding[] }

/** The snapshot that answers `as_of` at the beginning of a minute. Throws NothingKept. */
export async function readKept({ segments }: ServiceStores, minute: Minute): Promise<KeptDocuments> {
  const kept = openKeptStore(segments)
  // The hour that the minute is in is not over.
  const found = await kept.lastHour(hourOfMinute(minute) - 1)
  if (found) {
    const { manifest, documents } = found
    const texts = await mapParallel(Object.keys(manifest.documents), PARALLEL_READS, async (name) => {
      const sha256 = documents[name]
      const text = sha256 && (await kept.document(sha256).catch(unlessDamaged))
      return text ? [[name, { text, sha256, metadata: {} }] as const] : []
    })
    const stored: ReadonlyMap<string, StoredText> = new Map(texts.flat())
    const findings = Object.entries(manifest.documents)
      .filter(([name, { sha256 }]) => stored.get(name)?.sha256 !== sha256)
      .map(([name]) =>
        different(`kept document ${name} of ${manifest.snapshot_id}`, 'is not kept as published'),
      )
    return { manifest, documents: stored, isInForce: false, findings }
  }
  throw new OperatorFault('NothingKept', `no snapshot is kept of ${isoTime(asOf(minute - 1))} or before`)
}

/** Damaged and missing bytes are findings. A store that cannot be read is an error, not a finding. */
function unlessDamaged(error: unknown): undefined {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown }
  if (name !== 'DamagedDocumentError' && !String(code).startsWith('Z_')) throw error
}

/**
 * Compares what parameterised answers are cut from, as far as it is kept: a snapshot's documents in the tables, and its
 * screened tokens and prices in the bucket.
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
      return foundIf(`table document ${name} of ${id}`, firstDifference(stored.text, whole, STORED))
    },
  )
  const checked = [...results, ...(await checkObjects(snapshot, published))].filter((one) => one !== null)
  return { checked: checked.length, findings: checked.flat() }
}

async function checkObjects(
  snapshot: Snapshot,
  published: ServiceStores['published'],
): Promise<readonly (readonly Finding[] | null)[]> {
  const { id, minute } = snapshotInfoOf(snapshot)
  const objects = [
    ['screened tokens', '', writeScreened(screenedMarketOf(snapshot)), textOf],
    ['prices', PRICES, writePrices(snapshot.prices), hexOf],
  ] as const
  return mapParallel(objects, PARALLEL_READS, async ([name, kind, made, shown]) => {
    const stored = await openScreened(published, kind).read(minute)
    if (stored?.snapshot.id !== id) return null
    return foundIf(`the ${name} of ${id}`, firstDifference(shown(stored.bytes), shown(made), STORED))
  })
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const textOf = (bytes: Parameters<typeof Buffer.from>[0]): string => Buffer.from(bytes).toString()
