import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Hash, Minute } from '../market/segment.ts'
import { mapParallel } from './parallel.ts'
import type { Item, Table } from './table.ts'
import { type Key, marketKeys, sha256Of } from './tables.ts'

/** The snapshot that a stored document belongs to: what answers about it say of themselves. */
export type SnapshotFacts = {
  readonly id: string
  /** Entry of the log of minutes. */
  readonly n: number
  readonly minute: Minute
  readonly blockNumber: number
  readonly blockHash: Hash
}

/** What parameterised answers are cut from, by name. */
export type StoredDocument = {
  readonly name: string
  readonly snapshot: SnapshotFacts
  readonly text: string
}

/** Documents in the Market table, the versions of the last minutes among them. */
export type DocumentStore = {
  /** Puts a version; false: one further on in the log stands in its place. */
  putDocument(document: StoredDocument): Promise<boolean>
  /** Makes a snapshot the newest, once its documents are put; false: one further on in the log is. */
  putNewest(snapshot: SnapshotFacts): Promise<boolean>
  /** The newest snapshot whose documents are put. */
  newest(): Promise<SnapshotFacts | undefined>
  /**
   * The version of a minute, or the newest (the last good one when the newest snapshot has none). Undefined: there is none,
   * or the minute is more than PINNED_MINUTES ago.
   */
  readDocument(name: string, minute?: Minute): Promise<StoredDocument | undefined>
}

/** Versions stay readable for so many minutes. */
export const PINNED_MINUTES = 15
/**
 * Versions take turns in so many places, each overwriting the one of 16 minutes before: nothing has to expire, and the
 * newest stays however long the log stands still.
 */
const PLACES = PINNED_MINUTES + 1
/** An item may have 400 KB with its names (Amazon DynamoDB Developer Guide, quotas). */
const PART_BYTES = 380_000

const packed = promisify(brotliCompress)
const unpacked = promisify(brotliDecompress)
/** A KB costs a write unit a minute. Quality 5 makes 2 % less of it in nearly twice the time, and deflate at 6 as much; a larger window gains nothing here. */
const PACKING = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 },
}

/** The documents of a Market table. */
export function openDocuments(table: Table): DocumentStore {
  const read = async (name: string, minute: Minute) => {
    const head = await table.read(marketKeys.document(name, minute % PLACES))
    return head && head['minute'] === minute ? documentFrom(table, head) : undefined
  }
  const newest = async () => {
    const item = await table.read(marketKeys.snapshot)
    return item && factsFrom(item)
  }
  return {
    async putDocument(document) {
      const items = await itemsOf(document)
      // The parts first: who finds the head finds what it speaks of.
      const put = (item: Item) => table.put(item, { olderThan: document.snapshot.n })
      for (const item of items.slice(1)) await put(item)
      return items[0] !== undefined && put(items[0])
    },
    putNewest: (snapshot) =>
      table.put({ ...marketKeys.snapshot, ...itemOfFacts(snapshot) }, { olderThan: snapshot.n }),
    newest,
    async readDocument(name, minute) {
      let last = await newest()
      if (minute !== undefined) {
        const isKept = last && minute <= last.minute && minute >= last.minute - PINNED_MINUTES
        return isKept ? read(name, minute) : undefined
      }
      while (last) {
        const found = (await read(name, last.minute)) ?? (await lastGood(table, name, last))
        if (found) return found
        // A reader that was held up so long that every place has been overwritten begins anew.
        const next = await newest()
        last = next?.n === last.n ? undefined : next
      }
      return undefined
    },
  }
}

const itemOfFacts = ({ n, id, minute, blockNumber, blockHash }: SnapshotFacts) => ({
  pos: n,
  id,
  minute,
  blockNumber,
  blockHash,
})

const factsFrom = (item: Item): SnapshotFacts => ({
  id: String(item['id']),
  n: Number(item['pos']),
  minute: Number(item['minute']),
  blockNumber: Number(item['blockNumber']),
  blockHash: item['blockHash'] as Hash,
})

const digestOf = (bytes: Uint8Array): string => sha256Of(bytes).slice(0, 32)

/** A version's head and further parts. The head says what the whole must come to. */
async function itemsOf({ name, snapshot, text }: StoredDocument): Promise<readonly Item[]> {
  const bytes = await packed(Buffer.from(text), PACKING)
  const place = snapshot.minute % PLACES
  const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
  return Array.from({ length: count }, (_, part): Item => {
    const key: Key = marketKeys.document(name, place, part)
    const own = {
      ...key,
      pos: snapshot.n,
      brotli: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    }
    return part > 0 ? own : { ...own, ...itemOfFacts(snapshot), name, parts: count, digest: digestOf(bytes) }
  })
}

/** The document of a head; undefined when its parts are being overwritten. */
async function documentFrom(table: Table, head: Item): Promise<StoredDocument | undefined> {
  const [name, minute] = [String(head['name']), Number(head['minute'])]
  const rest = Array.from({ length: Number(head['parts']) - 1 }, (_, at) =>
    marketKeys.document(name, minute % PLACES, at + 1),
  )
  const items = [head, ...(await mapParallel(rest, PLACES, (key) => table.read(key)))]
  const bytes = Buffer.concat(
    items.map((item) => (item?.['brotli'] as Uint8Array | undefined) ?? Buffer.alloc(0)),
  )
  if (digestOf(bytes) !== head['digest']) return undefined
  return { name, snapshot: factsFrom(head), text: (await unpacked(bytes)).toString() }
}

/** The newest version that stands whole, of a document that the newest snapshot could not make. */
async function lastGood(
  table: Table,
  name: string,
  last: SnapshotFacts,
): Promise<StoredDocument | undefined> {
  const heads: Item[] = []
  for await (const item of table.query({ pk: marketKeys.document(name, 0).pk })) {
    if (item['digest'] !== undefined && Number(item['pos']) <= last.n) heads.push(item)
  }
  for (const head of heads.sort((a, b) => Number(b['pos']) - Number(a['pos']))) {
    const whole = await documentFrom(table, head)
    if (whole) return whole
  }
  return undefined
}
