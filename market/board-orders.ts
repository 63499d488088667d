import { byLaunch, type Score } from './ranking.ts'
import type { BoardRow } from './row.ts'

/** Now against the base as an exact ratio; null where either is unknown, or the base 0. */
const ratio = (now: bigint | null, base: bigint | null | undefined): Score =>
  now !== null && base ? { over: now, under: base } : null

const whole = (over: bigint | null): Score => (over === null ? null : { over, under: 1n })

const changeOfPrice = ({ priceUsdE36, baseline }: BoardRow): Score =>
  ratio(priceUsdE36, baseline?.priceUsdE36)

/** What the rows of a board may be ordered by, best first. Ranks are the board's own and never change. */
export const boardOrders = {
  rank: ({ rank }) => whole(BigInt(-rank)),
  price: ({ priceUsdE36 }) => whole(priceUsdE36),
  market_cap: ({ marketCap }) => whole(marketCap),
  volume: ({ volume }) => whole(volume),
  total_volume: ({ totalVolume }) => whole(totalVolume),
  holders: ({ holders }) => whole(BigInt(holders)),
  price_change: changeOfPrice,
  change: changeOfPrice,
  market_cap_change: ({ marketCap, baseline }) => ratio(marketCap, baseline?.marketCap),
  volume_change: ({ volume24h, baseline }) => ratio(volume24h, baseline?.volume24h),
  holders_change: ({ holders, baseline }) => ratio(BigInt(holders), baseline && BigInt(baseline.holders)),
} as const satisfies Record<string, (row: BoardRow) => Score>

export type BoardOrder = keyof typeof boardOrders

/** Places of a board's rows in an order, best first; the last `unknown` have no value. Ties: 24 h volume, market cap, launch. */
export function orderedRows(
  rows: readonly BoardRow[],
  order: BoardOrder,
): { readonly rows: readonly number[]; readonly unknown: number } {
  const places = rows.map((row, at) => ({ row, at, ...scoreOf(row, order) }))
  const sorted = places.toSorted(
    (a, b) =>
      byScore(a, b) ||
      descending(a.row.volume24h, b.row.volume24h) ||
      descending(a.row.marketCap ?? 0n, b.row.marketCap ?? 0n) ||
      byLaunch(a.row.token, b.row.token),
  )
  return { rows: sorted.map(({ at }) => at), unknown: places.filter(({ score }) => !score).length }
}

/** A score, and about how much it is: mostly that tells two apart without multiplying them out. */
type Scored = { readonly score: Score; readonly about: number }

function scoreOf(row: BoardRow, order: BoardOrder): Scored {
  const score = boardOrders[order](row)
  return { score, about: score ? Number(score.over) / Number(score.under) : 0 }
}

/** Two conversions and a division: three roundings; this is a thousand of them. */
const MARGIN = 2 ** -43

function byScore(a: Scored, b: Scored): number {
  if (!a.score || !b.score) return Number(!a.score) - Number(!b.score)
  const difference = b.about - a.about
  if (Math.abs(difference) > MARGIN * (Math.abs(a.about) + Math.abs(b.about))) return difference
  return descending(a.score.over * b.score.under, b.score.over * a.score.under)
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)
