import { type Market, type TrendingRow, trendingRows } from './row.ts'
import type { MicroUsd, TokenKind } from './segment.ts'
import { type MarketVolume, marketVolume, type TotalsHistory } from './totals.ts'
import { startOf } from './window.ts'

/** The market in figures: sums over all tokens now, and the last 24 hours. */
export type MarketStats = {
  readonly day: MarketVolume
  /** Effective caps by kind of token, and plain caps of all. */
  readonly counted: Readonly<Record<TokenKind, MicroUsd>>
  readonly marketCap: MicroUsd
  readonly tokens: Readonly<Record<TokenKind, number>>
  /** Tokens created, and tokens traded, in the last 24 hours. */
  readonly born: number
  readonly active: number
  /** A wallet is a holder of each token it holds. */
  readonly holders: bigint
  readonly liquidity: MicroUsd
  /** Of the tokens traded in the last 24 hours: the largest change of price, the largest volume. Null when there was none. */
  readonly topGainer: TrendingRow | null
  readonly topVolume: TrendingRow | null
}

/** Figures of the whole market. */
export function marketStats(market: Market, history: TotalsHistory): MarketStats {
  const { edge, worths } = market.valuations.now
  const dayAgo = market.edges['24h']
  const start = startOf(market.minute, '24h')
  const counted = { creator: 0n, post: 0n }
  const tokens = { creator: 0, post: 0 }
  const sums = { marketCap: 0n, liquidity: 0n, holders: 0n, born: 0, active: 0 }
  for (const [number, { kind, launchedAt }] of edge.tokens.entries()) {
    const worth = worths[number]
    counted[kind] += worth?.effectiveCap ?? 0n
    tokens[kind] += 1
    sums.marketCap += worth?.marketCap ?? 0n
    sums.liquidity += worth?.liquidity ?? 0n
    sums.holders += BigInt(edge.read('holders', number))
    if (launchedAt.timestamp >= start) sums.born += 1
    if (edge.read('cumTrades', number) > dayAgo.read('cumTrades', number)) sums.active += 1
  }
  const gainer = trendingRows(market, '24h', 'change')[0] ?? null
  return {
    day: marketVolume(history, market.minute, '24h'),
    counted,
    tokens,
    ...sums,
    topGainer: gainer?.changeE2 == null ? null : gainer,
    topVolume: trendingRows(market, '24h', 'volume')[0] ?? null,
  }
}
