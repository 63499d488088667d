/**
 * Pool prices from contract state (slot0), in contrast to logs: for the reference rates at the beginning of the log, and
 * to prove at the end of a range that no pool's last trade is missing.
 */
import type { Fact } from '../../market/fold/fact.ts'
import { fixedRate, unrated } from '../../market/fold/references.ts'
import type { Address, Block, Hash, ReferenceRate, References, UsdE36 } from '../../market/segment.ts'
import { firstBlockSince } from '../client/block-search.ts'
import type { Chain, ReferenceCurrency } from '../client/chains.ts'
import { agreedState, endpointsOf } from '../client/endpoints.ts'
import { IngestError, RpcUnavailableError } from '../client/faults.ts'
import { quantity } from '../client/headers.ts'
import { backwards, type Log, type LogFilter, readLogs } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { slotOf, slotsAt, wordsIn } from '../client/state-calls.ts'
import { usdOfReference } from '../decode/decode.ts'
import { topicOf } from '../decode/events.ts'
import { decodePoolSwap, decodeV3Swap } from '../decode/hot-events.ts'

type PoolSource =
  | { readonly is: 'v3Pool'; readonly pool: Address }
  | { readonly is: 'v4Pool'; readonly poolId: Hash }

/** The logs that set a pool's price. */
type PriceLogs = { readonly filter: LogFilter; readonly priceIn: (log: Log) => bigint }

/**
 * The reference rates after block `start` (null: before the chain's first block), from the state of each pool. If an
 * endpoint no longer has that state, the pool's last swap before it, which set the same price, is used, so that any
 * endpoint gives the same log of minutes. Throws IngestError if neither is available.
 */
export async function startingRates(rpc: Rpc, chain: Chain, start: Block | null): Promise<References> {
  const rates = chain.references.map(
    async (reference): Promise<[Address, ReferenceRate]> => [
      reference.address,
      await rateAfter(rpc, { chain, reference, start }),
    ],
  )
  return new Map(await Promise.all(rates))
}

async function rateAfter(
  rpc: Rpc,
  at: { readonly chain: Chain; readonly reference: ReferenceCurrency; readonly start: Block | null },
): Promise<ReferenceRate> {
  const { reference, chain, start } = at
  const { source, decimals } = reference
  if (source.is === 'fixed') return fixedRate(source.usdE36, decimals)
  if (!start) return unrated(decimals)
  const sqrtPriceX96 = await agreedState(endpointsOf(rpc), start.number, async (endpoint) => {
    const inState = pricesInState(endpoint, chain, [source], start.number).then(([price]) => price)
    return inState.catch(async (fault: unknown) => {
      if (!(fault instanceof IngestError)) throw fault
      const price = await priceInLogs({ rpc: endpoint, chain }, logsOf(source, chain), start)
      if (price === undefined) throw fault
      return price
    })
  })
  // 0: the pool did not exist yet.
  return !sqrtPriceX96 ? unrated(decimals) : fixedRate(usdOfReference(reference, sqrtPriceX96), decimals)
}

const logsOf = (source: PoolSource, { poolManager }: Chain): PriceLogs =>
  source.is === 'v3Pool'
    ? { filter: { address: [source.pool], topics: [[topicOf.v3Swap]] }, priceIn: decodeV3Swap }
    : {
        filter: { address: [poolManager], topics: [[topicOf.poolSwap], [source.poolId]] },
        priceIn: (log) => decodePoolSwap(log).sqrtPriceX96,
      }

/** Uniswap V3, IUniswapV3PoolState: slot0(). */
const SLOT0 = '0x3850c7bd'

/** The prices of pools after a block, in order; 0 if a pool does not exist yet: no code at its address, or an empty slot. */
async function pricesInState(
  rpc: Rpc,
  { poolManager }: Chain,
  sources: readonly PoolSource[],
  block: number,
): Promise<readonly bigint[]> {
  const v3 = sources.flatMap((source) => (source.is === 'v3Pool' ? [source.pool] : []))
  const v4 = sources.flatMap((source) => (source.is === 'v4Pool' ? [slotOf(source.poolId)] : []))
  const answers = await rpc.batch(
    v3.map((to) => ({ method: 'eth_call', params: [{ to, data: SLOT0 }, quantity(block)] })),
  )
  const v3Words = answers.map((answer) => wordsIn(answer)[0]).values()
  const v4Words = (await slotsAt({ rpc, block }, poolManager, v4)).values()
  return sources.map(({ is }) =>
    BigInt.asUintN(160, (is === 'v3Pool' ? v3Words : v4Words).next().value ?? 0n),
  )
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

/** Prices after the logs read. */
export type PricesRead = {
  /** sqrtPriceX96 of pools of tokens with a trade or an Initialize. */
  readonly pools: ReadonlyMap<Hash, bigint>
  /** USD of each reference currency; 0: not rated yet. */
  readonly references: ReadonlyMap<Address, UsdE36>
}

/** The last price of each pool in the facts; reference currencies without a trade keep their price. */
export function pricesAfter(before: References, facts: readonly Fact[]): PricesRead {
  const pools = new Map<Hash, bigint>()
  const references = new Map([...before].map(([address, rate]) => [address, rate.observedUsdE36]))
  for (const fact of facts) {
    if (fact.is === 'rated') references.set(fact.quote, fact.usdE36)
    else if ('sqrtPriceX96' in fact) pools.set(fact.poolId, fact.sqrtPriceX96)
  }
  return { pools, references }
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
  { pools, references }: PricesRead,
): Promise<readonly MisreadPool[]> {
  const expected: { source: PoolSource; isRead: (sqrtPriceX96: bigint) => boolean }[] = []
  for (const reference of chain.references) {
    const { source, address } = reference
    const usdE36 = references.get(address)
    if (source.is !== 'fixed' && usdE36)
      expected.push({ source, isRead: (price) => usdOfReference(reference, price) === usdE36 })
  }
  for (const [poolId, price] of pools)
    expected.push({ source: { is: 'v4Pool', poolId }, isRead: (one) => one === price })
  const sources = expected.map(({ source }) => source)
  const prices = await pricesInState(rpc, chain, sources, block)
  return expected.flatMap(({ source, isRead }, at) => {
    const sqrtPriceX96 = prices[at] ?? 0n
    // A pool keeps its price for ever.
    if (sqrtPriceX96 === 0n)
      throw new RpcUnavailableError(rpc.endpoint.name, 'eth_call: no price of a pool that was traded')
    return isRead(sqrtPriceX96) ? [] : [{ sqrtPriceX96, ...logsOf(source, chain) }]
  })
}
