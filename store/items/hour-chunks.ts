/**
 * Items that hold an hour in chunks, newest hour first and in each its first chunk first. Only an hour's first chunk says
 * how many there are, so a rollback has to void no other.
 */
import { chunked } from '../aws/parallel.ts'
import type { Item, ItemSpan, Reads } from '../aws/table.ts'
import { FORMAT_VERSION, padded } from '../aws/tables.ts'
import { assertReadableItem } from '../bytes/format.ts'

/** The chunks of an hour: `size` values each, in the items of `keyOf`, with what `written` adds. */
export const hourChunks = <V>(
  values: readonly V[],
  size: number,
  itemOf: {
    readonly keyOf: (chunk: number) => Item
    readonly written: (some: readonly V[]) => Partial<Item>
  },
): Item[] =>
  chunked(values, size).map((some, chunk, { length }) => ({
    ...itemOf.keyOf(chunk),
    v: FORMAT_VERSION,
    chunks: chunk === 0 ? length : undefined,
    ...itemOf.written(some),
  }))

/** A chunk, and the number of chunks of its hour that follow it. */
type HourChunk = { readonly hour: number; readonly item: Item; readonly left: number }

/**
 * The chunks of a span, `atOnce` items a read. The newest may not have reached every replica, so the first read is a
 * strong one of `fresh` items from `table`; the others are from `past`, at half the cost.
 */
export async function* chunksOfHours(
  { table, past }: { readonly table: Reads; readonly past: Reads },
  span: Pick<ItemSpan, 'pk' | 'from'> & { readonly to: string },
  { fresh, atOnce }: { readonly fresh: number; readonly atOnce: number },
): AsyncGenerator<readonly HourChunk[]> {
  let [hour, left, to] = [-1, 0, span.to]
  for (let [from, limit] = [table, fresh]; ; [from, limit] = [past, atOnce]) {
    let read = 0
    const found: HourChunk[] = []
    for await (const item of from.query({ ...span, to, isDescending: true, limit })) {
      assertReadableItem(item)
      read += 1
      const [place = '', own = '', ...kind] = item.sk.split('#').reverse()
      to = [...kind.reverse(), own, padded(Number(place) - 1, place.length)].join('#')
      if (item['chunks'] !== undefined) [hour, left] = [Number(own), Number(item['chunks'])]
      // Of an hour whose first chunk was rolled back, and beyond the number that it says, chunks are left over.
      if (Number(own) !== hour || left === 0) continue
      left -= 1
      found.push({ hour, item, left })
    }
    yield found
    if (read < limit) return
  }
}
