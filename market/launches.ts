import type { RankedEdge } from './figures.ts'
import { byLaunch, nthLargest, type Place } from './ranking.ts'
import { onceEach } from './remembered.ts'
import { type Market, summaryOf, type TokenSummary } from './row.ts'
import { DISCOVER_SIZE, NEW_LAUNCH_DAYS } from './rules.ts'
import type { Token, UsdE36 } from './segment.ts'
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

/** The tokens created in the last NEW_LAUNCH_DAYS days, newest first. */
export const launchRows = onceEach((market: Market): readonly LaunchRow[] => {
  const { now } = market.edges
  const end = asOf(market.minute)
  const oldest = end - NEW_LAUNCH_DAYS * 86_400
  return newest(now)
    .filter(({ token }) => token.launchedAt.timestamp >= oldest)
    .map((place, index) => {
      const { token, number } = place
      const summary = summaryOf(market, place, index + 1)
      const { priceUsdE36 } = token.launch
      return {
        ageSeconds: end - token.launchedAt.timestamp,
        launchPriceUsdE36: priceUsdE36,
        changeSinceLaunchE2: changeOf(priceUsdE36, summary.priceUsdE36).percentE2,
        tradesSinceLaunch: now.read('cumTrades', number),
        ...summary,
      }
    })
})

/** The DISCOVER_SIZE tokens created last, newest first. */
function newest({ tokens, lineage }: RankedEdge<never>): readonly Place[] {
  const launches = lineage.launchedAt.subarray(0, tokens.length)
  const first = tokens.length < DISCOVER_SIZE ? 0 : nthLargest(launches, DISCOVER_SIZE)
  const late: Place[] = []
  for (let number = 0; number < launches.length; number++) {
    if ((launches[number] as number) >= first) late.push({ number, token: tokens[number] as Token })
  }
  return late.sort((a, b) => byLaunch(b.token, a.token)).slice(0, DISCOVER_SIZE)
}
