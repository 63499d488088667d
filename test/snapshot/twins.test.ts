import { beforeAll, describe, expect, it } from 'vitest'
import { boardOrders } from '../../market/board-orders.ts'
import { trendingSorts } from '../../market/trending.ts'
import { periods, timeframes } from '../../market/window.ts'
import { launchFields, risingFields } from '../../schemas/discover-row.ts'
import { sortKeys } from '../../schemas/field.ts'
import { pageOf, poolFrom } from '../../schemas/row-pool.ts'
import { objectIn } from '../../schemas/stored-objects.ts'
import { boardFields, trendingFields } from '../../schemas/token-row.ts'
import { builders, type Snapshot, snapshotOf } from '../../snapshot/documents.ts'
import { cachedSegments, follow } from '../../snapshot/follow.ts'
import { publish } from '../../snapshot/publish.ts'
import { twins } from '../../snapshot/twins.ts'
import type { DocumentStore, StoredDocument } from '../../store/documents.ts'
import { seal, segmentOf, stateOf, tokenAt } from '../support/market-history.ts'
import { memoryBucket, memoryLog } from '../support/memory-stores.ts'

const MINUTE = 29_000_000

/** A market of 130 creators and as many posts, some of them unpriced, some launched within the hour. */
async function busySnapshot(): Promise<Snapshot> {
  const log = memoryLog()
  const tokens = Array.from({ length: 260 }, (_, at) =>
    tokenAt(at, at % 5 === 0 ? MINUTE + 60 : MINUTE, { kind: at % 2 === 0 ? 'creator' : 'post' }),
  )
  const bornAt = (minute: number) => tokens.filter(({ launchedAt }) => launchedAt.blockNumber === minute * 30)
  const stateAt = (number: number, step: number) =>
    stateOf({
      sqrtPriceX96: number % 7 === 0 ? 0n : BigInt(1 + ((number * 7_919 + step * 31) % 1_009)) * 2n ** 90n,
      supply: BigInt(1 + (number % 13)) * 10n ** 24n,
      reserveQuote: BigInt(number % 17) * 10n ** 20n,
      cumTrades: step * (1 + (number % 5)),
      cumVolumeMicroUsd: BigInt(step * ((number * 104_729) % 1_000_003)),
      cumRankVolumeMicroUsd: BigInt(step * ((number * 7_907) % 900_001)) * 100n,
      cumEngagement: step * (number % 11),
      holders: (number * 13 + step * 7) % 40,
    })
  const rowsAt = (step: number, of: typeof tokens) =>
    of.map((token) => [token.address, stateAt(tokens.indexOf(token), step)] as const)
  for (const [at, minute] of [MINUTE, MINUTE + 60, MINUTE + 130].entries()) {
    const born = bornAt(minute).map((after) => ({ before: null, after }))
    const known = tokens.filter(({ launchedAt }) => launchedAt.blockNumber <= minute * 30)
    await seal(log, segmentOf(minute, { tokens: born, rows: rowsAt(at + 1, known) }))
  }
  const engine = await follow(undefined, {
    log,
    bucket: memoryBucket(),
    read: cachedSegments(log),
    to: 3,
    isOver: () => false,
  })
  return snapshotOf(engine, { chain: 'devnet', codeVersion: null })
}

function memoryDocuments(): DocumentStore & {
  readonly stored: Map<string, StoredDocument>
  order: string[]
} {
  const stored = new Map<string, StoredDocument>()
  const order: string[] = []
  let newest: StoredDocument['snapshot'] | undefined
  return {
    stored,
    order,
    putDocument: async (document) => {
      stored.set(document.name, document)
      order.push(document.name)
      return true
    },
    putNewest: async (snapshot) => {
      order.push('newest')
      newest = snapshot
      return true
    },
    newest: async () => newest,
    readDocument: async (name) => stored.get(name),
  }
}

describe('twins', () => {
  let snapshot: Snapshot
  const documents = memoryDocuments()
  const bucket = memoryBucket()
  beforeAll(async () => {
    snapshot = await busySnapshot()
    await publish(snapshot, { bucket, documents }, builders)
  })

  const published = (name: string) => Buffer.from(bucket.objects.get(name)!.bytes).toString()
  const poolIn = (name: string) => poolFrom(documents.stored.get(name)!.text)

  it('are put before the documents, one for each, and the newest snapshot last', () => {
    expect(documents.order).toHaveLength(twins.length + 1)
    expect(documents.order.at(-1)).toBe('newest')
    expect(objectIn(documents.stored.get('v1/market/stats')!.text, [])).toBe(published('v1/market/stats'))
    expect(documents.stored.get('v1/market/stats')?.snapshot).toMatchObject({ id: snapshot.id, n: 3 })
  })

  it('hold every published list, byte for byte', () => {
    const first = { isAscending: false, offset: 0 }
    for (const board of ['creators', 'posts'])
      for (const period of periods) {
        const name = `v1/z100/${board}/${period}`
        expect(JSON.parse(published(name)).length).toBeGreaterThan(90)
        const cut = { ...first, order: 'rank', limit: 100 }
        expect(pageOf(poolIn(name), cut, { table: boardFields }).text).toBe(published(name))
      }
    for (const objects of ['v1/z100/index', 'v1/market/volume'])
      for (const period of periods)
        expect(objectIn(documents.stored.get(objects)!.text, [period])).toBe(
          published(`${objects}/${period}`),
        )
    for (const timeframe of timeframes)
      for (const sort of trendingSorts) {
        const pool = poolIn(`v1/market/trending/${timeframe}`)
        const page = pageOf(pool, { ...first, order: sort, limit: 100 }, { table: trendingFields })
        expect(page.text).toBe(published(`v1/market/trending/${timeframe}/${sort}`))
        expect(JSON.parse(page.text)).toHaveLength(100)
      }
    const cut = { ...first, order: 'rank', limit: 20 }
    const [rising, launches] = ['v1/discover/rising', 'v1/discover/new-launches']
    expect(pageOf(poolIn(rising), cut, { table: risingFields }).text).toBe(published(rising))
    expect(JSON.parse(published(rising)).length).toBeGreaterThan(3)
    const page = pageOf(poolIn(launches), cut, { table: launchFields })
    expect(page).toMatchObject({ text: published(launches), total: 50 })
  })

  it('name the first of the lists of a day as top gainer and top volume', () => {
    const stats = JSON.parse(published('v1/market/stats'))
    const firstOf = (sort: string) => JSON.parse(published(`v1/market/trending/24h/${sort}`))[0]
    expect([stats.top_gainer, stats.top_volume]).toEqual([firstOf('change'), firstOf('volume')])
  })

  it('know every order that a board is asked for, by exact values, unknown ones last', () => {
    expect(Object.keys(sortKeys(boardFields)).sort()).toEqual(Object.keys(boardOrders).sort())
    for (const [order, key] of Object.entries(sortKeys(boardFields))) {
      const cut = { order, isAscending: false, offset: 0, limit: 100 }
      const page = pageOf(poolIn('v1/z100/posts/1h'), cut, { table: boardFields })
      const values = JSON.parse(page.text).map((row: Record<string, number | null>) => row[key])
      const known = values.filter((value: number | null) => value !== null)
      expect(
        known.length + values.slice(known.length).filter((value: unknown) => value === null).length,
      ).toBe(values.length)
      const sorted = known.toSorted((a: number, b: number) => (order === 'rank' ? a - b : b - a))
      expect([order, known]).toEqual([order, sorted])
    }
  })

  it('leave out those of an operation that failed, whose last version stays', async () => {
    const again = memoryDocuments()
    const broken = { ...builders, creators: () => ({ text: '[1]', total: 1 }) }
    await publish(snapshot, { bucket: memoryBucket(), documents: again }, broken)
    expect([...again.stored.keys()].filter((name) => name.startsWith('v1/z100/creators'))).toEqual([])
    expect(again.stored.has('v1/z100/posts/1h')).toBe(true)
    expect(again.order.at(-1)).toBe('newest')
  })
})
