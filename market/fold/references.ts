import { REFERENCE_HOLD_MINUTES, REFERENCE_HOLD_PERCENT } from '../rules.ts'
import type { Address, ReferenceRate, References, UsdE36 } from '../segment.ts'

/** A currency at a given price until it trades at another: a dollar coin, or a pool's price when the log of minutes began. */
export const fixedRate = (usdE36: UsdE36, decimals: number): ReferenceRate => ({
  observedUsdE36: usdE36,
  heldUsdE36: usdE36,
  outside: 0,
  decimals,
})

/** A reference currency without a trade yet, and so without a USD value. */
export const unrated = (decimals: number): ReferenceRate => fixedRate(0n, decimals)

/**
 * The reference rates at a minute's close, from those before it and the last price of each currency within it. The hold
 * is applied here and nowhere else: a close more than REFERENCE_HOLD_PERCENT away from the rate in force is held back
 * until the REFERENCE_HOLD_MINUTES-th such close in a row.
 */
export function closeReferences(before: References, observed: ReadonlyMap<Address, UsdE36>): References {
  return new Map([...before].map(([currency, rate]) => [currency, closeRate(rate, observed.get(currency))]))
}

function closeRate(rate: ReferenceRate, traded: UsdE36 | undefined): ReferenceRate {
  const observedUsdE36 = traded ?? rate.observedUsdE36
  const outside = isOutside(observedUsdE36, rate.heldUsdE36) ? rate.outside + 1 : 0
  if (outside === 0 || outside >= REFERENCE_HOLD_MINUTES) {
    return { ...rate, observedUsdE36, heldUsdE36: observedUsdE36, outside: 0 }
  }
  return { ...rate, observedUsdE36, outside }
}

function isOutside(observed: UsdE36, held: UsdE36): boolean {
  if (held === 0n) return false
  const distance = observed > held ? observed - held : held - observed
  return distance * 100n > held * REFERENCE_HOLD_PERCENT
}
