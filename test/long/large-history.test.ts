/** Tens of thousands of creations, of which one in twenty is traded, and a log that begins in their middle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { openRpc } from '../../ingest/client/rpc.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { isImported } from '../../market/coverage.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Block, Segment } from '../../market/segment.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { compareAnswer, nothingCompared } from '../ingest/decode/equal-or-null.ts'
import { expectSameMinutes } from '../ingest/decode/imported-history.ts'
import { startEndpoints } from '../ingest/generated-endpoints.ts'
import { documentsOf, type IngestStores, memoryStores, verifiedDeps } from '../support/aws/ingest-stores.ts'
import { generateChain } from '../support/chain/generated-chain.ts'
import { rounds } from '../support/rounds.ts'

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

/** ROUNDS=300000 takes half an hour. */
const CREATIONS = rounds(6_000)
/** Two days and two hours: a day's figures are whole after the half of it. */
const MINUTES = 3_000
const plan = { seed: 11, minutes: MINUTES, creations: CREATIONS, swapsAMinute: 10, activeOneIn: 20 }
const chain = generateChain(plan)
/** As Coinbase's: 1,000 blocks a call. */
const endpoint = await startEndpoints({ plan, endpoints: [{ span: 1_000, saysSpan: true }] })
afterAll(() => endpoint.stop())

/** The two headers that prove a minute's end, logs in both readings, receipts and state: measured are 3.5 with seventeen launches a minute. */
const CALLS_A_MINUTE = 3 + (0.06 * CREATIONS) / MINUTES

const HELD_MEBIBYTES = 1_000

type Read = { readonly start: Block | null; readonly seconds: number; readonly calls: number }

/** Follows the chain from a block on (null: from its first) as a service does, until so many of its minutes are sealed, or to the head. */
async function follow(
  stores: IngestStores,
  block: number | null,
  { until = MINUTES, atEnd = () => {} }: { readonly until?: number; readonly atEnd?: () => void } = {},
): Promise<Read> {
  const begin = { at: performance.now(), calls: await callsMade() }
  const deps = await verifiedDeps(stores, { rpc: openRpc(endpoint.urls), chain: chain.rules }, block)
  let sealed = 0
  for await (const { is } of followChain(deps)) {
    if (is === 'sealed') sealed += 1
    if (is !== 'idle' && sealed < until) continue
    atEnd()
    break
  }
  return {
    start: deps.start,
    seconds: (performance.now() - begin.at) / 1_000,
    calls: (await callsMade()) - begin.calls,
  }
}

const callsMade = async (): Promise<number> =>
  (await endpoint.counts()).reduce((sum, { calls }) => sum + calls, 0)

/** The log after a block, and what ingest holds nine tenths on its way there: what is alive less what the stores have. It then begins again. */
async function logAfter(block: number, stores: IngestStores) {
  let alive = 0
  const atEnd = () => {
    alive = liveMebibytes()
  }
  const first = await follow(stores, block, { until: 0.45 * MINUTES, atEnd })
  // What was under way comes to its end.
  await sleep(5_000)
  const heldMebibytes = alive - liveMebibytes()
  return { first, heldMebibytes, rest: await follow(stores, block) }
}

/** What is alive in this process. */
function liveMebibytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

async function segmentsOf({ log }: IngestStores): Promise<readonly Segment[]> {
  const entries = effectiveEntries(await allOf(log.entriesAfter(0)))
  return Promise.all(entries.map(({ segment }) => log.readSegment(segment)))
}

test('a log that begins late has only the traded tokens, needs little memory and few calls, and gives the figures of the log of all history', async () => {
  // The first block of an hour: what counts by the hour is whole from it on.
  const middle = chain.first + 1_800 * Math.floor(MINUTES / 120)
  const stores = memoryStores()
  const { first, rest, heldMebibytes } = await logAfter(middle, stores)
  const own = await segmentsOf(stores)
  const imported = own
    .flatMap(({ tokens }) => tokens)
    .filter(({ before, after }) => !before && isImported(after))
  const calls = first.calls + rest.calls
  const seconds = Math.round(first.seconds + rest.seconds)
  const peak = Math.round(process.resourceUsage().maxRSS / 1_024)
  process.stdout.write(
    `${CREATIONS} creations: ${imported.length} imported; ${calls} calls, ${seconds} s; ${Math.round(heldMebibytes)} MB held by ingest, ${peak} MB at most with the stores of the log\n`,
  )
  const older = chain.traded().filter(({ block }) => block <= middle)
  expect(imported.length).toBeGreaterThan(older.length / 4)
  // Of the older ones those that are traded, and the creator tokens that posts are quoted in.
  expect(imported.length).toBeLessThanOrEqual(CREATIONS / 20)
  expect(calls).toBeLessThan(CALLS_A_MINUTE * (MINUTES / 2))
  expect(heldMebibytes).toBeLessThan(HELD_MEBIBYTES)
  // Tables hold what was launched since, and of the older ones these alone.
  const launchedSince = (CREATIONS * (chain.last - middle)) / (chain.last - chain.first)
  const tokens = (await stores.items()).filter(({ pk, sk }) => pk.startsWith('T#') && sk === 'NOW')
  expect(tokens.length).toBeLessThanOrEqual(imported.length + launchedSince + 10)

  const whole = memoryStores()
  await follow(whole, null)
  expectSameMinutes(await segmentsOf(whole), own)
  const [all, few] = await Promise.all([documentsOf(whole), documentsOf(stores)])
  const compared = nothingCompared()
  for (const [name, text] of Object.entries(few))
    compareAnswer(compared, name, JSON.parse(all[name]!), JSON.parse(text))
  expect(compared.wrong).toEqual([])
  expect(compared.equal).toBeGreaterThan(300)
})
