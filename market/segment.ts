/** The core types: tokens, their state, and a folded minute. Types and one table, no logic. */

/** Lower-case hex; converted to EIP-55 form only in answers. */
export type Address = `0x${string}`
/** 32 bytes, lower-case hex: a block hash, a transaction hash, a pool id. */
export type Hash = `0x${string}`
/** UTC minute of chain time: floor(block timestamp / 60). */
export type Minute = number
/** US dollars × 1e6. */
export type MicroUsd = bigint
/** US dollars × 1e36 for one whole token. */
export type UsdE36 = bigint

/** The part of a block header that the log of minutes needs. `timestamp` is Unix seconds. */
export type Block = { readonly number: number; readonly hash: Hash; readonly timestamp: number }

/** The position of a log: the total order of everything is (blockNumber, logIndex). */
export type Position = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly transactionHash: Hash
}

export const tokenKinds = ['creator', 'post'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** A token as its creation (and later renames and migrations) described it. Names are cleaned, never trusted. */
export type Coin = {
  readonly address: Address
  readonly kind: TokenKind
  /** The payout recipient at creation, which anyone may name; see authorship.ts. */
  readonly creator: Address
  /** The factory's caller, or the payout recipient if it called a pass-through contract; null: the creation was not read. */
  readonly launchedBy: Address | null
  readonly name: string
  readonly symbol: string
  /** Unix seconds of the creation, or of the last rename that gave it this name; null: older than the log. */
  readonly nameSince: number | null
  readonly symbolSince: number | null
  /** The contract URI at its creation or, if that was not read, where the log begins; see soundUri. */
  readonly uri: string | null
  /** The token's quote: a reference currency or another token. */
  readonly quote: Address
  readonly poolId: Hash
  readonly hook: Address
  readonly isCurrency0: boolean
  /** Position and Unix seconds of the creation log; of a token that is older than the log see `coverage.ts`. */
  readonly launchedAt: Position & { readonly timestamp: number }
}

/** State at launch: the Initialize price at the quote's rate at that log (null: no route to USD), supply right after the creation log. */
export type Launch = { readonly priceUsdE36: UsdE36 | null; readonly supply: bigint }

/** A move to another pool: block number, Unix seconds, and the pool that was left. */
export type Migration = { readonly blockNumber: number; readonly timestamp: number; readonly fromPool: Hash }

/** `migrations`: the newest MIGRATIONS_MAX that the log knows, oldest first; each led to the pool that the next one left. */
export type Token = Coin & { readonly launch: Launch; readonly migrations: readonly Migration[] }

/**
 * The numbers stored per token: items, segments, the engine and its checkpoints iterate over this table. All are
 * absolute or cumulative since launch. A change of the table changes the stored formats.
 */
export const stateFields = {
  /** Price of the token's current pool after its last price-setting log; 0 before the first. */
  sqrtPriceX96: 'u256',
  cumVolumeMicroUsd: 'u128',
  cumBuyVolumeMicroUsd: 'u128',
  /** Growth of the largest |net position| of each (wallet, UTC hour). */
  cumRankVolumeMicroUsd: 'u128',
  /** Fees paid to the creator: of the token's own trades and, to a creator token's creator, of the posts that belong to it. */
  cumEarnedMicroUsd: 'u128',
  /** Part of it: of posts. */
  cumPostsEarnedMicroUsd: 'u128',
  /** Fees of the token's own trades that went to others: the platform, whoever sent the trader, the protocol. */
  cumPlatformFeesMicroUsd: 'u128',
  cumReferrerFeesMicroUsd: 'u128',
  cumProtocolFeesMicroUsd: 'u128',
  cumTrades: 'u32',
  cumBuys: 'u32',
  /** (wallet, UTC hour) pairs that count as engagement. */
  cumEngagement: 'u32',
  /** Last minute with a swap of the token; 0: none yet. */
  lastSwapMinute: 'u32',
  holders: 'u32',
  /** Minted less burned. */
  supply: 'u256',
  /** Part of the supply that the token contract itself holds (vesting). */
  selfHeld: 'u256',
  /** Reserves of the hook's ranges at the current price, in base units of quote and token. */
  reserveQuote: 'u256',
  reserveToken: 'u256',
  /** Highest and lowest close (USD × 1e36) of minutes in which the token's own pool price was set; 0: none yet. */
  athUsdE36: 'u256',
  atlUsdE36: 'u256',
  /** Minutes of these closes, the first of equal ones; 0: none yet. */
  athMinute: 'u32',
  atlMinute: 'u32',
  /** Part of the supply that the PoolManager holds, in pools of anyone. An omitted trade shows in it at the token's next trade. */
  pooled: 'u256',
} as const

export type StateField = keyof typeof stateFields
export const stateNames = Object.keys(stateFields) as readonly StateField[]
export type TokenState = {
  readonly [N in StateField]: (typeof stateFields)[N] extends 'u32' ? number : bigint
}

/** A token's state before its first log. */
export const emptyState = Object.fromEntries(
  stateNames.map((name) => [name, stateFields[name] === 'u32' ? 0 : 0n]),
) as TokenState

/** Liquidity of the hook in (tickLower, tickUpper), summed over salts. */
export type LiquidityRange = {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/** USD prices of the token's own pool within a minute; close at the minute's closing rates. */
export type Candle = {
  readonly open: UsdE36
  readonly high: UsdE36
  readonly low: UsdE36
  readonly close: UsdE36
  /** sqrtPriceX96 of the pool: the first if it had none before the minute, else 0; the highest; the lowest. */
  readonly firstSqrt: bigint
  readonly highSqrt: bigint
  readonly lowSqrt: bigint
}

/** One token in one minute. `ranges` and `candle` are as of the state after the minute; no candle: its own pool price was not set. */
export type MinuteRow = {
  readonly token: Address
  readonly before: TokenState
  readonly after: TokenState
  readonly rangesBefore: readonly LiquidityRange[]
  readonly ranges: readonly LiquidityRange[]
  readonly candle: Candle | null
}

/**
 * A row of a segment, with the token's description after the minute. Besides each token that the minute touched there
 * are its related tokens: its quote and its creator's oldest creator token. If these were not touched themselves, `before`
 * equals `after`.
 */
export type SegmentRow = MinuteRow & { readonly description: Token }

/** One trade: the hook's Swapped, valued. Amounts are absolute base units. */
export type Swap = Position & {
  readonly blockHash: Hash
  readonly timestamp: number
  readonly token: Address
  readonly poolId: Hash
  readonly quote: Address
  readonly isBuy: boolean
  readonly amountToken: bigint
  readonly amountQuote: bigint
  readonly trader: Address
  /** Sender and recipient of the token's last transfer in the transaction; null if there is none. */
  readonly from: Address | null
  readonly to: Address | null
  readonly volumeMicroUsd: MicroUsd
  /** |quote| · rate / |token|: the price paid per whole token; 0 if the quote has no route to USD or no token moved. */
  readonly paidUsdE36: UsdE36
  /** Unix ms of the block; null: not proven. */
  readonly timestampMs: number | null
}

/** A balance before and after a minute. The PoolManager's balances are in the rows. */
export type BalanceChange = {
  readonly token: Address
  readonly holder: Address
  readonly before: bigint
  readonly after: bigint
}

/** A token's description before (null: unborn) and after a minute that launched or changed it. */
export type TokenChange = { readonly before: Token | null; readonly after: Token }

/** The address of a Uniswap V3 pool, or the id of a V4 pool. */
export type PoolName = Address | Hash
/** A pool of a reference currency and another one, through whose rate it has a price, with what its last swap left, its time (Unix seconds) and the liquidity in range; 0: none yet. */
export type RateSource = {
  readonly pool: PoolName
  readonly quote: Address
  readonly isCurrency0: boolean
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly swappedAt: number
}

/** USD of a reference currency: the last close, the rate in force, and for how many closes in a row each bound of the hold was passed. */
export type ReferenceRate = {
  readonly observedUsdE36: UsdE36
  readonly heldUsdE36: UsdE36
  readonly outside: number
  readonly drifted: number
  readonly decimals: number
  /** []: its rate is fixed. */
  readonly sources: readonly RateSource[]
}

/** Reference rates by currency address, as of a minute's close. */
export type References = ReadonlyMap<Address, ReferenceRate>

/**
 * A folded minute of the chain. The segments of a window describe everything that was active in it, at any time within
 * it, without older data. Lists are in a total order, so that equal minutes have equal bytes.
 */
export type Segment = {
  /** FOLD_VERSION that it was folded by. */
  readonly rules: number
  readonly minute: Minute
  /** Number of the minute's first block. */
  readonly firstBlock: number
  readonly last: Block
  readonly tokens: readonly TokenChange[]
  /** Sorted by token. */
  readonly rows: readonly SegmentRow[]
  /** Owners among the tokens and creators of all rows that own posts or creator tokens, before or after. Sorted by owner. */
  readonly owners: readonly OwnerChange[]
  readonly totals: { readonly before: RunningTotals; readonly after: RunningTotals }
  /** In chain order. */
  readonly swaps: readonly Swap[]
  /** Sorted by (token, holder). */
  readonly balances: readonly BalanceChange[]
  /** All reference rates at the close. */
  readonly references: References
  /** Hooks first seen in this minute. */
  readonly hooks: readonly Address[]
  /** Number of facts it was folded from: of two readings of the same blocks, the one with more is more complete. */
  readonly facts: number
}

/** Index points × 1e8. */
export type PointsE8 = bigint

/** Sums over the posts of one owner with one quote. Amounts are base units of the quote. */
export type PostSums = {
  /** A creator token (then it is the owner itself) or a reference currency; null: anything else, whose posts count for nothing. */
  readonly quote: Address | null
  /** Sum of the counted caps. */
  readonly counted: bigint
  /** Sum of the plain caps. */
  readonly plain: bigint
  readonly count: number
  /** Last minute in which one of them was swapped; 0: none yet. */
  readonly lastSwapMinute: Minute
}

/** An owner of posts: a creator token owns the posts quoted in it, a creator's address all others that it launched itself. */
export type PostOwner = {
  /** The first creator token that this address launched as its own, to which its posts belong; null: none yet. */
  readonly oldestCreatorToken: Address | null
  /** Sorted by quote, null last. */
  readonly posts: readonly PostSums[]
}

/** An owner before and after a minute; equal if unchanged. */
export type OwnerChange = { readonly owner: Address; readonly before: PostOwner; readonly after: PostOwner }

/** Trades of all tokens since the log began; cumulative, so that any window is a difference of two. */
export type MarketTotals = {
  readonly volume: MicroUsd
  /** Part of it: buys. */
  readonly buyVolume: MicroUsd
  /** Part of it: creator tokens. */
  readonly creatorVolume: MicroUsd
  readonly trades: number
  readonly buys: number
}

/** Totals of all tokens based on one reference currency, in its base units. */
export type ReferenceTotals = {
  /** Counted and plain caps of the creator tokens quoted in it. */
  readonly creatorCounted: bigint
  readonly creatorPlain: bigint
  /** What their posts add to that, and the caps of the posts that are quoted in it directly. */
  readonly postCounted: bigint
  readonly postPlain: bigint
  /** The amount of it in the pools of all tokens quoted in it. */
  readonly liquidity: bigint
}

/** The market's totals since the log began, over all tokens in it. */
export type RunningTotals = MarketTotals & {
  /** Time (Unix seconds) of the block before a log that begins after the platform; null: the log has all of its history. */
  readonly coverageFrom: number | null
  /** The first minute of the log; null before it. */
  readonly firstMinute: Minute | null
  readonly creators: number
  readonly posts: number
  /** A wallet is a holder of each token it holds. */
  readonly holders: number
  /** One entry for each reference currency. */
  readonly references: ReadonlyMap<Address, ReferenceTotals>
}
