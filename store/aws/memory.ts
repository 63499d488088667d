import type { Bucket, PutOptions, StoredObject } from './bucket.ts'
import type { Condition, Item, ItemSpan, Reads, ScannedTable } from './table.ts'
import { type Key, keyText } from './tables.ts'

/**
 * A table in memory with the same two conditions and DynamoDB's sort order, for recomputing beside the service. `items`
 * includes tombstones. `clock` gives Unix seconds.
 */
export function openMemoryTable(
  clock: () => number = () => 0,
): ScannedTable & { readonly items: ReadonlyMap<string, Item> } {
  const items = new Map<string, Item>()
  const partitions = new Map<string, Map<string, Item>>()
  const isLive = (item: Item | undefined): item is Item =>
    item !== undefined && item['tomb'] !== true && !(Number(item['ttl'] ?? Infinity) <= clock())
  const wantedBy =
    ({ withTombs }: Pick<ItemSpan, 'withTombs'>) =>
    (item: Item | undefined): item is Item =>
      isLive(item) || (withTombs === true && item?.['tomb'] === true)

  return {
    items,
    async read(key) {
      const item = items.get(keyText(key))
      return isLive(item) ? item : undefined
    },
    async put(item, condition) {
      if (!holds(items.get(keyText(item)), condition)) return false
      const put = withoutUndefined(item)
      items.set(keyText(item), put)
      const partition = partitions.get(item.pk) ?? new Map<string, Item>()
      partitions.set(item.pk, partition.set(item.sk, put))
      return true
    },
    async *query(span) {
      const partition = partitions.get(span.pk)?.values() ?? []
      const isWanted = wantedBy(span)
      yield* ordered(
        [...partition].filter((item) => isIn(span, item) && isWanted(item)),
        span,
      )
    },
    async readMany(keys, options = {}) {
      const ids = new Set(keys.map(keyText))
      return [...ids].map((id) => items.get(id)).filter(wantedBy(options))
    },
    async *scan() {
      for (const item of items.values()) if (isLive(item)) yield item
    },
  }
}

function holds(current: Item | undefined, condition: Condition): boolean {
  if (condition === 'absent') return current === undefined
  return current?.['pos'] === undefined || Number(current['pos']) < condition.olderThan
}

const isIn = ({ pk, from, to }: ItemSpan, { pk: own, sk }: Item): boolean =>
  own === pk && (from === undefined || sk >= from) && (to === undefined || sk <= to)

/** In sort key order, up to the limit. */
function ordered(items: Item[], { isDescending, limit }: ItemSpan): readonly Item[] {
  items.sort((a, b) => Buffer.compare(Buffer.from(a.sk), Buffer.from(b.sk)))
  return (isDescending ? items.reverse() : items).slice(0, limit)
}

const withoutUndefined = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item

/** The table as it would read with these items put over it: for evaluating a rewind that is not committed. */
export function overlaid(table: Reads, items: readonly Item[]): Reads {
  const above = new Map(items.map((item) => [keyText(item), item]))
  const current = items.filter((item) => item['tomb'] !== true)

  const readMany = async (keys: readonly Key[]) => {
    const below = await table.readMany(keys.filter((key) => !above.has(keyText(key))))
    const asked = new Set(keys.map(keyText))
    return [...below, ...current.filter((item) => asked.has(keyText(item)))]
  }

  return {
    readMany,
    read: async (key) => (await readMany([key]))[0],
    async *query(span) {
      const { limit: _limit, ...whole } = span
      const found = current.filter((item) => isIn(span, item))
      for await (const item of table.query(whole)) if (!above.has(keyText(item))) found.push(item)
      yield* ordered(found, span)
    },
  }
}

/** An object and the cache lifetime it was put with. */
type KeptObject = StoredObject & Pick<PutOptions, 'cacheControl'>

/** A bucket in memory with the conditional writes of S3, for recomputing without touching the service. */
export function openMemoryBucket(): Bucket & { readonly objects: Map<string, KeptObject> } {
  let version = 0
  const objects = new Map<string, KeptObject>()
  return {
    objects,
    read: async (key) => objects.get(key),
    async put(key, bytes, { contentType, cacheControl, metadata = {}, ifNoneMatch, ifMatch } = {}) {
      const current = objects.get(key)
      if (ifNoneMatch && current) return 'conflict'
      if (ifMatch && ifMatch !== current?.etag) return 'conflict'
      version += 1
      objects.set(key, {
        bytes,
        etag: `"${version}"`,
        metadata,
        ...(contentType === undefined ? {} : { contentType }),
        ...(cacheControl === undefined ? {} : { cacheControl }),
      })
      return 'stored'
    },
    async *list(prefix, startAfter = '') {
      for (const key of [...objects.keys()].sort()) {
        const object = objects.get(key)
        if (object && key.startsWith(prefix) && key > startAfter) yield { key, size: object.bytes.length }
      }
    },
    async remove(key) {
      objects.delete(key)
    },
  }
}
