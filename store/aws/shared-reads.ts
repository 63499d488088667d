import { allOf } from './parallel.ts'
import type { Reads } from './table.ts'
import { type Key, keyText } from './tables.ts'

/** Queries of at most so many items are shared; longer ones may be left before their end. */
const SHARED_ITEMS = 300

/** A table whose equal reads are made once: for the parts of one answer, which read the same items. */
export function sharedReads(table: Reads): Reads {
  const made = new Map<string, Promise<unknown>>()
  const once = <V>(name: string, read: () => Promise<V>): Promise<V> => {
    const known = (made.get(name) as Promise<V> | undefined) ?? read()
    made.set(name, known)
    return known
  }
  return {
    read: (key) => once(keyText(key), () => table.read(key)),
    readMany: (keys, options) =>
      once(textOf(keys) + JSON.stringify(options), () => table.readMany(keys, options)),
    async *query(span) {
      if ((span.limit ?? Number.POSITIVE_INFINITY) > SHARED_ITEMS) yield* table.query(span)
      else yield* await once(JSON.stringify(span), () => allOf(table.query(span)))
    },
  }
}

const textOf = (keys: readonly Key[]): string => keys.map(keyText).join()
