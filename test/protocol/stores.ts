import { createHash } from 'node:crypto'
import type { SegmentReference } from '../../market/log.ts'
import type { Segment } from '../../market/segment.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import type { Item, ItemSpan, Table } from '../../store/aws/table.ts'
import { segmentBytes } from '../../store/bytes/segment-bytes.ts'
import type { SpanName } from '../../store/items/price-grains.ts'
import { openTokens, type TokenStore } from '../../store/items/tokens.ts'
import { type Feed, openFeed } from '../../store/log/feed.ts'
import { type LogStore, openLog, SegmentMissingError } from '../../store/log/log.ts'
import { memoryBucket } from '../support/aws/memory-stores.ts'

/** Does something to the world, now or when its turn comes. */
export type Operate = <T>(act: () => T) => Promise<Awaited<T>>

/** What outlives every process. */
export type Disk = {
  readonly table: Table & { readonly items: ReadonlyMap<string, Item> }
  /** How often a row and an entry of the log have been put. */
  readonly puts: Readonly<Record<'rows' | 'entries', number>>
  /** Uploaded segments by key. */
  readonly objects: Map<string, Segment>
}

/** The stores as one process sees them. */
export type Stores = { readonly log: LogStore; readonly tokens: TokenStore; readonly feed: Feed }

/** An empty disk. */
export function openDisk(): Disk {
  const table = openMemoryTable()
  const puts = { rows: 0, entries: 0 }
  const put: Table['put'] = (item, condition) => {
    if (isRow(item)) puts.rows += 1
    if (item.pk === 'LOG') puts.entries += 1
    return table.put(item, condition)
  }
  return { table: { ...table, put }, puts, objects: new Map() }
}

/** The hour or day of what is kept by them: prices and their mark, holders and earnings, swaps of a wallet; null: another item. */
export function spanOf({ pk, sk }: Item): { readonly name: SpanName; readonly at: number } | null {
  if (pk.startsWith('W#')) return { name: 'hour', at: Number(sk.slice(0, 6)) }
  const isHour = pk.startsWith('HOURS#') || /^[HQ]\d#/.test(sk)
  const isDay = pk.startsWith('DAYS#') || /^[DE]\d#/.test(sk)
  return isHour || isDay ? { name: isHour ? 'hour' : 'day', at: Number(sk.slice(-6)) } : null
}

/** A row of a token's minute, a chunk of its swaps, or its rolled-up prices: what readers may see as far as APPLIED. */
export const isRow = (item: Item): boolean => /^[CS]#/.test(item.sk) || spanOf(item) !== null

/** Opens the stores over a disk; every request that the real ones would send is one operation. */
export function openProtocolStores(
  disk: Disk,
  operate: Operate,
  seenAs: (table: Table) => Table = (table) => table,
): Stores {
  const table = seenAs(operatedTable(disk.table, operate))
  return {
    log: { ...openLog(table, memoryBucket()), ...segmentsIn(disk, operate) },
    tokens: openTokens(table),
    feed: openFeed(table, () => 0),
  }
}

/** Items in one page of a query: few, so that the world changes between two pages. */
const PAGE = 5

function operatedTable(table: Table, operate: Operate): Table {
  return {
    read: (key) => operate(() => table.read(key)),
    put: (item, condition) => operate(() => table.put(item, condition)),
    async *query(span) {
      let left = span.limit ?? Number.POSITIVE_INFINITY
      let last: string | undefined
      while (left > 0) {
        const rest = await operate(() => allOf(table.query(unlimited(span))))
        const from = last === undefined ? 0 : rest.findIndex(({ sk }) => isBeyond(span, sk, last as string))
        const page = from < 0 ? [] : rest.slice(from, from + Math.min(PAGE, left))
        yield* page
        left -= page.length
        if (page.length < PAGE) return
        last = page.at(-1)!.sk
      }
    },
    /** Each item is read in a moment of its own: two halves stand for that. */
    async readMany(keys) {
      const half = Math.ceil(keys.length / 2)
      const halves = [keys.slice(0, half), keys.slice(half)].filter((some) => some.length > 0)
      return (await Promise.all(halves.map((some) => operate(() => table.readMany(some))))).flat()
    },
  }
}

const unlimited = ({ limit: _, ...span }: ItemSpan): ItemSpan => span
const isBeyond = ({ isDescending }: ItemSpan, sk: string, last: string) =>
  isDescending ? sk < last : sk > last

/** Segments as objects under the digest of their bytes. That bytes are read as they were written is tested at the codec. */
function segmentsIn({ objects }: Disk, operate: Operate): Pick<LogStore, 'putSegment' | 'readSegment'> {
  const readSegment: LogStore['readSegment'] = async ({ key }) => {
    const segment = await operate(() => objects.get(key))
    if (!segment) throw new SegmentMissingError(key)
    return segment
  }
  return {
    async putSegment(segment) {
      const reference = referenceOf(segment)
      await operate(() => void objects.set(reference.key, segment))
      return reference
    },
    readSegment,
  }
}

/** Where a segment is kept: under the digest of its bytes. */
export function referenceOf(segment: Segment): SegmentReference {
  const sha256 = createHash('sha256').update(segmentBytes(segment)).digest('hex')
  return { minute: segment.minute, key: `segments/${segment.minute}-${sha256}`, sha256 }
}
