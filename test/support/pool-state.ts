/** What a PoolManager with these logs answers when the first slots of pools are read: extsload(bytes32[]). */
import { decodeFunctionData, encodeFunctionResult, pad, toHex } from 'viem'
import { topicOf } from '../../ingest/events.ts'
import { extsload, slotOf } from '../../ingest/pool-prices.ts'
import type { Address, Hash } from '../../market/segment.ts'

type Call = { readonly to: Address; readonly data: Hash }
type Log = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
}

const slots = new Map<Hash, Hash>()
/** Of the first word of a pool, worked out once. */
function slotFor(pool: Hash): Hash {
  const slot = slots.get(pool) ?? slotOf(pool)
  slots.set(pool, slot)
  return slot
}

/** The price that the last Initialize or Swap up to a block left in each pool. */
export function slot0Of(logs: readonly Log[], { to, data }: Call, block: number): Hash {
  const [asked] = decodeFunctionData({ abi: extsload, data }).args
  const prices = new Map<Hash, bigint>()
  for (const { address, topics, data, blockNumber } of logs) {
    const [topic, id] = topics as readonly Hash[]
    if (address.toLowerCase() !== to || Number(blockNumber) > block) continue
    // Initialize: fee, tickSpacing, hooks, sqrtPriceX96; Swap: two amounts, sqrtPriceX96.
    const place = topic === topicOf.initialize ? 3 : topic === topicOf.poolSwap ? 2 : undefined
    if (place !== undefined)
      prices.set(slotFor(id!), BigInt(`0x${data.slice(2 + 64 * place, 66 + 64 * place)}`))
  }
  const words = asked.map((slot) => pad(toHex(prices.get(slot) ?? 0n)))
  return encodeFunctionResult({ abi: extsload, result: words })
}
