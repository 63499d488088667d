import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readParquet } from 'parquet-wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readManifest } from '../../archive/manifest.ts'
import type { ArchivedSpan, ArchiveManifest } from '../../schemas/records/archive.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { type MemoryBucket, memoryBucket } from '../support/aws/memory-stores.ts'
import { type DuckdbRow, folderOf, openDuckdb } from '../support/duckdb.ts'
import { ARCHIVED_FROM, openArchivedMarket } from './archived-market.ts'

const DAY = 1_440

const manifestOf = async (bucket: Bucket): Promise<ArchiveManifest> =>
  (await readManifest(bucket))?.manifest ?? expect.fail('there is no manifest')
async function spanOf(bucket: Bucket, name: string): Promise<ArchivedSpan> {
  const { days, hours } = await manifestOf(bucket)
  return [...days, ...hours].find(({ span }) => span === name) ?? expect.fail(`${name} is not archived`)
}

let duckdb: Awaited<ReturnType<typeof openDuckdb>>
beforeAll(async () => {
  duckdb = await openDuckdb()
})
afterAll(() => duckdb.stop())

const rowsOf = (folder: string, path: string): Promise<readonly DuckdbRow[]> =>
  duckdb.rows(`SELECT * FROM '${join(folder, path)}'`)

/** The rows that arrow-rs counts, which refuses what is not exactly Parquet. */
const strictCount = (file: string): number =>
  readParquet(readFileSync(file))
    .recordBatches()
    .reduce((sum, batch) => sum + batch.numRows, 0)

/** Every file that the manifest names, replaced ones too, is there with its digest. */
async function assertWhole(bucket: Bucket): Promise<void> {
  const { days, hours } = await manifestOf(bucket)
  const files = [...days, ...hours].flatMap((span) => [span, ...span.replaced].flatMap((one) => one.files))
  expect(files.length).toBeGreaterThan(8)
  for (const { path, bytes, sha256 } of files) {
    const object = await bucket.read(path)
    expect([path, object?.bytes.length, object && sha256Of(object.bytes)]).toEqual([path, bytes, sha256])
  }
}

const contents = ({ objects }: MemoryBucket) =>
  new Map([...objects].map(([key, { bytes }]) => [key, sha256Of(bytes)]))

describe('the archive', () => {
  it('has the days that are over, empty ones too, and the hours of the day after them', async () => {
    const market = await openArchivedMarket(ARCHIVED_FROM + 600)
    for (const minute of [600, 601, 2 * DAY + 5, 2 * DAY + 61, 2 * DAY + 130])
      await market.trade(ARCHIVED_FROM + minute)
    const bucket = memoryBucket()
    const days = ['date=2025-02-20', 'date=2025-02-21']
    const hours = ['hour=2025-02-22T00', 'hour=2025-02-22T01']
    expect(await market.archive(bucket)).toEqual([...days, ...hours])
    const manifest = await manifestOf(bucket)
    expect(manifest.sealed_until).toBe('2025-02-22T02:00:00Z')
    expect(manifest.days.map(({ first_block }) => first_block)).toEqual([(ARCHIVED_FROM + 600) * 30, null])
    await assertWhole(bucket)
    const folder = folderOf(bucket)
    const [first, empty] = manifest.days
    for (const { set, rows, path } of first?.files.filter((file) => file.path.endsWith('parquet')) ?? []) {
      expect([set, (await rowsOf(folder, path)).length]).toEqual([set, rows])
      expect([set, strictCount(join(folder, path))]).toEqual([set, rows])
    }
    expect(Object.fromEntries(first?.files.map(({ set, rows }) => [set, rows]) ?? [])).toEqual({
      ...{ swaps: 2, candles: 2, launches: 2, boards: 0, index: 0, holders: 2, earnings: 2 },
      ...{ log: 2, segments: 2 },
    })
    for (const { set, path } of empty?.files.filter((file) => file.path.endsWith('parquet')) ?? []) {
      expect(await rowsOf(folder, path)).toEqual([])
      expect([set, strictCount(join(folder, path))]).toEqual([set, 0])
    }
    expect(await market.archive(bucket)).toEqual([])
    // When the day is over, it takes the place of its hours.
    await market.trade(ARCHIVED_FROM + 3 * DAY)
    expect(await market.archive(bucket)).toEqual(['date=2025-02-22'])
    expect((await manifestOf(bucket)).hours).toEqual([])
    await assertWhole(bucket)
  })

  it('is queried by the statements of its README and of docs/use.md', async () => {
    const market = await openArchivedMarket(ARCHIVED_FROM)
    for (const minute of [0, 5, DAY + 1, DAY + 70]) await market.trade(ARCHIVED_FROM + minute)
    const bucket = memoryBucket()
    await market.archive(bucket)
    const folder = folderOf(bucket)
    const texts = ['archive/README.md', 'docs/use.md'].map((file) =>
      readFileSync(join(import.meta.dirname, '../..', file), 'utf8'),
    )
    const statements = [...texts.join('').matchAll(/```sql\n(.*?)```/gs)].map(([, text = '']) => text)
    expect(statements.map((text) => text.trim().split('\n').length)).toEqual([4, 3, 8, 3, 4])
    for (const [at, statement] of statements.entries()) {
      // Athena's partitions are DuckDB's.
      const swaps = `read_parquet('${folder}/archive/v1/swaps/*/*.parquet', hive_partitioning = true)`
      const ours = statement
        // Needs an extension that DuckDB would download.
        .replace(/^CREATE SECRET.*\n/, '')
        .replaceAll('https://data.example.org', folder)
        .replaceAll('DIR', folder)
        .replace('z100_prod.swaps', swaps)
        .replace(/2026-11-\d\d/, '2025-02-20')
      // The third one has the hour of the running day, too.
      expect((await duckdb.rows(ours)).map(({ volume }) => volume)).toEqual([at === 2 ? 2 : 1, 1])
    }
  })

  it('is the same after an interruption anywhere', async () => {
    const market = await openArchivedMarket(ARCHIVED_FROM)
    for (const minute of [0, 5, DAY + 1, DAY + 70]) await market.trade(ARCHIVED_FROM + minute)
    const whole = memoryBucket()
    await market.archive(whole)
    const puts = whole.puts.length
    for (let last = 1; last < puts; last += 4) {
      const bucket = memoryBucket()
      let left = last
      bucket.beforePut = async () => {
        left -= 1
        if (left < 0) throw new Error('the process ends')
      }
      await expect(market.archive(bucket)).rejects.toThrow('the process ends')
      bucket.beforePut = async () => {}
      await market.archive(bucket, { isOver: () => true })
      await market.archive(bucket)
      expect(contents(bucket)).toEqual(contents(whole))
    }
  })

  it('keeps what a rollback replaced, under its revision, whenever the writer is interrupted', async () => {
    const market = await openArchivedMarket(ARCHIVED_FROM)
    for (const minute of [0, 5, DAY + 1, DAY + 70]) await market.trade(ARCHIVED_FROM + minute)
    const bucket = memoryBucket()
    await market.archive(bucket)
    const before = await spanOf(bucket, 'date=2025-02-20')
    await market.rollBack(ARCHIVED_FROM)
    // Until the day is sealed again it stays as it is.
    expect(await market.archive(bucket)).toEqual([])
    for (const minute of [7, DAY + 1, DAY + 70]) await market.trade(ARCHIVED_FROM + minute, 1)
    let puts = 0
    bucket.beforePut = async () => {
      puts += 1
      if (puts === 14) throw new Error('the process ends')
    }
    await expect(market.archive(bucket)).rejects.toThrow('the process ends')
    expect(await market.archive(bucket)).toEqual(['date=2025-02-20', 'hour=2025-02-21T00'])
    await assertWhole(bucket)
    const after = await spanOf(bucket, 'date=2025-02-20')
    expect([after.revision, after.replaced.length]).toEqual([2, 1])
    const digests = (files: ArchivedSpan['files']) => files.map(({ set, sha256 }) => [set, sha256])
    expect(digests(after.replaced[0]?.files ?? [])).toEqual(digests(before.files))
    expect(after.replaced[0]?.files.every(({ path }) => path.includes('/replaced/'))).toBe(true)
    const swaps = after.files.find(({ set }) => set === 'swaps')?.path ?? ''
    expect((await rowsOf(folderOf(bucket), swaps)).map(({ block_number }) => block_number)).toEqual(
      [0, 7].map((minute) => (ARCHIVED_FROM + minute) * 30),
    )
  })

  it('looks at every day again when another log is live', async () => {
    const market = await openArchivedMarket(ARCHIVED_FROM)
    for (const minute of [0, 5, DAY + 1, DAY + 70]) await market.trade(ARCHIVED_FROM + minute)
    const refolded = await openArchivedMarket(ARCHIVED_FROM)
    await refolded.trade(ARCHIVED_FROM)
    for (const minute of [5, DAY + 1, DAY + 70]) await refolded.trade(ARCHIVED_FROM + minute, 1)
    const bucket = memoryBucket()
    await market.archive(bucket)
    expect(await market.archive(bucket, {}, { ...market.source, name: '@same' })).toEqual([])
    const other = { ...refolded.source, name: '@2.2-refold' }
    expect(await refolded.archive(bucket, {}, other)).toEqual(['date=2025-02-20', 'hour=2025-02-21T00'])
    expect((await manifestOf(bucket)).log).toBe('@2.2-refold')
    await assertWhole(bucket)
  })

  it('is written by one process at a time', async () => {
    const market = await openArchivedMarket(ARCHIVED_FROM)
    for (const minute of [0, DAY + 1]) await market.trade(ARCHIVED_FROM + minute)
    const bucket = memoryBucket()
    let isFirst = true
    bucket.beforePut = async (key) => {
      if (!isFirst || !key.endsWith('manifest.json')) return
      isFirst = false
      await market.archive(bucket)
    }
    await expect(market.archive(bucket)).rejects.toMatchObject({ name: 'ArchiveTakenError' })
    await assertWhole(bucket)
  })
})
