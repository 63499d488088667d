import { describe, expect, it } from 'vitest'
import { builders, type Snapshot, snapshotOf, storedDocuments } from '../../snapshot/publish/documents.ts'
import { publish } from '../../snapshot/publish/publish.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { type DocumentStore, openDocuments, type StoredDocument } from '../../store/published/documents.ts'
import { OPEN_BARS } from '../../store/published/index-history.ts'
import { memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { nthAddress, segmentOf, stateWith, tokenAt } from '../support/market/facts.ts'
import { engineOf, seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000

/** A market of 130 creators and as many posts, some of them unpriced, some launched within the hour. */
async function busySnapshot(): Promise<Snapshot> {
  const log = memoryLog()
  const tokens = Array.from({ length: 260 }, (_, at) =>
    tokenAt(at, at % 5 === 0 ? MINUTE + 60 : MINUTE, { kind: at % 2 === 0 ? 'creator' : 'post' }),
  )
  const bornAt = (minute: number) => tokens.filter(({ launchedAt }) => launchedAt.blockNumber === minute * 30)
  const stateAt = (number: number, step: number) =>
    stateWith({
      sqrtPriceX96: number % 7 === 0 ? 0n : BigInt(1 + ((number * 7_919 + step * 31) % 1_009)) * 2n ** 90n,
      supply: BigInt(1 + (number % 13)) * 10n ** 24n,
      reserveQuote: BigInt(number % 17) * 10n ** 24n,
      cumTrades: step * (1 + (number % 5)),
      cumVolumeMicroUsd: BigInt(step * ((number * 104_729) % 1_000_003)),
      cumRankVolumeMicroUsd: BigInt(step * ((number * 7_907) % 900_001)) * 100n,
      cumEngagement: step * (number % 11),
      holders: (number * 13 + step * 7) % 40,
    })
  const rowsAt = (step: number, listed: typeof tokens) =>
    listed.map((token) => [token.address, stateAt(tokens.indexOf(token), step)] as const)
  for (const [at, minute] of [MINUTE, MINUTE + 60, MINUTE + 130].entries()) {
    const known = tokens.filter(({ launchedAt }) => launchedAt.blockNumber <= minute * 30)
    await seal(log, segmentOf(minute, { born: bornAt(minute), rows: rowsAt(at + 1, known) }))
  }
  return snapshotOf(await engineOf(log), { chain: 'devnet', codeVersion: null })
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

const snapshot = await busySnapshot()
const documents = memoryDocuments()
const bucket = memoryBucket()
await publish(snapshot, { bucket, documents }, builders)
const published = (name: string) => Buffer.from(bucket.objects.get(name)!.bytes).toString()
const stored = (name: string) => documents.stored.get(name)!.text

describe('the stored documents of a snapshot', () => {
  it('are put before the published ones, and the newest snapshot last', () => {
    expect(documents.order).toHaveLength(storedDocuments.length + 2)
    expect(documents.order.at(-1)).toBe('newest')
    expect(documents.stored.get('v1/market/stats')?.snapshot).toMatchObject({ id: snapshot.id, n: 3 })
  })

  it('are every document except v1/all and the screener, the largest losses, and the open bars of the index', () => {
    const own = [...documents.stored.keys()].filter((name) => !bucket.objects.has(name))
    const falls = ['1h', '24h', '7d', '30d'].map((each) => `v1/market/trending/${each}/change_asc`)
    expect(own).toEqual([...falls, OPEN_BARS])
    const isWhole = (name: string) => !name.startsWith('v1/discover') && !own.includes(name)
    for (const name of [...documents.stored.keys()].filter(isWhole))
      expect(stored(name)).toBe(published(name))
    const missing = [...bucket.objects.keys()].filter((name) => !documents.stored.has(name))
    // The screener's answers are cut from its columns, and a wallet's values come from the prices, in slots of the bucket.
    expect(missing.filter((name) => !/^(v1\/all|manifest)/.test(name))).toEqual([
      expect.stringMatching(/^screened\/\d\d$/),
      expect.stringMatching(/^screened\/prices-\d\d$/),
      'v1/tokens/screener',
    ])
  })

  it('contain the whole lists of discovery, of which the published ones are the first pages', () => {
    for (const name of ['v1/discover/rising', 'v1/discover/new-launches']) {
      const [rows, first] = [JSON.parse(stored(name)), JSON.parse(published(name))]
      expect(first.length).toBeGreaterThan(3)
      expect(rows.slice(0, first.length)).toEqual(first)
    }
    expect(JSON.parse(stored('v1/discover/new-launches'))).toHaveLength(50)
  })

  it('have the largest losses, which are not the reverse of the largest gains', () => {
    const changes = (order: string): number[] =>
      JSON.parse(stored(`v1/market/trending/24h/${order}`)).map((row: { change: number }) => row.change)
    const falls = changes('change_asc')
    expect(falls).toHaveLength(100)
    expect(falls).toEqual(falls.toSorted((a, b) => a - b))
    expect(falls).not.toEqual(changes('change').toReversed())
  })

  it('name the first of the 24-hour lists as top gainer and top volume', () => {
    const stats = JSON.parse(published('v1/market/stats'))
    const firstOf = (sort: string) => JSON.parse(published(`v1/market/trending/24h/${sort}`))[0]
    expect([stats.top_gainer, stats.top_volume]).toEqual([firstOf('change'), firstOf('volume')])
  })

  it('do not include documents that failed, whose last version stays', async () => {
    const again = memoryDocuments()
    const broken = { ...builders, creators: () => ({ text: '[1]', total: 1 }) }
    await publish(snapshot, { bucket: memoryBucket(), documents: again }, broken)
    expect([...again.stored.keys()].filter((name) => name.startsWith('v1/z100/creators'))).toEqual([])
    expect(again.stored.has('v1/z100/posts/1h')).toBe(true)
    expect(again.order.at(-1)).toBe('newest')
  })
})

/** A number of so many bits that does not pack. */
const noise = (seed: string, bits: number) => BigInt.asUintN(bits, BigInt(`0x${sha256Of(seed)}`))
const noisyText = (seed: string, length: number) =>
  Array.from({ length }, (_, at) => String.fromCodePoint(0x20000 + Number(noise(`${seed} ${at}`, 15)))).join(
    '',
  )

it('a hundred rows of the longest names and numbers take half of the 400 KB that an item may have', async () => {
  const log = memoryLog()
  const tokens = Array.from({ length: 200 }, (_, at) => {
    const names = { name: noisyText(`name ${at}`, 128), symbol: noisyText(`symbol ${at}`, 32) }
    const own = at < 100 ? {} : ({ kind: 'post', quote: nthAddress(at - 100) } as const)
    return tokenAt(at, MINUTE - 20_000, { ...names, ...own, isCurrency0: true })
  })
  const rowsAt = (step: number) =>
    tokens.map(({ address }) => {
      const amount = (name: string, bits: number) => noise(`${address} ${name} ${step}`, bits)
      const state = stateWith({
        sqrtPriceX96: amount('price', 159),
        supply: amount('supply', 200),
        reserveQuote: amount('quote', 200),
        reserveToken: amount('token', 200),
        cumVolumeMicroUsd: BigInt(step) << 100n,
        cumRankVolumeMicroUsd: BigInt(step) << 90n,
        cumTrades: step,
        cumEngagement: step,
        lastSwapMinute: MINUTE,
        holders: step * 1_000_000,
      })
      return [address, state] as const
    })
  await seal(log, segmentOf(MINUTE - 20_000, { born: tokens, rows: rowsAt(1) }))
  await seal(log, segmentOf(MINUTE - 3_000, { rows: rowsAt(2) }))
  await seal(log, segmentOf(MINUTE, { rows: rowsAt(3) }))
  const snapshot = snapshotOf(await engineOf(log), { chain: null, codeVersion: null })
  const table = openMemoryTable()
  const stores = { bucket: memoryBucket(), documents: openDocuments(table) }
  expect((await publish(snapshot, stores, builders)).failures).toEqual([])
  const sizes = [...table.items.values()].map(({ brotli }) => (brotli as Uint8Array | undefined)?.length ?? 0)
  expect(Math.max(...sizes)).toBeGreaterThan(100_000)
  expect(Math.max(...sizes)).toBeLessThan(200_000)
})
