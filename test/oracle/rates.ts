/** USD of reference currencies from the raw swaps of their pools, close by close: the whole past is looked through each time. */
import type { Chain } from '../../ingest/client/chains.ts'
import { greater } from '../../market/bigints.ts'
import { priceUsdE36 } from '../../market/pool.ts'
import { LOGS } from './logs.ts'

/** What the last swap of a pool left it with, at a log. */
type RawSwap = { at: number; sqrt: bigint; liquidity: bigint }
/** The swaps of each reference pool, in chain order. */
export type RateSwaps = ReadonlyMap<string, readonly RawSwap[]>
/** A minute that has a block. */
export type RawMinute = { minute: number; lastBlock: number; held: ReadonlyMap<string, bigint> }

/** The minutes of blocks at these Unix seconds. */
export const minutesIn = (seconds: readonly number[]): Omit<RawMinute, 'held'>[] =>
  seconds.flatMap((second, lastBlock) => {
    const minute = Math.floor(second / 60)
    const isLast = lastBlock + 1 === seconds.length || Math.floor(seconds[lastBlock + 1]! / 60) > minute
    return isLast ? [{ minute, lastBlock }] : []
  })

type Source = Chain['references'][number]['sources'][number]
type Usd = (currency: string) => bigint

const E36 = 10n ** 36n
const DAY = 86_400

function rootOf(square: bigint): bigint {
  let [low, high] = [0n, 1n << BigInt(square.toString(2).length)]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle * middle > square) high = middle
    else low = middle
  }
  return low
}

/** Base units of the quote that raise the pool's price by 2 %, by Uniswap's formulas. */
function depthOf({ isCurrency0 }: Source, { sqrt, liquidity }: RawSwap): bigint {
  const moved = rootOf(isCurrency0 ? (sqrt * sqrt * 102n) / 100n : (sqrt * sqrt * 100n) / 102n)
  return isCurrency0
    ? (liquidity * (moved - sqrt)) / 2n ** 96n
    : (liquidity * 2n ** 96n) / moved - (liquidity * 2n ** 96n) / sqrt
}

const decimalsOf = ({ references }: Chain, currency: string): number =>
  references.find(({ address }) => address === currency)!.decimals

function priceOf(chain: Chain, currency: string, source: Source, { swap, usd }: { swap: RawSwap; usd: Usd }) {
  const { isCurrency0, quote } = source
  const pool = { sqrtPriceX96: swap.sqrt, isCurrency0, quoteDecimals: decimalsOf(chain, quote) }
  return (priceUsdE36(pool, usd(quote)) * 10n ** BigInt(decimalsOf(chain, currency))) / 10n ** 18n
}

/** The rates in force at the close of each minute. `seconds`: by block. */
export function closingRates(
  chain: Chain,
  swaps: RateSwaps,
  { seconds, minutes }: { seconds: readonly number[]; minutes: readonly Omit<RawMinute, 'held'>[] },
): RawMinute[] {
  const done: RawMinute[] = []
  const away = new Map<string, { day: number; hour: number }>()
  for (const { minute, lastBlock } of minutes) {
    const held = new Map<string, bigint>()
    const before = done.at(-1)?.held
    const hourAgo = (done.findLast((each) => each.minute <= minute - 60) ?? done[0])?.held
    const usd = (currency: string): bigint => {
      const known = held.get(currency)
      if (known !== undefined) return known
      const last = before?.get(currency) ?? 0n
      const close = closeOf(currency, last)
      const far = (from: bigint, percent: bigint) =>
        from > 0n && distance(close, from) * 100n > from * percent
      const { day, hour } = away.get(currency) ?? { day: 0, hour: 0 }
      const now = {
        day: far(last, 20n) ? day + 1 : 0,
        hour: far(hourAgo?.get(currency) ?? 0n, 40n) ? hour + 1 : 0,
      }
      const isHeld = [1, 2].includes(now.day) || (now.hour > 0 && now.hour < 15)
      away.set(currency, isHeld ? now : { ...now, day: 0 })
      held.set(currency, isHeld ? last : close)
      return held.get(currency)!
    }
    const closeOf = (currency: string, last: bigint): bigint => {
      const reference = chain.references.find(({ address }) => address === currency)!
      if (reference.fixedUsdE36 !== undefined) return reference.fixedUsdE36
      const all = reference.sources.flatMap((source) => {
        const swap = swaps.get(source.pool)?.findLast(({ at }) => at < (lastBlock + 1) * LOGS)
        if (!swap) return []
        const price = priceOf(chain, currency, source, { swap, usd })
        const depth =
          (depthOf(source, swap) * usd(source.quote)) / 10n ** BigInt(decimalsOf(chain, source.quote))
        const age = (minute + 1) * 60 - seconds[Math.floor(swap.at / LOGS)]!
        return price > 0n ? [{ price, depth, votes: age <= DAY && depth >= 200n * E36 }] : []
      })
      const votes = all.filter((one) => one.votes).map(({ price }) => price)
      if (votes.length === 0) {
        const most = all.map(({ depth }) => depth).reduce(greater, 0n)
        return all.find(({ depth }) => depth === most)?.price ?? last
      }
      votes.sort((a, b) => (a < b ? -1 : 1))
      const middle = votes.length / 2
      if (!Number.isInteger(middle)) return votes[Math.floor(middle)]!
      const [low, high] = [votes[middle - 1]!, votes[middle]!]
      return distance(high, last) < distance(low, last) ? high : low
    }
    for (const { address } of chain.references) usd(address)
    done.push({ minute, lastBlock, held })
  }
  return done
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/** Before a currency has closed: the price of its last swap in any of its pools, at the rates of that log. */
export function tradedRate(chain: Chain, swaps: RateSwaps, currency: string, before: number): bigint {
  const reference = chain.references.find(({ address }) => address === currency)!
  if (reference.fixedUsdE36 !== undefined) return reference.fixedUsdE36
  const [last] = reference.sources
    .flatMap((source) =>
      (swaps.get(source.pool) ?? []).filter(({ at }) => at < before).map((swap) => ({ source, swap })),
    )
    .sort((a, b) => b.swap.at - a.swap.at)
  if (!last) return 0n
  const usd = (quote: string) => tradedRate(chain, swaps, quote, last.swap.at)
  return priceOf(chain, currency, last.source, { swap: last.swap, usd })
}
