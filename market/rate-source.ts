/** The sources of a reference rate: pools, each with what its last swap left, from which follow its price, its depth and its vote. */
import { HOUR_SECONDS } from './calendar.ts'
import { microUsdOf, priceUsdE36, Q96 } from './pool.ts'
import { tenTo } from './powers.ts'
import { REFERENCE_DEPTH_MIN_MICRO_USD, REFERENCE_SILENT_HOURS, TOKEN_DECIMALS } from './rules.ts'
import type { MicroUsd, Minute, RateSource, UsdE36 } from './segment.ts'
import { asOf } from './window.ts'

/** What a swap leaves a pool with. */
export type PoolSwap = Pick<RateSource, 'sqrtPriceX96' | 'liquidity' | 'swappedAt'>

/** Where a pool is, and what it prices in what. */
export type RatePool = Omit<RateSource, keyof PoolSwap>

/** A pool before its first swap. */
export const untraded: PoolSwap = { sqrtPriceX96: 0n, liquidity: 0n, swappedAt: 0 }

/** √1.02 − 1 in billionths: the share of a pool's virtual quote side that moves its price by 2 %. */
const DEPTH_E9 = 9_950_493n

/** What a source says at a minute's close. `priceUsdE36`: 0 without a price. */
export type SourceFigures = {
  readonly priceUsdE36: UsdE36
  /** What it takes to move the price by 2 %. */
  readonly depthMicroUsd: MicroUsd
  readonly isSilent: boolean
  readonly isShallow: boolean
}

/** A source at a minute's close. `quote`: USD of what its pool is priced in; `decimals`: of the currency itself. */
export function sourceFigures(
  source: RateSource,
  at: {
    readonly quote: { readonly usdE36: UsdE36; readonly decimals: number }
    readonly decimals: number
    readonly minute: Minute
  },
): SourceFigures {
  const { sqrtPriceX96, liquidity, isCurrency0, swappedAt } = source
  const { usdE36, decimals: quoteDecimals } = at.quote
  const price = priceUsdE36({ sqrtPriceX96, isCurrency0, quoteDecimals }, usdE36)
  const quoteSide =
    sqrtPriceX96 === 0n
      ? 0n
      : isCurrency0
        ? (liquidity * sqrtPriceX96) / Q96
        : (liquidity * Q96) / sqrtPriceX96
  const depthMicroUsd = microUsdOf((quoteSide * DEPTH_E9) / tenTo(9), usdE36, quoteDecimals)
  return {
    // The pool arithmetic assumes TOKEN_DECIMALS for the priced side.
    priceUsdE36: (price * tenTo(at.decimals)) / tenTo(TOKEN_DECIMALS),
    depthMicroUsd,
    isSilent: asOf(at.minute) - swappedAt > REFERENCE_SILENT_HOURS * HOUR_SECONDS,
    isShallow: depthMicroUsd < REFERENCE_DEPTH_MIN_MICRO_USD,
  }
}

/** One vote each, of what is deep enough and has swapped lately. */
export const hasVote = ({ isSilent, isShallow, priceUsdE36 }: SourceFigures): boolean =>
  !isSilent && !isShallow && priceUsdE36 > 0n
