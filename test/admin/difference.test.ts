import { check, constant, dictionary, jsonValue, property, string, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffDocuments, firstDifference } from '../../admin/proof/difference.ts'

const rows = (...prices: number[]) =>
  JSON.stringify(
    prices.map((price, at) => ({ rank: at + 1, contract_address: `0x${at}`, nested: { price } })),
  )

describe('the first difference', () => {
  test('returns null for equal texts and the difference otherwise', () => {
    const text = jsonValue().map((value) => JSON.stringify(value))
    const isRight = property(text, text, (a, b) => (firstDifference(a, b) === null) === (a === b))
    expect(check(isRight, { numRuns: 500 })).toMatchObject({ failed: false })
  })

  test('names the row, the field, and both values', () => {
    expect(firstDifference(rows(1, 2, 3), rows(1, 5, 6))).toBe(
      'row 2 (0x1), nested.price: published 2, rebuilt 5',
    )
  })

  test('names a row that is missing, or in the place of another', () => {
    expect(firstDifference(rows(1), rows(1, 2))).toBe('row 2 (0x1): published nothing, rebuilt a row')
    const swapped = JSON.stringify((JSON.parse(rows(1, 2)) as unknown[]).reverse())
    expect(firstDifference(swapped, rows(1, 2))).toMatch(/^row 1 \(0x0\), place: /)
  })

  test.each([
    ['[1,\n{"a":2.0}]', '[1,\n{"a":2}]'],
    ['[1,\n{"a":', '[1,\n{"a":2}]'],
  ])('of %j, where values are the same or there are none, is a line', (published, rebuilt) => {
    expect(firstDifference(published, rebuilt)).toMatch(/^line 2: published .*, rebuilt \{"a":2\}\]$/)
  })
})

describe('the difference of a document', () => {
  const board = uniqueArray(dictionary(constant('price'), string()), { maxLength: 6 }).map((cells) =>
    cells.map((cell, at) => ({ contract_address: `0x${at % 4}${at}`, ...cell })),
  )

  test('is nothing where nothing changed, and the reverse from the other side', () => {
    const isRight = property(board, board, (a, b) => {
      const [before, after] = [JSON.stringify(a), JSON.stringify(b)]
      const there = diffDocuments('d', before, after)
      const back = diffDocuments('d', after, before)
      if (before === after) return there === null && back === null
      const names = (rowsOf: typeof a) => rowsOf.map((row) => row.contract_address)
      const entered = names(b).filter((name) => !names(a).includes(name))
      return (
        JSON.stringify(there?.entered.map(({ name }) => name)) === JSON.stringify(entered) &&
        JSON.stringify(there?.entered) === JSON.stringify(back?.left) &&
        there?.changed.length === back?.changed.length
      )
    })
    expect(check(isRight, { numRuns: 300 })).toMatchObject({ failed: false })
  })

  test('distinguishes rows and fields of nested lists from its own', () => {
    const documentOf = (value: number, price: number) =>
      JSON.stringify({
        index: { value },
        posts: [{ contract_address: '0x1', price }],
        names: ['a', String(value)],
      })
    expect(diffDocuments('all', documentOf(1, 2), documentOf(3, 4))).toEqual({
      document: 'all',
      entered: [],
      left: [],
      changed: [
        {
          row: null,
          fields: [
            { field: 'index.value', before: 1, after: 3 },
            { field: 'names', before: '["a","1"]', after: '["a","3"]' },
          ],
        },
        { row: { list: 'posts', name: '0x1', place: 1 }, fields: [{ field: 'price', before: 2, after: 4 }] },
      ],
    })
  })
})
