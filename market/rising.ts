import { type Place, ranked } from './board.ts'
import { divideHalfAway } from './rounding.ts'
import { type Market, priceChange, summaryOf, type TokenSummary } from './row.ts'
import { DISCOVER_SIZE, RISING_MIN_WALLET_HOURS, RISING_OFFSET_MICRO_USD } from './rules.ts'
import type { MicroUsd } from './segment.ts'

/** What a token's score is made of. Rank volume: the growth of the largest |net position| of each (wallet, UTC hour). */
export type RisingParts = {
  readonly rankVolume1h: MicroUsd
  readonly rankVolume25h: MicroUsd
  /** (wallet, UTC hour) pairs that counted in the last hour. */
  readonly walletHours1h: number
  /** Percent × 100. */
  readonly change1hE2: bigint | null
}

/** A row of the rising list. */
export type RisingRow = TokenSummary & {
  readonly parts: RisingParts
  /** × 1e6. */
  readonly scoreE6: bigint
}

/** Hours that the last hour is compared with. */
const HOURS_BEFORE = 24n

/** The rank volume of the last hour against the hourly mean of the 24 before, both raised by RISING_OFFSET_MICRO_USD. */
export const risingScore = ({ rankVolume1h, rankVolume25h }: RisingParts) => ({
  over: HOURS_BEFORE * (rankVolume1h + RISING_OFFSET_MICRO_USD),
  under: rankVolume25h - rankVolume1h + HOURS_BEFORE * RISING_OFFSET_MICRO_USD,
})

/** The tokens that rise, strongest first: enough wallets in the last hour and a price above that of an hour ago. */
export function risingRows(market: Market): readonly RisingRow[] {
  const { valuations } = market
  const parts = new Map<number, RisingParts>()
  const contenders: Place[] = []
  for (const [number, token] of valuations.now.edge.tokens.entries()) {
    const found = risingParts(market, { number, token })
    if (!found) continue
    parts.set(number, found)
    contenders.push({ number, token, score: risingScore(found) })
  }
  return ranked(valuations.now, contenders)
    .slice(0, DISCOVER_SIZE)
    .flatMap((place, index) => {
      const found = parts.get(place.number)
      if (!found) return []
      const { over, under } = risingScore(found)
      const scoreE6 = divideHalfAway(over * 1_000_000n, under)
      return [{ ...summaryOf(market, place, index + 1), parts: found, scoreE6 }]
    })
}

/** The parts of an eligible token's score; null: not eligible. */
function risingParts(market: Market, { number, token }: Omit<Place, 'score'>): RisingParts | null {
  const { now, '1h': hourAgo, '25h': dayBeforeThat } = market.edges
  const walletHours1h = now.read('cumEngagement', number) - hourAgo.read('cumEngagement', number)
  if (walletHours1h < RISING_MIN_WALLET_HOURS) return null
  const change = priceChange(market, { number, token }, '1h')
  if (!change.isUp) return null
  const rankVolume = now.read('cumRankVolumeMicroUsd', number)
  return {
    rankVolume1h: rankVolume - hourAgo.read('cumRankVolumeMicroUsd', number),
    rankVolume25h: rankVolume - dayBeforeThat.read('cumRankVolumeMicroUsd', number),
    walletHours1h,
    change1hE2: change.percentE2,
  }
}
