import { LRUCache } from 'lru-cache'
import type { NamedCurrency } from '../../market/board/lookalikes.ts'
import { type BoardFacts, boardFactsOf } from '../../market/board/screener.ts'
import type { Address } from '../../market/segment.ts'
import { minuteOfSnapshotId, PINNED_MINUTES } from '../../schemas/api/service.ts'
import type { DocumentStore, SnapshotInfo } from '../../store/published/documents.ts'
import type { TokenPrice } from '../../store/published/prices.ts'
import type { ScreenedColumns, ScreenedStore, StoredScreened } from '../../store/published/screened.ts'
import { unknownSnapshot, unpublished } from './stored-lists.ts'

/** The screened tokens of a snapshot, and orders of them that were asked for. */
export type ScreenedSnapshot = {
  readonly at: SnapshotInfo
  readonly columns: ScreenedColumns
  readonly boards: BoardFacts
  readonly orders: Map<string, Int32Array>
}

/**
 * The screened tokens of the newest snapshot that has them, or of one of the last 15 minutes. Throws
 * ServiceUnavailableError before the first snapshot, InvalidParameterError for a snapshot that is no longer stored.
 */
export type StoredScreener = (snapshotId?: string) => Promise<ScreenedSnapshot>

/** Snapshots kept, each of about 18 MB with 20,000 tokens: the newest, and two that pages are pinned to. */
const KEPT = 3

/** Screened tokens are read once a snapshot while the function stays warm. `currencies`: the names of the references. */
export const openStoredScreener = (
  documents: Pick<DocumentStore, 'newest'>,
  store: Pick<ScreenedStore, 'read'>,
  currencies: Iterable<NamedCurrency>,
): StoredScreener =>
  openPinned(documents, store, async ({ snapshot, bytes }) => {
    const { readScreened } = await import('../../store/published/screened.ts')
    const columns = readScreened(bytes)
    const boards = boardFactsOf(columns.boards, currencies)
    return { at: snapshot, columns, boards, orders: new Map<string, Int32Array>() }
  })

/** The prices of a snapshot's tokens. */
type PricedSnapshot = { readonly at: SnapshotInfo; readonly prices: ReadonlyMap<Address, TokenPrice> }

/** As `StoredScreener`. */
export type StoredPrices = (snapshotId?: string) => Promise<PricedSnapshot>

/** Prices are read once a snapshot as well. */
export const openStoredPrices = (
  documents: Pick<DocumentStore, 'newest'>,
  store: Pick<ScreenedStore, 'read'>,
): StoredPrices =>
  openPinned(documents, store, async ({ snapshot, bytes }) => {
    const { readPrices } = await import('../../store/published/prices.ts')
    return { at: snapshot, prices: readPrices(bytes) }
  })

/** What is made of the newest snapshot's object, or of a pinned one's. */
function openPinned<Made extends NonNullable<unknown>>(
  documents: Pick<DocumentStore, 'newest'>,
  store: Pick<ScreenedStore, 'read'>,
  make: (stored: StoredScreened) => Promise<Made>,
): (snapshotId?: string) => Promise<Made> {
  const known = new LRUCache<string, Made>({ max: KEPT })

  async function kept(stored: StoredScreened): Promise<Made> {
    const made = await make(stored)
    known.set(stored.snapshot.id, made)
    return made
  }

  /** The newest one stored: a publisher that failed has left out a minute. */
  async function newest({ id, minute }: SnapshotInfo): Promise<Made> {
    const current = known.get(id)
    if (current) return current
    for (let at = minute; at >= minute - PINNED_MINUTES && at >= 0; at--) {
      const stored = await store.read(at)
      if (stored) return known.get(stored.snapshot.id) ?? kept(stored)
    }
    throw unpublished()
  }

  return async (snapshotId) => {
    const last = await documents.newest()
    if (!last) throw unpublished()
    if (snapshotId === undefined) return newest(last)
    const minute = minuteOfSnapshotId(snapshotId)
    if (minute === null || minute > last.minute || minute < last.minute - PINNED_MINUTES)
      throw unknownSnapshot(snapshotId)
    const pinned = known.get(snapshotId)
    if (pinned) return pinned
    const stored = await store.read(minute)
    if (stored?.snapshot.id !== snapshotId) throw unknownSnapshot(snapshotId)
    return kept(stored)
  }
}
