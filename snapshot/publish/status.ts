import type { RateRow } from '../../market/board/rates.ts'
import { asOf } from '../../market/window.ts'
import { operations } from '../../schemas/api/operations.ts'
import {
  type Manifest,
  type Status,
  type StatusGap,
  staleAfter,
  statusFields,
} from '../../schemas/api/service.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type Bucket, putOver } from '../../store/aws/bucket.ts'
import type { Applied } from '../../store/log/log.ts'
import type { Logs } from '../../store/log/logs.ts'
import { infoOfManifest } from '../../store/published/documents.ts'
import { openManifests } from '../../store/published/manifests.ts'
import type { ChainTrouble, StoredStatus } from '../../store/published/stored-status.ts'
import { snapshotMetadata } from './documents.ts'
import { refoldOf } from './role.ts'

/** Key of v1/status. */
export const STATUS_KEY = operations.status.path.slice(1)

/** State of the service in addition to its manifest. */
export type ServiceHealth = {
  /** Unix seconds. */
  readonly now: number
  /** APPLIED; undefined: not known. */
  readonly applied: Applied | undefined
  /** The gap at which sealing waits for missing logs. */
  readonly gap?: StatusGap | undefined
  /** Trouble of the chain itself. */
  readonly chainTrouble?: ChainTrouble | undefined
  /** Absent: no other publisher runs. */
  readonly logs?: Logs | undefined
  /** The reference rates of the newest figures; absent: the run has none. */
  readonly rates?: readonly RateRow[] | undefined
  /** Seconds between two rebuilds. */
  readonly everySeconds: number
  /** Why the last rebuild failed; absent: it succeeded. */
  readonly failure?: unknown
}

/** Reasons why the service is degraded, for its users; empty: it is not. */
function reasonsFor(
  manifest: Manifest,
  { now, applied, gap, chainTrouble, everySeconds, failure }: ServiceHealth,
): readonly string[] {
  const most = staleAfter(everySeconds)
  const isOld = (seconds: number): boolean => now - seconds > most
  const reasons = manifest.unpublished.map(
    (name) => `${name} could not be published; its last good version stays`,
  )
  if (failure !== undefined) {
    reasons.push(`the last rebuild failed: ${failure instanceof Error ? failure.name : 'unknown'}`)
  }
  if (gap) {
    const endpoints = gap.endpoints.join(', ') || 'no endpoint'
    reasons.push(`logs are missing at block ${gap.block}: ${gap.missing} (asked: ${endpoints})`)
  }
  const trouble = chainTrouble && !isOld(chainTrouble.seenAt) ? chainTrouble : undefined
  if (trouble && trouble.offSince !== null) {
    reasons.push(
      `block times differ from the schedule since block ${trouble.offSince}: figures are right but cost more calls`,
    )
  }
  if (!isOld(asOf(manifest.minute))) return reasons
  reasons.push(`figures are as of ${manifest.as_of}, more than ${most} seconds ago`)
  const sealedTo = applied && applied.minute !== null ? asOf(applied.minute) : null
  if (trouble && trouble.stillSince !== null)
    reasons.push(`the chain stands still since ${isoTime(trouble.stillSince)}`)
  else if (trouble && trouble.lateAt !== null)
    reasons.push(`the chain is behind the clock: its newest block is of ${isoTime(trouble.lateAt)}`)
  if (trouble?.quota)
    reasons.push(
      `the request quota of ${trouble.quota.endpoint} is used up; it is tried again at ${isoTime(trouble.quota.until)}`,
    )
  if (applied?.isLowered) reasons.push('minutes of the log are being rolled back')
  else if (trouble) return reasons
  else if (sealedTo !== null && isOld(sealedTo)) {
    reasons.push(`the log of minutes reaches ${isoTime(sealedTo)}: it is catching up, or stands still`)
  } else if (sealedTo !== null) {
    reasons.push(`the log of minutes has gone on to ${isoTime(sealedTo)}; the snapshot follows`)
  }
  return reasons
}

const write = rowWriter<Status>(statusFields)

/**
 * Publishes v1/status for the current snapshot, if there is one. Called at the end of every run, even if nothing else
 * changed. Never replaces the status of a later snapshot, or a later one of the same snapshot. The table is written
 * first, since the API answers from it while the bucket has none.
 */
export async function publishStatus(
  { bucket, table }: { readonly bucket: Bucket; readonly table: StoredStatus | undefined },
  health: ServiceHealth,
): Promise<void> {
  const manifest = await openManifests(bucket).newest()
  if (!manifest) return
  const checkedAt = Math.floor(health.now)
  const from = Math.floor(Date.parse(manifest.history_from) / 60_000)
  const progress = { published: manifest.minute, from }
  const text = write({
    manifest,
    checkedAt,
    everySeconds: health.everySeconds,
    reasons: reasonsFor(manifest, health),
    gap: health.gap ?? null,
    rates: health.rates ?? null,
    refold: health.logs ? await refoldOf(health.logs, checkedAt, progress) : null,
  })
  const snapshot = infoOfManifest(manifest)
  await table?.put({ snapshot, checkedAt, text })
  const metadata = { ...snapshotMetadata(snapshot), checked: String(checkedAt) }
  const next = {
    bytes: Buffer.from(text),
    contentType: 'application/json; charset=utf-8',
    cacheControl: operations.status.cacheControl,
    metadata,
  }
  await putOver(bucket, STATUS_KEY, (current) =>
    current && isLater(current.metadata, metadata) ? undefined : next,
  )
}

/** Whether v1/status has to be written by a publisher that is not live, because the live one has ended: two minutes after the next was due. */
export async function isStatusOld(
  bucket: Bucket,
  { now, everySeconds }: Pick<ServiceHealth, 'now' | 'everySeconds'>,
): Promise<boolean> {
  const checked = Number((await bucket.read(STATUS_KEY))?.metadata['checked'] ?? 0)
  return now - checked > everySeconds + 120
}

type ObjectMetadata = { readonly [name: string]: string }

function isLater(one: ObjectMetadata, other: ObjectMetadata): boolean {
  const aheadBy = (name: string) => Number(one[name] ?? 0) - Number(other[name] ?? 0)
  return (aheadBy('position') || aheadBy('checked')) > 0
}
