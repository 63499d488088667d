import { bothSidesOf, capOf, countedOf } from './appraisal.ts'
import { exactSum } from './exact-sum.ts'
import { figureAt } from './figures.ts'
import type { IndexFigures } from './index-answer.ts'
import type { PointsE8 } from './index-divisor.ts'
import { type Market, type TrendingRow, trendingRows } from './row.ts'
import type { MicroUsd, TokenKind } from './segment.ts'
import { type MarketVolume, marketVolume, type TotalsHistory } from './totals.ts'
import { changeOf, startOf } from './window.ts'
import { liquidityAt } from './worth.ts'

/** The market in figures: sums over all tokens now, and the last 24 hours. */
export type MarketStats = {
  readonly day: MarketVolume
  readonly index: { readonly valueE8: PointsE8; readonly change24hE2: bigint | null }
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
export function marketStats(market: Market, history: TotalsHistory, index: IndexFigures): MarketStats {
  const {
    appraisals: { now: appraisal },
    valuations: {
      now: { worthOf },
    },
  } = market
  const { now, '24h': dayAgo } = market.edges
  const start = startOf(market.minute, '24h')
  const sums = {
    marketCap: exactSum((number) => worthOf(number).marketCap),
    liquidity: exactSum((number) => liquidityAt(now, number)),
  }
  const sumOfCounted = () => exactSum((number) => worthOf(number).effectiveCap)
  const counted = { creator: sumOfCounted(), post: sumOfCounted() }
  const tokens = { creator: 0, post: 0 }
  let [holders, born, active] = [0, 0, 0]
  for (let number = 0; number < now.tokens.length; number++) {
    const kind = now.lineage.isCreator[number] === 1 ? 'creator' : 'post'
    tokens[kind] += 1
    holders += now.figures.holders[number] as number
    if ((now.lineage.launchedAt[number] as number) >= start) born += 1
    if ((now.figures.trades[number] as number) > figureAt(dayAgo.figures.trades, number)) active += 1
    if (appraisal.unit[number] === 0) continue
    counted[kind].add(countedOf(appraisal, number), number)
    sums.marketCap.add(capOf(appraisal, number), number)
    sums.liquidity.add(bothSidesOf(now, appraisal, number), number)
  }
  const gainer = trendingRows(market, '24h', 'change')[0] ?? null
  return {
    day: marketVolume(history, market.minute, '24h'),
    index: {
      valueE8: index.valueE8,
      change24hE2: changeOf(index.startValues['24h'], index.valueE8).percentE2,
    },
    counted: { creator: counted.creator.total(), post: counted.post.total() },
    marketCap: sums.marketCap.total(),
    liquidity: sums.liquidity.total(),
    tokens,
    born,
    active,
    holders: BigInt(holders),
    topGainer: gainer?.changeE2 == null ? null : gainer,
    topVolume: trendingRows(market, '24h', 'volume')[0] ?? null,
  }
}
