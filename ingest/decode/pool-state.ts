/** State of a pool after a block: its price, and the ranges of a hook's liquidity. Read from the PoolManager's storage. */
import { concat, encodeAbiParameters, encodePacked, keccak256, numberToHex, pad, parseAbi } from 'viem'
import type { Address, Hash, LiquidityRange } from '../../market/segment.ts'
import { RpcUnavailableError } from '../client/faults.ts'
import { type StateSource, slotOf, slotsAt, viewsAt } from '../client/state-calls.ts'

/** A PoolKey of Uniswap v4. */
export type PoolKey = {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

/** A pool's id is the hash of its key. */
export const poolIdOf = (key: PoolKey): Hash =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
    ),
  )

export type PoolState = { readonly sqrtPriceX96: bigint; readonly ranges: readonly LiquidityRange[] }

/** Offsets in a pool's state: slot0, the tick bitmap, the positions. Source: Uniswap/v4-core src/libraries/StateLibrary.sol. */
const BITMAP_OFFSET = 5n
const POSITIONS_OFFSET = 6n
const MAX_TICK = 887_272

const slotFrom = (slot: bigint): Hash => numberToHex(slot, { size: 32 })

/**
 * `getPoolCoin` of the platform's hooks: the ranges that a pool was created with. All hooks have it; the look-up by hash
 * takes bytes23 on those before 2025-07-14 and bytes32 on later ones.
 */
const hookAbi = parseAbi([
  'struct LpPosition { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PoolCoin { address coin; LpPosition[] positions; }',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function getPoolCoin(PoolKey key) view returns (PoolCoin)',
])

/** With more initialized ticks, only the ranges that the hook reports are looked up: pairs of ticks grow with the square. */
const PAIRED_TICKS_MAX = 100

/**
 * The states of pools, in order. A hook's liquidity is in the ranges that it reports for the pool's creation, and in
 * ranges one tick spacing wide, where it puts part of the fees; the tick bitmap shows where those can be. If a hook
 * reports none, every pair of initialized ticks is looked up. undefined: no price, or too many pairs.
 */
export async function poolStates(
  source: StateSource,
  poolManager: Address,
  keys: readonly PoolKey[],
): Promise<readonly (PoolState | undefined)[]> {
  const opened = await viewsAt(
    source,
    { abi: hookAbi, functionName: 'getPoolCoin' },
    keys.map((key) => ({ address: key.hooks, args: [key] as const })),
  )
  const words = keys.map(wordsOf)
  const pools = keys.map(poolIdOf)
  const read = (
    await slotsAt(
      source,
      poolManager,
      pools.flatMap((poolId, at) => [
        slotOf(poolId),
        ...(words[at] ?? []).map((word) => bitmapSlot(poolId, word)),
      ]),
    )
  ).values()
  const nextWord = (): bigint => {
    const { value } = read.next()
    if (value === undefined)
      throw new RpcUnavailableError(source.rpc.endpoint.name, 'eth_call: no PoolManager, though pools exist')
    return value
  }
  const found = keys.map((key, at) => {
    const sqrtPriceX96 = BigInt.asUintN(160, nextWord())
    const ticks = (words[at] ?? []).flatMap((word) => ticksIn(nextWord(), word, key.tickSpacing))
    return { sqrtPriceX96, ranges: candidateRanges(key, ticks, opened[at]?.positions ?? []) }
  })
  const liquidities = (
    await slotsAt(
      source,
      poolManager,
      found.flatMap(({ ranges }, at) =>
        (ranges ?? []).map((range) => positionSlot(pools[at] ?? '0x', keys[at]?.hooks ?? '0x', range)),
      ),
    )
  ).values()
  return found.map(({ sqrtPriceX96, ranges: candidates }) => {
    const ranges = candidates
      ?.map((range) => ({ ...range, liquidity: BigInt.asUintN(128, liquidities.next().value ?? 0n) }))
      .filter(({ liquidity }) => liquidity > 0n)
    return ranges && sqrtPriceX96 > 0n ? { sqrtPriceX96, ranges } : undefined
  })
}

type Ticks = Omit<LiquidityRange, 'liquidity'>

/** Words of the tick bitmap: one bit for each multiple of the tick spacing. */
function wordsOf({ tickSpacing }: PoolKey): readonly number[] {
  const most = Math.floor(MAX_TICK / tickSpacing) >> 8
  const least = -Math.ceil(MAX_TICK / tickSpacing) >> 8
  return Array.from({ length: most - least + 1 }, (_, at) => least + at)
}

const ticksIn = (bits: bigint, word: number, tickSpacing: number): readonly number[] =>
  Array.from({ length: 256 }, (_, bit) => bit)
    .filter((bit) => (bits >> BigInt(bit)) & 1n)
    .map((bit) => (word * 256 + bit) * tickSpacing)

/** The ranges that may hold the hook's liquidity, sorted as ranges are, without duplicates; undefined: too many. */
function candidateRanges(
  { tickSpacing }: PoolKey,
  initialized: readonly number[],
  opened: readonly Ticks[],
): readonly Ticks[] | undefined {
  const isReported = opened.length > 0
  if (!isReported && initialized.length > PAIRED_TICKS_MAX) return undefined
  const ticks = new Set(initialized)
  const uppersOf = (lower: number): readonly number[] =>
    isReported
      ? [lower + tickSpacing].filter((tick) => ticks.has(tick))
      : initialized.filter((tick) => tick > lower)
  const paired = initialized.flatMap((tickLower) =>
    uppersOf(tickLower).map((tickUpper) => ({ tickLower, tickUpper })),
  )
  const all = [...opened, ...paired].map(({ tickLower, tickUpper }) => ({ tickLower, tickUpper }))
  const once = new Map(all.map((range) => [`${range.tickLower} ${range.tickUpper}`, range]))
  return [...once.values()].sort((a, b) => a.tickLower - b.tickLower || a.tickUpper - b.tickUpper)
}

const bitmapSlot = (poolId: Hash, word: number): Hash =>
  keccak256(
    concat([numberToHex(word, { size: 32, signed: true }), slotFrom(BigInt(slotOf(poolId)) + BITMAP_OFFSET)]),
  )

/** The hooks use no salt. */
function positionSlot(poolId: Hash, hook: Address, { tickLower, tickUpper }: Ticks): Hash {
  const position = keccak256(
    encodePacked(
      ['address', 'int24', 'int24', 'bytes32'],
      [hook, tickLower, tickUpper, pad('0x', { size: 32 })],
    ),
  )
  return keccak256(concat([position, slotFrom(BigInt(slotOf(poolId)) + POSITIONS_OFFSET)]))
}
