import { greater, lesser } from '../bigints.ts'
import { reservesOf, withLiquidity } from '../pool.ts'
import type { PriorToken, WalletHour } from '../prior.ts'
import { MIGRATIONS_MAX } from '../rules.ts'
import {
  type Address,
  type Block,
  type Candle,
  type Coin,
  emptyState,
  type Hash,
  type Launch,
  type LiquidityRange,
  type Migration,
  type Minute,
  type Position,
  type StateField,
  stateFields,
  type TokenState,
  type UsdE36,
} from '../segment.ts'

/** A pool after the minute's logs so far. sqrtPriceX96 is 0 before Initialize. */
type Pool = { sqrtPriceX96: bigint; initialSqrtPriceX96: bigint; ranges: readonly LiquidityRange[] }

/**
 * One token while its minute is folded. The only mutable object in market/: created from the state before the minute,
 * changed by facts in log order, read once at the end. Invariant: `state.sqrtPriceX96` is the price of
 * `pools.get(coin.poolId)`.
 */
export type TokenMinute = {
  coin: Coin
  launch: Launch | null
  migrations: readonly Migration[]
  readonly before: TokenState
  readonly rangesBefore: readonly LiquidityRange[]
  state: { -readonly [N in keyof TokenState]: TokenState[N] }
  readonly pools: Map<Hash, Pool>
  readonly wallets: Map<Address, WalletHour>
  candle: Candle | null
  isTouched: boolean
  /** The last payment in the full form. */
  lastPaid: Pick<Position, 'blockNumber' | 'logIndex'> | null
}

/** A token first seen in this minute. */
export function newbornMinute(coin: Coin): TokenMinute {
  return {
    coin,
    launch: null,
    migrations: [],
    before: emptyState,
    rangesBefore: [],
    state: { ...emptyState },
    pools: new Map(),
    wallets: new Map(),
    candle: null,
    isTouched: false,
    lastPaid: null,
  }
}

/** A token with its state before the minute, without wallets of an older UTC hour. */
export function resumedMinute(
  { token, state, ranges, hour, wallets }: PriorToken,
  currentHour: number,
): TokenMinute {
  const { launch, migrations, ...coin } = token
  const { sqrtPriceX96 } = state
  return {
    coin,
    launch,
    migrations,
    before: state,
    rangesBefore: ranges,
    state: { ...state },
    pools: new Map([[coin.poolId, { sqrtPriceX96, initialSqrtPriceX96: 0n, ranges }]]),
    wallets: new Map(hour === currentHour ? wallets : []),
    candle: null,
    isTouched: false,
    lastPaid: null,
  }
}

/** The pool by id; a new id is a pool that the token may be about to migrate to. */
export function poolOf(token: TokenMinute, poolId: Hash): Pool {
  const known = token.pools.get(poolId)
  if (known) return known
  const pool: Pool = { sqrtPriceX96: 0n, initialSqrtPriceX96: 0n, ranges: [] }
  token.pools.set(poolId, pool)
  return pool
}

/** Sets the price of one of the token's pools; true if it is the current one, so that the token's own price was set. */
export function setPrice(token: TokenMinute, poolId: Hash, sqrtPriceX96: bigint): boolean {
  poolOf(token, poolId).sqrtPriceX96 = sqrtPriceX96
  if (poolId !== token.coin.poolId) return false
  token.state.sqrtPriceX96 = sqrtPriceX96
  return true
}

/** Notes that the token is about to move to a pool; one that it is in already is no move. */
export function noteMigration(token: TokenMinute, poolId: Hash, { number, timestamp }: Block): void {
  const { poolId: fromPool } = token.coin
  if (poolId === fromPool) return
  const moved = { blockNumber: number, timestamp, fromPool }
  token.migrations = [...token.migrations, moved].slice(-MIGRATIONS_MAX)
}

/** Adds or removes liquidity of a range in one of the token's pools. */
export function provide(
  token: TokenMinute,
  change: {
    readonly poolId: Hash
    readonly tickLower: number
    readonly tickUpper: number
    readonly liquidityDelta: bigint
  },
): void {
  const pool = poolOf(token, change.poolId)
  pool.ranges = withLiquidity(pool.ranges, change.tickLower, change.tickUpper, change.liquidityDelta)
}

/**
 * Adds the price of the token's own pool, in USD and as the pool has it, to the minute's candle. A USD price of 0 (no
 * route) counts only if there is no other.
 */
export function drawCandle(token: TokenMinute, price: UsdE36): void {
  const { candle } = token
  const usd = candle?.open
    ? {
        open: candle.open,
        high: greater(candle.high, price),
        low: price ? lesser(candle.low, price) : candle.low,
        close: price,
      }
    : { open: price, high: price, low: price, close: price }
  token.candle = { ...usd, ...poolPrices(token) }
}

function poolPrices({
  candle,
  before,
  state: { sqrtPriceX96 },
}: TokenMinute): Pick<Candle, 'firstSqrt' | 'highSqrt' | 'lowSqrt'> {
  if (candle) {
    const { firstSqrt, highSqrt, lowSqrt } = candle
    return { firstSqrt, highSqrt: greater(highSqrt, sqrtPriceX96), lowSqrt: lesser(lowSqrt, sqrtPriceX96) }
  }
  const firstSqrt = before.sqrtPriceX96 === 0n ? sqrtPriceX96 : 0n
  return { firstSqrt, highSqrt: sqrtPriceX96, lowSqrt: sqrtPriceX96 }
}

/**
 * Values the reserves at the last price and, if the token's own price was set in this minute, takes the minute's close
 * (USD at the closing rates) into candle, ATH and ATL. A close of 0 (no route to USD) leaves ATH and ATL alone.
 */
export function closeToken(
  token: TokenMinute,
  { minute, priceUsdE36 }: { readonly minute: Minute; readonly priceUsdE36: UsdE36 },
): void {
  const { state, coin } = token
  const { ranges } = poolOf(token, coin.poolId)
  Object.assign(
    state,
    reservesOf(ranges, { sqrtPriceX96: state.sqrtPriceX96, isCurrency0: coin.isCurrency0 }),
  )
  if (token.candle) {
    drawCandle(token, priceUsdE36)
    noteExtremes(state, minute, lesser(priceUsdE36, limits.u256))
  }
  bound(state)
}

function noteExtremes(state: TokenMinute['state'], minute: Minute, close: UsdE36): void {
  if (close > state.athUsdE36) {
    state.athUsdE36 = close
    state.athMinute = minute
  }
  if (close > 0n && (state.atlUsdE36 === 0n || close < state.atlUsdE36)) {
    state.atlUsdE36 = close
    state.atlMinute = minute
  }
}

const limits = { u256: 2n ** 256n - 1n, u128: 2n ** 128n - 1n } as const
const limited = Object.entries(stateFields).flatMap(([field, kind]) =>
  kind === 'u32' ? [] : [[field as AmountField, limits[kind]] as const],
)
type AmountField = { [N in StateField]: TokenState[N] extends bigint ? N : never }[StateField]

/**
 * Prices at the end of the tick range, multiplied along a path, are unbounded: clamps each number to the maximum of its
 * field.
 */
function bound(state: TokenMinute['state']): void {
  for (const [field, limit] of limited) if (state[field] > limit) state[field] = limit
}
