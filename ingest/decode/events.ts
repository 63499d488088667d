/** The events that are read, as the contracts declare them. Topics are computed from the declarations. */
import { type AbiEvent, parseAbi, toEventSelector } from 'viem'
import type { Hash } from '../../market/segment.ts'

const poolKey =
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }'
const swapParams = 'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }'

const marketRewards =
  'struct MarketRewardsV4 { uint256 creatorPayoutAmountCurrency; uint256 creatorPayoutAmountCoin; uint256 platformReferrerAmountCurrency; uint256 platformReferrerAmountCoin; uint256 tradeReferrerAmountCurrency; uint256 tradeReferrerAmountCoin; uint256 protocolAmountCurrency; uint256 protocolAmountCoin; uint256 dopplerAmountCurrency; uint256 dopplerAmountCoin; }'

const creation =
  'address indexed caller, address indexed payoutRecipient, address indexed platformReferrer, address currency, string uri, string name, string symbol, address coin, PoolKey poolKey, bytes32 poolKeyHash, string version'

// ourzora/zora-protocol: IZoraFactory, ICoin, ICoinV3 and IZoraV4CoinHook; Uniswap: IPoolManager (v4-core), IUniswapV3PoolEvents.
// In the first days of June 2025 Swapped had no sqrtPriceX96 (topic 0xf672603c…); those few trades are not read.
/** The declarations, by event. Two events are called Swap: the PoolManager's and a V3 pool's. */
export const events = {
  creatorCoinCreated: parseAbi([poolKey, `event CreatorCoinCreated(${creation})`])[0],
  coinCreated: parseAbi([poolKey, `event CoinCreatedV4(${creation})`])[0],
  liquidityMigrated: parseAbi([
    poolKey,
    'event LiquidityMigrated(PoolKey fromPoolKey, bytes32 fromPoolKeyHash, PoolKey toPoolKey, bytes32 toPoolKeyHash)',
  ])[0],
  nameAndSymbolUpdated: parseAbi([
    'event NameAndSymbolUpdated(address indexed caller, string newName, string newSymbol)',
  ])[0],
  contractMetadataUpdated: parseAbi([
    'event ContractMetadataUpdated(address indexed caller, string newURI, string name)',
  ])[0],
  swapped: parseAbi([
    poolKey,
    swapParams,
    'event Swapped(address indexed sender, address indexed swapSender, bool isTrustedSwapSenderAddress, PoolKey key, bytes32 indexed poolKeyHash, SwapParams params, int128 amount0, int128 amount1, bool isCoinBuy, bytes hookData, uint160 sqrtPriceX96)',
  ])[0],
  coinTransfer: parseAbi([
    'event CoinTransfer(address indexed sender, address indexed recipient, uint256 amount, uint256 senderBalance, uint256 recipientBalance)',
  ])[0],
  marketRewards: parseAbi([
    marketRewards,
    'event CoinMarketRewardsV4(address coin, address currency, address payoutRecipient, address platformReferrer, address tradeReferrer, address protocolRewardRecipient, address dopplerRecipient, MarketRewardsV4 marketRewards)',
  ])[0],
  // Hooks of creator tokens before 2.2 emit this alone; later ones repeat a payment of a creator token in it.
  creatorRewards: parseAbi([
    'event CreatorCoinRewards(address indexed coin, address currency, address creator, address protocol, uint256 creatorAmount, uint256 protocolAmount)',
  ])[0],
  initialize: parseAbi([
    'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  ])[0],
  poolSwap: parseAbi([
    'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  ])[0],
  modifyLiquidity: parseAbi([
    'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
  ])[0],
  v3Swap: parseAbi([
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  ])[0],
} as const satisfies Record<string, AbiEvent>

/** Name of an event that is read. */
export type EventName = keyof typeof events

/** topic0 of each event. */
export const topicOf = Object.fromEntries(
  Object.entries(events).map(([name, event]) => [name, toEventSelector(event)]),
) as Readonly<Record<EventName, Hash>>

const topicsOf = (names: readonly EventName[]): readonly Hash[] => names.map((name) => topicOf[name])

const coldEventsOfTokens = [
  'nameAndSymbolUpdated',
  'contractMetadataUpdated',
] as const satisfies readonly EventName[]
/** The cold events of a token that become one fact each. */
export type ColdTokenEvent = (typeof coldEventsOfTokens)[number]

/** The hooks' events about the fees of a token. */
export const rewardTopics = topicsOf(['marketRewards', 'creatorRewards'])
/** The hooks' events. */
export const hookTopics = [topicOf.swapped, ...rewardTopics]

/** Events emitted by tokens themselves; the emitting address distinguishes them from spoofs. */
export const tokenTopics = topicsOf(['coinTransfer', ...coldEventsOfTokens])
export const emittedByTokens = [...tokenTopics, topicOf.liquidityMigrated]
