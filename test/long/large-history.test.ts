/** Tens of thousands of creations, of which one in twenty is traded, and a log that begins in their middle. */
import { afterAll, expect, test } from 'vitest'
import { logStart } from '../../ingest/log-start.ts'
import { openOldTokens } from '../../ingest/old-tokens.ts'
import { openReadAhead } from '../../ingest/read-ahead.ts'
import { openRegistry } from '../../ingest/registry.ts'
import { openRpc } from '../../ingest/rpc.ts'
import { followChain } from '../../ingest/writer.ts'
import { isAdopted } from '../../market/adoption.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Block, Segment } from '../../market/segment.ts'
import { openGapStore } from '../../store/stored-status.ts'
import { expectSameBoards, expectSameMinutes } from '../support/adopted-history.ts'
import { collect } from '../support/collect.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { generateChain } from '../support/generated-chain.ts'
import { openNode } from '../support/generated-node.ts'
import { documentsOf, type IngestStores, memoryStores } from '../support/ingest-stores.ts'

/** CREATIONS=300000 takes half an hour. */
const CREATIONS = Number(process.env['CREATIONS'] ?? 50_000)
/** Two days and two hours: a day's figures are whole after the half of it. */
const MINUTES = 3_000
/** Blocks that one call for logs gives. */
const SPAN = 1_000
const chain = generateChain({
  ...{ seed: 11, minutes: MINUTES, creations: CREATIONS, swapsAMinute: 10, activeOneIn: 20 },
})
const node = openNode(chain)
const endpoint = await startFaultyProxy(node.answer)
afterAll(() => endpoint.stop())

/** Headers, logs in both readings, receipts and state: 3 with ten launches a minute, 7 with a hundred. */
const CALLS_A_MINUTE = 10

type Read = {
  readonly stores: IngestStores
  readonly start: Block | null
  readonly calls: number
  readonly tokens: number
}

/** The log after a block, verified as a service does; null: of all of the chain. */
async function logAfter(block: number | null): Promise<Read> {
  const stores = memoryStores()
  const rpc = openRpc([endpoint.url])
  rpc.endpoint.width.narrow(SPAN, SPAN)
  node.asked.clear()
  const source = { rpc, chain: chain.rules, log: stores.log }
  const start = block === null ? null : await logStart(source, { is: 'block', block }, () => {})
  const oldTokens = openOldTokens(source, start)
  const registry = openRegistry(stores.tokens, chain.rules, oldTokens)
  const ranges = openReadAhead({ rpc, chain: chain.rules, registry })
  const verification = { table: stores.table, gaps: openGapStore(stores.table) }
  const rooms = { ...stores, rpc, chain: chain.rules, registry, oldTokens, ranges, start, verification }
  for await (const { is } of followChain(rooms)) if (is === 'idle') break
  const calls = [...node.asked.values()].reduce((sum, count) => sum + count, 0)
  const tokens = (await stores.items()).filter(({ pk, sk }) => pk.startsWith('T#') && sk === 'NOW').length
  return { stores, start, calls, tokens }
}

async function segmentsOf({ log }: IngestStores): Promise<readonly Segment[]> {
  const entries = effectiveEntries(await collect(log.entriesAfter(0)))
  return Promise.all(entries.map(({ segment }) => log.readSegment(segment)))
}

test('comes up with the traded tokens alone, for few calls, and says what the log of all history says', async () => {
  // The first block of an hour: what counts by the hour is whole from it on.
  const middle = chain.first + 1_800 * Math.floor(MINUTES / 120)
  const later = await logAfter(middle)
  const own = await segmentsOf(later.stores)
  const adopted = own
    .flatMap(({ tokens }) => tokens)
    .filter(({ before, after }) => !before && isAdopted(after))
  const older = chain.traded().filter(({ block }) => block <= middle)
  expect(adopted.length).toBeGreaterThan(older.length / 4)
  // Of the older ones those that are traded, and the creator tokens that posts are quoted in.
  expect(adopted.length).toBeLessThanOrEqual(CREATIONS / 20)
  expect(later.calls).toBeLessThan(CALLS_A_MINUTE * (MINUTES / 2))
  // Tables hold what was launched since, and of the older ones these alone.
  const launchedSince = (CREATIONS * (chain.last - middle)) / (chain.last - chain.first)
  expect(later.tokens).toBeLessThanOrEqual(adopted.length + launchedSince + 10)

  const whole = await logAfter(null)
  expectSameMinutes(await segmentsOf(whole.stores), own)
  const [all, few] = await Promise.all([documentsOf(whole.stores), documentsOf(later.stores)])
  expect(later.start && expectSameBoards(all, few, later.start).length).toBeGreaterThan(300)
})
