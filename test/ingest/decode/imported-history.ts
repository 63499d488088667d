/** A log that begins in the middle of the chain's history, against the one that has all of it: every figure that needs no older history is the same. */
import { expect } from 'vitest'
import { isImported } from '../../../market/coverage.ts'
import type { Segment, SegmentRow, TokenState } from '../../../market/segment.ts'

/** Of a state, what no older history is needed for. */
const own = ({ sqrtPriceX96, supply, selfHeld, reserveQuote, reserveToken }: TokenState) => ({
  sqrtPriceX96,
  supply,
  selfHeld,
  reserveQuote,
  reserveToken,
})

const counters = [
  'cumVolumeMicroUsd',
  'cumBuyVolumeMicroUsd',
  'cumRankVolumeMicroUsd',
  'cumTrades',
  'cumBuys',
  'cumEngagement',
] as const

/** By how much a minute moved each counter. */
const grown = ({ before, after }: SegmentRow) =>
  counters.map((name) => BigInt(after[name]) - BigInt(before[name]))

/** What only older history tells about a token. */
const untold = ['launch', 'launchedAt', 'launchedBy', 'migrations', 'nameSince', 'symbolSince']

/** A row of a minute without what older history counts: its token's place in time, its launch and launcher, and the counters' size. */
function comparable(row: SegmentRow) {
  const description = Object.fromEntries(
    Object.entries(row.description).filter(([name]) => !untold.includes(name)),
  )
  return {
    description,
    before: own(row.before),
    after: own(row.after),
    grown: grown(row),
    rangesBefore: row.rangesBefore,
    ranges: row.ranges,
    candle: row.candle,
  }
}

/** Every row and swap of every minute of the later log is that of the log of all history. */
export function expectSameMinutes(whole: readonly Segment[], later: readonly Segment[]): void {
  const first = later[0]!.minute
  const history = whole.filter(({ minute }) => minute >= first)
  expect(later.map(({ minute }) => minute)).toEqual(history.map(({ minute }) => minute))
  for (const [at, { rows, swaps, references, facts }] of later.entries()) {
    const all = history[at]!
    const own = new Map(rows.map((row) => [row.token, row]))
    // Which creator token of an address is the oldest is older history: untouched rows that stand beside others may differ.
    const touched = all.rows.filter((row) => row.before !== row.after && own.has(row.token))
    const missing = all.rows.filter((row) => !own.has(row.token) && row.candle)
    expect(missing).toEqual([])
    expect(touched.map((row) => comparable(own.get(row.token)!))).toEqual(touched.map(comparable))
    for (const { token, description } of touched) {
      const later = own.get(token)!.description
      expect(later.launchedBy).toBe(isImported(later) ? null : description.launchedBy)
      for (const name of ['nameSince', 'symbolSince'] as const)
        expect([description[name], ...(isImported(later) ? [null] : [])]).toContain(later[name])
      const since = description.migrations.filter(({ timestamp }) => timestamp >= 60 * first)
      expect(later.migrations).toEqual(since)
    }
    expect({ swaps, references, facts }).toEqual({
      swaps: all.swaps,
      references: all.references,
      facts: all.facts,
    })
  }
}
