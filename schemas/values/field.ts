import type { TokenKind } from '../../market/segment.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
/** Where a record's schema carries the table it is made from. Copies of the schema keep it; JSON and Ajv do not see it. */
export const MADE_FROM = Symbol('made from')
/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: Json; readonly [MADE_FROM]?: object }

/** How a value crosses the boundary: its schema, its JSON text (exact, plain decimals), and its display text if it has one. */
export type Kind<V> = {
  readonly schema: JsonSchema
  readonly write: (value: V) => string
  readonly format?: (value: V | null) => string
}

type Words = {
  readonly description: string
  /** Further keys of the same value. */
  readonly aliases?: readonly string[]
  /** Adds `<key>_raw` (the value) and `<key>_formatted` (its display text); on rows of these kinds `values=display` prints the key itself as its display text. */
  readonly display?: readonly TokenKind[]
  /** Left out by include_changes=false. */
  readonly group?: 'change'
  /** Names by which lists are sorted by this key. */
  readonly sorts?: readonly string[]
}

/** One entry of a table of fields, for rows of one type. `write` and `format` give JSON text. */
export type Field<Row> = Words & {
  readonly schema: JsonSchema
  readonly write: (row: Row) => string
  readonly format: ((row: Row) => string) | null
}

/** The keys of a record, in their order. Rows, JSON Schema, twins, groups and sorts derive from it. */
export type FieldTable<Row> = { readonly [key: string]: Field<Row> }

/** Makes fields for rows of one type: from a kind, a getter, and a description or further options. */
export const fieldsOf =
  <Row>() =>
  <V>({ schema, write, format }: Kind<V>, from: (row: Row) => V, words: string | Words): Field<Row> => {
    const own = typeof words === 'string' ? { description: words } : words
    return {
      ...own,
      schema: { ...schema, description: own.description },
      write: (row) => write(from(row)),
      format: format ? (row) => JSON.stringify(format(from(row))) : null,
    }
  }

/** A kind whose value may be unknown. */
export function orNull<V>(kind: Kind<V>): Kind<V | null> {
  const { type = 'object', enum: choices } = kind.schema
  const words = Array.isArray(choices) ? { enum: [...choices, null] } : {}
  return {
    ...kind,
    schema: { ...kind.schema, type: [type, 'null'], ...words },
    write: (value) => (value === null ? 'null' : kind.write(value)),
  }
}

/** Which variant of a record is written: without the change group, or with display text in place of numbers on rows of a kind. */
export type RowVariant = { readonly without?: 'change'; readonly display?: TokenKind }

/** One key of a record as it goes over the wire. */
export type WireKey<Row> = {
  readonly key: string
  /** The key as JSON text, with the colon. */
  readonly name: string
  /** The key of the plain variant that has the same text. */
  readonly cell: string
  readonly schema: JsonSchema
  readonly write: (row: Row) => string
}

const DISPLAY_TEXT: JsonSchema = { type: 'string', description: 'Display text' }

/** Every key that a table puts on the wire, aliases and twins included, in order. */
export function wireKeys<Row>(table: FieldTable<Row>, variant: RowVariant = {}): readonly WireKey<Row>[] {
  return Object.entries(table)
    .filter(([, { group }]) => group === undefined || group !== variant.without)
    .flatMap(([key, { schema, write, format, aliases = [], display }]) => {
      const value = (key: string) => ({ key, cell: key, schema, write })
      const all = [value(key), ...aliases.map(value)]
      if (!display || !format) return all
      const text = { cell: `${key}_formatted`, schema: DISPLAY_TEXT, write: format }
      const isText = variant.display !== undefined && display.includes(variant.display)
      return [
        isText ? { key, ...text } : value(key),
        ...all.slice(1),
        value(`${key}_raw`),
        { key: `${key}_formatted`, ...text },
      ]
    })
    .map((wired) => ({ ...wired, name: `${JSON.stringify(wired.key)}:` }))
}

/** A function that writes a row of a table as JSON text. */
export function rowWriter<Row>(table: FieldTable<Row>, variant?: RowVariant): (row: Row) => string {
  const keys = wireKeys(table, variant)
  return (row) => `{${keys.map(({ name, write }) => name + write(row)).join(',')}}`
}

/** The JSON Schema of a row: exactly these keys. Without a variant it is the record's own schema, and carries its table. */
export function rowSchema<Row>(table: FieldTable<Row>, variant?: RowVariant): JsonSchema {
  const properties = Object.fromEntries(wireKeys(table, variant).map(({ key, schema }) => [key, schema]))
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...(variant ? {} : { [MADE_FROM]: table }),
  }
}

/** The sort names of a table and the wire key that each one sorts by. */
export function sortKeys<Row>(table: FieldTable<Row>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([key, { sorts = [] }]) => sorts.map((name) => [name, key])),
  )
}

/** A kind whose values are records of a table. */
export function recordKind<Row>(table: FieldTable<Row>): Kind<Row> {
  return { schema: rowSchema(table), write: rowWriter(table) }
}

/** A kind whose values are lists of records of a table. */
export function listKind<Row>(table: FieldTable<Row>): Kind<readonly Row[]> {
  const write = rowWriter(table)
  return {
    schema: { type: 'array', items: rowSchema(table) },
    write: (rows) => `[${rows.map(write).join(',')}]`,
  }
}
