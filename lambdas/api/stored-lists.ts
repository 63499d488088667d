import { LRUCache } from 'lru-cache'
import type { NamedToken } from '../../market/board/lookalikes.ts'
import { weekBoards } from '../../schemas/api/documents.ts'
import { InvalidParameterError, ServiceUnavailableError } from '../../schemas/api/errors.ts'
import { minuteOfSnapshotId, PINNED_MINUTES } from '../../schemas/api/service.ts'
import { addressIn, type Cells, recordsIn, textIn } from '../../schemas/values/list-text.ts'
import { progressText } from '../../store/aws/progress.ts'
import type { DocumentStore, SnapshotInfo, StoredDocument } from '../../store/published/documents.ts'

/** A stored document, and its snapshot. */
type Stored<V> = { readonly at: SnapshotInfo; readonly value: V }

/**
 * The documents that parameterised answers are cut from, of the newest snapshot or of one of the last 15 minutes. Throws
 * ServiceUnavailableError before the first snapshot, InvalidParameterError for a snapshot that is no longer stored.
 */
export type StoredLists = {
  /** The rows of a list. */
  list(name: string, snapshotId?: string): Promise<Stored<readonly Cells[]>>
  /** The text of a document. */
  object(name: string, snapshotId?: string): Promise<Stored<string>>
  /** The newest snapshot. */
  newest(): Promise<SnapshotInfo>
  /** The id of the newest snapshot that has all of these. Throws ServiceUnavailableError if none has. */
  newestWith(names: readonly string[]): Promise<string>
}

/** Retry-After in seconds while nothing is published. */
const RETRY_SECONDS = 10
/** Parsed lists of the newest snapshot, and of some earlier ones that pages are pinned to. */
const KEPT = 40

/** The answer before the first snapshot: on one machine, where ingest and the rebuild are in this process, with what they do. */
export const unpublished = () =>
  new ServiceUnavailableError(
    RETRY_SECONDS,
    ['The first snapshot is not published yet', progressText()].filter(Boolean).join(': ').concat('.'),
  )

/** The answer to a snapshot that is not kept, or never was. */
export function unknownSnapshot(id: string): InvalidParameterError {
  const allowed = 'the id of a snapshot of the last 15 minutes'
  return new InvalidParameterError({ parameter: 'snapshot', provided: id.slice(0, 128), allowed })
}

/** Parsed lists are cached by snapshot while the function stays warm. */
export function openStoredLists(documents: Pick<DocumentStore, 'newest' | 'readDocument'>): StoredLists {
  const parsed = new LRUCache<string, readonly Cells[]>({ max: KEPT })

  const read = async (name: string, snapshotId: string | undefined): Promise<StoredDocument> => {
    const document =
      snapshotId === undefined ? await documents.readDocument(name) : await pinned(name, snapshotId)
    if (!document) throw unpublished()
    return document
  }
  const pinned = async (name: string, id: string) => {
    const minute = minuteOfSnapshotId(id)
    const document = minute === null ? undefined : await documents.readDocument(name, minute)
    if (document?.snapshot.id === id) return document
    throw unknownSnapshot(id)
  }

  return {
    async newest() {
      const facts = await documents.newest()
      if (!facts) throw unpublished()
      return facts
    },
    async newestWith(names) {
      const last = (await documents.newest())?.minute ?? Number.NEGATIVE_INFINITY
      for (let minute = last; minute >= last - PINNED_MINUTES && minute >= 0; minute--) {
        const found = await Promise.all(names.map((name) => documents.readDocument(name, minute)))
        const id = found[0]?.snapshot.id
        if (id !== undefined && found.every((document) => document?.snapshot.id === id)) return id
      }
      throw unpublished()
    },
    async list(name, snapshotId) {
      const facts = snapshotId === undefined ? await documents.newest() : undefined
      const known = facts && parsed.get(`${name} ${facts.id}`)
      if (known) return { at: facts, value: known }
      const { snapshot, text } = await read(name, snapshotId)
      const value = parsed.get(`${name} ${snapshot.id}`) ?? recordsIn(text)
      parsed.set(`${name} ${snapshot.id}`, value)
      return { at: snapshot, value }
    },
    async object(name, snapshotId) {
      const { snapshot, text } = await read(name, snapshotId)
      return { at: snapshot, value: text }
    },
  }
}

/**
 * Reads several lists of one snapshot: the requested one, else the newest, else the newest that has all of them, since a
 * document that failed is missing in its snapshot. Throws as StoredLists does.
 */
export async function ofOneSnapshot<V>(
  lists: Pick<StoredLists, 'newestWith'>,
  { names, asked }: { readonly names: readonly string[]; readonly asked: string | undefined },
  read: (snapshotId: string | undefined) => Promise<V>,
): Promise<V> {
  try {
    return await read(asked)
  } catch (error) {
    if (asked !== undefined || !(error instanceof InvalidParameterError)) throw error
    return read(await lists.newestWith(names))
  }
}

/** Both boards of one snapshot, creators first, each by rank; in the period whose price change is change_7d. */
export function readBoards(lists: StoredLists): Promise<{ at: SnapshotInfo; rows: readonly Cells[] }> {
  return ofOneSnapshot(lists, { names: Object.values(weekBoards), asked: undefined }, async (id) => {
    const creators = await lists.list(weekBoards.creators, id)
    const posts = await lists.list(weekBoards.posts, creators.at.id)
    return { at: creators.at, rows: [...creators.value, ...posts.value] }
  })
}

/** Unix seconds; null: the row has none. */
const secondsIn = (row: Cells, key: string): number | null =>
  (row[key] ?? 'null') === 'null' ? null : Date.parse(textIn(row, key)) / 1_000

/** The token of a row as its symbol is judged. */
export const namedIn = (row: Cells): NamedToken => ({
  address: addressIn(row, 'contract_address'),
  creator: addressIn(row, 'creator_address'),
  launchedBy: row['launched_by'] === 'null' ? null : addressIn(row, 'launched_by'),
  kind: row['type'] === '"creator"' ? 'creator' : 'post',
  symbol: textIn(row, 'symbol'),
  since: secondsIn(row, 'symbol_since'),
})

/** A row of those boards as a token's summary, at a rank of another list. */
export const summaryOfRow = (row: Cells, rank: number): Cells => ({
  ...row,
  rank: String(rank),
  position: String(rank),
  change_24h: row['change_24h_percent'] ?? 'null',
  change_7d: row['price_change_percent'] ?? 'null',
  z100_board: row['type'] === '"creator"' ? '"creators"' : '"posts"',
  z100_rank: row['rank'] ?? 'null',
})
