/** Logs as a chain gave them: read over JSON-RPC, decoded by viem with ABIs of their own, nothing judged. */
import { type AbiEvent, decodeEventLog, type Hex, parseAbi, toEventSelector } from 'viem'
import { hexQuantity, readRawHeaders, rpcMany } from '../support/chain/json-rpc.ts'

const coinFields =
  'address indexed caller, address indexed payoutRecipient, address indexed platformReferrer, address currency, string uri, string name, string symbol, address coin, PoolKey poolKey, bytes32 id, string version'
const abi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  `event CreatorCoinCreated(${coinFields})`,
  `event CoinCreatedV4(${coinFields})`,
  'event Swapped(address indexed sender, address indexed swapSender, bool isTrusted, PoolKey poolKey, bytes32 indexed id, SwapParams params, int128 amount0, int128 amount1, bool isCoinBuy, bytes hookData, uint160 sqrtPriceX96)',
  'struct Rewards { uint256 creatorPayoutAmountCurrency; uint256 creatorPayoutAmountCoin; uint256 platformReferrerAmountCurrency; uint256 platformReferrerAmountCoin; uint256 tradeReferrerAmountCurrency; uint256 tradeReferrerAmountCoin; uint256 protocolAmountCurrency; uint256 protocolAmountCoin; uint256 dopplerAmountCurrency; uint256 dopplerAmountCoin; }',
  'event CoinMarketRewardsV4(address coin, address currency, address payoutRecipient, address platformReferrer, address tradeReferrer, address protocolRewardRecipient, address dopplerRecipient, Rewards rewards)',
  'event CreatorCoinRewards(address indexed coin, address currency, address payoutRecipient, address protocol, uint256 creatorAmount, uint256 protocolAmount)',
  'event CoinTransfer(address indexed from, address indexed to, uint256 amount, uint256 fromBalance, uint256 toBalance)',
  'event LiquidityMigrated(PoolKey fromKey, bytes32 fromId, PoolKey poolKey, bytes32 id)',
  'event NameAndSymbolUpdated(address indexed caller, string name, string symbol)',
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
  'event Swap(address indexed sender, address indexed to, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
])
const RANGE = 2_000
const events = new Map<string, AbiEvent>(
  abi.filter((item) => item.type === 'event').map((item) => [toEventSelector(item), item]),
)

/** A position is one number: blockNumber × LOGS + logIndex. */
export const LOGS = 1_000_000
export const ZERO = '0x0000000000000000000000000000000000000000'

/** Arguments of every event above, in one shape: each log has those of its event. Hex is lower case. */
type Args = {
  id: string
  uri: string
  coin: string
  caller: string
  payoutRecipient: string
  poolKey: { currency0: string; currency1: string; hooks: string }
  name: string
  symbol: string
  sender: string
  swapSender: string
  isTrusted: boolean
  from: string
  to: string
  amount: bigint
  amount0: bigint
  amount1: bigint
  sqrtPriceX96: bigint
  currency: string
  rewards: { [name: string]: bigint }
  creatorAmount: bigint
  protocolAmount: bigint
  tickLower: number
  tickUpper: number
  liquidityDelta: bigint
  liquidity: bigint
}
export type DecodedRawLog = { at: number; address: string; tx: string; event: string; args: Args }
/** What was read: Unix seconds by block number, logs in chain order, tx.from where no trusted router named a trader, and of creations called by somebody else than they name. */
export type Raw = {
  seconds: readonly number[]
  logs: readonly DecodedRawLog[]
  /** Transactions whose sender matters. */
  sent: ReadonlyMap<string, { from: string; to: string | null }>
}

const lowered = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('0x')
    ? value.toLowerCase()
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lowered(inner)]))
      : value

type WireLog = {
  address: string
  topics: readonly string[]
  data: string
  blockNumber: string
  logIndex: string
  transactionHash: string
}

/** Reads all there is up to a block: every header, and the logs by topic alone (what is authentic is decided later). */
export async function readRaw(rpcUrl: string, toBlock: number): Promise<Raw> {
  const headers = await readRawHeaders(rpcUrl, toBlock)
  const found = await rpcMany<WireLog[]>(
    rpcUrl,
    Array.from({ length: Math.floor(toBlock / RANGE) + 1 }, (_, at) => {
      const span = {
        fromBlock: hexQuantity(at * RANGE),
        toBlock: hexQuantity(Math.min((at + 1) * RANGE - 1, toBlock)),
      }
      return ['eth_getLogs', { ...span, topics: [[...events.keys()]] }]
    }),
  )
  const logs = decodedLogs(found.flat())
  const swaps = logs.filter(({ event }) => event === 'Swapped')
  const forOthers = logs.filter(
    ({ event, args }) => /Created/.test(event) && args.caller !== args.payoutRecipient,
  )
  const unnamed = [
    ...new Set(
      [...swaps.filter(({ args }) => !args.isTrusted || args.swapSender === ZERO), ...forOthers].map(
        ({ tx }) => tx,
      ),
    ),
  ]
  const transactions = await rpcMany<{ from: string; to: string | null }>(
    rpcUrl,
    unnamed.map((tx) => ['eth_getTransactionByHash', tx]),
  )
  const sent = new Map(
    unnamed.map((tx, i) => {
      const { from, to } = transactions[i]!
      return [tx, { from: from.toLowerCase(), to: to?.toLowerCase() ?? null }]
    }),
  )
  return { seconds: headers.map((header) => Number(header.timestamp)), logs, sent }
}

/** What was decoded once: a chain is read again and again. */
const known = new Map<string, Pick<DecodedRawLog, 'event' | 'args'> | null>()

/** In chain order. */
export const decodedLogs = (logs: readonly WireLog[]): DecodedRawLog[] =>
  logs.flatMap(decoded).sort((a, b) => a.at - b.at)

/** None where the data does not fit the event: anyone may emit our topics. */
function decoded(log: WireLog): DecodedRawLog[] {
  const content = [...log.topics, log.data].join()
  if (!known.has(content)) known.set(content, contentOf(log))
  const decodedOnce = known.get(content)
  const at = Number(log.blockNumber) * LOGS + Number(log.logIndex)
  return decodedOnce
    ? [{ at, address: log.address.toLowerCase(), tx: log.transactionHash, ...decodedOnce }]
    : []
}

function contentOf({ topics, data }: WireLog): Pick<DecodedRawLog, 'event' | 'args'> | null {
  try {
    const event = events.get(topics[0]!)!
    const { args } = decodeEventLog({ abi: [event], topics: topics as [Hex], data: data as Hex }) as {
      args: unknown
    }
    return { event: event.name, args: lowered(args) as Args }
  } catch {
    return null
  }
}
