import { DAY_SECONDS, minuteOfBlock } from '../../market/calendar.ts'
import { closeReferences, fixedRate, unrated } from '../../market/fold/references.ts'
import { type PoolSwap, type RatePool, untraded } from '../../market/rate-source.ts'
import type { Block, PoolName, References } from '../../market/segment.ts'
import { firstBlockSince } from '../client/block-search.ts'
import type { Chain } from '../client/chains.ts'
import { agreedState, endpointsOf } from '../client/endpoints.ts'
import { IngestError, orFault } from '../client/faults.ts'
import { readHeaders } from '../client/headers.ts'
import { type BlockSpan, backwards, inOrder, type Log, readAllLogs } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { ratePoolsOf } from '../decode/queries.ts'
import { poolOfLog, priceFiltersOf, pricesInState, swapInLog } from './pool-prices.ts'

type Source = { readonly rpc: Rpc; readonly chain: Chain }

/**
 * The reference rates after block `start` (null: before the chain's first block), as a longer log has them: from the
 * swaps of the day before, which is all that a vote depends on. A currency none of whose sources swapped in that day, or
 * all of them where no endpoint has logs that old, has the price of its main source's pool. Throws IngestError, also if
 * no endpoint has that state.
 */
export async function startingRates(rpc: Rpc, chain: Chain, start: Block | null): Promise<References> {
  const isRated = chain.references.some(({ sources }) => sources.length > 0)
  const swaps = start && isRated ? await swapsOfDay({ rpc, chain }, start) : new Map<PoolName, PoolSwap>()
  const rates = chain.references.map(async ({ address, decimals, fixedUsdE36, sources: pools }) => {
    if (fixedUsdE36 !== undefined) return [address, fixedRate(fixedUsdE36, decimals)] as const
    const isSilent = start && pools.every(({ pool }) => !swaps.has(pool))
    const main = isSilent ? await mainPrice({ rpc, chain }, start, pools) : undefined
    const sources = pools.map((pool) => ({ ...pool, ...untraded, ...(pool.pool === main?.pool ? main : {}) }))
    return [address, unrated(decimals, sources)] as const
  })
  const unclosed: References = new Map(await Promise.all(rates))
  return start ? closeReferences(unclosed, { minute: minuteOfBlock(start), swaps, closes: [] }) : unclosed
}

/** The price in state of the first of these pools that exists by then; undefined: none does. */
async function mainPrice({ rpc, chain }: Source, { number }: Block, pools: readonly RatePool[]) {
  for (const { pool } of pools) {
    const read = (one: Rpc) => pricesInState(one, chain, [pool], number)
    const [sqrtPriceX96 = 0n] = await agreedState(endpointsOf(rpc), number, read)
    if (sqrtPriceX96 > 0n) return { pool, sqrtPriceX96 }
  }
  return undefined
}

async function swapsOfDay({ rpc, chain }: Source, start: Block): Promise<ReadonlyMap<PoolName, PoolSwap>> {
  const read = (one: Rpc) => swapsBefore({ rpc: one, chain }, start)
  const swaps = await agreedState(endpointsOf(rpc), start.number, read).catch(orFault)
  return new Map(swaps instanceof IngestError ? [] : swaps)
}

/** Blocks of the first request; reference pools trade many times an hour. */
const FIRST_WIDTH = 10_000

/** The last swap of each reference pool in the day up to a block. Throws IngestError. */
async function swapsBefore(
  source: Source,
  start: Block,
): Promise<readonly (readonly [PoolName, PoolSwap])[]> {
  const { rpc, chain } = source
  const last = new Map<PoolName, Log>()
  const { v3, v4 } = ratePoolsOf(chain)
  const pools = [...v3, ...v4]
  // A pool without a price never swapped; where that is not known, all are asked for.
  const prices = await pricesInState(rpc, chain, pools, start.number).catch(orFault)
  const unborn = new Set(prices instanceof IngestError ? [] : pools.filter((_, at) => prices[at] === 0n))
  const missing = (some: readonly PoolName[]) => some.filter((pool) => !last.has(pool) && !unborn.has(pool))
  if (missing(pools).length === 0) return []
  // Pools that are found are not asked for again: some swap every second.
  const read = async (span: BlockSpan) => {
    const filters = priceFiltersOf(chain, { v3: missing(v3), v4: missing(v4) })
    for (const log of inOrder(await readAllLogs(rpc, span, filters))) last.set(poolOfLog(log, chain), log)
  }
  const from = await firstBlockSince(source, start.timestamp - DAY_SECONDS, { from: 0, head: start })
  for await (const _ of backwards({ from, to: start.number }, FIRST_WIDTH, read))
    if (missing(pools).length === 0) break
  const found = [...last]
  const headers = await readHeaders(
    rpc,
    found.map(([, { blockNumber }]) => blockNumber),
  )
  return found.map(([pool, log], at) => {
    const { sqrtPriceX96, liquidity } = swapInLog(log)
    return [pool, { sqrtPriceX96, liquidity, swappedAt: headers[at]?.timestamp ?? 0 }]
  })
}
