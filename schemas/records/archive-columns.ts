/** Columns of the archive's files, from tables of fields: names, types and values are those of the API's JSON. */
import type { FieldTable, JsonSchema, Kind } from '../values/field.ts'
import { hash } from '../values/kinds.ts'

/** A time in Unix milliseconds: a timestamp (UTC) in Parquet. */
export const instant: Kind<number> = { schema: { type: 'integer', format: 'unix-ms' }, write: String }

/** Types of columns, by Parquet's names. */
export type ColumnType = 'INT64' | 'DOUBLE' | 'STRING' | 'BOOLEAN' | 'TIMESTAMP'

/** Encodings by Parquet's names; null: the writer's own choice. */
export type ColumnEncoding = 'DELTA_BINARY_PACKED' | 'DELTA_LENGTH_BYTE_ARRAY' | 'RLE_DICTIONARY' | null

export type ArchiveColumn = {
  readonly name: string
  readonly type: ColumnType
  readonly encoding: ColumnEncoding
  readonly description: string
}

const types: Readonly<Record<string, ColumnType>> = {
  integer: 'INT64',
  number: 'DOUBLE',
  string: 'STRING',
  boolean: 'BOOLEAN',
}

/** The columns of a table of fields, none of which is a record or a list. */
export function archiveColumnsOf(fields: FieldTable<never>): readonly ArchiveColumn[] {
  return Object.entries(fields).map(([name, { schema, description }]) => {
    const type = schema['format'] === 'unix-ms' ? 'TIMESTAMP' : types[typeName(schema)]
    if (!type) throw new TypeError(`${name} is no column: ${JSON.stringify(schema)}`)
    return { name, type, encoding: encodingOf(type, schema), description }
  })
}

/** Numbers ascend, addresses and names repeat, and no hash is like another. */
function encodingOf(type: ColumnType, { pattern }: JsonSchema): ColumnEncoding {
  if (type === 'INT64' || type === 'TIMESTAMP') return 'DELTA_BINARY_PACKED'
  if (type !== 'STRING') return null
  return pattern === hash.schema['pattern'] ? 'DELTA_LENGTH_BYTE_ARRAY' : 'RLE_DICTIONARY'
}

const typeName = ({ type }: JsonSchema): string => String(Array.isArray(type) ? type[0] : type)

/** Some fields of a table. */
export const pick = <Row>(fields: FieldTable<Row>, ...names: readonly string[]): FieldTable<Row> =>
  Object.fromEntries(names.map((name) => [name, fieldOf(fields, name)]))

function fieldOf<Row>(fields: FieldTable<Row>, name: string): FieldTable<Row>[string] {
  const field = fields[name]
  if (!field) throw new TypeError(`there is no field ${name}`)
  return field
}

/** A table of fields over a part of other rows. */
export const over = <Row, Part>(fields: FieldTable<Part>, partOf: (row: Row) => Part): FieldTable<Row> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, format: null, write: (row: Row) => field.write(partOf(row)) },
    ]),
  )
