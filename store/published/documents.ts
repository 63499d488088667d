import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Hash, Minute } from '../../market/segment.ts'
import { type Manifest, PINNED_MINUTES } from '../../schemas/api/service.ts'
import type { Item, Table } from '../aws/table.ts'
import { marketKeys } from '../aws/tables.ts'

/** The snapshot that a stored document belongs to, as answers name it. */
export type SnapshotInfo = {
  readonly id: string
  /** Entry of the log of minutes. */
  readonly n: number
  /** How often another log had become live. @default 0 */
  readonly switches?: number
  readonly minute: Minute
  readonly blockNumber: number
  readonly blockHash: Hash
  /** Seconds until the next one is due. @default REBUILD_EVERY_SECONDS */
  readonly everySeconds?: number
}

/** The facts of a published snapshot, from its manifest. */
export const infoOfManifest = (manifest: Manifest): SnapshotInfo => ({
  id: manifest.snapshot_id,
  n: manifest.log_position,
  switches: manifest.log_switches,
  minute: manifest.minute,
  blockNumber: manifest.block_number,
  blockHash: manifest.block_hash,
})

/** Entries of a log stay below it. */
const ENTRIES = 10_000_000_000

/** A number that is larger for a later snapshot, also of another log. */
export const orderOf = ({ switches = 0, n }: Pick<SnapshotInfo, 'switches' | 'n'>): number =>
  switches * ENTRIES + n

/** The switches of an order. */
export const switchesOf = (order: number): number => Math.floor(order / ENTRIES)

/** A document in the table; parameterised answers are cut from its text. */
export type StoredDocument = { readonly name: string; readonly snapshot: SnapshotInfo; readonly text: string }

/** Documents in the Market table, including their versions of the last minutes. */
export type DocumentStore = {
  /** Puts a version; false: its slot holds one from later in the log. */
  putDocument(document: StoredDocument): Promise<boolean>
  /** Makes a snapshot the newest, after its documents are put; false: a later one is the newest. */
  putNewest(snapshot: SnapshotInfo): Promise<boolean>
  /** The newest snapshot whose documents are all put. */
  newest(): Promise<SnapshotInfo | undefined>
  /**
   * The version of a minute, or the newest one (the last good one if the newest snapshot lacks it). Undefined if there
   * is none or the minute is more than PINNED_MINUTES ago.
   */
  readDocument(name: string, minute?: Minute): Promise<StoredDocument | undefined>
}

/**
 * Number of slots that versions rotate through, each overwriting the version of 16 minutes before. Nothing has to
 * expire, and the newest version stays even while the log does not grow.
 */
const SLOTS = PINNED_MINUTES + 1

const packed = promisify(brotliCompress)
const unpacked = promisify(brotliDecompress)
/**
 * Each KB costs a write unit a minute. Quality 5 saves 2 % in nearly twice the time, deflate level 6 compresses worse in
 * as much time; a larger window gains nothing.
 */
const PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 } }

/** The documents of a Market table. */
export function openDocuments(table: Table): DocumentStore {
  const read = async (name: string, minute: Minute) => {
    const item = await table.read(marketKeys.document(name, minute % SLOTS))
    return item && item['minute'] === minute ? documentFrom(item) : undefined
  }
  const newest = async () => {
    const item = await table.read(marketKeys.snapshot)
    return item && infoFrom(item)
  }
  return {
    async putDocument({ name, snapshot, text }) {
      const key = marketKeys.document(name, snapshot.minute % SLOTS)
      // The limit of an item is 400 KB; a hundred rows of the longest names and numbers compress to 160 KB.
      const brotli = await packed(Buffer.from(text), PACKING)
      return table.put({ ...key, ...itemOfInfo(snapshot), name, brotli }, { olderThan: snapshot.n })
    },
    putNewest: (snapshot) =>
      table.put({ ...marketKeys.snapshot, ...itemOfInfo(snapshot) }, { olderThan: snapshot.n }),
    newest,
    async readDocument(name, minute) {
      const last = await newest()
      if (!last) return undefined
      if (minute === undefined) return (await read(name, last.minute)) ?? lastGood(table, name, last)
      const isKept = minute <= last.minute && minute >= last.minute - PINNED_MINUTES
      return isKept ? read(name, minute) : undefined
    },
  }
}

const itemOfInfo = ({ n, ...facts }: SnapshotInfo) => ({ pos: n, ...facts })

const infoFrom = (item: Item): SnapshotInfo => ({
  id: String(item['id']),
  n: Number(item['pos']),
  ...(item['switches'] === undefined ? {} : { switches: Number(item['switches']) }),
  ...(item['everySeconds'] === undefined ? {} : { everySeconds: Number(item['everySeconds']) }),
  minute: Number(item['minute']),
  blockNumber: Number(item['blockNumber']),
  blockHash: item['blockHash'] as Hash,
})

async function documentFrom(item: Item): Promise<StoredDocument> {
  const text = (await unpacked(item['brotli'] as Uint8Array)).toString()
  return { name: String(item['name']), snapshot: infoFrom(item), text }
}

/** The newest version of a document that the newest snapshot lacks. */
async function lastGood(
  table: Table,
  name: string,
  { n }: SnapshotInfo,
): Promise<StoredDocument | undefined> {
  let newest: Item | undefined
  for await (const item of table.query({ pk: marketKeys.document(name, 0).pk })) {
    if (Number(item['pos']) <= n && Number(item['pos']) > Number(newest?.['pos'] ?? 0)) newest = item
  }
  return newest && documentFrom(newest)
}
