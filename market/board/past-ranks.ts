/** Ranks on earlier boards. */
import { isCovered } from '../coverage.ts'
import { startOf } from '../window.ts'
import type { Market } from './rankings.ts'

/** A rank on an earlier board; null: not on it. 'unknown': it needs history older than the log. */
export type RankThen = number | null | 'unknown'

/** A board at the start of a period, best first: as it was, and if all older tokens had been swapped before the log. */
export type BoardThen = {
  readonly sure: readonly number[]
  readonly fullest: readonly number[]
  /** Whether a token may have had a swap before the log. */
  readonly mayHaveSwap: (number: number) => boolean
}

/**
 * Ranks on a board at the start of a period. They are unknown where the log does not have the 30 days that make a token a
 * candidate, or where they depend on whether older tokens had been swapped before the log.
 */
export function ranksThen(
  { coverageFrom, minute }: Pick<Market, 'coverageFrom' | 'minute'>,
  { sure, fullest, mayHaveSwap }: BoardThen,
): (number: number) => RankThen {
  if (!isCovered(coverageFrom, startOf(minute, '30d'))) return () => 'unknown'
  const ranksOn = (board: readonly number[]) => new Map(board.map((number, at) => [number, at + 1] as const))
  const [ranks, most] = [ranksOn(sure), ranksOn(fullest)]
  return (number) => {
    const rank = ranks.get(number) ?? null
    return rank === (most.get(number) ?? null) && !mayHaveSwap(number) ? rank : 'unknown'
  }
}

/** A board row's earlier rank; `hasState`: whether the log reaches back to the period's start. */
export const previousRank = (
  rank: RankThen,
  hasState: boolean,
): { readonly isNew: boolean | null; readonly previousRank: number | null } => ({
  isNew: rank === 'unknown' ? null : hasState && rank === null,
  previousRank: rank === 'unknown' ? null : rank,
})
