import { absolute } from '../bigints.ts'
import type { RateClose } from '../prior.ts'
import { hasVote, type PoolSwap, type SourceFigures, sourceFigures } from '../rate-source.ts'
import {
  REFERENCE_DRIFT_CLOSES,
  REFERENCE_DRIFT_MINUTES,
  REFERENCE_DRIFT_PERCENT,
  REFERENCE_HOLD_MINUTES,
  REFERENCE_HOLD_PERCENT,
} from '../rules.ts'
import type { Address, Minute, PoolName, ReferenceRate, References, UsdE36 } from '../segment.ts'

/** A currency at a fixed price: a dollar coin. */
export const fixedRate = (usdE36: UsdE36, decimals: number): ReferenceRate => ({
  observedUsdE36: usdE36,
  heldUsdE36: usdE36,
  outside: 0,
  drifted: 0,
  decimals,
  sources: [],
})

/** A reference currency without a price yet, and so without a USD value. */
export const unrated = (decimals: number, sources: ReferenceRate['sources'] = []): ReferenceRate => ({
  ...fixedRate(0n, decimals),
  sources,
})

/** A minute that closes: the last swap of each pool in it, and the closes before it (`PriorState`). */
export type Closing = {
  readonly minute: Minute
  readonly swaps: ReadonlyMap<PoolName, PoolSwap>
  readonly closes: readonly RateClose[]
}

/** The figures of a rate's sources at a minute's close, from the rates in force then, in their order. */
export const figuresOfSources = (
  { sources, decimals }: Pick<ReferenceRate, 'sources' | 'decimals'>,
  rateOf: (quote: Address) => ReferenceRate | undefined,
  minute: Minute,
): readonly SourceFigures[] =>
  sources.map((source) => {
    const { heldUsdE36 = 0n, decimals: quoteDecimals = 0 } = rateOf(source.quote) ?? {}
    return sourceFigures(source, { quote: { usdE36: heldUsdE36, decimals: quoteDecimals }, decimals, minute })
  })

/** The reference rates at a minute's close, from those before it. The hold is applied here and nowhere else. */
export function closeReferences(before: References, closing: Closing): References {
  const after = new Map<Address, ReferenceRate>()
  // A currency that another is priced in closes first.
  const closed = (currency: Address): ReferenceRate | undefined => {
    const rate = before.get(currency)
    if (!rate || after.has(currency)) return after.get(currency)
    const sources = rate.sources.map((source) => ({ ...source, ...closing.swaps.get(source.pool) }))
    const figures = figuresOfSources({ ...rate, sources }, closed, closing.minute)
    const next = settled({ ...rate, sources }, closeOf(rate, figures), hourBefore(currency, closing))
    after.set(currency, next)
    return next
  }
  for (const currency of before.keys()) closed(currency)
  return after
}

/** The median of the votes; without a vote the price of the deepest source, of equal ones the first. */
function closeOf({ observedUsdE36, heldUsdE36 }: ReferenceRate, figures: readonly SourceFigures[]): UsdE36 {
  const votes = figures.filter(hasVote).map(({ priceUsdE36 }) => priceUsdE36)
  if (votes.length > 0) return medianOf(votes, heldUsdE36)
  const priced = figures.filter(({ priceUsdE36 }) => priceUsdE36 > 0n)
  const [deepest] = priced.toSorted((a, b) => compare(b.depthMicroUsd, a.depthMicroUsd))
  return deepest?.priceUsdE36 ?? observedUsdE36
}

/** Of an even number the one of the middle two that is nearer the rate in force; of equally near ones the lower. */
function medianOf(votes: readonly UsdE36[], inForce: UsdE36): UsdE36 {
  const sorted = votes.toSorted(compare)
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [UsdE36, UsdE36]
  return absolute(upper - inForce) < absolute(lower - inForce) ? upper : lower
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** The rate in force an hour before; of a younger log that at its first close. 0: there was none. */
function hourBefore(currency: Address, { minute, closes }: Closing): UsdE36 {
  const close = closes.findLast((one) => one.minute <= minute - REFERENCE_DRIFT_MINUTES) ?? closes[0]
  return close?.references.get(currency)?.heldUsdE36 ?? 0n
}

/** What a later minute needs of the closes so far, oldest first. */
export function recentCloses(closes: readonly RateClose[]): readonly RateClose[] {
  const hourAgo = (closes.at(-1)?.minute ?? 0) + 1 - REFERENCE_DRIFT_MINUTES
  const from = closes.findLastIndex(({ minute }) => minute <= hourAgo)
  return closes.slice(Math.max(0, from))
}

/**
 * Takes a close, unless it is too far from the rate in force, and not the third such close in a row, or too far from the
 * rate of an hour before, and not yet the fifteenth.
 */
function settled(rate: ReferenceRate, close: UsdE36, earlier: UsdE36): ReferenceRate {
  const outside = isFar(close, rate.heldUsdE36, REFERENCE_HOLD_PERCENT) ? rate.outside + 1 : 0
  const drifted = isFar(close, earlier, REFERENCE_DRIFT_PERCENT) ? rate.drifted + 1 : 0
  const isTaken =
    (outside === 0 || outside >= REFERENCE_HOLD_MINUTES) &&
    (drifted === 0 || drifted >= REFERENCE_DRIFT_CLOSES)
  const next = { ...rate, observedUsdE36: close, drifted }
  return isTaken ? { ...next, heldUsdE36: close, outside: 0 } : { ...next, outside }
}

const isFar = (close: UsdE36, from: UsdE36, percent: bigint): boolean =>
  from !== 0n && absolute(close - from) * 100n > from * percent
