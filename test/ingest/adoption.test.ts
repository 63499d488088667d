/** A log that begins in the middle of the chain's history, beside the one that has all of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHeader } from '../../ingest/headers.ts'
import { openRpc } from '../../ingest/rpc.ts'
import { viewsAt } from '../../ingest/state-calls.ts'
import { type Devnet, startDevnet } from '../../local/devnet/chain.ts'
import { isAdopted } from '../../market/adoption.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Block, Segment, SegmentRow, TokenState } from '../../market/segment.ts'
import { collect } from '../support/collect.ts'
import {
  documentsOf,
  type IngestStores,
  memoryStores,
  startWriter,
  untilIdle,
} from '../support/ingest-stores.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'z100-adoption-'))
let devnet: Devnet
let start: Block
let whole: { readonly stores: IngestStores; readonly segments: readonly Segment[] }
let later: typeof whole

async function logAfter(start: Block | null): Promise<typeof whole> {
  const stores = memoryStores()
  await untilIdle(startWriter(stores, devnet.rpcUrl, start))
  const entries = effectiveEntries(await collect(stores.log.entriesAfter(0)))
  return {
    stores,
    segments: await Promise.all(entries.map(({ segment }) => stores.log.readSegment(segment))),
  }
}

beforeAll(async () => {
  devnet = await startDevnet({
    ...{ dataDir, seed: 4, now: () => 1_760_000_000_000, report: () => {}, live: false, isArchive: true },
    onExit: (error) => {
      throw error
    },
    history: { blocks: 120, days: 2, trades: 500, creators: 14, posts: 24 },
  })
  const rpc = openRpc([devnet.rpcUrl])
  // The hour in whose middle the chain is half as old as now: what counts by the hour is whole from its first block on.
  const middle = (await readHeader(rpc, Math.floor(devnet.head().number / 2)))!
  const hour = Math.ceil(middle.timestamp / 3_600) * 3_600
  start = middle
  for (let next = middle; next.timestamp < hour; ) {
    start = next
    next = (await readHeader(rpc, next.number + 1))!
  }
  ;[whole, later] = [await logAfter(null), await logAfter(start)]
}, 120_000)
afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Of a state, what no older history is needed for. */
const own = ({ sqrtPriceX96, supply, selfHeld, reserveQuote, reserveToken }: TokenState) => ({
  ...{ sqrtPriceX96, supply, selfHeld, reserveQuote, reserveToken },
})

const counters = [
  'cumVolumeMicroUsd',
  'cumBuyVolumeMicroUsd',
  'cumRankVolumeMicroUsd',
  'cumTrades',
  'cumBuys',
  'cumEngagement',
] as const

/** By how much a minute moved each counter. */
const grown = ({ before, after }: SegmentRow) =>
  counters.map((name) => BigInt(after[name]) - BigInt(before[name]))

/** A row of a minute without what older history counts: its token's place in time, its launch, and the counters' size. */
const comparable = (row: SegmentRow) => {
  const { launch: _, launchedAt: __, ...description } = row.description
  return {
    ...{ description, before: own(row.before), after: own(row.after), grown: grown(row) },
    ...{ rangesBefore: row.rangesBefore, ranges: row.ranges, candle: row.candle },
  }
}

test('tokens older than the log are in it, and those launched after it as ever', () => {
  const born = later.segments.flatMap((segment) => segment.tokens).filter(({ before }) => !before)
  const adopted = born.filter(({ after }) => isAdopted(after)).map(({ after }) => after)
  expect(adopted.length).toBeGreaterThan(10)
  expect(new Set(adopted.map(({ address }) => address)).size).toBe(adopted.length)
  expect(born.length - adopted.length).toBeGreaterThan(3)
  expect(new Set(adopted.map(({ kind }) => kind))).toEqual(new Set(['creator', 'post']))
  const hooks = later.segments.flatMap((segment) => segment.hooks)
  expect(hooks).toEqual(expect.arrayContaining([...new Set(adopted.map(({ hook }) => hook))]))
})

test('every row and swap of every minute is that of the log of all history', () => {
  const first = later.segments[0]!.minute
  const history = whole.segments.filter(({ minute }) => minute >= first)
  expect(later.segments.map(({ minute }) => minute)).toEqual(history.map(({ minute }) => minute))
  for (const [at, { rows, swaps, references, facts }] of later.segments.entries()) {
    const all = history[at]!
    const own = new Map(rows.map((row) => [row.token, row]))
    // Which creator token of an address is the oldest is older history: untouched rows that stand beside others may differ.
    const touched = all.rows.filter((row) => row.before !== row.after && own.has(row.token))
    const missing = all.rows.filter((row) => !own.has(row.token) && row.candle)
    expect(missing).toEqual([])
    expect(touched.map((row) => comparable(own.get(row.token)!))).toEqual(touched.map(comparable))
    expect({ swaps, references, facts }).toEqual({
      ...{ swaps: all.swaps, references: all.references, facts: all.facts },
    })
  }
})

type Row = Readonly<Record<string, string | number | boolean | null | object>> & {
  readonly contract_address: string
}

/** Keys of rows that older history counts in, or other tokens' places. */
const ofHistory = new Set([
  ...['rank', 'position', 'previous_rank', 'rank_change', 'is_new', 'created_at', 'coverage_from'],
  // The posts that nobody has traded since, and which creator token of an address is its first.
  ...[
    'portfolio',
    'portfolio_value',
    'portfolio_value_raw',
    'score',
    'creator_name',
    'creator_handle',
    'handle',
  ],
])
const unknownOfOld = ['total_volume', 'total_volume_raw', 'unique_holders', 'holders_count', 'created_at']

const rowsIn = (documents: Record<string, string>, name: string): ReadonlyMap<string, Row> =>
  new Map((JSON.parse(documents[name]!) as Row[]).map((row) => [row.contract_address, row]))

test('boards say of every token what they say with all of history, or null, and from when on it is known', async () => {
  const [all, own] = await Promise.all([documentsOf(whole.stores), documentsOf(later.stores)])
  const compared: string[] = []
  for (const name of ['v1/z100/creators/1h', 'v1/z100/posts/1h', 'v1/z100/creators/4h', 'v1/z100/posts/4h']) {
    const rows = rowsIn(all, name)
    for (const [address, row] of rowsIn(own, name)) {
      const full = rows.get(address)
      if (!full) continue
      const isOld = row['coverage_from'] !== null
      if (isOld) {
        expect(row['coverage_from']).toBe(new Date(start.timestamp * 1_000).toISOString().replace('.000', ''))
        expect(unknownOfOld.map((key) => row[key])).toEqual(unknownOfOld.map(() => null))
      }
      for (const [key, value] of Object.entries(row)) {
        const isUnknown = isOld && (unknownOfOld.includes(key) || /holders|total_volume/.test(key))
        if (ofHistory.has(key) || isUnknown) continue
        // What began before the log may be unknown; it is never another number.
        if (value === null && isOld) continue
        expect({ address, key, value }).toEqual({ address, key, value: full[key] })
        compared.push(key)
      }
    }
  }
  expect(compared.length).toBeGreaterThan(300)
  const needed = ['price_usd', 'market_cap', 'liquidity_usd', 'volume_period', 'total_supply']
  expect([...new Set(compared)]).toEqual(expect.arrayContaining(needed))
})

test('more is asked of contracts than one call can give, in halves', async () => {
  const abi = parseAbi(['function name() view returns (string)', 'function nothing() view returns (string)'])
  const tokens = devnet.tokens().map(({ address }) => ({ address, args: [] as const }))
  const asked = Array.from({ length: 40 }, () => tokens).flat()
  const source = { rpc: openRpc([devnet.rpcUrl]), block: start.number }
  const names = await viewsAt(source, { abi, functionName: 'name' }, asked)
  expect(asked.length).toBeGreaterThan(1_000)
  expect(names.slice(0, tokens.length)).toEqual(names.slice(-tokens.length))
  expect(names.filter((name) => name !== undefined).length).toBeGreaterThan(300)
  const none = await viewsAt(source, { abi, functionName: 'nothing' }, tokens)
  expect(none).toEqual(tokens.map(() => undefined))
})
