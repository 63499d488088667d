import type { Item, ItemSpan, Reads } from './table.ts'
import type { Key } from './tables.ts'

/** The table as it would be read if these items had been put over it: for looking at a rewind that nobody has committed. */
export function overlaid(table: Reads, items: readonly Item[]): Reads {
  const above = new Map(items.map((item) => [idOf(item), item]))
  const standing = items.filter((item) => item['tomb'] !== true)

  const readMany = async (keys: readonly Key[]) => {
    const below = await table.readMany(keys.filter((key) => !above.has(idOf(key))))
    const asked = new Set(keys.map(idOf))
    return [...below, ...standing.filter((item) => asked.has(idOf(item)))]
  }

  return {
    readMany,
    read: async (key) => (await readMany([key]))[0],
    async *query({ limit, ...span }) {
      const found = standing.filter((item) => isIn(span, item))
      for await (const item of table.query(span)) if (!above.has(idOf(item))) found.push(item)
      found.sort((a, b) => (a.sk < b.sk ? -1 : 1))
      yield* (span.isDescending ? found.reverse() : found).slice(0, limit)
    },
  }
}

const idOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])

const isIn = ({ pk, from, to }: ItemSpan, item: Item): boolean =>
  item.pk === pk && (from === undefined || item.sk >= from) && (to === undefined || item.sk <= to)
