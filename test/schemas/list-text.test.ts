import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, orNull, rowWriter } from '../../schemas/values/field.ts'
import * as kind from '../../schemas/values/kinds.ts'
import { cellsIn, cutFrom, recordPrinter, recordsIn } from '../../schemas/values/list-text.ts'

type Row = { rank: number; name: string; cap: bigint; change: bigint | null; born: number }
const field = fieldsOf<Row>()
const table = {
  rank: field(kind.count, (row) => row.rank, { description: 'rank', sorts: ['rank'] }),
  position: field(kind.count, (row) => row.rank, { description: 'place' }),
  name: field(kind.text, (row) => row.name, { description: 'name', aliases: ['title'] }),
  market_cap: field(kind.usd, (row) => row.cap, {
    description: 'cap',
    display: ['post'],
    sorts: ['market_cap'],
  }),
  change: field(orNull(kind.percent), (row) => row.change, {
    description: 'change',
    group: 'change',
    sorts: ['change'],
  }),
  created_at: field(kind.time, (row) => row.born, { description: 'born' }),
}
const rows: Row[] = [
  { rank: 1, name: 'a"\\', cap: 1_250_000n, change: null, born: 9 },
  { rank: 2, name: 'b', cap: 5_000_000_000n, change: 250n, born: 3 },
  { rank: 3, name: 'c', cap: 20_000n, change: -100n, born: 2 },
  { rank: 4, name: 'd', cap: 20_000n, change: -100n, born: 1 },
]
const textOf = (rows: readonly Row[]) => `[${rows.map(rowWriter<Row>(table)).join(',\n')}]`
const list = recordsIn(textOf(rows))
const whole = { sort: 'rank', isAscending: false, offset: 0, limit: 100 }
const placesOf = (cut: Partial<typeof whole>) =>
  cutFrom(list, { ...whole, ...cut }, { table }).map((row) => {
    const { rank, position, name } = JSON.parse(row)
    return [rank, position, name]
  })

describe('a page cut from the text of a list', () => {
  it('has its rows in the requested order, renumbered only in position', () => {
    const names = (cut: Partial<typeof whole>) => placesOf(cut).map(([, , name]) => name)
    expect(placesOf({ sort: 'rank', isAscending: true, offset: 1, limit: 2 })).toEqual([
      [3, 2, 'c'],
      [2, 3, 'b'],
    ])
    expect(names({ sort: 'market_cap' })).toEqual(['b', 'a"\\', 'c', 'd'])
    expect(names({ sort: 'market_cap', isAscending: true })).toEqual(['c', 'd', 'a"\\', 'b'])
    expect(names({ offset: 4 })).toEqual([])
  })

  it('puts rows without a value last and equal ones in the order of the document, in both directions', () => {
    expect(placesOf({ sort: 'change' }).map(([rank]) => rank)).toEqual([2, 3, 4, 1])
    expect(placesOf({ sort: 'change', isAscending: true }).map(([rank]) => rank)).toEqual([3, 4, 2, 1])
  })

  it('orders numbers that are equal as doubles', () => {
    const near = [10n ** 24n, 10n ** 24n + 10_000n, 10n ** 24n - 10_000n]
    const text = textOf(near.map((cap, at) => ({ rank: at + 1, name: '', cap, change: null, born: 0 })))
    const sorted = cutFrom(recordsIn(text), { ...whole, sort: 'market_cap' }, { table })
    expect(sorted.map((row) => JSON.parse(row).rank)).toEqual([2, 1, 3])
  })

  it('has every variant of a row, digit for digit', () => {
    const first = (variant: { without?: 'change'; display?: 'post' }) =>
      cutFrom(list, { ...whole, limit: 1 }, { table, ...variant })[0]
    const name = '"name":"a\\"\\\\","title":"a\\"\\\\"'
    const end = '"created_at":"1970-01-01T00:00:09Z"}'
    expect(first({})).toBe(
      `{"rank":1,"position":1,${name},"market_cap":1.25,"market_cap_raw":1.25,"market_cap_formatted":"$1.25","change":null,${end}`,
    )
    expect(first({ without: 'change', display: 'post' })).toBe(
      `{"rank":1,"position":1,${name},"market_cap":"$1.25","market_cap_raw":1.25,"market_cap_formatted":"$1.25",${end}`,
    )
  })

  it('prints null for a field that an older release did not write, in its order and variant too', () => {
    const older = recordsIn('[{"rank":1,"name":"a"}]')
    const [row = ''] = cutFrom(older, { ...whole, sort: 'market_cap' }, { table, display: 'post' })
    expect(JSON.parse(row)).toEqual({
      rank: 1,
      position: 1,
      name: 'a',
      title: null,
      change: null,
      created_at: null,
      market_cap: null,
      market_cap_raw: null,
      market_cap_formatted: null,
    })
    expect(recordPrinter(table)({})).toContain('"change":null')
  })
})

it('the values of a record are its own text, with any strings', () => {
  const numbers = '{"a":12345678901234567890.10,"b":0.0000000000001,"c":-0.50}'
  expect(cellsIn(numbers)).toEqual({ a: '12345678901234567890.10', b: '0.0000000000001', c: '-0.50' })
  const property = fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (objects) => {
    const text = `[${objects.map((each) => JSON.stringify(each)).join(',\n')}]`
    const read = recordsIn(text).map((cells) =>
      Object.fromEntries(Object.entries(cells).map(([key, cell]) => [key, JSON.parse(cell)])),
    )
    expect(JSON.stringify(read)).toBe(
      JSON.stringify(objects.map((each) => Object.fromEntries(Object.entries(each)))),
    )
  })
  fc.assert(property)
  expect([recordsIn('[]'), recordsIn('[{}]'), cellsIn('{}')]).toEqual([[], [{}], {}])
})
