import { setImmediate as othersTurn } from 'node:timers/promises'
import { validators } from '#validators/documents'
import { RULES_VERSION } from '../../market/rules.ts'
import { asOf } from '../../market/window.ts'
import { type AppliedParameters, appliedOf } from '../../schemas/api/documents.ts'
import { operations } from '../../schemas/api/operations.ts'
import { type Manifest, type ManifestDocument, minuteOfSnapshotId } from '../../schemas/api/service.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { faultsOf } from '../../schemas/values/validator.ts'
import { type Bucket, putOver, type StoredObject } from '../../store/aws/bucket.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { manifestKey, sha256Of } from '../../store/aws/tables.ts'
import {
  type DocumentStore,
  infoOfManifest,
  orderOf,
  type SnapshotInfo,
  switchesOf,
} from '../../store/published/documents.ts'
import { OPEN_BARS, openBarsText } from '../../store/published/index-history.ts'
import { openManifests } from '../../store/published/manifests.ts'
import { PRICES, writePrices } from '../../store/published/prices.ts'
import { openScreened, writeScreened } from '../../store/published/screened.ts'
import {
  type Builders,
  publishedDocuments,
  type Snapshot,
  type SnapshotDocument,
  screenedMarketOf,
  snapshotInfoOf,
  snapshotMetadata,
  storedDocuments,
} from './documents.ts'

/** Parallel puts of documents. */
const PARALLEL_PUTS = 16
const JSON_TYPE = 'application/json; charset=utf-8'

/** A document whose builder failed or that does not match its schema; it is not published. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError'
  readonly document: string
  readonly errors: readonly string[]
  constructor({ name }: SnapshotDocument, errors: readonly string[], cause?: unknown) {
    super(`${name} is not published: ${errors.join('; ')}`, { cause })
    this.document = name
    this.errors = errors
  }
}

/** A snapshot from later in the log is already published. */
class OvertakenError extends Error {}

/** The result of publishing: the current manifest (null: another builder is about to put the first), and the failed documents. */
export type PublishOutcome = {
  readonly manifest: Manifest | null
  readonly failures: readonly InvalidDocumentError[]
}

type Prepared = {
  readonly document: SnapshotDocument
  readonly bytes: Uint8Array
  /** The complete list, from which answers are cut. */
  readonly whole: string
  readonly sha256: string
  readonly total: number
  /** Metadata of the answer: its order and period, and for a list its total and page size. */
  readonly facts: Readonly<Record<string, string>>
}

/** Targets of a snapshot: the bucket that the edge serves and, for parameterised answers, the Market table. */
export type PublishedStores = { readonly bucket: Bucket; readonly documents?: DocumentStore }

/**
 * Publishes a snapshot: first what parameterised answers are cut from, the screened tokens and all prices in the bucket and the
 * stored documents in the table, then the changed documents, then the manifest and its
 * copy by minute. If a document fails its schema, its last good version stays. A snapshot never replaces one from later
 * in the log: every put is conditional on the object that was compared.
 */
export async function publish(
  snapshot: Snapshot,
  { bucket, documents: store }: PublishedStores,
  builders: Builders,
): Promise<PublishOutcome> {
  const manifests = openManifests(bucket)
  const current = await manifests.newest()
  if (current && isNoOlder(current, snapshot)) return unchanged(current)
  try {
    const { prepared, failures } = await prepareAll(snapshot, builders)
    if (store) {
      const info = snapshotInfoOf(snapshot)
      await openScreened(bucket).put(info, writeScreened(screenedMarketOf(snapshot)))
      await openScreened(bucket, PRICES).put(info, writePrices(snapshot.prices))
      await putStored(snapshot, store, { prepared, failures })
    }
    const stored = await putAll(snapshot, bucket, prepared.filter(isPublished))
    const documents = { ...kept(current, failures), ...stored }
    const manifest = manifestFrom(snapshot, { documents, failures })
    if (!(await manifests.put(manifest))) throw new OvertakenError(manifestKey)
    return { manifest, failures }
  } catch (error) {
    if (error instanceof OvertakenError) return unchanged((await manifests.newest()) ?? null)
    throw error
  }
}

/**
 * Puts a snapshot's documents into the table alone, for a log that is not live; returns the failed ones. With the
 * documents there, readers can go over to it at once.
 */
export async function prepareStored(
  snapshot: Snapshot,
  store: DocumentStore,
  builders: Builders,
): Promise<PublishOutcome['failures']> {
  const { prepared, failures } = await prepareAll(snapshot, builders)
  await putStored(snapshot, store, { prepared, failures })
  return failures
}

const unchanged = (manifest: Manifest | null): PublishOutcome => ({ manifest, failures: [] })

/** Whether the manifest is from later in the log, or is the snapshot's own and complete. */
function isNoOlder(manifest: Manifest, snapshot: Snapshot): boolean {
  const isComplete = manifest.unpublished.length === 0 && manifest.code_version === snapshot.codeVersion
  const [published, own] = [infoOfManifest(manifest), snapshotInfoOf(snapshot)]
  if (isEarlierOfAnother(own, published)) return true
  const ahead = orderOf(published) - orderOf(own)
  return ahead > 0 || (ahead === 0 && isComplete)
}

/** A log that has become live publishes nothing that is older than what the log before it has published. */
const isEarlierOfAnother = (
  own: Pick<SnapshotInfo, 'switches' | 'minute'>,
  published: Pick<SnapshotInfo, 'switches' | 'minute'>,
): boolean => (own.switches ?? 0) > (published.switches ?? 0) && own.minute < published.minute

/** Between two documents whatever else the process does has its turn. */
async function prepareAll(snapshot: Snapshot, builders: Builders) {
  const all = new Set([...publishedDocuments, ...storedDocuments])
  const outcomes: ReturnType<typeof prepare>[] = []
  for (const document of all) {
    outcomes.push(prepare(snapshot, document, builders))
    await othersTurn()
  }
  return {
    failures: outcomes.filter(isFailure),
    prepared: outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome])),
  }
}

const isFailure = (outcome: Prepared | InvalidDocumentError): outcome is InvalidDocumentError =>
  outcome instanceof InvalidDocumentError

const isPublished = ({ document }: Prepared): boolean => publishedDocuments.includes(document)

/**
 * Puts the snapshot's documents into the table, except failed ones, and marks the snapshot as the newest, unless one at
 * least as late is.
 */
async function putStored(
  snapshot: Snapshot,
  store: DocumentStore,
  { prepared, failures }: Awaited<ReturnType<typeof prepareAll>>,
): Promise<void> {
  const facts = snapshotInfoOf(snapshot)
  const newest = await store.newest()
  if (newest && newest.n >= facts.n && failures.length === 0) return
  const stored = prepared.filter(({ document }) => storedDocuments.includes(document))
  await mapParallel(stored, PARALLEL_PUTS, ({ document: { name }, whole }) =>
    store.putDocument({ name, snapshot: facts, text: whole }),
  )
  await store.putDocument({ name: OPEN_BARS, snapshot: facts, text: openBarsText(snapshot.openBars) })
  await store.putNewest(facts)
}

async function putAll(snapshot: Snapshot, bucket: Bucket, prepared: readonly Prepared[]) {
  const stored = await mapParallel(prepared, PARALLEL_PUTS, async (one) => {
    return [one.document.name, await putDocument(one, snapshot, bucket)] as const
  })
  return Object.fromEntries(stored)
}

function prepare(
  snapshot: Snapshot,
  document: SnapshotDocument,
  builders: Builders,
): Prepared | InvalidDocumentError {
  const { operation, parameterValues } = document
  try {
    const { text, total, limit, whole = text, leftOut } = builders[operation](snapshot, parameterValues)
    const isValid = validators[operation]
    if (!isValid(JSON.parse(text))) return new InvalidDocumentError(document, faultsOf(isValid))
    const bytes = Buffer.from(text)
    const pages = operations[operation].body['type'] === 'array' ? pagesOf(total, limit) : {}
    const left = leftOut === undefined ? {} : { 'left-out': String(leftOut) }
    const facts = { ...pages, ...left, ...appliedTo(document) }
    return { document, bytes, whole, sha256: sha256Of(bytes), total, facts }
  } catch (error) {
    return new InvalidDocumentError(document, [String(error)], error)
  }
}

/** Puts the document unless it is unchanged; after a conflict it is compared again. */
async function putDocument(
  { document: { name, operation }, bytes, sha256, total, facts: described }: Prepared,
  snapshot: Snapshot,
  bucket: Bucket,
): Promise<ManifestDocument> {
  const facts = { ...described, sha256 }
  let id = snapshot.id
  await putOver(bucket, name, (current) => {
    const stored = current?.metadata ?? {}
    if (current && isOvertaken(stored, snapshotInfoOf(snapshot))) throw new OvertakenError(name)
    const isSame = Object.entries(facts).every(([key, text]) => stored[key] === text)
    if (isSame) {
      id = stored['snapshot'] ?? snapshot.id
      return undefined
    }
    id = snapshot.id
    const metadata = { ...snapshotMetadata(snapshotInfoOf(snapshot)), ...facts }
    return { bytes, contentType: JSON_TYPE, cacheControl: operations[operation].cacheControl, metadata }
  })
  return { sha256, total, snapshot_id: id }
}

/** Whether the stored document is of a later snapshot. */
function isOvertaken({ position, snapshot = '' }: StoredObject['metadata'], own: SnapshotInfo): boolean {
  const order = Number(position ?? 0)
  const minute = minuteOfSnapshotId(snapshot) ?? 0
  return order > orderOf(own) || isEarlierOfAnother(own, { switches: switchesOf(order), minute })
}

const pagesOf = (total: number, limit: number | undefined): Record<string, string> =>
  limit === undefined ? { total: String(total) } : { total: String(total), limit: String(limit) }

/** The document's order and period, formatted as the API does. */
function appliedTo({ operation, parameterValues }: SnapshotDocument): AppliedParameters {
  const asked = (operations[operation].documentParameters ?? []).map(
    ({ names }, at) => [names[0], parameterValues[at]] as const,
  )
  return appliedOf(operations[operation], Object.fromEntries(asked))
}

function manifestFrom(
  { id, n, switches, last, minute, firstMinute, corrections, chain, codeVersion }: Snapshot,
  { documents, failures }: Pick<Manifest, 'documents'> & Pick<PublishOutcome, 'failures'>,
): Manifest {
  return {
    snapshot_id: id,
    log_position: n,
    log_switches: switches,
    minute,
    as_of: isoTime(asOf(minute)),
    block_number: last.number,
    block_hash: last.hash,
    history_from: isoTime(firstMinute * 60),
    corrections,
    chain,
    rules_version: RULES_VERSION,
    code_version: codeVersion,
    documents,
    unpublished: failures.map(({ document }) => document),
  }
}

/** Manifest entries of the failed documents, from the previous manifest, since their last versions stay. */
function kept(before: Manifest | undefined, failures: PublishOutcome['failures']): Manifest['documents'] {
  const entries = failures.map(({ document }) => [document, before?.documents[document]] as const)
  return Object.fromEntries(entries.flatMap(([name, entry]) => (entry ? [[name, entry]] : [])))
}
