/** Columns of the archive's files, from tables of fields: names, types and values are those of the API's JSON. */
import type { FieldTable, JsonSchema, Kind } from './field.ts'

/** A time in Unix milliseconds: a timestamp (UTC) in Parquet. */
export const instant: Kind<number> = { schema: { type: 'integer', format: 'unix-ms' }, write: String }

/** Types of columns, by Parquet's names. */
export type ColumnType = 'INT64' | 'DOUBLE' | 'STRING' | 'BOOLEAN' | 'TIMESTAMP'

export type Column = { readonly name: string; readonly type: ColumnType; readonly description: string }

const types: Readonly<Record<string, ColumnType>> = {
  integer: 'INT64',
  number: 'DOUBLE',
  string: 'STRING',
  boolean: 'BOOLEAN',
}

/** The columns of a table of fields, none of which is a record or a list. */
export function columnsOf(fields: FieldTable<never>): readonly Column[] {
  return Object.entries(fields).map(([name, { schema, description }]) => {
    const type = schema['format'] === 'unix-ms' ? 'TIMESTAMP' : types[typeName(schema)]
    if (!type) throw new TypeError(`${name} is no column: ${JSON.stringify(schema)}`)
    return { name, type, description }
  })
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
export const over = <Row, Part>(
  fields: FieldTable<Part>,
  partOf: (row: Row) => Part,
): FieldTable<Row> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, format: null, write: (row: Row) => field.write(partOf(row)) },
    ]),
  )
