import type { TokenKind } from '../market/segment.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: Json }

/** How a value crosses the boundary: its schema, its JSON text (exact, plain decimals), and its display text if it has one. */
export type Kind<V> = {
  readonly schema: JsonSchema
  readonly write: (value: V) => string
  readonly format?: (value: V | null) => string
}

type Words = {
  readonly says: string
  readonly nullable?: true
  /** Further keys of the same value. */
  readonly aliases?: readonly string[]
  /** Twins `<key>_raw` (the value) and `<key>_formatted` (its display text); on rows of these kinds `values=display` prints the key itself as its display text. */
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
  /** What the field is about, if many rows share it: text made of it is kept as long as it lives. */
  readonly part?: (row: Row) => object
}

/** What a record says, by wire key, in the order of the wire. Rows, JSON Schema, twins, groups and sorts derive from it. */
export type FieldTable<Row> = { readonly [key: string]: Field<Row> }

/** A maker of fields for rows of one type: a kind, where the value stands in a row, and the words. */
export const fieldsOf =
  <Row>() =>
  <V>(kind: Kind<V>, from: (row: Row) => V | null, words: Words): Field<Row> => {
    const { schema, write, format } = kind
    return {
      ...words,
      schema: { ...(words.nullable ? nullable(schema) : schema), description: words.says },
      write: (row) => {
        const value = from(row)
        return value === null ? 'null' : write(value)
      },
      format: format ? (row) => JSON.stringify(format(from(row))) : null,
    }
  }

/** The fields of a part as fields of the rows that share it. */
export const partOf =
  <Row, Part extends object>(part: (row: Row) => Part) =>
  (table: FieldTable<Part>): FieldTable<Row> =>
    Object.fromEntries(
      Object.entries(table).map(([key, { write, format, part: _own, ...words }]) => {
        const ofRow = { write: (row: Row) => write(part(row)), part }
        return [key, { ...words, ...ofRow, format: format && ((row: Row) => format(part(row))) }]
      }),
    )

function nullable(schema: JsonSchema): JsonSchema {
  const { enum: choices } = schema
  return {
    ...schema,
    type: [schema.type ?? 'object', 'null'],
    ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}),
  }
}

/** Which form of a record is written: without the change group, or with display text in place of numbers on rows of a kind. */
export type RowForm = { readonly without?: 'change'; readonly display?: TokenKind }

/** One key of a record as it goes over the wire. */
export type WireKey<Row> = {
  readonly key: string
  /** The key of the plain form that has the same text. */
  readonly cell: string
  readonly schema: JsonSchema
  readonly write: (row: Row) => string
  readonly part: ((row: Row) => object) | undefined
}

const DISPLAY_TEXT: JsonSchema = { type: 'string', description: 'Display text' }

/** Every key that a table puts on the wire, aliases and twins included, in order. */
export function wireKeys<Row>(table: FieldTable<Row>, form: RowForm = {}): readonly WireKey<Row>[] {
  return Object.entries(table)
    .filter(([, { group }]) => group === undefined || group !== form.without)
    .flatMap(([key, { schema, write, format, part, aliases = [], display }]) => {
      const value = { key, cell: key, schema, write, part }
      const others = aliases.map((alias) => ({ ...value, key: alias, cell: alias }))
      if (!display || !format) return [value, ...others]
      const text = { cell: `${key}_formatted`, schema: DISPLAY_TEXT, write: format, part }
      const isText = form.display !== undefined && display.includes(form.display)
      return [
        isText ? { key, ...text } : value,
        ...others,
        { ...value, key: `${key}_raw`, cell: `${key}_raw` },
        { key: `${key}_formatted`, ...text },
      ]
    })
}

/** Keys that follow each other on the wire and are about the same part; `known` has its cells. */
type Run<Row> = Pick<WireKey<Row>, 'part'> & {
  readonly keys: WireKey<Row>[]
  readonly known: WeakMap<object, readonly string[]>
}

function runsOf<Row>(keys: readonly WireKey<Row>[]): readonly Run<Row>[] {
  const runs: Run<Row>[] = []
  for (const key of keys) {
    const last = runs.at(-1)
    if (last && last.part === key.part) last.keys.push(key)
    else runs.push({ part: key.part, keys: [key], known: new WeakMap() })
  }
  return runs
}

function cellsOf<Row>({ keys, part, known }: Run<Row>, row: Row): readonly string[] {
  const about = part?.(row)
  const standing = about && known.get(about)
  if (standing) return standing
  let [written, wrote]: [string, unknown] = ['', undefined]
  const cells = keys.map(({ write }) => {
    if (write !== wrote) written = write(row) // aliases and twins follow what they repeat
    wrote = write
    return written
  })
  if (about) known.set(about, cells)
  return cells
}

const cellWriters = new WeakMap<object, (row: never) => readonly string[]>()

/** A function that gives the cells of a row as JSON text, in the order of the wire. One a table: what it keeps of parts serves all who write the table. */
export function cellWriter<Row>(table: FieldTable<Row>): (row: Row) => readonly string[] {
  const known = cellWriters.get(table)
  if (known) return known as (row: Row) => readonly string[]
  const writer = cellsIn(() => wireKeys(table))
  cellWriters.set(table, writer)
  return writer
}

/** It looks at the keys with its first row, so that having one costs nothing. */
function cellsIn<Row>(keysOf: () => readonly WireKey<Row>[]): (row: Row) => readonly string[] {
  let runs: readonly Run<Row>[] | undefined
  return (row) => {
    runs ??= runsOf(keysOf())
    const [first] = runs
    if (first && runs.length === 1) return cellsOf(first, row)
    const cells: string[] = []
    for (const run of runs) cells.push(...cellsOf(run, row))
    return cells
  }
}

/** A function that writes a row of a table as JSON text. */
export function rowWriter<Row>(table: FieldTable<Row>, form?: RowForm): (row: Row) => string {
  const cellsOf = form ? cellsIn(() => wireKeys(table, form)) : cellWriter(table)
  let names: readonly string[] | undefined
  return (row) => {
    names ??= wireKeys(table, form).map(({ key }) => `${JSON.stringify(key)}:`)
    let [text, at] = ['', 0]
    for (const cell of cellsOf(row)) text += `${at === 0 ? '{' : ','}${names[at++]}${cell}`
    return at === 0 ? '{}' : `${text}}`
  }
}

const remembering = new WeakMap<object, (row: never) => string>()

/** A row writer that keeps a row's text as long as the row lives: the rows of a board stand in several documents. One a table. */
export function rememberingWriter<Row extends object>(table: FieldTable<Row>): (row: Row) => string {
  const known = remembering.get(table)
  if (known) return known as (row: Row) => string
  const write = rowWriter(table)
  const texts = new WeakMap<Row, string>()
  const writer = (row: Row): string => {
    const text = texts.get(row) ?? write(row)
    texts.set(row, text)
    return text
  }
  remembering.set(table, writer)
  return writer
}

/** The JSON Schema of a row: every key is there, and no other. Its parts are made when they are first looked at. */
export function rowSchema<Row>(table: FieldTable<Row>, form: RowForm = {}): JsonSchema {
  let properties: Record<string, JsonSchema> | undefined
  const made = () => {
    properties ??= Object.fromEntries(wireKeys(table, form).map(({ key, schema }) => [key, schema]))
    return properties
  }
  return {
    type: 'object',
    get properties() {
      return made()
    },
    get required() {
      return Object.keys(made())
    },
    additionalProperties: false,
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
export function listKind<Row extends object>(table: FieldTable<Row>): Kind<readonly Row[]> {
  const write = rememberingWriter(table)
  return {
    schema: { type: 'array', items: rowSchema(table) },
    write: (rows) => `[${rows.map(write).join(',')}]`,
  }
}
