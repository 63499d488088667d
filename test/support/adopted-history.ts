/** A log that begins in the middle of the chain's history, against the one that has all of it: every figure that needs no older history is the same. */
import { expect } from 'vitest'
import { isAdopted } from '../../market/adoption.ts'
import type { Block, Segment, SegmentRow, TokenState } from '../../market/segment.ts'

/** Of a state, what no older history is needed for. */
const own = ({ sqrtPriceX96, supply, selfHeld, reserveQuote, reserveToken }: TokenState) => ({
  ...{ sqrtPriceX96, supply, selfHeld, reserveQuote, reserveToken },
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

/** A row of a minute without what older history counts: its token's place in time, its launch and launcher, and the counters' size. */
const comparable = (row: SegmentRow) => {
  const { launch: _, launchedAt: __, launchedBy: ___, ...description } = row.description
  return {
    ...{ description, before: own(row.before), after: own(row.after), grown: grown(row) },
    ...{ rangesBefore: row.rangesBefore, ranges: row.ranges, candle: row.candle },
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
      expect(later.launchedBy).toBe(isAdopted(later) ? null : description.launchedBy)
    }
    expect({ swaps, references, facts }).toEqual({
      ...{ swaps: all.swaps, references: all.references, facts: all.facts },
    })
  }
}

type Row = Readonly<Record<string, string | number | boolean | null | object>> & {
  readonly contract_address: string
}

/** Keys of rows that older history counts in, or other tokens' places. */
const ofHistory = new Set([
  ...['rank', 'position', 'previous_rank', 'rank_change', 'is_new', 'created_at', 'coverage_from'],
  // The posts that nobody has traded since, and which creator token of an address is its first.
  ...[
    'portfolio',
    'portfolio_value',
    'portfolio_value_raw',
    'score',
    'creator_name',
    'creator_handle',
    'handle',
    'name_flags',
  ],
])
const unknownOfOld = ['total_volume', 'total_volume_raw', 'unique_holders', 'holders_count', 'created_at']

const rowsIn = (documents: Record<string, string>, name: string): ReadonlyMap<string, Row> =>
  new Map((JSON.parse(documents[name]!) as Row[]).map((row) => [row.contract_address, row]))

/** Boards say of every token what they say with all of history, or null, and from when on it is known; the keys that were compared. */
export function expectSameBoards(
  all: Record<string, string>,
  own: Record<string, string>,
  start: Block,
): readonly string[] {
  const compared: string[] = []
  for (const name of ['v1/z100/creators/1h', 'v1/z100/posts/1h', 'v1/z100/creators/4h', 'v1/z100/posts/4h']) {
    const rows = rowsIn(all, name)
    for (const [address, row] of rowsIn(own, name)) {
      const full = rows.get(address)
      if (!full) continue
      const isOld = row['coverage_from'] !== null
      if (isOld) {
        expect(row['coverage_from']).toBe(new Date(start.timestamp * 1_000).toISOString().replace('.000', ''))
        expect(unknownOfOld.map((key) => row[key])).toEqual(unknownOfOld.map(() => null))
      }
      for (const [key, value] of Object.entries(row)) {
        const isUnknown = isOld && (unknownOfOld.includes(key) || /holders|total_volume/.test(key))
        if (ofHistory.has(key) || isUnknown) continue
        // What began before the log may be unknown; it is never another number.
        if (value === null && isOld) continue
        expect({ address, key, value }).toEqual({ address, key, value: full[key] })
        compared.push(key)
      }
    }
  }
  return compared
}
