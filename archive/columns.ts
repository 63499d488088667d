/** Parquet files from rows of JSON. */
import { gzipSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ArchiveColumn, ColumnType } from '../schemas/archive-columns.ts'
import { type FieldTable, rowWriter } from '../schemas/field.ts'

/** A row as parsed from JSON. */
export type JsonRow = Readonly<Record<string, unknown>>

/** Rows of a file, column by column. */
export type ColumnRows = {
  add(row: JsonRow): void
  count(): number
  /** The Parquet file; nothing can be added any more. */
  bytes(): Uint8Array
}

/** A row of a table of fields as its columns hold it. */
export function rowReader<Row>(fields: FieldTable<Row>): (row: Row) => JsonRow {
  const write = rowWriter(fields)
  return (row) => JSON.parse(write(row)) as JsonRow
}

/** Rows of a row group: the more, the fewer dictionaries; so many are in memory. */
const ROW_GROUP = 100_000

/** No rows yet. */
export function openColumns(columns: readonly ArchiveColumn[]): ColumnRows {
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columns.map((column) => sourceOf(column, [])) }),
    codec: 'GZIP',
    compressors: { GZIP: (bytes) => gzipSync(bytes) },
    createdBy: 'z100',
  })
  let [values, count] = [columns.map((): unknown[] => []), 0]
  const known = openTexts()
  const flush = (): void => {
    const columnData = columns.map((column, at) => sourceOf(column, values[at] ?? []))
    if (values[0]?.length) parquet.write({ columnData, rowGroupSize: ROW_GROUP })
    values = columns.map(() => [])
  }
  return {
    add(row) {
      for (const [at, { name }] of columns.entries()) {
        const value = row[name] ?? null
        values[at]?.push(typeof value === 'string' ? known(value) : value)
      }
      count += 1
      if (count % ROW_GROUP === 0) flush()
    },
    count: () => count,
    bytes() {
      flush()
      parquet.finish()
      return writer.getBytes()
    },
  }
}

const sourceOf = ({ name, type, encoding }: ArchiveColumn, values: readonly unknown[]): ColumnSource => ({
  name,
  type,
  data: values.map((value) => (value === null ? null : converted(value, type))),
  ...(encoding === null ? {} : { encoding }),
})

function converted(value: unknown, type: ColumnType): unknown {
  if (type === 'INT64') return BigInt(value as number)
  return type === 'TIMESTAMP' ? new Date(value as number) : value
}

/** Texts of so many characters are hashes, which do not repeat. */
const HASH_LENGTH = 66

/** One string for each text that repeats, such as an address. */
function openTexts(): (text: string) => string {
  const texts = new Map<string, string>()
  return (text) => {
    const same = texts.get(text)
    if (same === undefined && text.length < HASH_LENGTH) texts.set(text, text)
    return same ?? text
  }
}
