import { kept } from '../market/remembered.ts'
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
  /** It as JSON text, with the colon. */
  readonly name: string
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
      const value = (key: string) => ({ key, cell: key, schema, write, part })
      const all = [value(key), ...aliases.map(value)]
      if (!display || !format) return all
      const text = { cell: `${key}_formatted`, schema: DISPLAY_TEXT, write: format, part }
      const isText = form.display !== undefined && display.includes(form.display)
      return [
        isText ? { key, ...text } : value(key),
        ...all.slice(1),
        value(`${key}_raw`),
        { key: `${key}_formatted`, ...text },
      ]
    })
    .map((wired) => ({ ...wired, name: `${JSON.stringify(wired.key)}:` }))
}

/** A row as it is written more than once a minute: its JSON text, and its cells in one line. */
export type WrittenRow = {
  readonly text: string
  /** The cells as JSON text in the order of the wire, CELL_END between them. */
  readonly line: string
}

/** It stands in no cell: JSON text has no control characters. */
export const CELL_END = '\t'

/** Keys that follow each other on the wire and are about the same part, if they are about one: then what is made of it is kept. */
type Run<Row> = Pick<WireKey<Row>, 'part'> & {
  readonly keys: WireKey<Row>[]
  readonly shared: WeakMap<object, WrittenRow>
}

function runsOf<Row>(keys: readonly WireKey<Row>[]): readonly Run<Row>[] {
  const runs: Run<Row>[] = []
  for (const key of keys) {
    const last = runs.at(-1)
    if (last && last.part === key.part) last.keys.push(key)
    else runs.push({ part: key.part, keys: [key], shared: new WeakMap() })
  }
  return runs
}

const standingRuns = new WeakMap<object, readonly Run<never>[]>()

/** The runs of a table, one set for all who write it. */
function standingRunsOf<Row>(table: FieldTable<Row>): readonly Run<Row>[] {
  return kept(standingRuns, table, () => runsOf(wireKeys(table))) as readonly Run<Row>[]
}

function cellsOf<Row>({ keys }: Run<Row>, row: Row): readonly string[] {
  let [written, wrote]: [string, unknown] = ['', undefined]
  return keys.map(({ write }) => {
    if (write !== wrote) written = write(row) // aliases and twins follow what they repeat
    wrote = write
    return written
  })
}

const textFrom = <Row>({ keys }: Run<Row>, cells: readonly string[]): string =>
  keys.map(({ name }, at) => `${name}${cells[at]}`).join(',')

function writtenFrom<Row>(run: Run<Row>, row: Row): WrittenRow {
  const cells = cellsOf(run, row)
  return { text: textFrom(run, cells), line: cells.join(CELL_END) }
}

/** What a run says of a row, for others to say as well. */
const writtenOf = <Row>(run: Run<Row>, row: Row): WrittenRow =>
  run.part ? kept(run.shared, run.part(row), () => writtenFrom(run, row)) : writtenFrom(run, row)

const textOf = <Row>(run: Run<Row>, row: Row): string =>
  run.part ? writtenOf(run, row).text : textFrom(run, cellsOf(run, row))

/** A function that writes a row of a table as JSON text. It looks at the table with its first row, so that having one costs nothing. */
export function rowWriter<Row>(table: FieldTable<Row>, form?: RowForm): (row: Row) => string {
  let runs: readonly Run<Row>[] | undefined
  return (row) => {
    runs ??= form ? runsOf(wireKeys(table, form)) : standingRunsOf(table)
    return `{${runs.map((run) => textOf(run, row)).join(',')}}`
  }
}

const lineOf = <Row>(run: Run<Row>, row: Row): string =>
  run.part ? writtenOf(run, row).line : cellsOf(run, row).join(CELL_END)

/** A function that writes the cells of a row in one line. */
export function lineWriter<Row>(table: FieldTable<Row>): (row: Row) => string {
  return (row) =>
    standingRunsOf(table)
      .map((run) => lineOf(run, row))
      .join(CELL_END)
}

const remembering = new WeakMap<object, (row: never) => WrittenRow>()

/** A row writer that keeps what it wrote as long as the row lives: rows stand in several documents and in the tables. One a table. */
export function rememberingWriter<Row extends object>(table: FieldTable<Row>): (row: Row) => WrittenRow {
  return kept(remembering, table, () => {
    const rows = new WeakMap<Row, WrittenRow>()
    const write = (row: Row): WrittenRow => {
      const parts = standingRunsOf(table).map((run) => writtenOf(run, row))
      return {
        text: `{${parts.map(({ text }) => text).join(',')}}`,
        line: parts.map(({ line }) => line).join(CELL_END),
      }
    }
    return (row: Row) => kept(rows, row, () => write(row))
  }) as (row: Row) => WrittenRow
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
    write: (rows) => `[${rows.map((row) => write(row).text).join(',')}]`,
  }
}
