import { tieKeys } from './board.ts'
import { figureAt } from './figures.ts'
import { isAbove, type Key, ranked } from './ranking.ts'
import { momentOf, windowOf } from './rankings.ts'
import { onceEach } from './remembered.ts'
import { divideHalfAway } from './rounding.ts'
import { type Market, priceChange, summaryOf, type TokenSummary } from './row.ts'
import { DISCOVER_SIZE, RISING_MIN_WALLET_HOURS, RISING_OFFSET_MICRO_USD } from './rules.ts'
import type { MicroUsd, Token } from './segment.ts'
import { changesIn } from './trending.ts'

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
export const risingScore = ({ rankVolume1h, rankVolume25h }: Omit<RisingParts, 'change1hE2'>) => ({
  over: HOURS_BEFORE * (rankVolume1h + RISING_OFFSET_MICRO_USD),
  under: rankVolume25h - rankVolume1h + HOURS_BEFORE * RISING_OFFSET_MICRO_USD,
})

/** The tokens that rise, strongest first: enough wallets in the last hour and a price above that of an hour ago. */
export const risingRows = onceEach((market: Market): readonly RisingRow[] => {
  const { tokens } = market.edges.now
  const keys = [risingKey(market), ...tieKeys(momentOf(market, 'now'))]
  return ranked(tokens, risingNumbers(market), keys, DISCOVER_SIZE).map((place, index) => {
    const parts = risingParts(market, place.number)
    const { over, under } = risingScore(parts)
    const scoreE6 = divideHalfAway(over * 1_000_000n, under)
    const { percentE2: change1hE2 } = priceChange(market, place, '1h')
    return { parts: { ...parts, change1hE2 }, scoreE6, ...summaryOf(market, place, index + 1) }
  })
})

const risingKey = (market: Market): Key => ({
  fill: (numbers, into) => {
    for (const [at, number] of numbers.entries()) {
      const { over, under } = risingScore(risingParts(market, number))
      into[at] = Number(over) / Number(under)
    }
  },
  isWhole: false,
  exactly: (number) => risingScore(risingParts(market, number)),
})

/** Numbers of the tokens that are eligible. */
function risingNumbers(market: Market): Int32Array {
  const { now, '1h': hourAgo } = market.edges
  const [after, before] = [now.figures.engagement, hourAgo.figures.engagement]
  const found: number[] = []
  for (let number = 0; number < now.tokens.length; number++) {
    if ((after[number] as number) - figureAt(before, number) >= RISING_MIN_WALLET_HOURS) found.push(number)
  }
  const busy = Int32Array.from(found)
  const changes = new Float64Array(busy.length)
  changesIn(windowOf(market, '1h', market.space), now)(busy, changes)
  return busy.filter((number, at) => {
    const place = { number, token: now.tokens[number] as Token }
    return isAbove(changes[at] as number, 1) ?? priceChange(market, place, '1h').isUp
  })
}

function risingParts({ edges }: Market, number: number): Omit<RisingParts, 'change1hE2'> {
  const { now, '1h': hourAgo, '25h': dayBeforeThat } = edges
  const rankVolume = now.read('cumRankVolumeMicroUsd', number)
  return {
    rankVolume1h: rankVolume - hourAgo.read('cumRankVolumeMicroUsd', number),
    rankVolume25h: rankVolume - dayBeforeThat.read('cumRankVolumeMicroUsd', number),
    walletHours1h: now.read('cumEngagement', number) - hourAgo.read('cumEngagement', number),
  }
}
