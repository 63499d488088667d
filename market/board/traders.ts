/** Who traded a token in a span of time, summed from its swaps. */
import type { Address, MicroUsd, Swap } from '../segment.ts'

/** What one wallet traded of a token. */
export type TraderSums = {
  readonly trader: Address
  readonly buys: number
  readonly sells: number
  readonly buyVolume: MicroUsd
  readonly sellVolume: MicroUsd
  /** Unix seconds. */
  readonly lastTradeAt: number
}

/** The sums of each trader over parts of a span. */
export function joinedTraders(parts: Iterable<TraderSums>): ReadonlyMap<Address, TraderSums> {
  const joined = new Map<Address, TraderSums>()
  for (const part of parts) {
    const known = joined.get(part.trader)
    joined.set(
      part.trader,
      known
        ? {
            trader: part.trader,
            buys: known.buys + part.buys,
            sells: known.sells + part.sells,
            buyVolume: known.buyVolume + part.buyVolume,
            sellVolume: known.sellVolume + part.sellVolume,
            lastTradeAt: Math.max(known.lastTradeAt, part.lastTradeAt),
          }
        : part,
    )
  }
  return joined
}

/** The part that one swap is. */
export const traderOfSwap = ({ trader, isBuy, volumeMicroUsd, timestamp }: Swap): TraderSums => ({
  trader,
  buys: isBuy ? 1 : 0,
  sells: isBuy ? 0 : 1,
  buyVolume: isBuy ? volumeMicroUsd : 0n,
  sellVolume: isBuy ? 0n : volumeMicroUsd,
  lastTradeAt: timestamp,
})

export const volumeOf = ({ buyVolume, sellVolume }: TraderSums): MicroUsd => buyVolume + sellVolume

/** The order of a list of traders: largest volume first, then by address. */
export function largestVolumeFirst(a: TraderSums, b: TraderSums): number {
  const [left, right] = [volumeOf(a), volumeOf(b)]
  return left === right ? (a.trader < b.trader ? -1 : 1) : left > right ? -1 : 1
}
