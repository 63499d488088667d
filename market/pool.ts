import { tenTo } from './powers.ts'
import { CAP_PER_LIQUIDITY, TOKEN_DECIMALS } from './rules.ts'
import type { LiquidityRange, MicroUsd, UsdE36 } from './segment.ts'

/** 2^96, the one of Q64.96. */
export const Q96 = 1n << 96n
const Q192 = 1n << 192n

/** A whole token in base units. */
const WHOLE_TOKEN = tenTo(TOKEN_DECIMALS)

/** From USD × 1e36 to USD × 1e6. */
const E36_PER_MICRO = 30

/** Bounds of ticks. Source: Uniswap/v4-core src/libraries/TickMath.sol MIN_TICK, MAX_TICK. */
const MAX_TICK = 887272

/**
 * 2^128 / √1.0001^(2^i) for i = 0…19, rounded as the contract rounds them.
 * Source: Uniswap/v4-core src/libraries/TickMath.sol getSqrtPriceAtTick.
 */
const sqrtRatios = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
] as const

/** √1.0001^tick × 2^96, bit-exact with the contract, for -887272…887272. Throws RangeError. */
export function sqrtPriceAtTick(tick: number): bigint {
  const distance = Math.abs(tick)
  if (!(Number.isInteger(tick) && distance <= MAX_TICK))
    throw new RangeError(`Tick ${tick} is not an integer from -${MAX_TICK} to ${MAX_TICK}.`)
  let ratio = 1n << 128n
  for (const [bit, sqrtRatio] of sqrtRatios.entries()) {
    if (distance & (1 << bit)) ratio = (ratio * sqrtRatio) >> 128n
  }
  if (tick > 0) ratio = ((1n << 256n) - 1n) / ratio
  return (ratio + 0xffffffffn) >> 32n
}

/**
 * USD × 1e36 of one whole token, from its pool's price and the USD of one whole quote currency. Floored.
 * A pool without a price (sqrtPriceX96 0) gives 0.
 */
export function priceUsdE36(
  pool: { readonly sqrtPriceX96: bigint; readonly isCurrency0: boolean; readonly quoteDecimals: number },
  quoteUsdE36: UsdE36,
): UsdE36 {
  const { sqrtPriceX96, isCurrency0, quoteDecimals } = pool
  if (sqrtPriceX96 === 0n) return 0n
  const price = sqrtPriceX96 * sqrtPriceX96
  // As many decimals as the token has cancel out.
  if (quoteDecimals === TOKEN_DECIMALS)
    return isCurrency0 ? (price * quoteUsdE36) >> 192n : (quoteUsdE36 << 192n) / price
  const [quotes, tokens] = isCurrency0 ? [price, Q192] : [Q192, price]
  return (quotes * WHOLE_TOKEN * quoteUsdE36) / (tokens * tenTo(quoteDecimals))
}

/** Price × supply in micro-dollars, floored. Supply is in base units of a token. */
export function marketCapMicroUsd(priceUsdE36: UsdE36, supply: bigint): MicroUsd {
  return microUsdOf(supply, priceUsdE36, TOKEN_DECIMALS)
}

/** An amount of a token (base units) at its pool's price, in base units of the quote, floored; 0 before the first price. */
export function inQuote(
  amount: bigint,
  { sqrtPriceX96, isCurrency0 }: { readonly sqrtPriceX96: bigint; readonly isCurrency0: boolean },
): bigint {
  if (sqrtPriceX96 === 0n) return 0n
  const price = sqrtPriceX96 * sqrtPriceX96
  return isCurrency0 ? (amount * price) / Q192 : (amount * Q192) / price
}

/**
 * The effective part of a cap: at most CAP_PER_LIQUIDITY times the quote amount in the pool. Both in base units of the
 * quote, or in USD.
 */
export function counted(cap: bigint, reserveQuote: bigint): bigint {
  const bound = CAP_PER_LIQUIDITY * reserveQuote
  return bound < cap ? bound : cap
}

/** Micro-dollars of an amount in base units, floored: the volume of a swap, the value of a reserve. */
export function microUsdOf(amount: bigint, usdE36: UsdE36, decimals: number): MicroUsd {
  return (amount * usdE36) / tenTo(decimals + E36_PER_MICRO)
}

/** The price paid in a trade: USD × 1e36 per whole token, floored; 0 if no token moved. */
export function paidUsdE36(
  trade: { readonly amountToken: bigint; readonly amountQuote: bigint; readonly quoteDecimals: number },
  quoteUsdE36: UsdE36,
): UsdE36 {
  if (trade.amountToken === 0n) return 0n
  const whole = tenTo(trade.quoteDecimals)
  return (trade.amountQuote * quoteUsdE36 * WHOLE_TOKEN) / (trade.amountToken * whole)
}

/**
 * The reserves of liquidity ranges at a price, in base units. Each amount of each range is floored separately, as
 * Uniswap's LiquidityAmounts does; negative liquidity (rounding dust) counts as 0; a pool without a price has none.
 */
export function reservesOf(
  ranges: readonly LiquidityRange[],
  pool: { readonly sqrtPriceX96: bigint; readonly isCurrency0: boolean },
): { readonly reserveQuote: bigint; readonly reserveToken: bigint } {
  let amount0 = 0n
  let amount1 = 0n
  if (pool.sqrtPriceX96 > 0n) {
    for (const { tickLower, tickUpper, liquidity } of ranges) {
      if (liquidity <= 0n) continue
      const lower = sqrtPriceAtTick(tickLower)
      const upper = sqrtPriceAtTick(tickUpper)
      const price = clamp(pool.sqrtPriceX96, lower, upper)
      amount0 += (liquidity * Q96 * (upper - price)) / (upper * price)
      amount1 += (liquidity * (price - lower)) / Q96
    }
  }
  return pool.isCurrency0
    ? { reserveQuote: amount1, reserveToken: amount0 }
    : { reserveQuote: amount0, reserveToken: amount1 }
}

/** The ranges after adding `delta` (may be negative) to one of them: sorted by (lower, upper), without those of 0. */
export function withLiquidity(
  ranges: readonly LiquidityRange[],
  tickLower: number,
  tickUpper: number,
  delta: bigint,
): readonly LiquidityRange[] {
  const isSame = (range: LiquidityRange) => range.tickLower === tickLower && range.tickUpper === tickUpper
  const liquidity = delta + (ranges.find(isSame)?.liquidity ?? 0n)
  const others = ranges.filter((range) => !isSame(range))
  if (liquidity === 0n) return others
  return [...others, { tickLower, tickUpper, liquidity }].sort(
    (a, b) => a.tickLower - b.tickLower || a.tickUpper - b.tickUpper,
  )
}

const clamp = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value
