/** The live market: a block every few seconds, most of them with one trade or none. */
import type { Book } from './book.ts'
import { draftsOf } from './market-history.ts'
import type { MinedBlock } from './miner.ts'
import { type Random, randomFrom } from './random.ts'
import { randomLaunch, randomTrade, referenceMove, type TraderMarket } from './traders.ts'

/** The chain as used by the live market. `now` is in milliseconds. */
export type LiveChain = {
  readonly market: Omit<TraderMarket, 'spent' | 'random'> & { readonly book: Book }
  readonly seed: number
  now(): number
  head(): { readonly number: number; readonly timestamp: number }
  mine(timestamp: number, drafts: MinedBlock['failed']): Promise<MinedBlock>
  rollback(depth: number): Promise<void>
  /** Seconds between reorgs of 1 to 3 blocks; undefined: none. */
  readonly reorgSeconds: number | undefined
  /** @default 0.03: few, since anvil keeps about 40 KB of each and the chain may run all day */
  readonly tradesPerSecond?: number | undefined
}

const BLOCK_SECONDS = 6
const TRADES_PER_SECOND = 0.03
const LAUNCHES_PER_DAY = 30
const REFERENCE_MOVES_PER_DAY = 48
const BLOCKS_PER_DAY = 86_400 / BLOCK_SECONDS

/** Mines until `stop`, which resolves when the current block is done. `onError` is called with the error that ended it. */
export function startLive(chain: LiveChain, onError: (error: Error) => void): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let isStopped = false
  const nextReorgAt = () => chain.now() + (chain.reorgSeconds ?? Number.POSITIVE_INFINITY) * 1_000
  let reorgAt = nextReorgAt()
  const again = () => {
    // Aligned to the wall clock, so that timestamps are regular.
    const beat = BLOCK_SECONDS * 1_000
    timer = setTimeout(tick, beat - (chain.now() % beat))
  }
  const tick = () => {
    const isReorgDue = chain.now() >= reorgAt
    if (isReorgDue) reorgAt = nextReorgAt()
    working = (isReorgDue ? reorg(chain) : mineOne(chain)).then(
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

/** Replaces the last blocks by one without their transactions. */
async function reorg(chain: LiveChain): Promise<void> {
  await chain.rollback(1 + (chain.head().number % 3))
  await mineOne(chain)
}

async function mineOne(chain: LiveChain): Promise<void> {
  const timestamp = Math.floor(chain.now() / 1_000)
  const head = chain.head()
  if (timestamp <= head.timestamp) return
  const random = randomFrom(chain.seed, head.number)
  const events = wishes(random, chain.tradesPerSecond).map((wish) => ({ at: timestamp, wish }))
  const { drafts } = await draftsOf({ ...chain.market, random }, events)
  await chain.mine(timestamp, drafts)
}

function wishes(random: Random, tradesPerSecond = TRADES_PER_SECOND) {
  return [
    ...Array.from({ length: random.count(tradesPerSecond * BLOCK_SECONDS) }, () => randomTrade),
    ...(random.isTrue(LAUNCHES_PER_DAY / BLOCKS_PER_DAY) ? [randomLaunch] : []),
    ...(random.isTrue(REFERENCE_MOVES_PER_DAY / BLOCKS_PER_DAY) ? [referenceMove] : []),
  ]
}
