import type { StatusGap } from '../../schemas/api/service.ts'
import type { Key, Table } from '../aws/table.ts'
import { marketKeys } from '../aws/tables.ts'
import type { SnapshotInfo } from './documents.ts'

/** v1/status as published: its text, its snapshot, and when it was written (Unix seconds). */
export type StatusText = {
  readonly snapshot: SnapshotInfo
  readonly checkedAt: number
  readonly text: string
}

/** v1/status in the Market table, used if the bucket has none. */
export type StoredStatus = {
  /** Puts it unless one of a later snapshot, or a later one of the same snapshot, is stored; returns whether it did. */
  put(status: StatusText): Promise<boolean>
  read(): Promise<StatusText | undefined>
}

/** Seconds fit below it until the year 2286. */
const SECONDS = 10n ** 10n

/** Opens the stored status of a Market table. */
export const openStoredStatus = (table: Pick<Table, 'read' | 'put'>): StoredStatus => ({
  put({ snapshot, checkedAt, text }) {
    // Ordered by snapshot, then by clock, in one growing number.
    const pos = BigInt(snapshot.n) * SECONDS + BigInt(checkedAt)
    const status = JSON.stringify({ snapshot, checkedAt, text } satisfies StatusText)
    return table.put({ ...marketKeys.status, pos, status }, { olderThan: pos })
  },
  async read() {
    const item = await table.read(marketKeys.status)
    return item && (JSON.parse(String(item['status'])) as StatusText)
  },
})

/** The gap at which sealing has stopped, if there is one. */
export type GapStore = {
  read(): Promise<StatusGap | undefined>
  /** null: there is none any more. `now` in Unix ms; the newest put wins. */
  put(gap: StatusGap | null, now: number): Promise<void>
}

export const openGapStore = (table: Pick<Table, 'read' | 'put'>): GapStore =>
  openStored<StatusGap>(table, marketKeys.gap, 'gap')

/** A value under one key, or none; the newest put wins. */
function openStored<T>(table: Pick<Table, 'read' | 'put'>, key: Key, name: string) {
  return {
    async read(): Promise<T | undefined> {
      const item = await table.read(key)
      return item?.[name] === undefined ? undefined : (JSON.parse(String(item[name])) as T)
    },
    async put(value: T | null, now: number): Promise<void> {
      const content = value ? { [name]: JSON.stringify(value) } : { tomb: true }
      await table.put({ ...key, pos: now, ...content }, { olderThan: now })
    },
  }
}

/** Trouble of the chain or its endpoints, not of the service. Times are Unix seconds; null: none. */
export type ChainTrouble = {
  /** When it was seen last. */
  readonly seenAt: number
  /** Time of the newest block, if no other has come for a minute. */
  readonly stillSince: number | null
  /** Time of the newest block, if it is far behind the clock. */
  readonly lateAt: number | null
  /** The first block of a row of blocks whose times differ from the schedule. */
  readonly offSince: number | null
  /** An endpoint whose quota of a day or a month is used up, and when it is tried again. */
  readonly quota: { readonly endpoint: string; readonly until: number } | null
}

/** Trouble of the chain, seen by ingest. */
export type ChainTroubleStore = {
  read(): Promise<ChainTrouble | undefined>
  /** null: there is none any more. `now` in Unix ms; the newest put wins. */
  put(trouble: ChainTrouble | null, now: number): Promise<void>
}

export const openChainTroubleStore = (table: Pick<Table, 'read' | 'put'>): ChainTroubleStore =>
  openStored<ChainTrouble>(table, marketKeys.chainTrouble, 'trouble')
