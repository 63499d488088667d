import { beforeEach, describe, expect, it } from 'vitest'
import { hourOfMinute } from '../../market/calendar.ts'
import type { Segment } from '../../market/segment.ts'
import { publishedDocuments, storedDocuments } from '../../snapshot/publish/documents.ts'
import { type RebuildRun, type RebuildStores, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openTokenHistory } from '../../store/items/token-history.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { type KeptStore, openKeptStore } from '../../store/published/kept.ts'
import { type MemoryBucket, type MemoryLog, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { segmentOf, stateWith, tokenAt } from '../support/market/facts.ts'
import { rewind, seal } from '../support/market/market-history.ts'

/** Two hours before a UTC midnight. */
const FROM = 20_000 * 1_440 + 22 * 60
const HOUR = hourOfMinute(FROM)
const token = tokenAt(1, FROM)

const trade = (minute: number): Segment =>
  segmentOf(minute, {
    born: minute === FROM ? [token] : [],
    rows: [
      [
        token.address,
        stateWith({
          sqrtPriceX96: 2n ** 96n + BigInt(minute - FROM),
          supply: 10n ** 24n,
          reserveQuote: 10n ** 22n,
          cumTrades: minute - FROM + 1,
        }),
      ],
    ],
  })

let log: MemoryLog
let published: MemoryBucket
let segments: MemoryBucket
let kept: KeptStore
let stores: RebuildStores
let warm: Warm
let runs: RebuildRun[]

function openStores(): void {
  const table = openMemoryTable()
  published = memoryBucket()
  segments = memoryBucket()
  kept = openKeptStore(segments)
  const days = { kept, ledger: table, history: () => openTokenHistory(table) }
  stores = { log, segments, published, documents: openDocuments(table), days }
  warm = {}
  runs = []
}

beforeEach(() => {
  log = memoryLog()
  openStores()
})

const publish = (by: Warm = warm, into: RebuildStores = stores) =>
  rebuild(into, { clock: () => 0, now: () => 0, warm: by, report: (run) => runs.push(run) })

async function minutes(...wanted: number[]): Promise<void> {
  for (const minute of wanted) {
    await seal(log, trade(FROM + minute))
    await publish()
  }
}

const textOf = (bucket: MemoryBucket, name: string) => Buffer.from(bucket.objects.get(name)!.bytes).toString()

/** Every document as it stands in the bucket and, of those of the tables alone, in the table. */
async function publishedNow(): Promise<Record<string, string>> {
  const falls = storedDocuments.filter((document) => !publishedDocuments.includes(document))
  return Object.fromEntries([
    ...publishedDocuments.map(({ name }) => [name, textOf(published, name)]),
    ...(await Promise.all(
      falls.map(async ({ name }) => [name, (await stores.documents!.readDocument(name))!.text]),
    )),
  ])
}

async function keptAt(hour: number): Promise<Record<string, string | undefined> | undefined> {
  const found = await kept.hour(hour)
  if (!found) return undefined
  const texts = Object.entries(found.documents).map(async ([name, digest]) => [
    name,
    await kept.document(digest),
  ])
  return Object.fromEntries(await Promise.all(texts))
}

const keptHours = async () => (await allOf(kept.hoursBack(HOUR + 1_000))).map((hour) => hour - HOUR)

describe('the last snapshot of an hour', () => {
  it('is kept when the first of a later hour replaces it, byte for byte as it was published', async () => {
    await minutes(0, 58)
    expect(await keptHours()).toEqual([])
    await minutes(59)
    const then = await publishedNow()
    const manifest = JSON.parse(textOf(published, 'manifest.json'))
    await minutes(60)
    expect(await kept.hour(HOUR)).toMatchObject({ hour: HOUR, manifest })
    expect(await keptAt(HOUR)).toEqual(then)
    expect(then['v1/z100/creators/24h']).not.toBe((await publishedNow())['v1/z100/creators/24h'])
  })

  it('is the last one that was published, whatever the log has had since', async () => {
    await minutes(0, 10)
    const then = await publishedNow()
    // Sealed, and published by nobody.
    await seal(log, trade(FROM + 30))
    await minutes(70)
    expect(await keptHours()).toEqual([0])
    expect(await keptAt(HOUR)).toEqual(then)
  })

  it('stays as it was published when its minutes are rolled back and come again', async () => {
    await minutes(0, 50, 59, 60)
    const then = await keptAt(HOUR)
    await rewind(log, FROM + 50)
    await publish()
    await minutes(58, 61)
    expect(await keptHours()).toEqual([0])
    expect(await keptAt(HOUR)).toEqual(then)
  })

  it('is kept again from the beginning by the next run if one dies at any put', async () => {
    await minutes(0, 59)
    const then = await publishedNow()
    await seal(log, trade(FROM + 60))
    let puts = 0
    for (let dies = 1; ; dies += 7) {
      segments.beforePut = async () => {
        puts += 1
        if (puts === dies) throw new RangeError('died')
      }
      puts = 0
      const outcome = await publish().then(
        () => 'published',
        () => 'died',
      )
      if (outcome === 'published') break
      expect(await publishedNow()).toEqual(then)
      expect(await keptHours()).toEqual([])
    }
    expect(await keptAt(HOUR)).toEqual(then)
  })

  it('is the same whichever of two runs at once keeps it', async () => {
    await minutes(0, 59)
    const then = await publishedNow()
    await seal(log, trade(FROM + 60))
    let isFirst = true
    segments.beforePut = async (key) => {
      if (!isFirst || !key.startsWith('kept/hours')) return
      isFirst = false
      await publish({})
    }
    await publish()
    expect([isFirst, await keptHours()]).toEqual([false, [0]])
    expect(await keptAt(HOUR)).toEqual(then)
  })
})

describe('days that passed while nothing was published', () => {
  /** A minute before and after each of three midnights. */
  const around = [0, 100, 119, 121, 1_500, 1_559, 1_561, 2_990, 3_001]

  it('are kept as a service would have kept them that published every minute', async () => {
    await minutes(...around)
    const all = await Promise.all([1, 25, 49].map((hour) => keptAt(HOUR + hour)))
    // No hour is kept in which nothing was published.
    expect(await keptHours()).toEqual([49, 26, 25, 2, 1, 0])
    const everyMinute = kept
    openStores()
    await publish()
    expect(await keptHours()).toEqual([49, 25, 1])
    expect(await Promise.all([1, 25, 49].map((hour) => keptAt(HOUR + hour)))).toEqual(all)
    const manifests = await Promise.all(
      [everyMinute, kept].map(async (each) => (await each.hour(HOUR + 25))!.manifest.minute),
    )
    expect(manifests[0]).toBe(manifests[1])
    expect(runs.flatMap(({ failures }) => failures)).toEqual([])
  })

  it('are not made of an hour that was published', async () => {
    await minutes(0, 70)
    const then = await publishedNow()
    await seal(log, trade(FROM + 119))
    await minutes(125)
    expect(await keptAt(HOUR + 1)).toEqual(then)
  })
})

it('a day that cannot be ended stops nothing, is reported, and is ended in the next hour', async () => {
  const days = stores.days!
  let isBroken = true
  const put = days.ledger.put
  stores = {
    ...stores,
    days: {
      ...days,
      ledger: {
        put: (item, condition) =>
          isBroken ? Promise.reject(new RangeError('no table')) : put(item, condition),
      },
    },
  }
  await minutes(0, 119, 121)
  expect([runs.at(-1)!.failures.map(String), await kept.isDayEnded(20_000)]).toEqual([
    ['RangeError: no table'],
    false,
  ])
  isBroken = false
  await minutes(181)
  expect(await kept.isDayEnded(20_000)).toBe(true)
  expect(JSON.parse(textOf(published, 'manifest.json')).minute).toBe(FROM + 181)
})

it('a day is ended, too, if its last hour was published and nothing in the day after it', async () => {
  await minutes(0, 119)
  await seal(log, trade(FROM + 1_500))
  await minutes(1_561)
  expect(await Promise.all([20_000, 20_001].map(kept.isDayEnded))).toEqual([true, true])
  expect(await keptHours()).toEqual([25, 1, 0])
})
