import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadStores } from '../../lambdas/api/endpoint.ts'
import { openStoredLists } from '../../lambdas/api/stored-lists.ts'
import { historical } from '../../lambdas/endpoints/historical.ts'
import { type Interval, intervalNames, type StoredBar } from '../../market/index/index-history.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { TokenState } from '../../market/segment.ts'
import { listRecords, readRecord } from '../../snapshot/engine/index-record.ts'
import { indexFigures } from '../../snapshot/engine/index-state.ts'
import { builders, snapshotOf } from '../../snapshot/publish/documents.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import type { Table } from '../../store/aws/table.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { readBars } from '../../store/published/index-history.ts'
import { type MemoryBucket, type MemoryLog, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { nthAddress, ONE_X96, segmentOf, stateWith, tokenAt, WHOLE } from '../support/market/facts.ts'
import { rewind, seal, withoutCheckpoints } from '../support/market/market-history.ts'
import { rounds } from '../support/rounds.ts'

/** Wednesday, 21:00 UTC. */
const HISTORY_START = Date.UTC(2025, 1, 19, 21) / 60_000
const HISTORY_TOKENS = 26
/** Minutes of the day before the start, in which the closes are made that the first review asks for. */
const DAY = 1_440

const numbers = Array.from({ length: HISTORY_TOKENS }, (_, at) => at + 1)
/** A third of them are posts, each quoted in the token before it. */
const historyTokens = numbers.map((number) =>
  tokenAt(
    number,
    HISTORY_START - DAY - 400,
    number % 3 === 0 ? { kind: 'post', quote: nthAddress(number - 1) } : {},
  ),
)

/** State of a token that has traded `trades` times, at a price and a depth that follow from `seed`. */
const stateAfter = (trades: number, seed: number): TokenState =>
  stateWith({
    sqrtPriceX96: (ONE_X96 * BigInt(90 + (seed % 20))) / 100n,
    supply: BigInt(1_000_000 - (seed % 7) * 1_000) * WHOLE,
    reserveQuote: BigInt(5_000 + (seed % 11) * 500) * WHOLE,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(trades) * 1_000_000n,
    holders: 3,
  })

/** Seals a minute in which some tokens trade; the first launches all. */
async function sealNext(log: MemoryLog, { gap, seed }: { gap: number; seed: number }): Promise<void> {
  const newest = effectiveEntries(log.entries).at(-1)
  const minute = newest ? newest.minute + gap : HISTORY_START - DAY
  const traded = newest ? numbers.filter((number) => (seed >> (number % 17)) % 3 === 0) : numbers
  await seal(
    log,
    segmentOf(minute, {
      born: newest ? [] : historyTokens,
      rows: traded.map(
        (number) =>
          [nthAddress(number), stateAfter(minute - HISTORY_START + DAY + 1, seed + number)] as const,
      ),
      rate: 950 + (seed % 100),
    }),
  )
}

/** The day before the start, an hour at a time; the next minute is the first of the index. */
async function sealDay(log: MemoryLog): Promise<void> {
  for (let at = 0; at < 24; at++) await sealNext(log, { gap: at === 0 ? 0 : 60, seed: 1 })
  await sealNext(log, { gap: 59, seed: 1 })
}

type World = { readonly log: MemoryLog; readonly bucket: MemoryBucket; readonly table: Table }

function newWorld(): World {
  const table = openMemoryTable()
  return { log: Object.assign(memoryLog(), { ledger: table }), bucket: memoryBucket(), table }
}

/** Digests of the documents that a run publishes. */
async function run({ log, bucket }: World, warm: Warm): Promise<readonly (readonly [string, string])[]> {
  const stores = { log, segments: bucket, published: memoryBucket() }
  const manifest = await rebuild(stores, { clock: () => 0, warm })
  return Object.entries(manifest?.documents ?? {}).map(([name, { sha256 }]) => [name, sha256])
}

/** All bars of an interval that begin up to what is applied. */
async function barsIn({ log, table }: World): Promise<Record<Interval, readonly StoredBar[]>> {
  const to = effectiveEntries(log.entries).at(-1)!.minute
  const all = intervalNames.map(async (interval) => [
    interval,
    await allOf(readBars(table, interval, { from: HISTORY_START - 20_000, to })),
  ])
  return Object.fromEntries(await Promise.all(all))
}

const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 3, arbitrary: fc.integer({ min: 10, max: 90 }) },
  { weight: 1, arbitrary: fc.constantFrom(200, 1_440, 3_000) },
)
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ is: fc.constant('seal' as const), gap: gaps, seed: fc.nat(10_000_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('rewind' as const), back: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('run' as const), cold: fc.boolean() }) },
)

/** Number of histories; INDEX_RUNS=1000 for the long form. */
const numRuns = rounds(1, 500)

/** All that the index holds. */
function indexOf({ engine }: Warm) {
  const { index, points, closes, needed, bars } = engine!.index
  return { index, points, closes, needed, bars, figures: indexFigures(engine!.index, index.minute!) }
}

/** Reviews over longer than the longest window, whose segments alone an engine can start from. */
const long = fc
  .sample(step, { seed: 1, numRuns: 40 })
  .map((each) => (each.is === 'seal' ? { ...each, gap: 1_500 } : each))

describe('the index in the engine', () => {
  it('is the same, with its history and all documents, however the engine got there: live, cold, through rollbacks, from zero, from segments alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50 }), async (history) => {
        const world = newWorld()
        let warm: Warm = {}
        await sealDay(world.log)
        for (const each of history) {
          if (each.is === 'seal') await sealNext(world.log, each)
          if (each.is === 'rewind') {
            const kept = effectiveEntries(world.log.entries).at(-1 - each.back)
            // The bar of a base that was rolled back stays until the index has another base.
            if (kept && kept.minute >= HISTORY_START) await rewind(world.log, kept.minute)
          }
          if (each.is === 'run' && each.cold) warm = {}
          if (each.is === 'run') await run(world, warm)
        }
        const digests = await run(world, warm)
        expect(digests.length).toBeGreaterThan(30)
        const table = openMemoryTable()
        const log = Object.assign({ ...world.log }, { ledger: table })
        for (const bucket of [memoryBucket(), withoutCheckpoints(world.bucket)]) {
          const again: Warm = {}
          expect(await run({ log, bucket, table }, again)).toEqual(digests)
          expect(indexOf(again)).toEqual(indexOf(warm))
        }
        expect(await barsIn(world)).toEqual(await barsIn({ ...world, table }))
      }),
      { numRuns, examples: [[long]] },
    )
  })

  it('starts once enough tokens were worth enough at 24 hourly closes, and moves', async () => {
    const world = newWorld()
    const warm: Warm = {}
    await sealDay(world.log)
    for (let at = 0; at < 130; at++) await sealNext(world.log, { gap: 1, seed: at * 7_919 })
    await run(world, warm)
    const { index, points } = warm.engine!.index
    expect(index.baseMinute).toBe(HISTORY_START)
    expect(index.members.size).toBe(HISTORY_TOKENS)
    expect(points).toHaveLength(130)
    const figures = indexFigures(warm.engine!.index, HISTORY_START + 129)
    expect(figures.startValues['1h']).toBe(points[69]!.valueE8)
    expect(figures.startValues['4h']).toBeNull()
    expect(index.valueE8).not.toBe(1000_00000000n)
    const { hour, day } = await barsIn(world)
    expect(hour.map(({ close }) => close)).toEqual([59, 119, 129].map((at) => points[at]!.valueE8))
    expect(hour.reduce((sum, { trades }) => sum + trades, 0)).toBe(day[0]!.trades)
    expect(hour[0]).toMatchObject({ open: 1000_00000000n, activeCreators: 18, activePosts: 8 })
  })

  it('is 1000 without members before its base', async () => {
    const world = newWorld()
    const warm: Warm = {}
    const born = historyTokens.slice(0, 5)
    await seal(
      world.log,
      segmentOf(HISTORY_START, {
        born,
        rows: born.map(({ address }) => [address, stateAfter(1, 5)] as const),
      }),
    )
    await run(world, warm)
    const snapshot = snapshotOf(warm.engine!, { chain: null, codeVersion: null })
    expect(JSON.parse(builders.index(snapshot, ['24h']).text)).toMatchObject({
      index_value: 1000,
      constituents_count: 0,
      divisor: null,
      index_change_percent: null,
      total_trades: 5,
    })
    expect(JSON.parse(builders.constituents(snapshot, []).text)).toMatchObject({
      index_value: 1000,
      divisor: null,
      counted_usd: 0,
      constituents_count: 0,
      constituents: [],
    })
    expect(await barsIn(world)).toEqual({ hour: [], day: [], week: [] })
  })

  it('has a history of the published minute in answers, also when the bars of a later one are there', async () => {
    const world = newWorld()
    await sealDay(world.log)
    for (let at = 0; at < 70; at++) await sealNext(world.log, { gap: 1, seed: at * 7_919 })
    const published = memoryBucket()
    const documents = openDocuments(world.table)
    const publish = () =>
      rebuild({ log: world.log, segments: world.bucket, published, documents }, { clock: () => 0 })
    await publish()
    const stores = { lists: openStoredLists(documents), past: world.table as unknown } as ReadStores
    const asking = { caller: null, viewer: '', now: 0, site: '' }
    const answers = () =>
      Promise.all(
        ['hourly', 'daily', 'weekly'].map((interval) =>
          historical({ id: '', query: { interval } }, stores, asking),
        ),
      )
    const before = await answers()
    expect(before).toMatchObject(
      [2, 1, 1].map((total) => ({ page: { total, list: expect.stringContaining('"partial":true') } })),
    )
    const { hour } = await barsIn(world)
    await sealNext(world.log, { gap: 1, seed: 70 * 7_919 })
    published.beforePut = async () => {
      throw new Error('the process ends')
    }
    await expect(publish()).rejects.toThrow('the process ends')
    expect((await barsIn(world)).hour).not.toEqual(hour)
    expect(await answers()).toEqual(before)
  })

  it('is recorded at every review and change of its members, each record with the points since the one before', async () => {
    const world = newWorld()
    await sealDay(world.log)
    for (let at = 0; at < 60; at++) await sealNext(world.log, { gap: 720, seed: at * 104_729 })
    const warm: Warm = {}
    await run(world, warm)
    const names = await listRecords(world.bucket, 1_000)
    const records = await Promise.all(names.toReversed().map((name) => readRecord(name, world.bucket)))
    expect(records.length).toBeGreaterThan(29)
    const points = records.flatMap((record) => record!.points)
    const minutes = points.map(({ minute }) => minute)
    expect(minutes).toEqual([...new Set(minutes)].toSorted((a, b) => a - b))
    expect(points.slice(-10)).toEqual(
      warm.engine!.index.points.filter(({ minute }) => minute <= records.at(-1)!.minute).slice(-10),
    )
    const sizes = [...world.bucket.objects].filter(([key]) => key.startsWith('index/'))
    for (const [, { bytes }] of sizes) expect(bytes.length).toBeLessThan(100_000)
  })
})
