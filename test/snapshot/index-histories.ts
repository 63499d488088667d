/** A log whose tokens are worth enough for the index to have members after a day. */
import { effectiveEntries } from '../../market/log.ts'
import type { TokenState } from '../../market/segment.ts'
import type { MemoryLog } from '../support/aws/memory-stores.ts'
import { nthAddress, ONE_X96, segmentOf, stateWith, tokenAt, WHOLE } from '../support/market/facts.ts'
import { seal } from '../support/market/market-history.ts'

/** Wednesday, 21:00 UTC. */
export const HISTORY_START = Date.UTC(2025, 1, 19, 21) / 60_000
export const HISTORY_TOKENS = 26
/** Minutes of the day before the start, in which the closes are made that the first review asks for. */
const DAY = 1_440

const numbers = Array.from({ length: HISTORY_TOKENS }, (_, at) => at + 1)
/** A third of them are posts, each quoted in the token before it. */
export const historyTokens = numbers.map((number) =>
  tokenAt(
    number,
    HISTORY_START - DAY - 400,
    number % 3 === 0 ? { kind: 'post', quote: nthAddress(number - 1) } : {},
  ),
)

/** State of a token that has traded `trades` times, at a price and a depth that follow from `seed`. */
export const stateAfter = (trades: number, seed: number): TokenState =>
  stateWith({
    sqrtPriceX96: (ONE_X96 * BigInt(90 + (seed % 20))) / 100n,
    supply: BigInt(1_000_000 - (seed % 7) * 1_000) * WHOLE,
    reserveQuote: BigInt(5_000 + (seed % 11) * 500) * WHOLE,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(trades) * 1_000_000n,
    holders: 3,
  })

/** Seals a minute in which some tokens trade; the first launches all. */
export async function sealNext(log: MemoryLog, { gap, seed }: { gap: number; seed: number }): Promise<void> {
  const newest = effectiveEntries(log.entries).at(-1)
  const minute = newest ? newest.minute + gap : HISTORY_START - DAY
  const traded = newest ? numbers.filter((number) => (seed >> (number % 17)) % 3 === 0) : numbers
  await seal(
    log,
    segmentOf(minute, {
      born: newest ? [] : historyTokens,
      rows: traded.map(
        (number) =>
          [nthAddress(number), stateAfter(minute - HISTORY_START + DAY + 1, seed + number)] as const,
      ),
      rate: 950 + (seed % 100),
    }),
  )
}

/** The day before the start, an hour at a time; the next minute is the first of the index. */
export async function sealDay(log: MemoryLog): Promise<void> {
  for (let at = 0; at < 24; at++) await sealNext(log, { gap: at === 0 ? 0 : 60, seed: 1 })
  await sealNext(log, { gap: 59, seed: 1 })
}
