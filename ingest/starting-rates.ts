/** What reference currencies were worth when the log of minutes begins: the prices their pools then stood at. */
import { encodeAbiParameters, keccak256 } from 'viem'
import { fixedRate, unrated } from '../market/references.ts'
import type { Address, Block, Hash, ReferenceRate, References } from '../market/segment.ts'
import type { Chain, ReferenceCurrency, ReferenceSource } from './chains.ts'
import { usdOfReference } from './decode.ts'
import { topicOf } from './events.ts'
import { BlockRangeTooLargeError, IngestError } from './faults.ts'
import { quantity } from './headers.ts'
import { decodePoolSwap, decodeV3Swap } from './hot-events.ts'
import { type Log, type LogFilter, readLogs } from './logs.ts'
import type { Rpc } from './rpc.ts'

type PoolSource = Exclude<ReferenceSource, { is: 'fixed' }>

/** Where a pool's price is read: a call that gives it in the low 160 bits of the first word, and the logs that set it. */
type PriceReading = {
  readonly call: { readonly to: Address; readonly data: `0x${string}` }
  readonly filter: LogFilter
  readonly priceIn: (log: Log) => bigint
}

/**
 * The reference rates after block `start` (null: before the chain's first block), as the state of each pool has them. An
 * endpoint that no longer has the state of that block is asked for the pool's last swap before it, which set the same
 * price, so that any endpoint gives the same log of minutes. Throws IngestError where neither can be had.
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
  const reading = readingOf(source, chain)
  const sqrtPriceX96 = await priceInState(rpc, reading, start).catch(async (fault: unknown) => {
    if (!(fault instanceof IngestError)) throw fault
    const price = await priceInLogs(rpc, reading, start)
    if (price === undefined) throw fault
    return price
  })
  // 0: the pool did not exist yet.
  return sqrtPriceX96 === 0n
    ? unrated(decimals)
    : fixedRate(usdOfReference(reference, sqrtPriceX96), decimals)
}

/** Uniswap V3, IUniswapV3PoolState: slot0(). */
const SLOT0 = '0x3850c7bd'
/** Uniswap v4-core, IExtsload: extsload(bytes32). StateLibrary: pools are at slot 6, a pool's first word is its slot0. */
const EXTSLOAD = '0x1e2eaeaf'
const POOLS_SLOT = 6n

function readingOf(source: PoolSource, { poolManager }: Chain): PriceReading {
  if (source.is === 'v3Pool') {
    return {
      call: { to: source.pool, data: SLOT0 },
      filter: { address: [source.pool], topics: [[topicOf.v3Swap]] },
      priceIn: decodeV3Swap,
    }
  }
  return {
    call: { to: poolManager, data: `${EXTSLOAD}${slotOf(source.poolId).slice(2)}` },
    filter: { address: [poolManager], topics: [[topicOf.poolSwap], [source.poolId]] },
    priceIn: (log) => decodePoolSwap(log).sqrtPriceX96,
  }
}

const slotOf = (poolId: Hash): Hash =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [poolId, POOLS_SLOT]))

/** 0 where there is no such pool yet: no code at its address (a call then gives nothing), or an empty slot. */
async function priceInState(rpc: Rpc, { call }: PriceReading, { number }: Block): Promise<bigint> {
  const answer = await rpc.request('eth_call', [call, quantity(number)])
  const [word] = /^0x[0-9a-f]{64}/i.exec(String(answer)) ?? []
  return word ? BigInt.asUintN(160, BigInt(word)) : 0n
}

/** How far back the last swap is looked for: a day of Base. Its reference pools trade many times an hour. */
const REACH_BLOCKS = 43_200
const FIRST_WIDTH = 1_000

async function priceInLogs(
  rpc: Rpc,
  { filter, priceIn }: PriceReading,
  { number }: Block,
): Promise<bigint | undefined> {
  let width = FIRST_WIDTH
  for (let to = number; to >= 0 && to > number - REACH_BLOCKS; ) {
    const from = Math.max(0, to - width + 1)
    try {
      const last = (await readLogs(rpc, { from, to }, filter)).at(-1)
      if (last) return priceIn(last)
      to = from - 1
    } catch (fault) {
      if (!(fault instanceof BlockRangeTooLargeError) || width === 1) throw fault
      width = Math.max(1, Math.min(fault.allowedBlocks ?? width, width >> 1))
    }
  }
  return undefined
}
