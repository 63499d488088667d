import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../schemas/field.ts'
import * as kind from '../../schemas/kinds.ts'
import { pageOf, poolFrom, poolText, UnknownOrderError } from '../../schemas/row-pool.ts'

type Row = { rank: number; name: string; cap: bigint; change: bigint | null }
const field = fieldsOf<Row>()
const table = {
  rank: field(kind.count, (row) => row.rank, { says: 'rank' }),
  position: field(kind.count, (row) => row.rank, { says: 'place' }),
  name: field(kind.text, (row) => row.name, { says: 'name', aliases: ['title'] }),
  cap: field(kind.usd, (row) => row.cap, { says: 'cap', display: ['post'] }),
  change: field(kind.percent, (row) => row.change, { says: 'change', nullable: true, group: 'change' }),
}
const rows: Row[] = [
  { rank: 1, name: 'a"\\', cap: 1_250_000n, change: null },
  { rank: 2, name: 'b', cap: 5_000_000_000n, change: 250n },
  { rank: 3, name: 'c', cap: 2n, change: -100n },
]
const orders = { rank: { rows: [0, 1, 2], unknown: 0 }, change: { rows: [1, 2, 0], unknown: 1 } }
const pool = poolFrom(poolText(table, rows, { orders, isRankByOrder: false }))
const whole = { order: 'rank', isAscending: false, offset: 0, limit: 100 }

const namesOf = (cut: Partial<typeof whole>, isRankByOrder = false) => {
  const page = pageOf({ ...pool, isRankByOrder }, { ...whole, ...cut }, { table })
  return JSON.parse(page.text).map(({ rank, position, name }: Row & { position: number }) => [
    rank,
    position,
    name,
  ])
}

describe('a page of a pool of rows', () => {
  it('has its rows in the order asked for, renumbered in position alone', () => {
    expect(namesOf({ order: 'change' })).toEqual([
      [2, 1, 'b'],
      [3, 2, 'c'],
      [1, 3, 'a"\\'],
    ])
    expect(namesOf({ order: 'rank', isAscending: true, offset: 1, limit: 1 })).toEqual([[2, 2, 'b']])
    expect(namesOf({ offset: 3 })).toEqual([])
  })

  it('keeps what has no value last in both directions', () => {
    expect(namesOf({ order: 'change', isAscending: true }).map(([rank]: number[]) => rank)).toEqual([3, 2, 1])
  })

  it('ranks by the order where a list has no ranks of its own; turning the list keeps them', () => {
    expect(namesOf({ order: 'change' }, true).map(([rank]: number[]) => rank)).toEqual([1, 2, 3])
    expect(namesOf({ order: 'change', isAscending: true }, true)).toEqual([
      [2, 1, 'c'],
      [1, 2, 'b'],
      [3, 3, 'a"\\'],
    ])
  })

  it('has every form of a row', () => {
    const row = (form: { without?: 'change'; display?: 'post' }) =>
      pageOf(pool, { ...whole, limit: 1 }, { table, ...form }).text
    expect(row({})).toBe(
      '[{"rank":1,"position":1,"name":"a\\"\\\\","title":"a\\"\\\\","cap":1.25,"cap_raw":1.25,"cap_formatted":"$1.25","change":null}]',
    )
    expect(row({ without: 'change', display: 'post' })).toBe(
      '[{"rank":1,"position":1,"name":"a\\"\\\\","title":"a\\"\\\\","cap":"$1.25","cap_raw":1.25,"cap_formatted":"$1.25"}]',
    )
  })

  it('keeps texts that say what ends a cell or a row', () => {
    const named = [{ rank: 1, name: 'a\tb\nc\r\u2028', cap: 1n, change: null }]
    const text = poolText(table, named, { orders: { rank: { rows: [0], unknown: 0 } }, isRankByOrder: false })
    expect(JSON.parse(pageOf(poolFrom(text), whole, { table }).text)[0].title).toBe(named[0]!.name)
    expect(poolFrom(poolText(table, [], { orders: {}, isRankByOrder: false })).rows).toEqual([])
  })

  it('tells the number of rows in all, and refuses an order it does not have', () => {
    expect(pageOf(pool, { ...whole, limit: 1 }, { table }).total).toBe(3)
    expect(() => pageOf(pool, { ...whole, order: 'cap' }, { table })).toThrow(UnknownOrderError)
  })
})
