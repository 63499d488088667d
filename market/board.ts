import { type RankedEdge, volumesBetween } from './figures.ts'
import { gathered, type Key, type Place, ranked } from './ranking.ts'
import type { TokenKind } from './segment.ts'
import type { FlowField, Valuation } from './valuation.ts'
import type { Workspace } from './workspace.ts'
import type { WorthField } from './worth.ts'

/** A market at a moment, as far as ranking draws on it. */
export type Ranked = {
  readonly edge: RankedEdge<WorthField | FlowField | 'cumTrades' | 'holders'>
  /** 24 hours before. */
  readonly dayBefore: RankedEdge<FlowField>
  readonly valuation: Valuation
}

/** What settles equal scores in every list: the volume of 24 hours, then the market cap. */
export function tieKeys({ edge, dayBefore, valuation }: Ranked, space: Workspace): readonly Key[] {
  return [
    {
      fill: volumesBetween(dayBefore, edge),
      isWhole: true,
      exactly: (number) => ({ over: valuation.volume24hOf(number), under: 1n }),
    },
    {
      fill: gathered(space.marketCap),
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
  readonly [Kind in TokenKind]: (moment: Ranked, space: Workspace) => Key['fill']
} = {
  creator: (_moment, { portfolio }) => gathered(portfolio),
  post: ({ edge, dayBefore }) => {
    const [now, then] = [edge.figures.engagement, dayBefore.figures.engagement]
    return (numbers, into) => {
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at] as number
        into[at] = (now[number] as number) - (then[number] ?? 0)
      }
    }
  },
}

/** Both boards of an appraised moment: tokens of a kind that were ever traded and have a price. */
export function boardsAt(moment: Ranked, space: Workspace): Readonly<Record<TokenKind, readonly Place[]>> {
  const boardOf = (kind: TokenKind): readonly Place[] => {
    const { tokens, figures, lineage } = moment.edge
    const isCreator = kind === 'creator' ? 1 : 0
    let count = 0
    for (let at = 0; at < space.priced; at++) {
      const number = space.order[at] as number
      if (lineage.isCreator[number] !== isCreator || figures.trades[number] === 0) continue
      space.contenders[count++] = number
    }
    const key: Key = {
      fill: boardFigures[kind](moment, space),
      isWhole: true,
      exactly: (number) => ({ over: boardScore[kind](moment.valuation, number), under: 1n }),
    }
    const contenders = { numbers: space.contenders.subarray(0, count), scores: space.scores }
    return ranked(tokens, contenders, [key, ...tieKeys(moment, space)])
  }
  return { creator: boardOf('creator'), post: boardOf('post') }
}
