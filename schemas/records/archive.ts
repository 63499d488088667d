/** The archive's manifest, as published: what there is, and the digest of each file. */
import type { JsonSchema } from '../values/field.ts'

/** A file of the archive. */
export type ArchiveFile = {
  readonly set: string
  /** From the address of the bucket on. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** The files of a revision of a day or hour. */
export type ArchiveRevision = {
  /** From 1; a rollback of the log that changed the day makes the next. */
  readonly revision: number
  /** Digest of the digests of the minutes it was made from. */
  readonly log_sha256: string
  readonly files: readonly ArchiveFile[]
}

/** A day or hour; blocks are null if it has none. */
export type ArchivedSpan = ArchiveRevision & {
  /** `date=2026-11-25`, `hour=2026-11-25T10`. */
  readonly span: string
  readonly first_block: number | null
  readonly last_block: number | null
  /** Oldest first: where the files of earlier revisions are now. */
  readonly replaced: readonly ArchiveRevision[]
}

/** `manifest.json` of the archive. */
export type ArchiveManifest = {
  readonly version: 1
  readonly chain: string
  /** Nothing is archived of this time (ISO 8601) and later; null: nothing yet. */
  readonly sealed_until: string | null
  /** The log it was made from, and that log's last entry then. */
  readonly log: string
  readonly log_entry: number
  /** Oldest first, without a gap. */
  readonly days: readonly ArchivedSpan[]
  /** Hours after these days. */
  readonly hours: readonly ArchivedSpan[]
}

const record = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const count: JsonSchema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const block: JsonSchema = { type: ['integer', 'null'], minimum: 0 }
const digest: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const text: JsonSchema = { type: 'string' }

const file = record({
  set: text,
  path: { type: 'string', pattern: '^archive/v1/[a-z]+/[A-Za-z0-9=/._-]+$', not: { pattern: '\\.\\.' } },
  rows: count,
  bytes: count,
  sha256: digest,
})
const revision = { revision: count, log_sha256: digest, files: list(file) }
const span = record({
  span: text,
  first_block: block,
  last_block: block,
  ...revision,
  replaced: list(record(revision)),
})

/** JSON Schema of the manifest. */
export const archiveManifestSchema: JsonSchema = record({
  version: { const: 1 },
  chain: text,
  sealed_until: { type: ['string', 'null'] },
  log: text,
  log_entry: count,
  days: list(span),
  hours: list(span),
})
