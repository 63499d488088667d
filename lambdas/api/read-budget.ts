/** Counts the reads of an answer, so that a page can end before it costs too much. */
import type { Item } from '../../store/aws/table.ts'
import type { ReadStores } from './endpoint.ts'

/** Read units that an answer may use, and the most that a token that is on no board costs. */
export const readBudget = { units: 60, eachToken: 5 } as const

/** Bytes that half a read unit pays for: of an item, or of all items of a query together. */
const BLOCK_BYTES = 4_096

/** The stores with counted eventual reads. `units`: read units that they used so far, as DynamoDB counts them. */
export function withCountedReads(stores: ReadStores): { stores: ReadStores; units: () => number } {
  const { past } = stores
  let units = 0
  const count = (bytes: number) => {
    units += Math.max(1, Math.ceil(bytes / BLOCK_BYTES)) / 2
  }
  const counted: ReadStores['past'] = {
    async read(key) {
      const item = await past.read(key)
      count(item ? bytesOf(item) : 0)
      return item
    },
    async readMany(keys) {
      const items = await past.readMany(keys)
      for (let at = 0; at < keys.length; at++) count(bytesOf(items[at] ?? {}))
      return items
    },
    async *query(span) {
      let bytes = 0
      try {
        for await (const item of past.query(span)) {
          bytes += bytesOf(item)
          yield item
        }
      } finally {
        count(bytes)
      }
    },
  }
  return { stores: { ...stores, past: counted }, units: () => units }
}

const NUMBER_BYTES = 21

/** About the size of an item: its names and values. */
const bytesOf = (item: Partial<Item>): number =>
  Object.entries(item).reduce((bytes, [name, value]) => bytes + name.length + sizeOf(value), 0)

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : NUMBER_BYTES
