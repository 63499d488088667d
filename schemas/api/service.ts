import { createHash } from 'node:crypto'
import type { RateRow } from '../../market/board/rates.ts'
import type { Block, Hash, Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { rateFields } from '../records/rates.ts'
import {
  type FieldTable,
  fieldsOf,
  type JsonSchema,
  listKind,
  MADE_FROM,
  orNull,
  recordKind,
  rowSchema,
} from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { isoTime } from '../values/kinds.ts'
import { hourEnd, readerTiers, type Tier, tiers } from './access.ts'

/** Minutes for which the documents of a snapshot stay readable. */
export const PINNED_MINUTES = 15

/** Seconds between two rebuilds of the snapshot, where a deployment's stage has no other number. */
export const REBUILD_EVERY_SECONDS = 60

/** Age by the clock from which figures are stale: that of a snapshot, and four minutes. */
export const staleAfter = (everySeconds = REBUILD_EVERY_SECONDS): number => everySeconds + 240

/** v1/status: the current snapshot, and whether it is fresh and complete. The only document that depends on the clock. */
export type Status = {
  readonly manifest: Manifest
  /** Unix seconds, by the publisher's clock. */
  readonly checkedAt: number
  /** Seconds between two snapshots. */
  readonly everySeconds: number
  /** Why the service is degraded; none: it is ok. */
  readonly reasons: readonly string[]
  readonly gap: StatusGap | null
  /** Newer rules that are catching up beside those in force; null: none are. */
  readonly refold: Refold | null
  /** null: the last run has no figures. */
  readonly rates: readonly RateRow[] | null
}

/** A newer version that follows the chain beside the live one until it has caught up. */
export type Refold = {
  readonly rulesVersion: number
  /** The minute that it has to reach, the minutes left, and the seconds that they will take (null: not known yet). */
  readonly to: Minute
  readonly minutes: number
  readonly seconds: number | null
}

/** Logs that no endpoint gives: minutes from this block on wait for them. `since`: Unix seconds. */
export type StatusGap = {
  readonly block: number
  readonly missing: string
  /** Hosts: the path and the query of an endpoint's URL may hold a key. */
  readonly endpoints: readonly string[]
  readonly since: number
}

const status = fieldsOf<Status>()
const words: JsonSchema = { type: 'array', items: { type: 'string' } }
const secondsOf = (time: string): number => Date.parse(time) / 1_000
const gap = fieldsOf<StatusGap>()
const gapFields: FieldTable<StatusGap> = {
  block_number: gap(kind.count, ({ block }) => block, 'First block of the minutes that are waiting'),
  missing: gap(kind.text, ({ missing }) => missing, 'Evidence that logs were left out'),
  endpoints: gap(kind.json(words), ({ endpoints }) => endpoints, 'Hosts that were asked'),
  since: gap(kind.time, ({ since }) => since, 'When the gap was first seen'),
}

const refoldSchema: JsonSchema = {
  type: 'object',
  properties: {
    rules_version: { type: 'integer', minimum: 1, description: 'Version of the rules that is catching up' },
    to: { ...kind.time.schema, description: 'The time that it has to reach, that of the newest figures' },
    remaining_minutes: { type: 'integer', minimum: 1, description: 'Minutes of the chain left until then' },
    remaining_seconds: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Seconds that they will take at the rate so far; null: not known yet',
    },
  },
  required: ['rules_version', 'to', 'remaining_minutes', 'remaining_seconds'],
  additionalProperties: false,
}

const refoldText = ({ rulesVersion, to, minutes, seconds }: Refold) => ({
  rules_version: rulesVersion,
  to: isoTime(asOf(to)),
  remaining_minutes: minutes,
  remaining_seconds: seconds,
})

/** Keys of v1/status and v1/snapshots that come from a manifest. */
function manifestFields<Row>(manifestOf: (row: Row) => Manifest) {
  const field = fieldsOf<Row>()
  return {
    snapshot_id: field(kind.text, (row) => manifestOf(row).snapshot_id, {
      description: 'Id of the snapshot; its manifest is /v1/snapshots/{id}',
    }),
    as_of: field(kind.time, (row) => secondsOf(manifestOf(row).as_of), 'The time of the figures'),
    block_number: field(kind.count, (row) => manifestOf(row).block_number, 'Last block of that minute'),
    block_hash: field(kind.hash, (row) => manifestOf(row).block_hash, 'Its hash'),
    log_position: field(kind.count, (row) => manifestOf(row).log_position, {
      description: 'Last entry of the log of minutes',
    }),
    documents_count: field(kind.count, (row) => Object.keys(manifestOf(row).documents).length, {
      description: 'Documents of the snapshot',
    }),
    unpublished: field(kind.json(words), (row) => manifestOf(row).unpublished, {
      description: 'Documents that failed; their last good version stays',
    }),
    rules_version: field(kind.count, (row) => manifestOf(row).rules_version, 'Version of the methodology'),
    code_version: field(orNull(kind.text), (row) => manifestOf(row).code_version, {
      description: 'Version of the code that built the snapshot',
    }),
  }
}

const { snapshot_id, as_of, block_number, block_hash, log_position, ...contents } = manifestFields<Status>(
  ({ manifest }) => manifest,
)

/** Keys of v1/status. */
export const statusFields: FieldTable<Status> = {
  status: status(kind.choice(['ok', 'degraded']), (row) => (row.reasons.length === 0 ? 'ok' : 'degraded'), {
    description: 'degraded: see reasons; boards stay at their last good version',
  }),
  reasons: status(kind.json(words), (row) => row.reasons, 'Why the service is degraded'),
  gap: status(orNull(recordKind(gapFields)), (row) => row.gap, {
    description:
      'Logs that no endpoint delivers: minutes from this block on wait for them; everything before it is complete',
  }),
  refold: status(orNull(kind.json(refoldSchema)), (row) => row.refold && refoldText(row.refold), {
    description:
      'After an update: newer rules catch up while the old ones keep publishing; then the service switches to the new ones',
  }),
  references: status(orNull(listKind(rateFields)), (row) => row.rates, {
    description: 'The reference rates, with their sources, as in v1/market/stats; null: the last run failed',
  }),
  snapshot_id,
  as_of,
  checked_at: status(kind.time, (row) => row.checkedAt, 'When this document was written'),
  age_seconds: status(
    kind.count,
    ({ manifest, checkedAt }) => Math.max(0, checkedAt - secondsOf(manifest.as_of)),
    { description: 'Age of the figures at that time' },
  ),
  rebuild_every_seconds: status(kind.count, (row) => row.everySeconds, {
    description:
      'Seconds between two snapshots; figures that are four minutes older than that are stale, and the service is degraded',
  }),
  block_number,
  block_hash,
  chain: status(orNull(kind.text), ({ manifest }) => manifest.chain, 'Name of the chain'),
  log_position,
  history_from: status(kind.time, ({ manifest }) => secondsOf(manifest.history_from), {
    description: 'First minute of the history',
  }),
  corrections: status(kind.count, ({ manifest }) => manifest.corrections, {
    description: 'How often minutes were rolled back and read again because an endpoint had left out logs',
  }),
  ...contents,
}

/** The contents of a snapshot; `manifest.json` in the bucket of published documents, put after them. v1/status is not part of it. */
export type Manifest = {
  readonly snapshot_id: string
  readonly log_position: number
  readonly log_switches: number
  readonly minute: Minute
  readonly as_of: string
  readonly block_number: number
  readonly block_hash: Hash
  readonly history_from: string
  readonly corrections: number
  readonly chain: string | null
  readonly rules_version: number
  readonly code_version: string | null
  readonly documents: Readonly<Record<string, ManifestDocument>>
  readonly unpublished: readonly string[]
}

/** A document of a snapshot. */
export type ManifestDocument = {
  readonly sha256: string
  readonly total: number
  readonly snapshot_id: string
}

const text: JsonSchema = { type: 'string' }
const textOrNull: JsonSchema = { type: ['string', 'null'] }
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const digest: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

const closed = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  [MADE_FROM]: properties,
})

/** Days for which manifests are kept. */
export const MANIFEST_DAYS = 90

/** Rows of v1/snapshots. */
export const snapshotFields = manifestFields<Manifest>((manifest) => manifest)

export const manifestDocumentSchema: JsonSchema = closed({
  sha256: described(digest, 'SHA-256 of its bytes'),
  total: described(whole, 'Number of records, as in X-Total-Count'),
  snapshot_id: described(text, 'The snapshot that last changed its bytes'),
})

export const manifestSchema: JsonSchema = closed({
  snapshot_id: described(text, 'Id of the snapshot'),
  log_position: described(
    whole,
    'Entry in its log of minutes. Within one log, the snapshot with the larger number is newer',
  ),
  log_switches: described(
    whole,
    'How often the service had gone over to another log of minutes, folded by other rules; a snapshot with a larger number is newer',
  ),
  minute: described(whole, 'Its newest minute: Unix seconds / 60'),
  as_of: described(kind.time.schema, 'The time of its figures'),
  block_number: described(whole, 'Last block of that minute'),
  block_hash: described(kind.hash.schema, 'Its hash'),
  history_from: described(kind.time.schema, 'First minute of the history'),
  corrections: described(whole, 'How often minutes were rolled back because an endpoint had left out logs'),
  chain: described(textOrNull, 'Name of the chain'),
  rules_version: described(whole, 'Version of the methodology'),
  code_version: described(textOrNull, 'Version of the code that built it'),
  documents: {
    type: 'object',
    description: 'Its documents by name: the path without the leading slash, and the parameter values',
    additionalProperties: manifestDocumentSchema,
  },
  unpublished: described(words, 'Documents that failed; their last good version stays'),
})

/** JSON Schema of v1/status. */
export const statusSchema: JsonSchema = rowSchema(statusFields)

/** Usage of an account in an hour. */
export type AccountUsage = {
  readonly account: string
  readonly tier: Tier
  /** Hours since 1970. */
  readonly hour: number
  readonly used: number
}

const usage = fieldsOf<AccountUsage>()
const limitOf = ({ tier }: AccountUsage): number => tiers[tier].limitPerHour

/** Keys of v1/usage. */
export const usageFields: FieldTable<AccountUsage> = {
  account: usage(kind.text, ({ account }) => account, 'Id of the key’s account'),
  tier: usage(kind.choice(readerTiers), ({ tier }) => tier, 'Its tier'),
  limit: usage(kind.count, limitOf, 'Answers allowed per UTC hour, over all keys of the account'),
  used: usage(kind.count, (row) => row.used, {
    description: 'Answers counted in this hour; those from the edge’s cache are counted some seconds later',
  }),
  remaining: usage(kind.count, (row) => Math.max(0, limitOf(row) - row.used), 'Answers left'),
  reset_at: usage(kind.time, ({ hour }) => hourEnd(hour), 'End of the hour'),
}

/** A snapshot's position in the log of minutes, its minute and the minute's last block. */
export type SnapshotPoint = { readonly n: number; readonly minute: Minute; readonly last: Block }

/** `20251006T1520Z-1a2b3c4d`: the minute, and a digest of the position in the log and on the chain. */
export function snapshotId({ n, minute, last }: SnapshotPoint): string {
  const time = isoTime(minute * 60).replace(/[-:]/g, '')
  const digest = createHash('sha256').update(`${n} ${minute} ${last.hash}`).digest('hex')
  return `${time.slice(0, 13)}Z-${digest.slice(0, 8)}`
}

/** The minute that an id names; null: this is no snapshot's id. */
export function minuteOfSnapshotId(id: string): Minute | null {
  const [, date, hours, minutes] = /^(\d{8})T(\d\d)(\d\d)Z-[0-9a-f]{8}$/.exec(id) ?? []
  if (date === undefined) return null
  const day = date.replace(/(....)(..)(..)/, '$1-$2-$3')
  const seconds = Date.parse(`${day}T${hours}:${minutes}:00Z`) / 1_000
  return Number.isNaN(seconds) ? null : seconds / 60
}
