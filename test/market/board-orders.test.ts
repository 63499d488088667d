import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BoardOrder, boardOrders, orderedRows } from '../../market/board-orders.ts'
import type { BoardRow } from '../../market/row.ts'
import type { Token } from '../../market/segment.ts'
import { seeded } from '../support/swap-feed.ts'

/** Prices and caps that doubles can tell apart, that they cannot, and that are the same. */
const near = fc
  .tuple(fc.constantFrom(1n, 7n, 10n ** 20n, 3n * 10n ** 40n), fc.bigInt(0n, 2n))
  .map(([base, more]) => base + more)
const known = fc.option(near, { nil: null })
const rowOf = fc.record({
  priceUsdE36: known,
  marketCap: known,
  before: known,
  volume: near,
  volume24h: near,
})

/** Rows of a board, in the order of their launches. */
const rowsFrom = (facts: readonly (typeof rowOf extends fc.Arbitrary<infer V> ? V : never)[]) =>
  facts.map(({ before, ...figures }, at) => {
    const token = { address: `0x${at}`, launchedAt: { blockNumber: at, logIndex: 0 } } as unknown as Token
    const baseline =
      before === null ? null : { priceUsdE36: before, marketCap: before, volume24h: before, holders: 3 }
    return { ...figures, rank: at + 1, token, baseline, holders: 1, totalVolume: figures.volume } as BoardRow
  })

/** Of two rows the one that must stand first, multiplied out. */
function isBefore(order: BoardOrder, a: BoardRow, b: BoardRow): boolean {
  const [x, y] = [boardOrders[order](a), boardOrders[order](b)]
  if (!x || !y) return x !== null || (y === null && isFirstOfEquals(a, b))
  const [left, right] = [x.over * y.under, y.over * x.under]
  return left === right ? isFirstOfEquals(a, b) : left > right
}
function isFirstOfEquals(a: BoardRow, b: BoardRow): boolean {
  if (a.volume24h !== b.volume24h) return a.volume24h > b.volume24h
  const [left, right] = [a.marketCap ?? 0n, b.marketCap ?? 0n]
  return left === right ? a.token.launchedAt.blockNumber < b.token.launchedAt.blockNumber : left > right
}

describe('the orders of a board', () => {
  it.each(Object.keys(boardOrders) as BoardOrder[])('is exact to the last digit: %s', (order) => {
    const property = fc.property(fc.array(rowOf, { maxLength: 12 }), (facts) => {
      const rows = rowsFrom(facts)
      const { rows: places, unknown } = orderedRows(rows, order)
      expect(places.toSorted((a, b) => a - b)).toEqual(rows.map((_, at) => at))
      for (const [at, place] of places.slice(1).entries())
        expect(isBefore(order, rows[places[at]!]!, rows[place]!)).toBe(true)
      expect(unknown).toBe(rows.filter((row) => boardOrders[order](row) === null).length)
    })
    fc.assert(property)
  })

  it('tells changes apart that doubles take for the same, or for the reverse', () => {
    const random = seeded(5)
    const facts = Array.from({ length: 50 }, () => {
      const before = 10n ** 30n + BigInt(Math.floor(random() * 2 ** 50)) * 10n ** 14n
      const price = 3n * before + BigInt(Math.floor(random() * 1_000))
      return { priceUsdE36: price, marketCap: price, before, volume: 1n, volume24h: 1n }
    })
    const rows = rowsFrom(facts)
    const { rows: places } = orderedRows(rows, 'change')
    const pairs = places.slice(1).map((place, at) => [rows[places[at]!]!, rows[place]!] as const)
    expect(pairs.filter(([a, b]) => !isBefore('change', a, b))).toEqual([])
    const about = ({ priceUsdE36, baseline }: BoardRow) => Number(priceUsdE36) / Number(baseline!.priceUsdE36)
    expect(pairs.filter(([a, b]) => about(a) < about(b)).length).toBeGreaterThan(5)
  })
})
