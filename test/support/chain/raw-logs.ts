/** Builders of raw logs: what the platform's contracts emit, as ingest's decoders and as nodes have it. Each one takes only what a test is about. */
import { type AbiEvent, encodeAbiParameters, pad } from 'viem'
import { chains } from '../../../ingest/client/chains.ts'
import type { Log } from '../../../ingest/client/logs.ts'
import { type EventName, events, topicOf } from '../../../ingest/decode/events.ts'
import type { Address, Hash } from '../../../market/segment.ts'
import { address, hash } from '../market/facts.ts'
import { hexQuantity, type NodeLog } from './json-rpc.ts'

export const FACTORY = address(0xfac)
export const POOL_MANAGER = address(0x4b)

/** An event as a contract would emit it; arguments by their name in events.ts. */
export type Emitted = {
  readonly from: Address
  readonly event: EventName
  readonly args: Readonly<Record<string, unknown>>
  /** Events of one transaction share it. @default one of its own */
  readonly transaction?: Hash
}

/** Topics and data of an event. Every indexed argument is an address or a hash. */
function encode(name: EventName, args: Readonly<Record<string, unknown>>) {
  const { inputs }: AbiEvent = events[name]
  const valuesOf = (some: AbiEvent['inputs']) => some.map((input) => args[input.name ?? ''])
  const plain = inputs.filter((input) => !input.indexed)
  const indexed = valuesOf(inputs.filter((input) => input.indexed)) as Hash[]
  return {
    topics: [topicOf[name], ...indexed.map((value) => pad(value))],
    data: encodeAbiParameters(plain, valuesOf(plain) as never),
  }
}

/** A log as the decoders take it. */
export const logOf = ({ from, event, args, transaction }: Emitted, place: Partial<Log> = {}): Log => ({
  address: from,
  ...encode(event, args),
  blockNumber: 1,
  blockHash: hash(1),
  logIndex: 0,
  transactionHash: transaction ?? hash(0x7a),
  ...place,
})

/** Where a node has logs: their block, and the index of the first of them. */
type NodePlace = { readonly block: number; readonly blockHash: string; readonly first: number }

/** Logs of a block as a node gives them; `transactionOf` names the transaction of a log that does not name it itself. */
export const nodeLogs = (
  emitted: readonly Emitted[],
  { block, blockHash, first }: NodePlace,
  transactionOf: (logIndex: number) => Hash,
): readonly NodeLog[] =>
  emitted.map(({ from, event, args, transaction }, at) => ({
    address: from,
    ...encode(event, args),
    blockNumber: hexQuantity(block),
    blockHash,
    logIndex: hexQuantity(first + at),
    transactionHash: transaction ?? transactionOf(first + at),
  }))

/** A token to be: where it is, what it is priced in, and the pool and hook that it is born with. */
export type Sketch = {
  readonly coin: Address
  readonly quote: Address
  readonly poolId: Hash
  readonly hook: Address
  readonly creator?: Address
  readonly name?: string
  readonly symbol?: string
}

/** The main source of ZORA's rate on the development chain. */
export const referencePool: Hash = chains.devnet.references[0]?.sources[0]?.pool ?? '0x'

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

/** The creator calls the factory unless somebody else does. */
export const createdLog = (
  sketch: Sketch & { readonly caller?: Address },
  kind: 'creator' | 'post' = 'creator',
  from = FACTORY,
): Emitted => ({
  from,
  event: kind === 'creator' ? 'creatorCoinCreated' : 'coinCreated',
  args: {
    caller: sketch.caller ?? sketch.creator ?? address(0xcc),
    payoutRecipient: sketch.creator ?? address(0xcc),
    platformReferrer: nobody,
    currency: sketch.quote,
    uri: CONTRACT_URI,
    name: sketch.name ?? 'Name',
    symbol: sketch.symbol ?? sketch.name ?? 'symbol',
    coin: sketch.coin,
    poolKey: sketchPoolKey(sketch),
    poolKeyHash: sketch.poolId,
    version: '2.6.1',
  },
})

/** A transfer between two, and the balances that it leaves them with. @default a mint */
export const transferLog = (
  coin: Address,
  [sender, recipient]: readonly [Address, Address] = [nobody, trader],
  [amount, senderBalance, recipientBalance]: readonly [bigint, bigint, bigint] = [5n, 0n, 5n],
): Emitted => ({
  from: coin,
  event: 'coinTransfer',
  args: { sender, recipient, amount, senderBalance, recipientBalance },
})

export const initializedLog = ({ poolId, coin, quote, hook }: Sketch, sqrtPriceX96: bigint): Emitted => ({
  from: POOL_MANAGER,
  event: 'initialize',
  args: { id: poolId, ...sketchPoolKey({ coin, quote, hook }), sqrtPriceX96, tick: 0 },
})

export const providedLog = (
  { poolId, hook }: Sketch,
  liquidityDelta: bigint,
  { sender = hook, ticks: [tickLower, tickUpper] = [-200, 400] }: Provision = {},
): Emitted => ({
  from: POOL_MANAGER,
  event: 'modifyLiquidity',
  args: { id: poolId, sender, tickLower, tickUpper, liquidityDelta, salt: hash(0) },
})
type Provision = { readonly sender?: Address; readonly ticks?: readonly [number, number] }

/** A swap that leaves a pool at a price, with this liquidity in range. */
export const poolSwappedLog = (
  poolId: Hash,
  sender: Address,
  sqrtPriceX96: bigint,
  liquidity = 9n,
): Emitted => ({
  from: POOL_MANAGER,
  event: 'poolSwap',
  args: { id: poolId, sender, amount0: -5n, amount1: 4n, sqrtPriceX96, liquidity, tick: -3, fee: 10_000 },
})

/** A trade; `amounts`: of the coin and of its quote, negative what the trader paid. */
export function swapLog(sketch: Sketch, given: Partial<Trade> = {}): Emitted {
  const { swapSender = nobody, isTrusted = true, from = sketch.hook, sender = address(0x40e7) } = given
  const { amounts = [300n, -7n], sqrtPriceX96 = 99n } = given
  const [amount0, amount1] = sketch.coin < sketch.quote ? amounts : amounts.toReversed()
  return {
    from,
    event: 'swapped',
    args: {
      sender,
      swapSender,
      isTrustedSwapSenderAddress: isTrusted,
      key: sketchPoolKey(sketch),
      poolKeyHash: sketch.poolId,
      hookData: '0x1234',
      // The ends of their types: nobody reads what was asked for.
      params: { zeroForOne: true, amountSpecified: -(2n ** 255n), sqrtPriceLimitX96: 2n ** 160n - 1n },
      amount0,
      amount1,
      isCoinBuy: amounts[0] > 0n,
      sqrtPriceX96,
    },
  }
}
type Trade = {
  readonly sender: Address
  readonly swapSender: Address
  readonly isTrusted: boolean
  readonly from: Address
  readonly amounts: readonly [bigint, bigint]
  readonly sqrtPriceX96: bigint
}

export const migratedLog = (from: Sketch, to: Sketch, emitter = from.coin): Emitted => ({
  from: emitter,
  event: 'liquidityMigrated',
  args: {
    fromPoolKey: sketchPoolKey(from),
    fromPoolKeyHash: from.poolId,
    toPoolKey: sketchPoolKey(to),
    toPoolKeyHash: to.poolId,
  },
})

/** Of every token at its creation. */
export const CONTRACT_URI = 'ipfs://x'

export const uriUpdatedLog = (coin: Address, newURI: string): Emitted => ({
  from: coin,
  event: 'contractMetadataUpdated',
  args: { caller: trader, newURI, name: '' },
})

export const renamedLog = (coin: Address, name: string, symbol = name): Emitted => ({
  from: coin,
  event: 'nameAndSymbolUpdated',
  args: { caller: trader, newName: name, newSymbol: symbol },
})
