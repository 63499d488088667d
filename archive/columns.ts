/** Parquet files from rows of JSON. */
import { gzipSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ArchiveColumn, ColumnType } from '../schemas/records/archive-columns.ts'
import { type FieldTable, rowWriter } from '../schemas/values/field.ts'

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
  const cells = columns.map(({ type }) => (isText(type) ? openTexts() : openNumbers()))
  const columnData = columns.map((column, at) => sourceOf(column, cells[at]))
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData }),
    codec: 'GZIP',
    compressors: { GZIP: (bytes) => gzipSync(bytes) },
    createdBy: 'z100',
  })
  let [count, written] = [0, 0]
  const flush = (): void => {
    if (count > written) parquet.write({ columnData, rowGroupSize: ROW_GROUP })
    written = count
    for (const column of cells) column.clear()
  }
  return {
    add(row) {
      for (const [at, { name }] of columns.entries()) cells[at]?.add(row[name] ?? null)
      count += 1
      if (count - written === ROW_GROUP) flush()
    },
    count: () => count,
    bytes() {
      flush()
      parquet.finish()
      return count === 0 ? withGroupType(writer.getBytes()) : writer.getBytes()
    },
  }
}

/** No rows, and a list of row groups without one: fields 3 and 4 of the footer in Thrift's compact protocol. */
const NO_GROUPS = Buffer.from([0x16, 0, 0x19, 0])
/** An empty list of structs. */
const OF_STRUCTS = 0x0c

/** A file without rows. The writer leaves the type of the empty list out, without which strict readers refuse it. */
function withGroupType(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes)
  const at = file.lastIndexOf(NO_GROUPS)
  if (at < 0) throw new Error('hyparquet-writer writes files without rows in another way')
  file[at + NO_GROUPS.length - 1] = OF_STRUCTS
  return file
}

/** The values of a column in a row group, kept in few bytes. */
type Cells = { add(value: unknown): void; values(): unknown[]; clear(): void }

const isText = (type: ColumnType): boolean => type === 'STRING' || type === 'BOOLEAN'

/** The values are listed when the writer comes to the column, so those of one column are in memory at a time. */
const sourceOf = ({ name, type, encoding }: ArchiveColumn, cells: Cells | undefined): ColumnSource => ({
  name,
  type,
  get data() {
    return cells?.values() ?? []
  },
  ...(encoding === null ? {} : { encoding }),
})

/** Numbers or null, 8 bytes each. */
function openNumbers(): Cells {
  let [numbers, count] = [new Float64Array(1_024), 0]
  return {
    add(value) {
      if (count === numbers.length) numbers = grown(numbers, new Float64Array(count * 2))
      numbers[count] = value === null ? Number.NaN : Number(value)
      count += 1
    },
    values: () => Array.from(numbers.subarray(0, count), (number) => (Number.isNaN(number) ? null : number)),
    clear() {
      count = 0
    },
  }
}

/** Texts, booleans or null: each different one once, and 4 bytes a row. */
function openTexts(): Cells {
  let [places, count] = [new Uint32Array(1_024), 0]
  const placeOf = new Map<unknown, number>()
  return {
    add(value) {
      let place = placeOf.get(value)
      if (place === undefined) {
        place = placeOf.size
        placeOf.set(value, place)
      }
      if (count === places.length) places = grown(places, new Uint32Array(count * 2))
      places[count] = place
      count += 1
    },
    values() {
      const texts = [...placeOf.keys()]
      return Array.from(places.subarray(0, count), (place) => texts[place])
    },
    clear() {
      count = 0
      placeOf.clear()
    },
  }
}

function grown<Numbers extends Float64Array | Uint32Array>(before: Numbers, larger: Numbers): Numbers {
  larger.set(before)
  return larger
}
