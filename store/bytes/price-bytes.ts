import type { PricePoint, RatePoint } from '../../market/board/price-points.ts'
import { growing } from './packed.ts'

/** Points of a price history. Pool prices are differences from the last; a high of -1: no price was set. */
export const pricePointsBytes = growing<PricePoint>(12, {
  numbersOf: ({ minute, prices, volumeQuote, state }) => [
    ...[
      BigInt(minute),
      state.sqrtPriceX96,
      state.supply,
      state.cumVolumeMicroUsd,
      state.cumBuyVolumeMicroUsd,
    ],
    ...[BigInt(state.cumTrades), BigInt(state.cumBuys), volumeQuote],
    ...(prices ? [zerosCounted(prices.high), zerosCounted(prices.low)] : [-1n, 0n]),
    ...[prices?.highSqrt, prices?.lowSqrt].map((sqrt = state.sqrtPriceX96) => sqrt - state.sqrtPriceX96),
  ],
  from: ([minute, sqrt = 0n, supply = 0n, volume = 0n, buyVolume = 0n, ...more]) => {
    const [trades, buys, volumeQuote = 0n, high = -1n, low = 0n, highSqrt = 0n, lowSqrt = 0n] = more
    return {
      minute: Number(minute),
      prices:
        high < 0n
          ? null
          : {
              high: zerosWritten(high),
              low: zerosWritten(low),
              highSqrt: sqrt + highSqrt,
              lowSqrt: sqrt + lowSqrt,
            },
      volumeQuote,
      state: {
        sqrtPriceX96: sqrt,
        supply,
        cumVolumeMicroUsd: volume,
        cumBuyVolumeMicroUsd: buyVolume,
        cumTrades: Number(trades),
        cumBuys: Number(buys),
      },
    }
  },
})

/** Points of a reference currency's rate. */
export const ratePointsBytes = growing<RatePoint>(2, {
  numbersOf: ({ minute, usdE36 }) => [BigInt(minute), zerosCounted(usdE36)],
  from: ([minute, usdE36 = 0n]) => ({ minute: Number(minute), usdE36: zerosWritten(usdE36) }),
})

/** An integer with trailing zeros, as most prices have: the other digits, then two digits for the number of zeros. */
function zerosCounted(value: bigint): bigint {
  const zeros = /0*$/.exec(String(value))?.[0].length ?? 0
  return (value / 10n ** BigInt(zeros)) * 100n + BigInt(zeros)
}
const zerosWritten = (counted: bigint): bigint => (counted / 100n) * (powers[Number(counted % 100n)] ?? 0n)
const powers = Array.from({ length: 100 }, (_, at) => 10n ** BigInt(at))
