/** A small market in a log of its own, whose minutes can be archived: two tokens, a trade of one of them in each minute. */

import type { ArchiveSource } from '../../archive/source.ts'
import { writeArchive } from '../../archive/write.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Minute } from '../../market/segment.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openLog } from '../../store/log/log.ts'
import { memoryBucket } from '../support/aws/memory-stores.ts'
import {
  candleAt,
  hash,
  lastBlockOf,
  ONE_X96,
  segmentOf,
  stateWith,
  swapWith,
  tokenAt,
  WHOLE,
} from '../support/market/facts.ts'
import { seal, worldsOf } from '../support/market/market-history.ts'

/** Midnight before the market begins. */
export const ARCHIVED_FROM: Minute = 29_000_160

/** Opens the market with its tokens launched in its first minute. */
export async function openArchivedMarket(first: Minute) {
  const segments = memoryBucket()
  const log = openLog(openMemoryTable(), segments)
  const tokens = [tokenAt(1, first), tokenAt(2, first)]
  let [trades, lastBlock] = [0, first * 30 - 1]
  /** Seals a minute with a trade; `salt` makes another minute of it. */
  const trade = async (minute: Minute, salt = 0) => {
    trades += 1
    const token = tokens[trades % 2] ?? tokens[0]!
    const state = stateWith({
      sqrtPriceX96: ONE_X96,
      supply: 1_000n * WHOLE,
      holders: trades,
      cumTrades: trades,
      cumVolumeMicroUsd: BigInt(trades * 1_000_000 + salt),
      cumEarnedMicroUsd: BigInt(trades * 10_000),
    })
    const place = { blockNumber: minute * 30, timestamp: minute * 60, blockHash: hash(minute) }
    const swap = {
      ...place,
      token: token.address,
      poolId: token.poolId,
      transactionHash: hash(minute + salt),
    }
    const born = minute === first ? tokens : []
    const rows = [[token.address, state, candleAt()] as const]
    const swaps = [swapWith({ ...swap, volumeMicroUsd: BigInt(1_000_000 + salt) })]
    await seal(log, segmentOf(minute, { born, rows, swaps, firstBlock: lastBlock + 1 }))
    lastBlock = lastBlockOf(minute).number
  }
  /** Rolls back every minute after this one. */
  const rollBack = async (minute: Minute) => {
    const entries = await allOf(log.entriesAfter(0))
    const n = (entries.at(-1)?.n ?? 0) + 1
    const orphaned = effectiveEntries(entries).filter((entry) => entry.minute > minute)
    const worlds = worldsOf(log)
    while ((worlds.at(-1)?.minute ?? 0) > minute) worlds.pop()
    const last = lastBlockOf(minute)
    const segmentsOf = orphaned.toReversed().map(({ segment }) => segment)
    await log.append({ n, is: 'rewound', minute, last, orphaned: segmentsOf })
    await log.putApplied({ n, minute, last, isLowered: false })
    lastBlock = last.number
  }
  const source: ArchiveSource = {
    chain: 'devnet',
    name: '',
    log,
    segments,
    publishedTo: async () => (await log.applied())?.minute ?? null,
    bars: async () => [],
    boards: async () => [],
  }
  const archive = (into: Bucket, limits: Parameters<typeof writeArchive>[2] = {}, from = source) =>
    allOf(writeArchive(from, into, limits)).then((spans) => spans.map(({ span }) => span))
  return { log, source, trade, rollBack, archive }
}
