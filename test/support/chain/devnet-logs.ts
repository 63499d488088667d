/** The devnet's logs for its tests, decoded by viem with the devnet's own ABI or the platform's published one. */
import { createRequire } from 'node:module'
import { type Abi, decodeEventLog, type Hex, toEventSelector } from 'viem'
import { compiledContracts } from '../../../dev/devnet/contracts.ts'
import type { RawLog } from '../../../dev/devnet/miner.ts'
import type { PoolKey } from '../../../ingest/decode/pool-state.ts'
import type { Address, Hash } from '../../../market/segment.ts'
import { rpc } from './json-rpc.ts'

// The package's types do not resolve under NodeNext.
/** The platform's ABIs, as it publishes them. */
export const published = createRequire(import.meta.url)('@zoralabs/protocol-deployments') as {
  readonly coinFactoryABI: Abi
  readonly coinABI: Abi
}

/** A log with its place. */
export type PlacedLog = RawLog & { readonly transactionHash: Hash; readonly logIndex: Hex }

/** The arguments of all the events together; each event has its own of them. */
export type EventArgs = {
  readonly poolKey: PoolKey
  readonly poolKeyHash: Hash
  readonly toPoolKey: PoolKey
  readonly swapSender: Address
  readonly isTrustedSwapSenderAddress: boolean
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly sender: Address
  readonly recipient: Address
  readonly amount: bigint
  readonly senderBalance: bigint
  readonly recipientBalance: bigint
  readonly claimAmount: bigint
  readonly newName: string
}

/** A log with its event's name and arguments. */
export type DecodedLog = PlacedLog & { readonly eventName: string; readonly args: EventArgs }

const events = new Map(
  Object.values(compiledContracts.contracts)
    .flatMap(({ abi }) => abi)
    .flatMap((item) => (item.type === 'event' ? [[toEventSelector(item), [item]] as const] : [])),
)

/** Logs of the devnet's own events with these names, in chain order. */
export async function logsOf(
  url: string,
  names: readonly string[],
  address?: Address,
): Promise<DecodedLog[]> {
  const topics = [...events].filter(([, [event]]) => names.includes(event!.name)).map(([topic]) => topic)
  const filter = { fromBlock: '0x0', toBlock: 'latest', topics: [topics], ...(address && { address }) }
  const logs = await rpc<PlacedLog[]>(url, 'eth_getLogs', [filter])
  return logs.flatMap((log) => {
    try {
      return [{ ...log, ...decodedWith(events.get(log.topics[0]!)! as Abi, log) }]
    } catch {
      return [] // forged
    }
  })
}

/** Event name and arguments of a log. Throws where the ABI does not fit it. */
export function decodedWith(abi: Abi, log: RawLog): Pick<DecodedLog, 'eventName' | 'args'> {
  const [topic, ...rest] = log.topics
  const { eventName, args } = decodeEventLog({ abi, data: log.data, topics: [topic!, ...rest], strict: true })
  return { eventName: String(eventName), args: args as unknown as EventArgs }
}
