/** The core types: tokens, their state, and a folded minute. Types and one table, no logic. */

import type { OwnerChange, PostOwner } from './post-owners.ts'
import type { RunningTotals } from './running-totals.ts'

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

export type TokenKind = 'creator' | 'post'

/** A token as its creation (and later renames and migrations) described it. Names are cleaned, never trusted. */
export type Coin = {
  readonly address: Address
  readonly kind: TokenKind
  /** The payout recipient at creation. */
  readonly creator: Address
  readonly name: string
  readonly symbol: string
  /** What the token is priced in: a reference currency or another token. */
  readonly quote: Address
  readonly poolId: Hash
  readonly hook: Address
  readonly isCurrency0: boolean
  /** Position and Unix seconds of the creation log; of a token that is older than the log see `adoption.ts`. */
  readonly launchedAt: Position & { readonly timestamp: number }
}

/** State at launch: the Initialize price at the quote's rate at that log (null: no route to USD), supply right after the creation log. */
export type Launch = { readonly priceUsdE36: UsdE36 | null; readonly supply: bigint }

export type Token = Coin & { readonly launch: Launch }

/**
 * The numbers stored per token: items, segments, the engine and its checkpoints iterate over this table. All are
 * absolute or cumulative since launch. New fields are appended; data stored without them read as before the first log.
 */
export const stateFields = {
  /** Price of the token's current pool after its last price-setting log; 0 before the first. */
  sqrtPriceX96: 'u256',
  cumVolumeMicroUsd: 'u128',
  cumBuyVolumeMicroUsd: 'u128',
  /** Growth of the largest |net position| of each (wallet, UTC hour). */
  cumRankVolumeMicroUsd: 'u128',
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
  /**
   * Part of the supply that the PoolManager holds, in pools of anyone. An omitted trade shows in it at the token's next
   * trade.
   */
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
}

/**
 * One token in one minute. `ranges` and `candle` are as of the state after the minute; no candle: its own pool price was
 * not set.
 */
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
 * are its companions: its quote and its creator's oldest creator token. If these were not touched themselves, `before`
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

/**
 * USD of a reference currency: the last observed price, the one in force, and the number of consecutive closes outside
 * the hold.
 */
export type ReferenceRate = {
  readonly observedUsdE36: UsdE36
  readonly heldUsdE36: UsdE36
  readonly outside: number
  readonly decimals: number
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

/** One wallet in one UTC hour: net position, largest |net| so far, and whether the pair counts already. */
export type WalletHour = { readonly net: MicroUsd; readonly peak: MicroUsd; readonly hasCounted: boolean }

/** A token's state before a minute. `wallets` are those of `hour` (floor(minute / 60)) and stale in a later hour. */
export type Known = {
  readonly token: Token
  readonly state: TokenState
  readonly ranges: readonly LiquidityRange[]
  readonly hour: number
  readonly wallets: ReadonlyMap<Address, WalletHour>
  /** Only for a token older than the log that is not in it yet. */
  readonly isNew?: boolean
}

/** State before a minute that its fold needs: the touched tokens, their companions, and the owners of all of these. */
export type Prior = {
  readonly references: References
  readonly tokens: ReadonlyMap<Address, Known>
  readonly poolManager: Address
  /** Known hooks and the PoolManager, which are not holders. */
  readonly uncounted: ReadonlySet<Address>
  /** An address that is missing owns nothing. */
  readonly owners: ReadonlyMap<Address, PostOwner>
  readonly totals: RunningTotals
}

/**
 * One entry of the log of minutes. `n` is dense from 1. A rewound entry cancels the orphaned minutes: `minute` and
 * `last` are the new last ones (null: none).
 */
export type LogEntry =
  | {
      readonly n: number
      readonly is: 'sealed'
      readonly minute: Minute
      readonly firstBlock: number
      readonly last: Block
      readonly segment: SegmentReference
      /** FOLD_VERSION that the minute was folded by. Absent: 1. */
      readonly rules?: number
    }
  | {
      readonly n: number
      readonly is: 'rewound'
      readonly minute: Minute | null
      readonly last: Block | null
      /** Newest first. */
      readonly orphaned: readonly SegmentReference[]
      /**
       * The chain did not change: an endpoint had omitted logs of these minutes, or older rules had folded them. Absent:
       * a reorg.
       */
      readonly cause?: 'omission' | 'rules'
    }

/** A segment object: its key in the bucket and the sha256 (hex) of its uncompressed bytes. */
export type SegmentReference = { readonly minute: Minute; readonly key: string; readonly sha256: string }

/** A token's names. */
export type TokenName = Pick<Coin, 'address' | 'symbol' | 'name'>

/** One entry of the live feed: a block's swaps, or the retraction of one block. `seq` is dense from 1. */
export type FeedEntry =
  | {
      readonly seq: number
      readonly is: 'block'
      readonly block: Block
      readonly swaps: readonly Swap[]
      /**
       * Names of its tokens at that time, so that readers need no look-up; entries of older releases name only those
       * just launched.
       */
      readonly names?: readonly TokenName[]
    }
  | { readonly seq: number; readonly is: 'retract'; readonly block: Block }
