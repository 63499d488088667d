/** What ingest costs: CPU of read + decode + fold beside Subsquid's processor on the same chain, and write units per swap. */
import { type DevnetMarket, startDevnetMarket } from '../../test/support/chain/devnet-market.ts'
import {
  atMost,
  inTurns,
  isInstalled,
  median,
  ratios,
  runScript,
  say,
  type Time,
  table,
} from './measuring.ts'
import { measureWriteUnits } from './write-units.ts'

/** What reading the chain once cost, and what was found there: equal for all who read it. */
export type IngestCost = Time & {
  readonly logs: number
  readonly swaps: number
  /** Base units of tokens in all trades together. */
  readonly amountToken: string
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
  const hasPeer = isInstalled('@subsquid/evm-processor')
  const names: readonly Reader[] = hasPeer ? ['ours', 'subsquid'] : ['ours']
  const { number: last } = await market.mine(12)
  const costs = await inTurns(names, { rounds: ROUNDS }, (name) =>
    runScript<IngestCost>(readers[name], [market.rpcUrl, last]),
  )
  assertSame(Object.values(costs).flat())
  // The two ask for logs in different ways: both costs are divided by the number of ours.
  const [{ logs, swaps } = { logs: 0, swaps: 0 }] = costs.ours
  const perLog = (name: Reader) => costs[name].map(({ cpuMs }) => (cpuMs * 1_000) / logs)
  say(`${logs} logs, ${swaps} swaps, ${ROUNDS} rounds, each in a process of its own; CPU in µs per log`)
  say(table([['', 'median', 'least', 'most'], ...names.map((name) => spread(name, perLog(name)))]))
  if (!hasPeer) return []
  const compared = ratios(perLog('ours'), perLog('subsquid'))
  say(table([spread('ours / subsquid', compared)]))
  return atMost("CPU per log as a share of Subsquid's", median(compared), GOAL_RATIO)
}

const spread = (name: string, values: readonly number[]) =>
  [name, median(values), Math.min(...values), Math.max(...values)] as const

/** Two readers of one chain found different trades: the faster one may have left something out. */
class DifferentTradesError extends Error {
  override readonly name = 'DifferentTradesError'
}

function assertSame(costs: readonly IngestCost[]): void {
  const found = costs.map(({ swaps, amountToken }) => `${swaps} swaps of ${amountToken}`)
  if (new Set(found).size !== 1) throw new DifferentTradesError(found.join(' and '))
}
