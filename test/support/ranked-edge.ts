import { appraise, portfoliosAt, pricesAt } from '../../market/appraisal.ts'
import { boardsAt } from '../../market/board.ts'
import type { RankedEdge } from '../../market/figures.ts'
import { numbersByKind } from '../../market/rankings.ts'
import {
  type Address,
  type References,
  type StateField,
  stateFields,
  type Token,
  type TokenState,
} from '../../market/segment.ts'
import { trendingAt } from '../../market/trending.ts'
import { valuationAt } from '../../market/valuation.ts'
import { workspaceFor } from '../../market/workspace.ts'
import { cellAsDouble, emptyColumns, readCell, writeState } from '../../snapshot/columns.ts'
import { emptyDoubles, writeDoubles } from '../../snapshot/double-columns.ts'
import { emptyLineage, type LineageStore, learnToken, placeOf } from '../../snapshot/lineage.ts'

export type Entry = readonly [Token, TokenState]

/** What is known of tokens, in the order of their numbers. */
export function lineageOf(tokens: readonly Token[]): LineageStore {
  const lineage = emptyLineage()
  const numbers = new Map<Address, number>()
  for (const [number, token] of tokens.entries()) {
    numbers.set(token.address, number)
    learnToken(lineage, number, token)
  }
  for (const { quote } of tokens) placeOf(lineage, quote, numbers)
  return lineage
}

/** The first of the lineage's tokens at an edge, in columns as the engine keeps them. */
export function edgeFrom(
  entries: readonly Entry[],
  references: References,
  lineage = lineageOf(entries.map(([token]) => token)),
): RankedEdge {
  const columns = emptyColumns(Object.keys(stateFields) as StateField[])
  const doubles = emptyDoubles()
  const numbers = new Map(entries.map(([{ address }], number) => [address, number]))
  for (const [number, [token, state]] of entries.entries()) {
    writeState(columns, number, state)
    const quote = placeOf(lineage, token.quote, numbers)
    const read = (field: StateField) => cellAsDouble(columns, field, number)
    writeDoubles(doubles, { fields: columns.fields, read }, { number, quote, isCurrency0: token.isCurrency0 })
  }
  return {
    tokens: entries.map(([token]) => token),
    references,
    numberOf: (address) => numbers.get(address),
    read: (field, number) => readCell(columns, field, number),
    figures: doubles,
    lineage,
  }
}

/** An edge ranked: its boards, and the trending lists since an edge before it. */
export function rankedFrom(edge: RankedEdge, dayBefore: RankedEdge) {
  const space = workspaceFor(edge.tokens.length)
  const appraisal = appraise(edge, space.units.now)
  const moment = { edge, dayBefore, valuation: valuationAt(edge, dayBefore, appraisal), appraisal }
  portfoliosAt(appraisal, space.portfolio)
  return {
    ...moment,
    boards: boardsAt(moment, numbersByKind(edge), space.portfolio),
    trendingSince: (since: { edge: RankedEdge; start: number }) => {
      pricesAt(since.edge, space.units['30d'])
      return trendingAt(moment, { since, unitsThen: space.units['30d'], unitsNow: space.units.now }, space)
    },
  }
}
