/** State of a pool after a block: its price, and the ranges of a hook's liquidity. Read from the PoolManager's storage. */
import { concat, encodePacked, keccak256, numberToHex, pad, parseAbi } from 'viem'
import type { Address, Hash, LiquidityRange } from '../../market/segment.ts'
import { type StateSource, slotOf, slotsAt, viewsAt } from '../client/state-calls.ts'

/** A pool of the PoolManager, and the hook whose liquidity counts. */
export type PoolOfHook = { readonly poolId: Hash; readonly hook: Address; readonly tickSpacing: number }

export type PoolState = { readonly sqrtPriceX96: bigint; readonly ranges: readonly LiquidityRange[] }

/** Offsets in a pool's state: slot0, the tick bitmap, the positions. Source: Uniswap/v4-core src/libraries/StateLibrary.sol. */
const BITMAP_OFFSET = 5n
const POSITIONS_OFFSET = 6n
const MAX_TICK = 887_272

const slotFrom = (slot: bigint): Hash => numberToHex(slot, { size: 32 })

/** `getPoolCoinByHash` of the platform's hooks: the ranges that a pool was created with. */
const hookAbi = parseAbi([
  'struct LpPosition { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PoolCoin { address coin; LpPosition[] positions; }',
  'function getPoolCoinByHash(bytes32 poolKeyHash) view returns (PoolCoin)',
])

/**
 * The states of pools, in order. A hook's liquidity is in the ranges that it reports for the pool's creation, and in
 * ranges one tick spacing wide, where it puts part of the fees; the tick bitmap shows where those can be.
 */
export async function poolStates(
  source: StateSource,
  poolManager: Address,
  pools: readonly PoolOfHook[],
): Promise<readonly PoolState[]> {
  const opened = await viewsAt(
    source,
    { abi: hookAbi, functionName: 'getPoolCoinByHash' },
    pools.map(({ hook, poolId }) => ({ address: hook, args: [poolId] as const })),
  )
  const words = pools.map(wordsOf)
  const read = await slotsAt(
    source,
    poolManager,
    pools.flatMap(({ poolId }, at) => [
      slotOf(poolId),
      ...(words[at] ?? []).map((word) => bitmapSlot(poolId, word)),
    ]),
  )
  let next = 0
  const found = pools.map((pool, at) => {
    const sqrtPriceX96 = BigInt.asUintN(160, read[next] ?? 0n)
    next += 1
    const ticks = (words[at] ?? []).flatMap((word) => ticksIn(read[next++] ?? 0n, word, pool.tickSpacing))
    return { pool, sqrtPriceX96, candidates: candidateRanges(pool, ticks, opened[at]?.positions ?? []) }
  })
  const liquidities = await slotsAt(
    source,
    poolManager,
    found.flatMap(({ pool, candidates }) => candidates.map((range) => positionSlot(pool, range))),
  )
  next = 0
  return found.map(({ sqrtPriceX96, candidates }) => ({
    sqrtPriceX96,
    ranges: candidates
      .map((range) => ({ ...range, liquidity: BigInt.asUintN(128, liquidities[next++] ?? 0n) }))
      .filter(({ liquidity }) => liquidity > 0n),
  }))
}

type Ticks = Omit<LiquidityRange, 'liquidity'>

/** Words of the tick bitmap: one bit for each multiple of the tick spacing. */
function wordsOf({ tickSpacing }: PoolOfHook): readonly number[] {
  const most = Math.floor(MAX_TICK / tickSpacing) >> 8
  const least = -Math.ceil(MAX_TICK / tickSpacing) >> 8
  return Array.from({ length: most - least + 1 }, (_, at) => least + at)
}

const ticksIn = (bits: bigint, word: number, tickSpacing: number): readonly number[] =>
  Array.from({ length: 256 }, (_, bit) => bit)
    .filter((bit) => (bits >> BigInt(bit)) & 1n)
    .map((bit) => (word * 256 + bit) * tickSpacing)

/** Sorted as ranges are, without duplicates. */
function candidateRanges(
  { tickSpacing }: PoolOfHook,
  initialized: readonly number[],
  opened: readonly Ticks[],
): readonly Ticks[] {
  const ticks = new Set(initialized)
  const narrow = initialized
    .filter((tick) => ticks.has(tick + tickSpacing))
    .map((tickLower) => ({ tickLower, tickUpper: tickLower + tickSpacing }))
  const all = [...opened, ...narrow].map(({ tickLower, tickUpper }) => ({ tickLower, tickUpper }))
  const once = new Map(all.map((range) => [`${range.tickLower} ${range.tickUpper}`, range]))
  return [...once.values()].sort((a, b) => a.tickLower - b.tickLower || a.tickUpper - b.tickUpper)
}

const bitmapSlot = (poolId: Hash, word: number): Hash =>
  keccak256(
    concat([numberToHex(word, { size: 32, signed: true }), slotFrom(BigInt(slotOf(poolId)) + BITMAP_OFFSET)]),
  )

/** The hooks use no salt. */
function positionSlot({ poolId, hook }: PoolOfHook, { tickLower, tickUpper }: Ticks): Hash {
  const position = keccak256(
    encodePacked(
      ['address', 'int24', 'int24', 'bytes32'],
      [hook, tickLower, tickUpper, pad('0x', { size: 32 })],
    ),
  )
  return keccak256(concat([position, slotFrom(BigInt(slotOf(poolId)) + POSITIONS_OFFSET)]))
}
