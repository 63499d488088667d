import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isMixedScript, LATIN_LOOKALIKES, nameFlagsBeside } from '../../market/lookalikes.ts'
import { nthAddress, tokenAt } from '../support/market-history.ts'

const START = 29_000_160
const named = (number: number, symbol: string, name = 'x', creator = nthAddress(500 + number)) =>
  tokenAt(number, START, { symbol, name, creator })

describe('the table of look-alikes', () => {
  it('is what Unicode has of letters and digits, but for what NFKC makes Latin', () => {
    const data = readFileSync('node_modules/unhomoglyph/data.json', 'utf8')
    const wanted = Object.entries<string>(JSON.parse(data)).filter(
      ([from, to]) =>
        [...from].length === 1 &&
        from > '\x7f' &&
        from.normalize('NFKC') === from &&
        /^[0-9A-Za-z]{1,2}$/.test(to),
    )
    const table = LATIN_LOOKALIKES.split(';').flatMap((line) => {
      const [to = '', ...hexes] = line.trim().split(/ +/)
      return hexes.map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), to])
    })
    expect(table.sort()).toEqual(wanted.sort())
    expect(table.length).toBeGreaterThan(400)
  })
})

describe('a name', () => {
  it.each([
    ['Pаul', true],
    ['ΑLICE', true],
    ['Paul', false],
    ['Пётр', false],
    ['東京 Tokyo カフェ', false],
    ['서울 walk', false],
    ['ⲔAT', true],
    ['🚀 moon', false],
  ])('%s mixes scripts that look alike: %s', (text, expected) => {
    expect(isMixedScript(text)).toBe(expected)
  })

  const board = [named(1, 'PAUL'), named(2, 'gm'), named(3, 'paul'), named(4, 'ALICE')]
  const flagsOf = nameFlagsBeside(board)
  it.each([
    ['PАUL', 1],
    ['paul', 1],
    ['ＰＡＵＬ', 1],
    ['PAUI', 1],
    ['𝐏𝐀𝐔𝐋', 1],
    ['GM', 2],
    ['grn', 2],
    ['ΑLIСE', 4],
    ['a1ice', 4],
    ['PAULA', null],
    ['', null],
  ])('%s looks like that of token %s', (symbol, expected) => {
    const { lookalikeOf } = flagsOf(named(99, symbol))
    expect(lookalikeOf).toBe(expected === null ? null : nthAddress(expected))
  })

  it('is compared by symbol and name, but not with itself or with others of its creator', () => {
    expect(flagsOf(named(99, 'X', 'Рaul')).lookalikeOf).toBe(nthAddress(1))
    expect(flagsOf(named(1, 'PAUL')).lookalikeOf).toBeNull()
    expect(flagsOf(named(99, 'PAUL', 'x', nthAddress(501))).lookalikeOf).toBeNull()
    expect(flagsOf(named(3, 'paul')).lookalikeOf).toBe(nthAddress(1))
  })
})
