/** What ingest costs: CPU of read + decode + fold beside Subsquid's processor on the same chain, and write units per swap. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { type DevnetMarket, startDevnetMarket } from '../support/devnet-market.ts'
import { median, say, table } from './rounds.ts'
import { measureWriteUnits } from './write-units.ts'

/** What reading the chain once cost, and what was found there: equal for all who read it. */
export type IngestCost = {
  logs: number
  swaps: number
  /** Base units of tokens in all trades together. */
  amountToken: string
  cpuMs: number
  wallMs: number
}

const ROUNDS = 7
const GOAL_RATIO = 0.8
const readers = { ours: 'ingest-ours.ts', subsquid: 'ingest-subsquid.ts' } as const
type Reader = keyof typeof readers

/** Runs both parts; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const market = await startDevnetMarket(31, { creators: 20, posts: 40, trades: 100, blocks: 60 })
  say('making a chain of trades')
  try {
    for (let block = 0; block < 40; block += 1) await market.mine(12, 150)
    return [...(await compareCpu(market)), ...(await measureWriteUnits())]
  } finally {
    await market.stop()
  }
}

async function compareCpu(market: DevnetMarket): Promise<readonly string[]> {
  const hasPeer = existsSync(new URL('node_modules/@subsquid/evm-processor', import.meta.url))
  if (!hasPeer) say('skipped: Subsquid is not installed; npm install --prefix test/bench')
  const names: readonly Reader[] = hasPeer ? ['ours', 'subsquid'] : ['ours']
  const costs: Record<Reader, IngestCost[]> = { ours: [], subsquid: [] }
  const { number: last } = await market.mine(12)
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each goes first as often as the other.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      costs[name].push(await read(name, market.rpcUrl, last))
    }
    assertSame(names.flatMap((name) => costs[name].at(-1) ?? []))
  }
  // A log more or less is asked for by one of the two: both are divided by ours.
  const logs = costs.ours[0]?.logs ?? 0
  const perLog = (name: Reader) => costs[name].map(({ cpuMs }) => (cpuMs * 1_000) / logs)
  say(
    `${logs} logs, ${costs.ours[0]?.swaps} swaps, ${ROUNDS} rounds, each in a process of its own; CPU in µs per log`,
  )
  say(table([['', 'median', 'least', 'most'], ...names.map((name) => spread(name, perLog(name)))]))
  if (!hasPeer) return []
  const peer = perLog('subsquid')
  const ratios = perLog('ours').map((own, round) => own / (peer[round] ?? Number.NaN))
  say(table([spread('ours / subsquid', ratios)]))
  return median(ratios) > GOAL_RATIO
    ? [`CPU per log is ${median(ratios).toFixed(2)} of Subsquid's, at most ${GOAL_RATIO}`]
    : []
}

const spread = (name: string, values: readonly number[]) =>
  [name, median(values), Math.min(...values), Math.max(...values)] as const

/** The trades that two readers of one chain found differ: the one that is faster may have left something out. */
class DifferentTradesError extends Error {
  override readonly name = 'DifferentTradesError'
}

function assertSame(costs: readonly IngestCost[]): void {
  const found = costs.map(({ swaps, amountToken }) => `${swaps} swaps of ${amountToken}`)
  if (new Set(found).size !== 1) throw new DifferentTradesError(found.join(' and '))
}

async function read(name: Reader, url: string, last: number): Promise<IngestCost> {
  const script = new URL(readers[name], import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    script,
    url,
    String(last),
  ])
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1)) as IngestCost
}
