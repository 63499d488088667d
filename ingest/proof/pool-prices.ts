/**
 * Pool prices from contract state (slot0), in contrast to logs: to prove at the end of a range that no pool's last trade
 * is missing.
 */
import type { Fact } from '../../market/fold/fact.ts'
import type { PoolSwap } from '../../market/rate-source.ts'
import type { Address, Hash, PoolName, References } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'
import { RpcUnavailableError } from '../client/faults.ts'
import { quantity } from '../client/headers.ts'
import type { Log, LogFilter } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { slotOf, slotsAt, wordsIn } from '../client/state-calls.ts'
import { topicOf } from '../decode/events.ts'
import { decodePoolSwap, decodeV3Swap } from '../decode/hot-events.ts'
import { isPoolId } from '../decode/queries.ts'

/** The logs that set the prices of pools. */
export const priceFiltersOf = (
  { poolManager }: Chain,
  { v3, v4 }: { readonly v3: readonly Address[]; readonly v4: readonly Hash[] },
): readonly LogFilter[] => [
  ...(v3.length > 0 ? [{ address: v3, topics: [[topicOf.v3Swap]] }] : []),
  ...(v4.length > 0 ? [{ address: [poolManager], topics: [[topicOf.poolSwap], v4] }] : []),
]

/** The pool that such a log is of. */
export const poolOfLog = ({ address, topics: [, pool = '0x'] }: Log, { poolManager }: Chain): PoolName =>
  address === poolManager ? pool : address

/** What such a log leaves its pool with. Throws MalformedLogError. */
export const swapInLog = (log: Log): Pick<PoolSwap, 'sqrtPriceX96' | 'liquidity'> =>
  log.topics[0] === topicOf.v3Swap ? decodeV3Swap(log) : decodePoolSwap(log)

/** Uniswap V3, IUniswapV3PoolState: slot0(). */
const SLOT0 = '0x3850c7bd'

/** The prices of pools after a block, in order; 0 if a pool does not exist yet: no code at its address, or an empty slot. */
export async function pricesInState(
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
export type MisreadPool = { readonly filters: readonly LogFilter[]; readonly sqrtPriceX96: bigint }

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
    // A pool keeps its price for ever.
    if (sqrtPriceX96 === 0n)
      throw new RpcUnavailableError(rpc.endpoint.name, 'eth_call: no price of a pool that was traded')
    const filters = priceFiltersOf(chain, isPoolId(pool) ? { v3: [], v4: [pool] } : { v3: [pool], v4: [] })
    return sqrtPriceX96 === expected ? [] : [{ sqrtPriceX96, filters }]
  })
}
