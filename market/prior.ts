/** The state before a minute that its fold needs. */
import type {
  Address,
  LiquidityRange,
  MicroUsd,
  PostOwner,
  References,
  RunningTotals,
  Segment,
  Token,
  TokenState,
} from './segment.ts'

/** One wallet in one UTC hour: net position, largest |net| so far, and whether the pair counts already. */
export type WalletHour = { readonly net: MicroUsd; readonly peak: MicroUsd; readonly hasCounted: boolean }

/** A token's state before a minute. `wallets` are those of `hour` (floor(minute / 60)) and stale in a later hour. */
export type PriorToken = {
  readonly token: Token
  readonly state: TokenState
  readonly ranges: readonly LiquidityRange[]
  readonly hour: number
  readonly wallets: ReadonlyMap<Address, WalletHour>
  /** Only for a token older than the log that is not in it yet. */
  readonly isNew?: boolean
}

/** The rates at a minute's close. */
export type RateClose = Pick<Segment, 'minute' | 'references'>

/** State before a minute that its fold needs: the touched tokens, their related tokens, and the owners of all of these. */
export type PriorState = {
  readonly references: References
  /** The closes of the last hour, and the last one before it, oldest first. */
  readonly closes: readonly RateClose[]
  readonly tokens: ReadonlyMap<Address, PriorToken>
  readonly poolManager: Address
  /** Known hooks and the PoolManager, which are not holders. */
  readonly uncounted: ReadonlySet<Address>
  /** An address that is missing owns nothing. */
  readonly owners: ReadonlyMap<Address, PostOwner>
  readonly totals: RunningTotals
}
