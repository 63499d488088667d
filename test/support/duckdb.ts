/** DuckDB, as a reader of the archive's files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { MemoryBucket } from './aws/memory-stores.ts'
import { tempDir } from './temp-dir.ts'

export type DuckdbRow = Readonly<Record<string, string | number | boolean | null>>

/** Opens DuckDB on one thread; `rows` runs a query: whole numbers that are large come as numbers, timestamps as Unix ms. */
export async function openDuckdb() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  return {
    async rows(query: string): Promise<readonly DuckdbRow[]> {
      const read = await connection.runAndReadAll(query)
      return read
        .getRowObjectsJS()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              typeof value === 'bigint' ? Number(value) : value instanceof Date ? value.getTime() : value,
            ]),
          ),
        ) as readonly DuckdbRow[]
    },
    stop() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Writes the objects of a bucket into a folder of the test file, and returns it. */
export function folderOf({ objects }: MemoryBucket): string {
  const folder = tempDir()
  for (const [key, { bytes }] of objects) {
    mkdirSync(dirname(join(folder, key)), { recursive: true })
    writeFileSync(join(folder, key), bytes)
  }
  return folder
}
