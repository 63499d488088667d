/**
 * Pool prices from contract state (slot0), in contrast to logs: for the reference rates at the beginning of the log, and
 * to prove at the end of a range that no pool's last trade is missing.
 */

import { minuteOfBlock } from '../../market/calendar.ts'
import type { Fact } from '../../market/fold/fact.ts'
import { closeReferences, fixedRate, unrated } from '../../market/fold/references.ts'
import { untraded } from '../../market/rate-source.ts'
import type { Block, PoolName, RateSource, References } from '../../market/segment.ts'
import { firstBlockSince } from '../client/block-search.ts'
import type { Chain } from '../client/chains.ts'
import { agreedState, endpointsOf } from '../client/endpoints.ts'
import { IngestError } from '../client/faults.ts'
import { quantity } from '../client/headers.ts'
import { backwards, type Log, type LogFilter, readLogs } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { slotOf, slotsAt, wordsIn } from '../client/state-calls.ts'
import { topicOf } from '../decode/events.ts'
import { decodePoolSwap, decodeV3Swap } from '../decode/hot-events.ts'
import { isPoolId } from '../decode/queries.ts'

/** The logs that set a pool's price. */
type PriceLogs = { readonly filter: LogFilter; readonly priceIn: (log: Log) => bigint }

/**
 * The reference rates after block `start` (null: before the chain's first block): the main source's price, from its
 * pool's state. If an endpoint no longer has that state, the pool's last swap before it, which set the same price, is
 * used, so that any endpoint gives the same log of minutes. The other sources, and every depth, are known from the first
 * swap in the log on. Throws IngestError if neither is available.
 */
export async function startingRates(rpc: Rpc, chain: Chain, start: Block | null): Promise<References> {
  const rates = chain.references.map(async ({ address, decimals, fixedUsdE36, sources: pools }) => {
    if (fixedUsdE36 !== undefined) return [address, fixedRate(fixedUsdE36, decimals)] as const
    const sources = pools.map((pool): RateSource => ({ ...pool, ...untraded }))
    return [
      address,
      unrated(decimals, start ? await withMainPrice(rpc, { chain, start }, sources) : sources),
    ] as const
  })
  const unclosed: References = new Map(await Promise.all(rates))
  return start
    ? closeReferences(unclosed, { minute: minuteOfBlock(start), swaps: new Map(), closes: [] })
    : unclosed
}

type Start = { readonly chain: Chain; readonly start: Block }

/** The sources with the price of the first one whose pool exists by then. */
async function withMainPrice(
  rpc: Rpc,
  at: Start,
  [main, ...others]: readonly RateSource[],
): Promise<readonly RateSource[]> {
  if (!main) return []
  const sqrtPriceX96 = await priceAfter(rpc, at, main.pool)
  if (sqrtPriceX96 > 0n) return [{ ...main, sqrtPriceX96 }, ...others]
  return [main, ...(await withMainPrice(rpc, at, others))]
}

/** A pool's price after a block; 0: it did not exist yet. */
const priceAfter = (rpc: Rpc, { chain, start }: Start, pool: PoolName): Promise<bigint> =>
  agreedState(endpointsOf(rpc), start.number, async (endpoint) => {
    const inState = pricesInState(endpoint, chain, [pool], start.number).then(([price = 0n]) => price)
    return inState.catch(async (fault: unknown) => {
      if (!(fault instanceof IngestError)) throw fault
      const price = await priceInLogs({ rpc: endpoint, chain }, logsOf(pool, chain), start)
      if (price === undefined) throw fault
      return price
    })
  })

const logsOf = (pool: PoolName, { poolManager }: Chain): PriceLogs =>
  isPoolId(pool)
    ? {
        filter: { address: [poolManager], topics: [[topicOf.poolSwap], [pool]] },
        priceIn: (log) => decodePoolSwap(log).sqrtPriceX96,
      }
    : {
        filter: { address: [pool], topics: [[topicOf.v3Swap]] },
        priceIn: (log) => decodeV3Swap(log).sqrtPriceX96,
      }

/** Uniswap V3, IUniswapV3PoolState: slot0(). */
const SLOT0 = '0x3850c7bd'

/** The prices of pools after a block, in order; 0 if a pool does not exist yet: no code at its address, or an empty slot. */
async function pricesInState(
  rpc: Rpc,
  { poolManager }: Chain,
  pools: readonly PoolName[],
  block: number,
): Promise<readonly bigint[]> {
  const v3 = pools.filter((pool) => !isPoolId(pool))
  const answers = await rpc.batch(
    v3.map((to) => ({ method: 'eth_call', params: [{ to, data: SLOT0 }, quantity(block)] })),
  )
  const v3Words = answers.map((answer) => wordsIn(answer)[0]).values()
  const v4Words = (await slotsAt({ rpc, block }, poolManager, pools.filter(isPoolId).map(slotOf))).values()
  return pools.map((pool) => BigInt.asUintN(160, (isPoolId(pool) ? v4Words : v3Words).next().value ?? 0n))
}

/** How far back the last swap is searched: a day. Reference pools trade many times an hour. */
const REACH_SECONDS = 86_400
const FIRST_WIDTH = 1_000

async function priceInLogs(
  { rpc, chain }: { readonly rpc: Rpc; readonly chain: Chain },
  { filter, priceIn }: PriceLogs,
  start: Block,
): Promise<bigint | undefined> {
  const span = { from: 0, head: start }
  const from = await firstBlockSince({ rpc, chain }, start.timestamp - REACH_SECONDS, span)
  const reach = { from, to: start.number }
  for await (const logs of backwards(reach, FIRST_WIDTH, (span) => readLogs(rpc, span, filter))) {
    const last = logs.at(-1)
    if (last) return priceIn(last)
  }
  return undefined
}

/** sqrtPriceX96 after the logs read, of pools with a swap or an Initialize, and of sources of reference rates. */
export type PricesRead = ReadonlyMap<PoolName, bigint>

/** The last price of each pool in the facts; sources of reference rates without a swap keep theirs. */
export function pricesAfter(before: References, facts: readonly Fact[]): PricesRead {
  const prices = new Map<PoolName, bigint>()
  for (const { sources } of before.values())
    for (const { pool, sqrtPriceX96 } of sources) if (sqrtPriceX96 > 0n) prices.set(pool, sqrtPriceX96)
  for (const fact of facts) {
    if (fact.is === 'rated') prices.set(fact.pool, fact.sqrtPriceX96)
    else if ('sqrtPriceX96' in fact) prices.set(fact.poolId, fact.sqrtPriceX96)
  }
  return prices
}

/** A pool whose price differs from that of the last log read. */
export type MisreadPool = PriceLogs & { readonly sqrtPriceX96: bigint }

/**
 * The pools whose price in the state after `block` differs from that of the logs. Throws IngestError, also if the
 * endpoint lacks the state of that block.
 */
export async function misreadPools(
  rpc: Rpc,
  chain: Chain,
  block: number,
  read: PricesRead,
): Promise<readonly MisreadPool[]> {
  const prices = await pricesInState(rpc, chain, [...read.keys()], block)
  return [...read].flatMap(([pool, expected], at) => {
    const sqrtPriceX96 = prices[at] ?? 0n
    return sqrtPriceX96 === 0n || sqrtPriceX96 === expected ? [] : [{ sqrtPriceX96, ...logsOf(pool, chain) }]
  })
}
