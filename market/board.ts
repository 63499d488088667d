import { type Appraisal, capOf } from './appraisal.ts'
import { figureAt, type RankedEdge, volumesBetween } from './figures.ts'
import { type Key, type Place, ranked } from './ranking.ts'
import type { TokenKind } from './segment.ts'
import type { FlowField, Valuation } from './valuation.ts'
import type { WorthField } from './worth.ts'

/** A market at a moment, as far as ranking draws on it. */
export type Ranked = {
  readonly edge: RankedEdge<WorthField | FlowField | 'cumTrades' | 'holders'>
  /** 24 hours before. */
  readonly dayBefore: RankedEdge<FlowField>
  readonly valuation: Valuation
  readonly appraisal: Appraisal
}

/** Market caps of tokens, in micro-dollars. */
export const capsIn =
  (appraisal: Appraisal): Key['fill'] =>
  (numbers, into) => {
    for (let at = 0; at < numbers.length; at++) into[at] = capOf(appraisal, numbers[at] as number)
  }

/** What settles equal scores in every list: the volume of 24 hours, then the market cap. */
export function tieKeys({ edge, dayBefore, valuation, appraisal }: Ranked): readonly Key[] {
  return [
    {
      fill: volumesBetween(dayBefore, edge),
      isWhole: true,
      exactly: (number) => ({ over: valuation.volume24hOf(number), under: 1n }),
    },
    {
      fill: capsIn(appraisal),
      isWhole: true,
      exactly: (number) => ({ over: valuation.worthOf(number).marketCap, under: 1n }),
    },
  ]
}

/** What each board is ranked by: creators by counted portfolio (µ$), posts by engagement of 24 h (pairs). */
export const boardScore: { readonly [Kind in TokenKind]: (valuation: Valuation, number: number) => bigint } =
  {
    creator: ({ portfolioOf }, number) => {
      const portfolio = portfolioOf(number)
      return portfolio ? portfolio.tokenCounted + portfolio.postsCounted : 0n
    },
    post: ({ engagement24hOf }, number) => BigInt(engagement24hOf(number)),
  }

const boardFigures: {
  readonly [Kind in TokenKind]: (moment: Ranked, portfolio: Float64Array) => Key['fill']
} = {
  creator:
    ({ edge, appraisal: { unit } }, portfolio) =>
    (numbers, into) => {
      const { trades } = edge.figures
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at] as number
        const contends = unit[number] !== 0 && trades[number] !== 0
        into[at] = contends ? (portfolio[number] as number) : -Infinity
      }
    },
  post:
    ({ edge, dayBefore, appraisal: { unit } }) =>
    (numbers, into) => {
      const { trades, engagement } = edge.figures
      const before = dayBefore.figures.engagement
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at] as number
        const contends = unit[number] !== 0 && trades[number] !== 0
        into[at] = contends ? (engagement[number] as number) - figureAt(before, number) : -Infinity
      }
    },
}

/** Both boards of a moment, from the numbers of each kind and what is counted of creators: tokens that were ever traded and have a price. */
export function boardsAt(
  moment: Ranked,
  numbers: Readonly<Record<TokenKind, Int32Array>>,
  portfolio: Float64Array,
): Readonly<Record<TokenKind, readonly Place[]>> {
  const boardOf = (kind: TokenKind): readonly Place[] => {
    const key: Key = {
      fill: boardFigures[kind](moment, portfolio),
      isWhole: true,
      exactly: (number) => ({ over: boardScore[kind](moment.valuation, number), under: 1n }),
    }
    return ranked(moment.edge.tokens, numbers[kind], [key, ...tieKeys(moment)])
  }
  return { creator: boardOf('creator'), post: boardOf('post') }
}
