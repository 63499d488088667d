/** Parquet files from rows of JSON. */
import { gzipSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, parquetWrite } from 'hyparquet-writer'
import type { Column, ColumnType } from '../schemas/archive-columns.ts'
import { type FieldTable, rowWriter } from '../schemas/field.ts'

/** A row as parsed from JSON. */
export type JsonRow = Readonly<Record<string, unknown>>

/** Rows of a file, column by column. */
export type ColumnRows = {
  add(row: JsonRow): void
  count(): number
  /** The Parquet file. */
  bytes(): Uint8Array
}

/** A row of a table of fields as its columns hold it. */
export function rowReader<Row>(fields: FieldTable<Row>): (row: Row) => JsonRow {
  const write = rowWriter(fields)
  return (row) => JSON.parse(write(row)) as JsonRow
}

/** No rows yet. */
export function openColumns(columns: readonly Column[]): ColumnRows {
  const values = columns.map((): unknown[] => [])
  // Addresses repeat: one string each.
  const texts = new Map<string, string>()
  const known = (text: string): string => {
    const same = texts.get(text)
    if (same === undefined && text.length < REPEATED) texts.set(text, text)
    return same ?? text
  }
  return {
    add(row) {
      for (const [at, { name, type }] of columns.entries()) {
        const value = valueOf(row[name] ?? null, type)
        values[at]?.push(typeof value === 'string' ? known(value) : value)
      }
    },
    count: () => values[0]?.length ?? 0,
    bytes() {
      const writer = new ByteWriter()
      const columnData = columns.map(
        ({ name, type }, at): ColumnSource => ({ name, type, data: values[at] ?? [] }),
      )
      parquetWrite({
        writer,
        columnData,
        codec: 'GZIP',
        compressors: { GZIP: (bytes) => gzipSync(bytes) },
        rowGroupSize: ROW_GROUP,
        createdBy: 'z100',
      })
      return new Uint8Array(writer.getBuffer())
    },
  }
}

/** Texts of so many characters are hashes, which do not repeat. */
const REPEATED = 66
/** Rows of a row group. */
const ROW_GROUP = 100_000

function valueOf(value: unknown, type: ColumnType): unknown {
  if (value === null) return null
  if (type === 'INT64') return BigInt(value as number)
  return type === 'TIMESTAMP' ? new Date(value as number) : value
}
