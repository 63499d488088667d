import { RULES_VERSION } from '../market/rules.ts'
import { asOf } from '../market/window.ts'
import type { ManifestDocument } from '../schemas/client.ts'
import { type AppliedParameters, appliedOf } from '../schemas/documents.ts'
import { isoTime } from '../schemas/kinds.ts'
import { operations } from '../schemas/operations.ts'
import type { Manifest } from '../schemas/service.ts'
import { validators } from '../schemas/validate-documents.ts'
import { faultsOf } from '../schemas/validator.ts'
import { type Bucket, putOver } from '../store/bucket.ts'
import type { DocumentStore } from '../store/documents.ts'
import { openManifests } from '../store/manifests.ts'
import { mapParallel } from '../store/parallel.ts'
import { manifestKey, sha256Of } from '../store/tables.ts'
import {
  type Builders,
  factsOfSnapshot,
  publishedDocuments,
  type Snapshot,
  type SnapshotDocument,
  storedDocuments,
} from './documents.ts'

/** Documents put at once. */
const PARALLEL_PUTS = 16
const JSON_TYPE = 'application/json; charset=utf-8'

/** A document that its builder could not make or that its schema refuses; it is not published. */
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

/** A builder that stands further on in the log has published already. */
class OvertakenError extends Error {}

/** What came of publishing: the manifest in force (null: a later builder is about to put the first), and which documents failed. */
export type PublishOutcome = {
  readonly manifest: Manifest | null
  readonly failures: readonly InvalidDocumentError[]
}

type Prepared = {
  readonly document: SnapshotDocument
  readonly bytes: Uint8Array
  /** The text that answers are cut from. */
  readonly whole: string
  readonly sha256: string
  readonly total: number
  /** Metadata that tell what the answer is: its order and period, and of a list where its first page lies. */
  readonly facts: Readonly<Record<string, string>>
}

/** Where a snapshot goes: the bucket that the edge serves, and, for parameterised answers, the Market table. */
export type PublishedStores = { readonly bucket: Bucket; readonly documents?: DocumentStore }

/**
 * Publishes a snapshot: what the tables hold of it, the documents that changed, then the manifest and its copy by minute. A document
 * that fails its schema is left at its last good version. A snapshot never takes the place of one further on in the log: every
 * object is compared first and put on condition that it has not changed since.
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
    const { prepared, failures } = prepareAll(snapshot, builders)
    if (store) await putStored(snapshot, store, { prepared, failures })
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

const unchanged = (manifest: Manifest | null): PublishOutcome => ({ manifest, failures: [] })

/** True when the manifest is further on than the snapshot, or is the snapshot's own and complete. */
function isNoOlder(manifest: Manifest, { n, codeVersion }: Snapshot): boolean {
  const isComplete = manifest.unpublished.length === 0 && manifest.code_version === codeVersion
  return manifest.log_position > n || (manifest.log_position === n && isComplete)
}

function prepareAll(snapshot: Snapshot, builders: Builders) {
  const all = new Set([...publishedDocuments, ...storedDocuments])
  const outcomes = [...all].map((document) => prepare(snapshot, document, builders))
  return {
    failures: outcomes.filter(isFailure),
    prepared: outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome])),
  }
}

const isFailure = (outcome: Prepared | InvalidDocumentError): outcome is InvalidDocumentError =>
  outcome instanceof InvalidDocumentError

const isPublished = ({ document }: Prepared): boolean => publishedDocuments.includes(document)

/** Puts what the tables hold of a snapshot, of what could be made, and makes it the newest, unless one as far on in the log is. */
async function putStored(
  snapshot: Snapshot,
  store: DocumentStore,
  { prepared, failures }: ReturnType<typeof prepareAll>,
): Promise<void> {
  const facts = factsOfSnapshot(snapshot)
  const newest = await store.newest()
  if (newest && newest.n >= facts.n && failures.length === 0) return
  const stored = prepared.filter(({ document }) => storedDocuments.includes(document))
  await mapParallel(stored, PARALLEL_PUTS, ({ document: { name }, whole }) =>
    store.putDocument({ name, snapshot: facts, text: whole }),
  )
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
    const { text, total, limit, whole = text } = builders[operation](snapshot, parameterValues)
    const isValid = validators[operation]
    if (!isValid(JSON.parse(text))) return new InvalidDocumentError(document, faultsOf(isValid))
    const bytes = Buffer.from(text)
    const pages = operations[operation].body['type'] === 'array' ? pagesOf(total, limit) : {}
    const facts = { ...pages, ...appliedTo(document) }
    return { document, bytes, whole, sha256: sha256Of(bytes), total, facts }
  } catch (error) {
    return new InvalidDocumentError(document, [String(error)], error)
  }
}

/**
 * A document that stays the same is put again when it was confirmed so long ago: the edge tells by its own clock whether the
 * publisher still lives. With a minute to the next snapshot and the times of the caches, it is under STALE_AFTER_SECONDS.
 */
const CONFIRM_SECONDS = 180

/** Puts the document unless its bytes stand there already; a conflict means that someone else moved on, so look again. */
async function putDocument(
  { document: { name, operation }, bytes, sha256, total, facts: described }: Prepared,
  snapshot: Snapshot,
  bucket: Bucket,
): Promise<ManifestDocument> {
  const facts = { ...described, sha256 }
  const now = asOf(snapshot.market.minute)
  let id = snapshot.id
  await putOver(bucket, name, (current) => {
    const stored = current?.metadata ?? {}
    if (Number(stored['position'] ?? 0) > snapshot.n) throw new OvertakenError(name)
    const isSame = Object.entries(facts).every(([key, text]) => stored[key] === text)
    const provenance = isSame ? stored : provenanceOf(snapshot)
    id = provenance['snapshot'] ?? snapshot.id
    const confirmedAt = Date.parse(stored['confirmed'] ?? '') / 1_000
    if (isSame && now - confirmedAt < CONFIRM_SECONDS) return undefined
    const metadata = { ...provenance, ...facts, confirmed: isoTime(now) }
    return { bytes, contentType: JSON_TYPE, cacheControl: operations[operation].cacheControl, metadata }
  })
  return { sha256, total, snapshot_id: id }
}

const pagesOf = (total: number, limit: number | undefined): Record<string, string> =>
  limit === undefined ? { total: String(total) } : { total: String(total), limit: String(limit) }

/** What the document's request asks for, said as the API says it. */
function appliedTo({ operation, parameterValues }: SnapshotDocument): AppliedParameters {
  const asked = (operations[operation].documentParameters ?? []).map(
    ({ names }, at) => [names[0], parameterValues[at]] as const,
  )
  return appliedOf(operations[operation], Object.fromEntries(asked))
}

/** What the edge says of a document in headers. */
const provenanceOf = ({ id, n, last, market }: Snapshot): Record<string, string> => ({
  snapshot: id,
  position: String(n),
  block: String(last.number),
  'block-hash': last.hash,
  time: isoTime(asOf(market.minute)),
})

function manifestFrom(
  { id, n, last, market, firstMinute, corrections, chain, codeVersion }: Snapshot,
  { documents, failures }: Pick<Manifest, 'documents'> & Pick<PublishOutcome, 'failures'>,
): Manifest {
  return {
    snapshot_id: id,
    log_position: n,
    minute: market.minute,
    as_of: isoTime(asOf(market.minute)),
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

/** What the manifest before said of the documents that failed now: they stay as they are. */
function kept(before: Manifest | undefined, failures: PublishOutcome['failures']): Manifest['documents'] {
  const entries = failures.map(({ document }) => [document, before?.documents[document]] as const)
  return Object.fromEntries(entries.flatMap(([name, entry]) => (entry ? [[name, entry]] : [])))
}
