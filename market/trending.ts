import { type Edge, type Place, priceAt, ranked, type Score, type Valuation } from './board.ts'
import type { Token, UsdE36 } from './segment.ts'

/** What a trending list may be ordered by, best first. */
export const trendingSorts = ['volume', 'market_cap', 'change', 'holders'] as const
export type TrendingSort = (typeof trendingSorts)[number]

/** The start of a window: the edge there and its time in Unix seconds. */
export type Since = {
  readonly edge: Edge<'sqrtPriceX96' | 'cumVolumeMicroUsd' | 'cumTrades'>
  readonly start: number
}

/** True when a token is compared with its launch, because it is younger than the window. */
export const isYounger = (token: Token, start: number): boolean => token.launchedAt.timestamp >= start

/** Price a token is compared with: its launch price if it is younger than the window, else the price at the edge; null where neither is known. */
export function basePriceAt({ edge, start }: Since, number: number, token: Token): UsdE36 | null {
  if (isYounger(token, start)) return token.launch.priceUsdE36
  return priceAt(edge, number) || null
}

const scores: {
  readonly [Sort in TrendingSort]: (now: Valuation, since: Since, place: Omit<Place, 'score'>) => Score
} = {
  volume: ({ edge }, since, { number }) =>
    whole(edge.read('cumVolumeMicroUsd', number) - since.edge.read('cumVolumeMicroUsd', number)),
  market_cap: ({ worths }, _since, { number }) => whole(worths[number]?.marketCap || null),
  change: ({ worths }, since, { number, token }) => {
    const base = basePriceAt(since, number, token)
    const price = worths[number]?.priceUsdE36
    return base && price ? { over: price, under: base } : null
  },
  holders: ({ edge }, _since, { number }) => whole(BigInt(edge.read('holders', number))),
}

const whole = (over: bigint | null): Score => (over === null ? null : { over, under: 1n })

/** The tokens traded since the start of the window, in the order asked for. */
export function trendingAt(now: Valuation, since: Since, sort: TrendingSort): readonly Place[] {
  const contenders: Place[] = []
  for (const [number, token] of now.edge.tokens.entries()) {
    if (now.edge.read('cumTrades', number) === since.edge.read('cumTrades', number)) continue
    contenders.push({ number, token, score: scores[sort](now, since, { number, token }) })
  }
  return ranked(now, contenders)
}
