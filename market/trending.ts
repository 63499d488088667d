import { capsIn, type Ranked, tieKeys } from './board.ts'
import { figureAt, type RankedEdge, volumesBetween } from './figures.ts'
import { gathered, type Key, type Place, ranked, type Score } from './ranking.ts'
import type { Token, UsdE36 } from './segment.ts'
import type { Workspace } from './workspace.ts'
import { type Edge, priceAt } from './worth.ts'

/** What a trending list may be ordered by, best first. */
export const trendingSorts = ['volume', 'market_cap', 'change', 'holders'] as const
export type TrendingSort = (typeof trendingSorts)[number]

/** The start of a window: the edge there and its time in Unix seconds. */
export type Since = {
  readonly edge: Edge<'sqrtPriceX96' | 'cumVolumeMicroUsd' | 'cumTrades'>
  readonly start: number
  /** Prices there, from where they are worked out once. @default from the edge */
  readonly priceOf?: (number: number) => UsdE36
}

/** True when a token is compared with its launch, because it is younger than the window. */
export const isYounger = (token: Token, start: number): boolean => token.launchedAt.timestamp >= start

/** Price a token is compared with: its launch price if it is younger than the window, else the price at the edge; null where neither is known. */
export function basePriceAt(since: Since, number: number, token: Token): UsdE36 | null {
  const { edge, start, priceOf = (number) => priceAt(edge, number) } = since
  if (isYounger(token, start)) return token.launch.priceUsdE36
  return priceOf(number) || null
}

/** A window of now: its start, and the units of a token's price at both ends. */
export type Window = {
  readonly since: Since & { readonly edge: RankedEdge<'sqrtPriceX96' | 'cumVolumeMicroUsd' | 'cumTrades'> }
  readonly unitsThen: Float64Array
  readonly unitsNow: Float64Array
}

const trendingKeys: {
  readonly [Sort in TrendingSort]: (now: Ranked, window: Window) => Key
} = {
  volume: ({ edge }, { since }) => ({
    fill: volumesBetween(since.edge, edge),
    isWhole: true,
    exactly: (number) =>
      whole(edge.read('cumVolumeMicroUsd', number) - since.edge.read('cumVolumeMicroUsd', number)),
  }),
  market_cap: ({ valuation, appraisal }) => ({
    fill: capsIn(appraisal),
    isWhole: true,
    exactly: (number) => whole(valuation.worthOf(number).marketCap),
  }),
  change: ({ edge, valuation }, window) => ({
    fill: changesIn(window, edge),
    isWhole: false,
    exactly: (number) => {
      const base = basePriceAt(window.since, number, edge.tokens[number] as Token)
      const price = valuation.worthOf(number).priceUsdE36
      return base && price ? { over: price, under: base } : null
    },
  }),
  holders: ({ edge }) => ({
    fill: gathered(edge.figures.holders),
    isWhole: true,
    exactly: (number) => whole(BigInt(edge.read('holders', number))),
  }),
}

const whole = (over: bigint): Score => ({ over, under: 1n })

/** Base units of a token. */
const WHOLE = 1e18

/** Price now by price then, of tokens; 0 where either is unknown. */
export const changesIn =
  ({ since, unitsThen, unitsNow }: Window, { lineage }: RankedEdge<never>): Key['fill'] =>
  (numbers, into) => {
    const { launchedAt, launchPrice } = lineage
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] as number
      const isYoung = (launchedAt[number] as number) >= since.start
      const base = isYoung ? (launchPrice[number] as number) : (unitsThen[number] as number) * WHOLE
      into[at] = base === 0 ? 0 : ((unitsNow[number] as number) * WHOLE) / base
    }
  }

/** The tokens with a price that were traded since the start of the window, in each of the orders. */
export function trendingAt(
  now: Ranked,
  window: Window,
  { contenders: traded }: Workspace,
): Readonly<Record<TrendingSort, readonly Place[]>> {
  const { tokens } = now.edge
  const { trades } = now.edge.figures
  const { trades: before } = window.since.edge.figures
  let count = 0
  for (let number = 0; number < tokens.length; number++) {
    const isTraded = trades[number] !== figureAt(before, number)
    if (isTraded && window.unitsNow[number] !== 0) traded[count++] = number
  }
  const contenders = traded.subarray(0, count)
  const ties = tieKeys(now)
  const listOf = (sort: TrendingSort) =>
    ranked(tokens, contenders, [trendingKeys[sort](now, window), ...ties])
  return {
    volume: listOf('volume'),
    market_cap: listOf('market_cap'),
    change: listOf('change'),
    holders: listOf('holders'),
  }
}
