import type { IndexFigures } from './index-answer.ts'
import type { PointsE8 } from './index-divisor.ts'
import type { Lists } from './lists.ts'
import { microUsdOf } from './pool.ts'
import type { Market } from './rankings.ts'
import type { TrendingRow } from './row.ts'
import type { ReferenceTotals, RunningTotals } from './running-totals.ts'
import type { MicroUsd, References, TokenKind } from './segment.ts'
import { type MarketVolume, marketVolume, type TotalsHistory } from './totals.ts'
import { changeOf } from './window.ts'

/** The market in figures: sums over all tokens ever launched, and the last 24 hours. */
export type MarketStats = {
  readonly day: MarketVolume
  readonly index: { readonly valueE8: PointsE8; readonly change24hE2: bigint | null }
  /** What is counted of creator tokens, and what posts add to it; and plain caps of all. */
  readonly counted: Readonly<Record<TokenKind, MicroUsd>>
  readonly marketCap: MicroUsd
  readonly tokens: Readonly<Record<TokenKind, number>>
  /** Tokens created, and tokens traded, in the last 24 hours. */
  readonly born: number
  readonly active: number
  /** A wallet is a holder of each token it holds. */
  readonly holders: bigint
  /** Quote side of the pools quoted in reference currencies. */
  readonly liquidity: MicroUsd
  /** Of the tokens traded in the last 24 hours: the largest change of price, the largest volume. Null when there was none. */
  readonly topGainer: TrendingRow | null
  readonly topVolume: TrendingRow | null
}

/** The market's running totals, now and 24 hours ago, and those of each minute before. */
export type Totals = {
  readonly now: RunningTotals
  readonly dayAgo: RunningTotals
  readonly history: TotalsHistory
}

/** What figures of the whole market are made from. */
export type StatsFacts = {
  readonly market: Market
  readonly lists: Lists
  readonly totals: Totals
  readonly index: IndexFigures
}

/** Figures of the whole market. */
export function marketStats({
  market,
  lists,
  index,
  totals: { now, dayAgo, history },
}: StatsFacts): MarketStats {
  const { at, tokens, minute } = market
  const sumOf = (...parts: (keyof ReferenceTotals)[]) => valueInUsd(now, at.now.references, parts)
  const { change, volume } = lists.trending['24h']
  const [gainer = null] = change
  const countOf = ({ creators, posts }: RunningTotals) => creators + posts
  return {
    day: marketVolume(history, minute, '24h'),
    index: {
      valueE8: index.valueE8,
      change24hE2: changeOf(index.startValues['24h'], index.valueE8).percentE2,
    },
    counted: { creator: sumOf('creatorCounted'), post: sumOf('postCounted') },
    marketCap: sumOf('creatorPlain', 'postPlain'),
    liquidity: sumOf('liquidity'),
    tokens: { creator: now.creators, post: now.posts },
    born: countOf(now) - countOf(dayAgo),
    active: tokens.reduce(
      (count, _, number) =>
        count + Number(at.now.read('cumTrades', number) > at['24h'].read('cumTrades', number)),
      0,
    ),
    holders: BigInt(now.holders),
    topGainer: gainer?.changeE2 == null ? null : gainer,
    topVolume: volume[0] ?? null,
  }
}

/** The sums of some parts by reference currency, each valued once. */
function valueInUsd(
  { references: totals }: RunningTotals,
  references: References,
  parts: readonly (keyof ReferenceTotals)[],
): MicroUsd {
  return [...totals].reduce((value, [currency, sums]) => {
    const rate = references.get(currency)
    const sum = parts.reduce((total, part) => total + sums[part], 0n)
    return rate ? value + microUsdOf(sum, rate.heldUsdE36, rate.decimals) : value
  }, 0n)
}
