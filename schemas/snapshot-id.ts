import { createHash } from 'node:crypto'
import type { Block, Minute } from '../market/segment.ts'
import { isoTime } from './kinds.ts'

/** Where a snapshot stands: its place in the log of minutes, its minute and the minute's last block. */
export type SnapshotPlace = { readonly n: number; readonly minute: Minute; readonly last: Block }

/** `20251006T1520Z-1a2b3c4d`: the minute, and a digest of the place in the log and on the chain. */
export function snapshotId({ n, minute, last }: SnapshotPlace): string {
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
