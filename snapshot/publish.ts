import { createHash } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RULES_VERSION } from '../market/rules.ts'
import { asOf } from '../market/window.ts'
import { isoTime } from '../schemas/kinds.ts'
import { documents, type OperationName, operations, type PublishedDocument } from '../schemas/operations.ts'
import { type Manifest, type ManifestDocument, manifestSchema } from '../schemas/service.ts'
import type { Bucket, StoredObject } from '../store/bucket.ts'
import { mapParallel } from '../store/parallel.ts'
import type { Builders, Snapshot } from './documents.ts'

/** Key of the newest manifest. */
export const MANIFEST_KEY = 'manifest.json'
/** Documents put at once. */
const PARALLEL_PUTS = 16
const JSON_TYPE = 'application/json; charset=utf-8'

/** A document that its builder could not make or that its schema refuses; it is not published. */
export class InvalidDocumentError extends Error {
  readonly document: string
  readonly errors: readonly string[]
  constructor(document: string, errors: readonly string[], cause?: unknown) {
    super(`${document} is not published: ${errors.join('; ')}`, { cause })
    this.name = 'InvalidDocumentError'
    this.document = document
    this.errors = errors
  }
}

/** A builder that stands further on in the log has published already. */
class OvertakenError extends Error {}

/** What came of publishing: the manifest in force, which documents failed, and how many objects were put. */
export type Published = {
  readonly manifest: Manifest
  readonly failures: readonly InvalidDocumentError[]
  readonly puts: number
}

const ajv = new Ajv2020({ allowUnionTypes: true })
const isManifest = ajv.compile(manifestSchema)
const validators = Object.fromEntries(
  Object.entries(operations).map(([name, { body }]) => [name, ajv.compile(body)]),
) as Record<OperationName, ValidateFunction>

type Prepared = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly total: number
  readonly limit: number | undefined
}

/**
 * Publishes a snapshot: documents that changed, then v1/status, then the manifest and its copy by minute. A document that
 * fails its schema is left at its last good version. A snapshot never takes the place of one further on in the log: the
 * manifest and every object are compared first and put on condition that they have not changed since.
 */
export async function publish(snapshot: Snapshot, bucket: Bucket, builders: Builders): Promise<Published> {
  const standing = await readManifest(bucket)
  if (standing && isNoOlder(standing.manifest, snapshot)) return unchanged(standing.manifest)
  try {
    const boards = await putAll(snapshot, { bucket, builders }, documents.filter(isBoard))
    const unpublished = boards.failures.map(({ document }) => document)
    const rest = documents.filter((document) => !isBoard(document))
    const status = await putAll({ ...snapshot, unpublished }, { bucket, builders }, rest)
    const failures = [...boards.failures, ...status.failures]
    const manifest = manifestFrom(snapshot, {
      documents: { ...kept(standing?.manifest, failures), ...boards.stored, ...status.stored },
      failures,
    })
    await putManifest(manifest, bucket, standing)
    return { manifest, failures, puts: boards.puts + status.puts + 2 }
  } catch (error) {
    const newer = error instanceof OvertakenError ? await readManifest(bucket) : undefined
    if (newer) return unchanged(newer.manifest)
    throw error
  }
}

const unchanged = (manifest: Manifest): Published => ({ manifest, failures: [], puts: 0 })

/** v1/status names the documents that failed, so it is made after them. */
const isBoard = ({ operation }: PublishedDocument): boolean => operation !== 'status'

/** True when the manifest is further on than the snapshot, or is the snapshot's own and complete. */
function isNoOlder(manifest: Manifest, { n, codeVersion }: Snapshot): boolean {
  const isComplete = manifest.unpublished.length === 0 && manifest.code_version === codeVersion
  return manifest.log_position > n || (manifest.log_position === n && isComplete)
}

type StandingManifest = { readonly manifest: Manifest; readonly etag: string }

/** The newest manifest; undefined before the first. Throws InvalidDocumentError. */
export async function readManifest(bucket: Bucket): Promise<StandingManifest | undefined> {
  const object = await bucket.read(MANIFEST_KEY)
  if (!object) return undefined
  const manifest: unknown = JSON.parse(Buffer.from(object.bytes).toString())
  if (!isManifest(manifest)) throw new InvalidDocumentError(MANIFEST_KEY, errorsOf(isManifest))
  return { manifest: manifest as Manifest, etag: object.etag }
}

type Putting = { readonly bucket: Bucket; readonly builders: Builders }

async function putAll(snapshot: Snapshot, { bucket, builders }: Putting, some: readonly PublishedDocument[]) {
  const failures: InvalidDocumentError[] = []
  const prepared: Prepared[] = []
  for (const document of some) {
    const outcome = prepare(snapshot, document, builders)
    if (outcome instanceof InvalidDocumentError) failures.push(outcome)
    else prepared.push(outcome)
  }
  const results = await mapParallel(prepared, PARALLEL_PUTS, async (document) => {
    return [document.name, await putDocument(document, snapshot, bucket)] as const
  })
  const stored = Object.fromEntries(results)
  const puts = results.filter(([, { snapshot_id }]) => snapshot_id === snapshot.id).length
  return { failures, stored, puts }
}

function prepare(
  snapshot: Snapshot,
  { name, operation, axes }: PublishedDocument,
  builders: Builders,
): Prepared | InvalidDocumentError {
  try {
    const { text, total, limit } = builders[operation](snapshot, axes)
    const isValid = validators[operation]
    if (!isValid(JSON.parse(text))) return new InvalidDocumentError(name, errorsOf(isValid))
    const bytes = Buffer.from(text)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { name, bytes, total, limit, sha256 }
  } catch (error) {
    return new InvalidDocumentError(name, [String(error)], error)
  }
}

const errorsOf = ({ errors }: ValidateFunction): string[] =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)

/** Puts the document unless its bytes stand there already; a conflict means that someone else moved on, so look again. */
async function putDocument(
  document: Prepared,
  snapshot: Snapshot,
  bucket: Bucket,
): Promise<ManifestDocument> {
  const { name, bytes, sha256, total, limit } = document
  for (;;) {
    const standing = await bucket.read(name)
    if (Number(standing?.metadata['position'] ?? 0) > snapshot.n) throw new OvertakenError(name)
    if (standing?.metadata['sha256'] === sha256) {
      return { sha256, total, snapshot_id: standing.metadata['snapshot'] ?? snapshot.id }
    }
    const outcome = await bucket.put(name, bytes, {
      contentType: JSON_TYPE,
      cacheControl: cacheControlOf(name),
      metadata: { ...provenanceOf(snapshot), ...pagesOf({ total, limit }), sha256 },
      ...unlessChanged(standing),
    })
    if (outcome === 'stored') return { sha256, total, snapshot_id: snapshot.id }
  }
}

const pagesOf = ({ total, limit }: Pick<Prepared, 'total' | 'limit'>): Record<string, string> =>
  limit === undefined ? { total: String(total) } : { total: String(total), limit: String(limit) }

const unlessChanged = (standing: Pick<StoredObject, 'etag'> | undefined) =>
  standing ? { ifMatch: standing.etag } : { ifNoneMatch: '*' as const }

const cacheControlOf = (name: string): string => {
  const operation = documents.find((document) => document.name === name)?.operation
  return operation ? operations[operation].cacheControl : 'no-cache'
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
  { id, n, last, market, chain, codeVersion }: Snapshot,
  { documents, failures }: Pick<Manifest, 'documents'> & Pick<Published, 'failures'>,
): Manifest {
  return {
    snapshot_id: id,
    log_position: n,
    minute: market.minute,
    as_of: isoTime(asOf(market.minute)),
    block_number: last.number,
    block_hash: last.hash,
    chain,
    rules_version: RULES_VERSION,
    code_version: codeVersion,
    documents,
    unpublished: failures.map(({ document }) => document),
  }
}

/** What the manifest before said of the documents that failed now: they stay as they are. */
function kept(before: Manifest | undefined, failures: Published['failures']): Manifest['documents'] {
  const entries = failures.map(({ document }) => [document, before?.documents[document]] as const)
  return Object.fromEntries(entries.flatMap(([name, entry]) => (entry ? [[name, entry]] : [])))
}

async function putManifest(
  manifest: Manifest,
  bucket: Bucket,
  first: StandingManifest | undefined,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(manifest, null, 1))
  const options = { contentType: JSON_TYPE, cacheControl: 'no-cache' }
  let standing = first
  while ((await bucket.put(MANIFEST_KEY, bytes, { ...options, ...unlessChanged(standing) })) === 'conflict') {
    standing = await readManifest(bucket)
    if (standing && standing.manifest.log_position > manifest.log_position) {
      throw new OvertakenError(MANIFEST_KEY)
    }
  }
  await bucket.put(`manifests/${String(manifest.minute).padStart(8, '0')}.json`, bytes, options)
}
