import { countedOf } from './portfolio.ts'
import { type RankedToken, type RankingKey, ranked } from './ranking.ts'
import type { Minute, TokenKind } from './segment.ts'
import type { Valuation } from './valuation.ts'
import { LONGEST_WINDOW_MINUTES } from './window.ts'

/** Numbers of tokens by their kind. */
export type ByKind<V> = Readonly<Record<TokenKind, V>>

/** What settles equal scores in every list: the volume of 24 hours, then the market cap. */
export const tieKeys = ({ approximation, volume24hOf, worthOf }: Valuation): readonly RankingKey[] => [
  {
    about: approximation.volume24h,
    exactly: (number) => ({ over: volume24hOf(number), under: 1n }),
    isWhole: true,
  },
  {
    about: approximation.marketCap,
    exactly: (number) => ({ over: worthOf(number).marketCap, under: 1n }),
    floored: 1,
  },
]

/** What each board is ranked by: creators by what is counted of their portfolio (µ$), posts by engagement of 24 h (pairs). */
export const boardScore: ByKind<(valuation: Valuation, number: number) => bigint> = {
  creator: ({ portfolioOf }, number) => {
    const portfolio = portfolioOf(number)
    return portfolio ? countedOf(portfolio) : 0n
  },
  post: ({ engagement24hOf }, number) => BigInt(engagement24hOf(number)),
}

const boardKeys: ByKind<(valuation: Valuation) => RankingKey> = {
  creator: (valuation) => ({
    about: valuation.approximation.counted,
    exactly: (number) => ({ over: boardScore.creator(valuation, number), under: 1n }),
    // One for each reference currency.
    floored: 8,
  }),
  post: (valuation) => ({
    about: valuation.approximation.engagement24h,
    exactly: (number) => ({ over: boardScore.post(valuation, number), under: 1n }),
    isWhole: true,
  }),
}

/** Numbers of the tokens that may be on a board now: those with a swap in the last 30 days, of a creator token its own or one of its posts'. */
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

/** Both boards of a time: of the tokens that may be on one now, those that had a price and a swap by then. */
export function boardsAt(
  valuation: Valuation,
  numbers: ByKind<readonly number[]>,
): ByKind<readonly RankedToken[]> {
  const { market, approximation } = valuation
  const { price, lastSwap } = approximation
  const boardOf = (kind: TokenKind): readonly RankedToken[] => {
    const contenders = numbers[kind].filter((number) => price[number] !== 0 && lastSwap[number] !== 0)
    return ranked(contenders, market.tokenOf, [boardKeys[kind](valuation), ...tieKeys(valuation)])
  }
  return { creator: boardOf('creator'), post: boardOf('post') }
}
