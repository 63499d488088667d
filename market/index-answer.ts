import type { PointsE8 } from './index-divisor.ts'
import type { Lists } from './lists.ts'
import type { BoardRow } from './row.ts'
import { INDEX_TOP } from './rules.ts'
import type { MicroUsd, Minute, TokenKind } from './segment.ts'
import { type Change, changeOf, type Period } from './window.ts'
import type { Z100Index } from './z100-index.ts'

/** What a minute's documents say of the index itself. */
export type IndexFigures = Pick<Z100Index, 'valueE8' | 'divisor' | 'members' | 'since'> & {
  readonly minute: Minute
  /** The value at the start of each period; null where the index is younger. */
  readonly startValues: Readonly<Record<Period, PointsE8 | null>>
}

/** The index beside the totals of the boards in a period. */
export type IndexAnswer = Omit<IndexFigures, 'startValues'> & {
  readonly period: Period
  readonly startValueE8: PointsE8 | null
  readonly change: Change
  readonly volumes: Readonly<Record<TokenKind, MicroUsd>>
  readonly trades: number
  /** Rows with a trade in the period. */
  readonly active: Readonly<Record<TokenKind, number>>
  /** The first rows of each board. */
  readonly top: Readonly<Record<TokenKind, readonly BoardRow[]>>
}

/** The index and both boards in a period. */
export function indexAnswer({ boards }: Lists, figures: IndexFigures, period: Period): IndexAnswer {
  const { startValues, ...now } = figures
  const rows = { creator: boards.creator[period], post: boards.post[period] }
  const byKind = <V>(of: (some: readonly BoardRow[]) => V) => ({
    creator: of(rows.creator),
    post: of(rows.post),
  })
  return {
    ...now,
    period,
    startValueE8: startValues[period],
    change: changeOf(startValues[period], now.valueE8),
    volumes: byKind((some) => some.reduce((sum, { volume }) => sum + volume, 0n)),
    trades: [...rows.creator, ...rows.post].reduce((sum, { trades }) => sum + trades, 0),
    active: byKind((some) => some.filter(({ trades }) => trades > 0).length),
    top: byKind((some) => some.slice(0, INDEX_TOP)),
  }
}
