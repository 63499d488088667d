/** The live market: a block every few seconds, most of them with one trade or none. */

import { AnvilCallError } from './anvil.ts'
import type { Book } from './book.ts'
import { draftsOf } from './market-history.ts'
import type { Mining } from './miner.ts'
import { BLOCK_MS, TRADES_PER_SECOND } from './pace.ts'
import { type Random, randomFrom } from './random.ts'
import { randomLaunch, randomTrade, rateMove, type TraderMarket } from './traders.ts'

/** The chain as used by the live market. `now` is in milliseconds. */
export type LiveChain = {
  readonly market: Omit<TraderMarket, 'spent' | 'random'> & { readonly book: Book }
  readonly seed: number
  now(): number
  head(): { readonly number: number; readonly timestamp: number }
  /** As the miner's: nothing else changes the chain during the step. */
  turn(step: (mining: Mining) => Promise<void>): Promise<void>
  report(text: string): void
  /** Seconds between reorgs of the last 6 to 18 seconds; undefined: none. */
  readonly reorgSeconds?: number | undefined
  /** @default 0.03: few, since anvil keeps about 40 KB of each and the chain may run all day */
  readonly tradesPerSecond?: number | undefined
  /** @default 6,000 */
  readonly blockMs?: number | undefined
}

const LAUNCHES_PER_DAY = 30
const RATE_MOVES_PER_DAY = 48
const DAY_MS = 86_400_000

/** Mines until `stop`, which resolves when the current block is done. `onError` is called with the error that ended it. */
export function startLive(chain: LiveChain, onError: (error: Error) => void): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let isStopped = false
  const { blockMs = BLOCK_MS } = chain
  const clock = chainClock(chain)
  const nextReorgAt = () => chain.now() + (chain.reorgSeconds ?? Number.POSITIVE_INFINITY) * 1_000
  let reorgAt = nextReorgAt()
  const again = () => {
    // Aligned to the wall clock, so that timestamps are regular.
    timer = setTimeout(tick, blockMs - (chain.now() % blockMs))
  }
  const tick = () => {
    const isReorgDue = chain.now() >= reorgAt
    if (isReorgDue) reorgAt = nextReorgAt()
    working = chain
      .turn(async (mining) => {
        // Replaces the last blocks by one without their transactions.
        if (isReorgDue) await mining.rollback(reorgDepth(chain))
        await mineOne(chain, mining, clock())
      })
      .catch((error: unknown) => {
        // A refused call, which transactions that others sent can cause, costs a block and not the run.
        if (!(error instanceof AnvilCallError)) throw error
        chain.report(`chain: no block, ${error.message}`)
      })
      .then(
        () => {
          if (!isStopped) again()
        },
        (error: unknown) => {
          if (!isStopped) onError(error instanceof Error ? error : new Error(String(error)))
        },
      )
  }
  again()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}

/** Blocks that a reorg replaces: those of 6, 12 or 18 seconds at any pace, since trades come by the second. */
function reorgDepth({ seed, head, blockMs = BLOCK_MS }: LiveChain): number {
  const reach = (1 + randomFrom(seed, head().number).below(3)) * BLOCK_MS
  return Math.ceil(reach / blockMs)
}

/**
 * The time of the next block, in Unix milliseconds: the wall clock's. If others have mined ahead of it, time passes at
 * half its pace until it has caught up, so that minutes still end.
 */
function chainClock({ now, head, blockMs = BLOCK_MS }: LiveChain): () => number {
  let last = 0
  return () => {
    const reached = Math.max(last, head().timestamp * 1_000)
    const wall = now()
    last = wall >= reached ? wall : reached + blockMs / 2
    return last
  }
}

async function mineOne(chain: LiveChain, { mine }: Mining, timeMs: number): Promise<void> {
  const random = randomFrom(chain.seed, chain.head().number)
  const timestamp = Math.floor(timeMs / 1_000)
  const events = wishes(random, chain).map((wish) => ({ at: timestamp, wish }))
  const { drafts } = await draftsOf({ ...chain.market, random }, events)
  await mine(timestamp, drafts)
}

function wishes(random: Random, { tradesPerSecond = TRADES_PER_SECOND, blockMs = BLOCK_MS }: LiveChain) {
  const blocksPerDay = DAY_MS / blockMs
  return [
    ...Array.from({ length: random.count((tradesPerSecond * blockMs) / 1_000) }, () => randomTrade),
    ...(random.chance(LAUNCHES_PER_DAY / blocksPerDay) ? [randomLaunch] : []),
    ...(random.chance(RATE_MOVES_PER_DAY / blocksPerDay) ? [rateMove] : []),
  ]
}
