import type { Json } from '../../schemas/values/field.ts'

export type { Json }

/** How a value is written as JSON and read back. Equal values are written alike, whatever the order of their keys. */
export type Shape<V> = { write(value: V): Json; read(json: Json): V }

/** A value stored in JSON unchanged. Values read are trusted: we wrote them, and a segment's digest has been checked. */
export const plain = <V extends string | number | boolean>(): Shape<V> => ({
  write: (value) => value,
  read: (json) => json as V,
})

/** An integer of any size, as decimal text. */
export const integer: Shape<bigint> = {
  write: (value) => value.toString(),
  read: (json) => BigInt(json as string),
}

export const nullable = <V>(shape: Shape<V>): Shape<V | null> => ({
  write: (value) => (value === null ? null : shape.write(value)),
  read: (json) => (json === null ? null : shape.read(json)),
})

/** A list. */
export const listOf = <V>(shape: Shape<V>): Shape<readonly V[]> => ({
  write: (values) => values.map(shape.write),
  read: (json) => (json as readonly Json[]).map(shape.read),
})

/** A map, as a list of pairs sorted by key. */
export const mapOf = <K extends string, V>(shape: Shape<V>): Shape<ReadonlyMap<K, V>> => ({
  write: (map) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, shape.write(value)]),
  read: (json) =>
    new Map((json as readonly [string, Json][]).map(([key, value]) => [key as K, shape.read(value)])),
})

/** How each field of a record is written. */
export type Fields<V> = { readonly [N in keyof V]-?: Shape<V[N]> }

/** An object, its fields in the order of the table. */
export function recordOf<V extends object>(fields: Fields<V>): Shape<V> {
  const entries = Object.entries(fields) as [keyof V & string, Shape<unknown>][]
  return {
    write: (value) => {
      const json: { [key: string]: Json } = {}
      for (const [name, shape] of entries) json[name] = shape.write(value[name])
      return json
    },
    read: (json) => {
      const object = json as { readonly [key: string]: Json }
      const record: Partial<V> = {}
      for (const [name, shape] of entries) record[name] = shape.read(object[name] ?? null) as V[typeof name]
      return record as V
    },
  }
}

/** A record as a list of its values: for large numbers of records that only machines read. */
export function tupleOf<V extends object>(fields: Fields<V>): Shape<V> {
  const entries = Object.entries(fields) as [keyof V & string, Shape<unknown>][]
  return {
    write: (value) => entries.map(([name, shape]) => shape.write(value[name])),
    read: (json) => {
      const list = json as readonly Json[]
      const record: Partial<V> = {}
      let at = 0
      for (const [name, shape] of entries) record[name] = shape.read(list[at++] ?? null) as V[typeof name]
      return record as V
    },
  }
}
