import type { Minute, TokenKind } from '../segment.ts'
import { LONGEST_WINDOW_MINUTES } from '../window.ts'
import { countedOf } from './portfolio.ts'
import { type ListedToken, type RankingKey, ranked, whole, wholeKey } from './ranking.ts'
import type { Valuation } from './valuation.ts'

/** Token numbers by kind. */
export type ByKind<V> = Readonly<Record<TokenKind, V>>

/** Tie-breakers of every list: the 24-hour volume, then the market cap. */
export const tieKeys = (valuation: Valuation): readonly RankingKey[] => [
  wholeKey(valuation.volume24h),
  marketCapKey(valuation),
]

/** The key of the market cap in micro-dollars, which is floored. */
export const marketCapKey = ({ approximation, worthOf }: Valuation): RankingKey => ({
  about: approximation.marketCap,
  exactly: (number) => whole(worthOf(number).marketCap),
  floored: 1,
})

/** Ranking key of each board: creators by the counted value of their portfolio (µ$), posts by engagement in 24 h (pairs). */
export const boardScore: ByKind<(valuation: Valuation, number: number) => bigint> = {
  creator: ({ portfolioOf }, number) => {
    const portfolio = portfolioOf(number)
    return portfolio ? countedOf(portfolio) : 0n
  },
  post: ({ engagement24h }, number) => BigInt(engagement24h.exactly(number)),
}

const boardKeys: ByKind<(valuation: Valuation) => RankingKey> = {
  creator: (valuation) => ({
    about: valuation.approximation.counted,
    exactly: (number) => whole(boardScore.creator(valuation, number)),
    // One currency for each.
    floored: 8,
  }),
  post: ({ engagement24h }) => wholeKey(engagement24h),
}

/**
 * Numbers of the tokens that may be on a board now: a swap in the last 30 days, for a creator token its own or of one of
 * its posts.
 */
export function boardTokens(
  { market, approximation: { lastSwap } }: Valuation,
  minute: Minute,
): ByKind<readonly number[]> {
  const numbers: ByKind<number[]> = { creator: [], post: [] }
  const { isCreator } = market.coins()
  for (let number = 0; number < market.count; number++) {
    if ((lastSwap[number] as number) > minute - LONGEST_WINDOW_MINUTES) {
      numbers[isCreator[number] === 1 ? 'creator' : 'post'].push(number)
    }
  }
  return numbers
}

/** Whether it is unknown if a token had a swap by then: it is older than the log, which has none by then. */
export const mayHaveSwap = ({ market, approximation: { lastSwap } }: Valuation, number: number): boolean =>
  lastSwap[number] === 0 && market.coins().isImported[number] === 1

/**
 * Both boards at a time, from the tokens that may be on one now and had a price and a swap by then. `isFullest`: also
 * those that may have had one.
 */
export function boardsAt(
  valuation: Valuation,
  numbers: ByKind<readonly number[]>,
  isFullest = false,
): ByKind<readonly ListedToken[]> {
  const { market, approximation } = valuation
  const { price, lastSwap } = approximation
  const hasSwap = (number: number) => lastSwap[number] !== 0 || (isFullest && mayHaveSwap(valuation, number))
  const boardOf = (kind: TokenKind): readonly ListedToken[] => {
    const contenders = numbers[kind].filter((number) => price[number] !== 0 && hasSwap(number))
    return ranked(contenders, market.tokenOf, [boardKeys[kind](valuation), ...tieKeys(valuation)])
  }
  return { creator: boardOf('creator'), post: boardOf('post') }
}
