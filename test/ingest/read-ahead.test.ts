/** Catching up in rounds that overlap gives the log, the tables and the feed that minute by minute gives. */
import { setImmediate } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { openRpc } from '../../ingest/client/rpc.ts'
import { noOldTokens } from '../../ingest/decode/old-tokens.ts'
import { openRegistry, type Registry } from '../../ingest/decode/registry.ts'
import type { Range } from '../../ingest/read/range.ts'
import { openReadAhead } from '../../ingest/read/read-ahead.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import type { FeedEntry } from '../../market/feed-entry.ts'
import type { Block, Hash } from '../../market/segment.ts'
import { allOf } from '../../store/parallel.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { generateChain } from '../support/generated-chain.ts'
import { openGeneratedNode } from '../support/generated-node.ts'
import { depsOver, type IngestStores, memoryStores, untilIdle, verifying } from '../support/ingest-stores.ts'
import { isLong } from '../support/rounds.ts'
import { storeOf } from './mock-reading.ts'

const MINUTES = isLong ? 120 : 40
const chain = generateChain({ seed: 2, minutes: MINUTES, creations: MINUTES / 2, swapsAMinute: 4 })

const blockAt = (number: number): Block => ({
  number,
  hash: chain.hashOf(number) as Hash,
  timestamp: chain.timestampOf(number),
})

/** Reads the chain after block `start` through the proxies, in ranges of 150 blocks. */
async function logOf(proxies: readonly FaultyProxy[], start: number, isOverlapping: boolean) {
  const stores = memoryStores()
  const rpc = openRpc(proxies.map(({ url }) => url))
  for (const { endpoint } of rpc.each()) endpoint.width.narrow(300, 150)
  const deps = depsOver(stores, {
    rpc,
    chain: chain.rules,
    start: blockAt(start),
    verification: verifying(stores, { retryMs: 1 }),
    ...(isOverlapping && { readWith: openReadAhead, farSeconds: 0 }),
  })
  await untilIdle(followChain(deps))
  return told(stores)
}

/** The log, what it means for the tables, and the feed, whose items end at an hour of the clock. */
async function told(stores: IngestStores) {
  const entries = await allOf(stores.log.entriesAfter(0))
  const items = (await stores.items()).filter(({ pk, sk }) => !/^(LOG|FP?#)/.test(pk) && sk !== 'FEED')
  const rows = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]))
  // Names are told with those who were launched in the minutes at hand.
  const feed = (await allOf(stores.feed.after(0))).map(
    ({ names: _, ...entry }: FeedEntry & { names?: unknown }) => entry,
  )
  return { entries, rows, feed }
}

async function behind(count: number): Promise<readonly FaultyProxy[]> {
  const node = openGeneratedNode(chain)
  return Promise.all(Array.from({ length: count }, () => startFaultyProxy(node.answer)))
}

const BEGIN = chain.first - 1
/** The whole chain, minute by minute. */
let whole: Awaited<ReturnType<typeof logOf>>
beforeAll(async () => {
  const [proxy] = await behind(1)
  whole = await logOf([proxy!], BEGIN, false)
  await proxy!.stop()
})

it.each([
  ['from its first block', BEGIN, 1],
  ['from its middle, with two endpoints', chain.first + 15 * MINUTES - 1, 2],
])('reads a chain %s as minute by minute', async (_, start, count) => {
  const proxies = await behind(count)
  const slow = start === BEGIN ? whole : await logOf(proxies, start, false)
  const fast = await logOf(proxies, start, true)
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  expect(slow.entries.length).toBeGreaterThan(MINUTES / 2 - 5)
  expect(fast.entries).toEqual(slow.entries)
  expect(fast.feed).toEqual(slow.feed)
  expect(fast.rows).toEqual(slow.rows)
})

it('gives a fault of the store to those who ask for the range, not to the process', async () => {
  const [proxy] = await behind(1)
  const rpc = openRpc([proxy!.url])
  for (const { endpoint } of rpc.each()) endpoint.width.narrow(300, 150)
  const fault = new Error('no store')
  let [isFailing, failed] = [false, 0]
  const registry = openRegistry(storeOf(), chain.rules, noOldTokens)
  const tokens: Registry['tokens'] = async (asked) => {
    if (!isFailing) return registry.tokens(asked)
    failed += 1
    throw fault
  }
  const ranges = openReadAhead({ rpc, chain: chain.rules, registry: { ...registry, tokens } })
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  const first = await ranges.read(blockAt(BEGIN), chain.last)
  isFailing = true
  await expect.poll(() => failed).toBeGreaterThan(0)
  await setImmediate()
  await expect(ranges.read((first as Range).last, chain.last)).rejects.toBe(fault)
  process.off('unhandledRejection', onUnhandled)
  await proxy!.stop()
  expect(unhandled).toEqual([])
})

it('reads a range again at another endpoint if logs were missing in a range read ahead', async () => {
  const proxies = await behind(2)
  const [liar] = proxies
  let asked = 0
  const isLying = (calls: readonly { readonly method: string }[]): boolean => {
    if (calls.some(({ method }) => method === 'eth_getLogs')) asked += 1
    return asked % 5 === 0
  }
  if (liar) liar.fault = (calls) => (isLying(calls) ? 'one log in five left out' : undefined)
  const ran = await logOf(proxies, BEGIN, true)
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  expect(liar?.told.get('one log in five left out')).toBeGreaterThan(3)
  expect(ran.entries).toEqual(whole.entries)
  expect(ran.rows).toEqual(whole.rows)
})
