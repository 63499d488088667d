/** Counts the reads of an answer, so that a page can end before it costs too much. */
import type { Item, Reads } from '../../store/aws/table.ts'
import type { ReadStores } from './endpoint.ts'

/** Read units that an answer may use, and the most that a token that is on no board costs. */
export const readBudget = { units: 60, eachToken: 5 } as const

/** Bytes that half a read unit pays for: of an item, or of all items of a query together. */
const BLOCK_BYTES = 4_096

/** The stores with counted eventual reads. `units`: read units that they used so far, as DynamoDB counts them. */
export function withCountedReads(stores: ReadStores): { stores: ReadStores; units: () => number } {
  const { reads: past, units } = counted(stores.past, 0.5)
  return { stores: { ...stores, past }, units }
}

/** The same with the strong ones, which cost twice as much. */
export function withAllReadsCounted(stores: ReadStores): { stores: ReadStores; units: () => number } {
  const [strong, eventual] = [counted(stores.table, 1), counted(stores.past, 0.5)]
  return {
    stores: { ...stores, table: strong.reads, past: eventual.reads },
    units: () => strong.units() + eventual.units(),
  }
}

function counted(table: Reads, unitsOfBlock: number): { reads: Reads; units: () => number } {
  let units = 0
  const count = (bytes: number) => {
    units += Math.max(1, Math.ceil(bytes / BLOCK_BYTES)) * unitsOfBlock
  }
  const reads: Reads = {
    async read(key) {
      const item = await table.read(key)
      count(item ? bytesOf(item) : 0)
      return item
    },
    async readMany(keys, options) {
      const items = await table.readMany(keys, options)
      for (let at = 0; at < keys.length; at++) count(bytesOf(items[at] ?? {}))
      return items
    },
    async *query(span) {
      let bytes = 0
      try {
        for await (const item of table.query(span)) {
          bytes += bytesOf(item)
          yield item
        }
      } finally {
        count(bytes)
      }
    },
  }
  return { reads, units: () => units }
}

const NUMBER_BYTES = 21

/** About the size of an item: its names and values. */
const bytesOf = (item: Partial<Item>): number =>
  Object.entries(item).reduce((bytes, [name, value]) => bytes + name.length + sizeOf(value), 0)

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : NUMBER_BYTES
