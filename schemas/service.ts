import type { Hash, Minute } from '../market/segment.ts'
import { type FieldTable, fieldsOf, type JsonSchema, rowSchema } from './field.ts'
import * as kind from './kinds.ts'

/** What v1/status says: the snapshot it belongs to, and whether all of it could be published. */
export type Status = {
  /** Why the service is degraded; none: it is ok. */
  readonly reasons: readonly string[]
  readonly snapshotId: string
  /** Unix seconds: the exclusive end of the newest minute. */
  readonly asOf: number
  readonly minute: Minute
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly chain: string | null
  readonly logPosition: number
  readonly documents: number
  /** Documents that failed and whose last good version stays. */
  readonly unpublished: readonly string[]
  readonly rulesVersion: number
  readonly codeVersion: string | null
  /** Unix seconds: the start of the first minute of the log. */
  readonly historyFrom: number
  /** Since the log began. */
  readonly corrections: number
}

const status = fieldsOf<Status>()
const words: JsonSchema = { type: 'array', items: { type: 'string' } }

/** Keys of v1/status. */
export const statusFields: FieldTable<Status> = {
  status: status(kind.choice(['ok', 'degraded']), (row) => (row.reasons.length === 0 ? 'ok' : 'degraded'), {
    says: 'degraded: see reasons; boards stay at their last good version',
  }),
  reasons: status(kind.json(words), (row) => row.reasons, { says: 'Why the service is degraded' }),
  snapshot_id: status(kind.text, (row) => row.snapshotId, { says: 'Id of the newest snapshot' }),
  as_of: status(kind.time, (row) => row.asOf, { says: 'The moment that figures hold for' }),
  block_number: status(kind.count, (row) => row.blockNumber, { says: 'Last block of that minute' }),
  block_hash: status(kind.hash, (row) => row.blockHash, { says: 'Its hash' }),
  chain: status(kind.text, (row) => row.chain, { says: 'The chain that is followed', nullable: true }),
  log_position: status(kind.count, (row) => row.logPosition, { says: 'Entry of the log of minutes' }),
  history_from: status(kind.time, (row) => row.historyFrom, { says: 'First minute of the log' }),
  corrections: status(kind.count, (row) => row.corrections, {
    says: 'Times that minutes were taken back and read again because an endpoint had left out logs of theirs',
  }),
  documents: status(kind.count, (row) => row.documents, { says: 'Documents of a snapshot' }),
  unpublished: status(kind.json(words), (row) => row.unpublished, {
    says: 'Documents that failed; their last good version stays',
  }),
  rules_version: status(kind.count, (row) => row.rulesVersion, { says: 'Version of the methodology' }),
  code_version: status(kind.text, (row) => row.codeVersion, {
    says: 'Version of the code that built the snapshot',
    nullable: true,
  }),
}

/** A published document in a manifest. */
export type ManifestDocument = {
  /** Of its bytes. */
  readonly sha256: string
  /** Records in all: X-Total-Count. */
  readonly total: number
  /** The snapshot that last changed its bytes. */
  readonly snapshot_id: string
}

/** What a snapshot is made of; `manifest.json` in the bucket of published documents, written last. */
export type Manifest = {
  readonly snapshot_id: string
  /** Entry of the log of minutes; a manifest with a larger one is newer. */
  readonly log_position: number
  readonly minute: Minute
  readonly as_of: string
  readonly block_number: number
  readonly block_hash: Hash
  readonly chain: string | null
  readonly rules_version: number
  readonly code_version: string | null
  readonly documents: Readonly<Record<string, ManifestDocument>>
  readonly unpublished: readonly string[]
}

const text: JsonSchema = { type: 'string' }
const textOrNull: JsonSchema = { type: ['string', 'null'] }
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const digest: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }

const closed = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** JSON Schema of a manifest. */
export const manifestSchema: JsonSchema = closed({
  snapshot_id: text,
  log_position: whole,
  minute: whole,
  as_of: kind.time.schema,
  block_number: whole,
  block_hash: kind.hash.schema,
  chain: textOrNull,
  rules_version: whole,
  code_version: textOrNull,
  documents: {
    type: 'object',
    additionalProperties: closed({ sha256: digest, total: whole, snapshot_id: text }),
  },
  unpublished: words,
})

/** JSON Schema of v1/status. */
export const statusSchema: JsonSchema = rowSchema(statusFields)
