/** What the platform's contracts emit, for a mock chain. */
import type { Address, Hash } from '../../market/segment.ts'
import { address, hash } from './facts.ts'
import { type Emitted, FACTORY, POOL_MANAGER } from './mock-chain.ts'

/** A token to be: where it is, what it is priced in, and the pool and hook that it is born with. */
export type Sketch = {
  readonly coin: Address
  readonly quote: Address
  readonly poolId: Hash
  readonly hook: Address
  readonly name?: string
}

export const zora = address(0x0a)
export const trader = address(0x77)
export const nobody = address(0)

export const sketchPoolKey = ({ coin, quote, hook }: Pick<Sketch, 'coin' | 'quote' | 'hook'>) => ({
  currency0: coin < quote ? coin : quote,
  currency1: coin < quote ? quote : coin,
  fee: 8_388_608,
  tickSpacing: 200,
  hooks: hook,
})

export const created = (sketch: Sketch, kind: 'creator' | 'post' = 'creator', from = FACTORY): Emitted => ({
  from,
  event: kind === 'creator' ? 'creatorCoinCreated' : 'coinCreated',
  args: {
    caller: address(0xca),
    payoutRecipient: address(0xcc),
    platformReferrer: nobody,
    currency: sketch.quote,
    uri: 'ipfs://x',
    name: sketch.name ?? 'Name',
    symbol: sketch.name ?? 'symbol',
    coin: sketch.coin,
    poolKey: sketchPoolKey(sketch),
    poolKeyHash: sketch.poolId,
    version: '2.6.1',
  },
})

export const transferLog = (coin: Address, to: Address = trader): Emitted => ({
  from: coin,
  event: 'coinTransfer',
  args: { sender: nobody, recipient: to, amount: 5n, senderBalance: 0n, recipientBalance: 5n },
})

export const initialized = ({ poolId, coin, quote, hook }: Sketch, sqrtPriceX96: bigint): Emitted => ({
  from: POOL_MANAGER,
  event: 'initialize',
  args: { id: poolId, ...sketchPoolKey({ coin, quote, hook }), sqrtPriceX96, tick: 0 },
})

export const provided = ({ poolId, hook }: Sketch, liquidityDelta: bigint, sender = hook): Emitted => ({
  from: POOL_MANAGER,
  event: 'modifyLiquidity',
  args: { id: poolId, sender, tickLower: -200, tickUpper: 400, liquidityDelta, salt: hash(0) },
})

export const poolSwapped = (poolId: Hash, sender: Address, sqrtPriceX96: bigint): Emitted => ({
  from: POOL_MANAGER,
  event: 'poolSwap',
  args: { id: poolId, sender, amount0: -5n, amount1: 4n, sqrtPriceX96, liquidity: 9n, tick: -3, fee: 10_000 },
})

export const swapLog = (
  sketch: Sketch,
  given: { swapSender?: Address; isTrusted?: boolean; from?: Address } = {},
): Emitted => ({
  from: given.from ?? sketch.hook,
  event: 'swapped',
  args: {
    sender: address(0x40e7),
    swapSender: given.swapSender ?? nobody,
    isTrustedSwapSenderAddress: given.isTrusted ?? true,
    key: sketchPoolKey(sketch),
    poolKeyHash: sketch.poolId,
    params: { zeroForOne: true, amountSpecified: -7n, sqrtPriceLimitX96: 1n },
    amount0: sketch.coin < sketch.quote ? 300n : -7n,
    amount1: sketch.coin < sketch.quote ? -7n : 300n,
    isCoinBuy: true,
    hookData: '0x1234',
    sqrtPriceX96: 99n,
  },
})

export const migrated = (from: Sketch, to: Sketch, emitter = from.coin): Emitted => ({
  from: emitter,
  event: 'liquidityMigrated',
  args: {
    fromPoolKey: sketchPoolKey(from),
    fromPoolKeyHash: from.poolId,
    toPoolKey: sketchPoolKey(to),
    toPoolKeyHash: to.poolId,
  },
})

export const renamed = (coin: Address, name: string): Emitted => ({
  from: coin,
  event: 'nameAndSymbolUpdated',
  args: { caller: trader, newName: name, newSymbol: name },
})
