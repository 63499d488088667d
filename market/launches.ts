import { byLaunch } from './ranking.ts'
import type { Market } from './rankings.ts'
import { summaryOf, type TokenSummary } from './row.ts'
import { DISCOVER_SIZE, NEW_LAUNCH_DAYS } from './rules.ts'
import type { UsdE36 } from './segment.ts'
import { asOf, changeOf } from './window.ts'

/** A row of the new launches. */
export type LaunchRow = TokenSummary & {
  readonly ageSeconds: number
  /** Null without a route to USD at the launch. */
  readonly launchPriceUsdE36: UsdE36 | null
  /** Percent × 100. */
  readonly changeSinceLaunchE2: bigint | null
  readonly tradesSinceLaunch: number
}

/** The DISCOVER_SIZE tokens created last, of those of the last NEW_LAUNCH_DAYS days, newest first. */
export function launchRows(market: Market): readonly LaunchRow[] {
  const end = asOf(market.minute)
  const oldest = end - NEW_LAUNCH_DAYS * 86_400
  const places = [...market.tokens.entries()]
    .map(([number, token]) => ({ number, token }))
    .filter(({ token }) => token.launchedAt.timestamp >= oldest)
    .sort((a, b) => byLaunch(b.token, a.token))
  return places.slice(0, DISCOVER_SIZE).map((place, at) => {
    const { token, number } = place
    const summary = summaryOf(market, place, at + 1)
    const { priceUsdE36 } = token.launch
    return {
      ageSeconds: end - token.launchedAt.timestamp,
      launchPriceUsdE36: priceUsdE36,
      changeSinceLaunchE2: changeOf(priceUsdE36, summary.priceUsdE36).percentE2,
      tradesSinceLaunch: market.at.now.read('cumTrades', number),
      ...summary,
    }
  })
}
