import type { Address, Block, Coin, Hash, PoolName, Position } from '../segment.ts'

/** One authentic, decoded log. Amounts are base units. */
export type Fact = Position &
  (
    | { readonly is: 'launched'; readonly coin: Coin }
    | { readonly is: 'renamed'; readonly token: Address; readonly name: string; readonly symbol: string }
    /** Its contract URI changed; null: to none that is sound. */
    | { readonly is: 'uriUpdated'; readonly token: Address; readonly uri: string | null }
    | {
        readonly is: 'migrated'
        readonly token: Address
        readonly poolId: Hash
        readonly hook: Address
        readonly quote: Address
        readonly isCurrency0: boolean
      }
    | {
        readonly is: 'initialized'
        readonly token: Address
        readonly poolId: Hash
        readonly sqrtPriceX96: bigint
      }
    /**
     * The hook's Swapped: a trade, or a price move if the sender is a hook. Amounts are absolute; sqrtPriceX96 is the
     * pool's price after it.
     */
    | {
        readonly is: 'swapped'
        readonly token: Address
        readonly poolId: Hash
        /** The pool's other currency. */
        readonly quote: Address
        readonly isBuy: boolean
        readonly amountToken: bigint
        readonly amountQuote: bigint
        readonly sqrtPriceX96: bigint
        /** Who swapped at the PoolManager: a router, or a hook that sells its fees. */
        readonly sender: Address
        /** The trader that the router names. null: none; 'untrusted': the hook does not trust the router. */
        readonly swapSender: Address | 'untrusted' | null
        /** tx.from; looked up only if the router is untrusted, or if neither swapSender nor a transfer names the trader. */
        readonly transactionFrom?: Address
      }
    /** The hook paid out fees of a token, in base units of `currency`. */
    | {
        readonly is: 'paid'
        readonly token: Address
        readonly currency: Address
        /** Who had the creator's share. */
        readonly recipient: Address
        readonly creator: bigint
        readonly platform: bigint
        /** Whoever sent the trader. */
        readonly referrer: bigint
        readonly protocol: bigint
        /** It says the same again if the log before it is a payment of the token that does not. */
        readonly mayRepeat: boolean
      }
    /** An internal PoolManager.Swap: moves the price but is not a trade. */
    | { readonly is: 'moved'; readonly token: Address; readonly poolId: Hash; readonly sqrtPriceX96: bigint }
    | {
        readonly is: 'provided'
        readonly token: Address
        readonly poolId: Hash
        readonly tickLower: number
        readonly tickUpper: number
        readonly liquidityDelta: bigint
      }
    /** CoinTransfer: both balances are absolute, after the transfer. */
    | {
        readonly is: 'transferred'
        readonly token: Address
        readonly from: Address
        readonly to: Address
        readonly amount: bigint
        readonly fromBalance: bigint
        readonly toBalance: bigint
      }
    /** A swap in a pool that is a source of reference rates. */
    | {
        readonly is: 'rated'
        readonly pool: PoolName
        readonly sqrtPriceX96: bigint
        /** In range, after the swap. */
        readonly liquidity: bigint
      }
  )

export type FactOf<Kind extends Fact['is']> = Extract<Fact, { readonly is: Kind }>

/** A block and its facts in log order. */
export type BlockFacts = {
  readonly block: Block
  readonly facts: readonly Fact[]
  /** Unix ms of the block; absent: not proven. */
  readonly timestampMs?: number | undefined
  /** Unix ms that the endpoint of this reading claims and that nothing has proven yet; absent: none. */
  readonly claimedMs?: number | undefined
}

export const countFacts = (blocks: readonly BlockFacts[]): number =>
  blocks.reduce((sum, { facts }) => sum + facts.length, 0)
