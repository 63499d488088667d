/**
 * The same chain through Subsquid's processor with a store in memory: `ingest-subsquid.ts <rpc url> <last block>`. The same
 * logs, decoded by its own codecs; of the fold only what finds genuine trades, the last prices and the last balances.
 */
import { event, indexed } from '@subsquid/evm-abi'
import {
  address,
  bool,
  bytes,
  bytes32,
  int24,
  int128,
  int256,
  string,
  struct,
  uint24,
  uint128,
  uint160,
  uint256,
} from '@subsquid/evm-codec'
import { EvmBatchProcessor } from '@subsquid/evm-processor'
import { type AbiEvent, type AbiParameter, toEventSignature } from 'viem'
import { chains } from '../../ingest/client/chains.ts'
import { type EventName, events, topicOf } from '../../ingest/decode/events.ts'
import { ratePoolsOf } from '../../ingest/decode/queries.ts'
import { hookAddresses } from '../devnet/contracts.ts'
import type { IngestCost } from './ingest.ts'
import { startTimer } from './measuring.ts'

const [url = '', to = ''] = process.argv.slice(2)
const chain = chains.devnet

type Codec = ReturnType<typeof struct>
const simple = {
  address,
  bool,
  bytes,
  bytes32,
  int24,
  int128,
  int256,
  string,
  uint24,
  uint128,
  uint160,
  uint256,
}
type Named = AbiParameter & { readonly indexed?: boolean; readonly components?: readonly AbiParameter[] }
function codecOf({ type, components }: Named): Codec {
  if (type === 'tuple') {
    return struct(Object.fromEntries((components ?? []).map((part) => [part.name, codecOf(part)])) as never)
  }
  return simple[type as keyof typeof simple] as unknown as Codec
}
function decoderOf(declared: AbiEvent, topic: string) {
  const parameters = (declared.inputs as readonly Named[]).map((input, at) => {
    const codec = codecOf(input)
    return [input.name ?? String(at), input.indexed ? indexed(codec as never) : codec]
  })
  return event(topic, toEventSignature(declared), Object.fromEntries(parameters) as never)
}
type Args = Readonly<Record<string, unknown>> & { readonly poolKey: { readonly currency0: string } }
const decoders = new Map(
  (Object.keys(events) as EventName[]).map((name) => [
    topicOf[name] as string,
    { name, decoder: decoderOf(events[name], topicOf[name]) },
  ]),
)

const senders = [...hookAddresses(), ...chain.internalSenders].map(
  (sender) => `0x${sender.slice(2).padStart(64, '0')}`,
)
const { swapped, coinTransfer, creatorCoinCreated, coinCreated, liquidityMigrated, nameAndSymbolUpdated } =
  topicOf
const { poolSwap, modifyLiquidity, initialize } = topicOf
const platform = [
  swapped,
  coinTransfer,
  creatorCoinCreated,
  coinCreated,
  liquidityMigrated,
  nameAndSymbolUpdated,
]
const { v4: referencePools } = ratePoolsOf(chain)

const processor = new EvmBatchProcessor()
  .setRpcEndpoint({ url, capacity: 10, maxBatchCallSize: 100 })
  .setFinalityConfirmation(0)
  .setBlockRange({ from: 0, to: Number(to) })
  .setFields({ log: { topics: true, data: true, transactionHash: true } })
  .addLog({ topic0: platform })
  .addLog({ address: [chain.poolManager], topic0: [poolSwap, modifyLiquidity], topic2: senders })
  .addLog({ address: [chain.poolManager], topic0: [poolSwap], topic1: referencePools })
  .addLog({ address: [chain.poolManager], topic0: [initialize] })

/** A store that keeps nothing but its place. */
const database = {
  supportsHotBlocks: false as const,
  connect: async () => ({ height: -1, hash: '0x' }),
  transact: async (_place: unknown, work: (store: undefined) => Promise<void>) => work(undefined),
}

const pools = new Map<string, { readonly token: string; readonly isCurrency0: boolean }>()
const hooks = new Set<string>(hookAddresses())
const prices = new Map<string, bigint>()
const balances = new Map<string, bigint>()
const trades: { readonly pool: string; readonly amountToken: bigint }[] = []
let logs = 0

/** Creations stand behind the first trades of their transaction, so they come first. */
function learn({ coin, poolKeyHash, poolKey }: Args): void {
  const token = String(coin).toLowerCase()
  pools.set(String(poolKeyHash), { token, isCurrency0: poolKey.currency0.toLowerCase() === token })
}
function trade(address: string, { poolKeyHash, amount0, amount1, sqrtPriceX96 }: Args): void {
  const pool = pools.get(String(poolKeyHash))
  if (!pool || !hooks.has(address)) return
  const amount = (pool.isCurrency0 ? amount0 : amount1) as bigint
  trades.push({ pool: pool.token, amountToken: amount < 0n ? -amount : amount })
  prices.set(pool.token, sqrtPriceX96 as bigint)
}

const handlers: Readonly<Partial<Record<EventName, (address: string, args: Args) => void>>> = {
  swapped: trade,
  coinTransfer: (token, args) => {
    balances.set(`${token}${args['sender']}`, args['senderBalance'] as bigint)
    balances.set(`${token}${args['recipient']}`, args['recipientBalance'] as bigint)
  },
  poolSwap: (_, args) => prices.set(String(args['id']), args['sqrtPriceX96'] as bigint),
  liquidityMigrated: (token, args) => {
    const before = pools.get(String(args['fromPoolKeyHash']))
    if (before?.token === token) pools.set(String(args['toPoolKeyHash']), before)
  },
}

const time = startTimer()
processor.run(database as never, async ({ blocks }) => {
  for (const block of blocks) {
    const decoded = block.logs.flatMap((log) => {
      logs += 1
      const known = decoders.get(log.topics[0] ?? '')
      // Anyone may emit our topics: the devnet has some that do not fit.
      if (!known || log.topics.length !== Object.values(known.decoder.params).filter(isIndexed).length + 1)
        return []
      return [{ name: known.name, address: log.address, args: known.decoder.decode(log) as unknown as Args }]
    })
    for (const { name, address, args } of decoded) {
      if (address === chain.factory && (name === 'coinCreated' || name === 'creatorCoinCreated')) learn(args)
    }
    for (const { name, address, args } of decoded) handlers[name]?.(address, args)
  }
})
process.once('exit', () => {
  const cost: IngestCost = {
    ...time(),
    logs,
    swaps: trades.length,
    amountToken: String(trades.reduce((sum, { amountToken }) => sum + amountToken, 0n)),
  }
  process.stdout.write(`\n${JSON.stringify(cost)}`)
})

function isIndexed(parameter: unknown): boolean {
  return (parameter as { readonly indexed?: boolean }).indexed === true
}
