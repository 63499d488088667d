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
  const places = rows.map((row, at) => ({ row, at, score: boardOrders[order](row) }))
  const sorted = places.toSorted(
    (a, b) =>
      byScore(a.score, b.score) ||
      descending(a.row.volume24h, b.row.volume24h) ||
      descending(a.row.marketCap ?? 0n, b.row.marketCap ?? 0n) ||
      byLaunch(a.row.token, b.row.token),
  )
  return { rows: sorted.map(({ at }) => at), unknown: places.filter(({ score }) => !score).length }
}

function byScore(a: Score, b: Score): number {
  if (!a || !b) return Number(!a) - Number(!b)
  return descending(a.over * b.under, b.over * a.under)
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)
