/** A log that begins in the middle of the chain's history, beside the one that has all of it. */
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHeader } from '../../ingest/headers.ts'
import { openRpc } from '../../ingest/rpc.ts'
import { viewsAt } from '../../ingest/state-calls.ts'
import type { Devnet } from '../../local/devnet/chain.ts'
import { isAdopted } from '../../market/adoption.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Block, Segment } from '../../market/segment.ts'
import { expectSameBoards, expectSameMinutes } from '../support/adopted-history.ts'
import { collect } from '../support/collect.ts'
import {
  documentsOf,
  type IngestStores,
  memoryStores,
  startWriter,
  untilIdle,
} from '../support/ingest-stores.ts'
import { startQuietDevnet } from '../support/quiet-devnet.ts'

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
  devnet = await startQuietDevnet({
    ...{ seed: 4, now: () => 1_760_000_000_000, isArchive: true },
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
afterAll(() => devnet?.stop())

test('tokens older than the log are in it, and those launched later as usual', () => {
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
  expectSameMinutes(whole.segments, later.segments)
})

test('boards have the same figures of every token as with all history, or null with coverage_from', async () => {
  const [all, own] = await Promise.all([documentsOf(whole.stores), documentsOf(later.stores)])
  const compared = expectSameBoards(all, own, start)
  expect(compared.length).toBeGreaterThan(300)
  const needed = ['price_usd', 'market_cap', 'liquidity_usd', 'volume_period', 'total_supply']
  expect([...new Set(compared)]).toEqual(expect.arrayContaining(needed))
})

test('view calls beyond the limits of one eth_call are split in halves', async () => {
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
