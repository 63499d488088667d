import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  isMixedScript,
  LATIN_LOOKALIKES,
  type NamedCurrency,
  namedToken,
  nameFlagsBeside,
} from '../../../market/board/lookalikes.ts'
import { importedAt } from '../../../market/coverage.ts'
import type { Token } from '../../../market/segment.ts'
import { hash, nthAddress, tokenAt } from '../../support/market/facts.ts'

const START = 29_000_160
const named = (number: number, symbol: string, name = 'x', creator = nthAddress(500 + number)) =>
  tokenAt(number, START, { symbol, name, creator })

it('the table of look-alikes contains Unicode’s letters and digits, except those that NFKC makes Latin', () => {
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
  const besides = (listed: readonly Token[], currencies: readonly NamedCurrency[] = []) =>
    nameFlagsBeside({ listed: listed.map(namedToken), currencies })
  const flagsOf = besides(board)
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
    ['$PAUL', 1],
    ['@paul ✓', 1],
    ['p a u l', 1],
    ['Páûl', 1],
    ['PAUL🔥', 1],
    ['🅿🅰🆄🅻', 1],
    ['🇵 🇦 🇺 🇱', 1],
    ['p_a.u-l', 1],
    ['Paul official', 1],
    ['the PAUL', 1],
    ['The Real Paul', 1],
    ['paul.eth', 1],
    ['wPAUL', 1],
    ['PAULA', null],
    ['pauleth', null],
    ['thegm', 2],
    ['the x', null],
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

  it('of symbols only is compared by its symbols', () => {
    const flags = besides([named(1, '🔥'), named(2, '★★')])
    expect(flags(named(99, '🔥')).lookalikeOf).toBe(nthAddress(1))
    expect(flags(named(98, '★')).lookalikeOf).toBeNull()
    // U+1F18A follows the squared Z, as [ follows Z.
    expect(besides([named(1, '[')])(named(97, '\u{1f18a}')).lookalikeOf).toBeNull()
  })

  it('must not be that of a reference currency, with any launcher', () => {
    const zora = { address: nthAddress(700), symbol: 'ZORA', name: 'Zora' }
    const weth = { address: nthAddress(701), symbol: 'WETH', name: 'Wrapped Ether' }
    const flags = besides([named(1, 'ZORA')], [zora, weth, { ...zora, symbol: null, name: null }])
    expect(flags(named(1, 'ZORA')).lookalikeOf).toBe(zora.address)
    expect(flags(named(99, '$ZÖRA')).lookalikeOf).toBe(zora.address)
    expect(flags(named(99, 'x', 'wrapped  ether')).lookalikeOf).toBe(weth.address)
    expect(flags(named(99, 'wZORA')).lookalikeOf).toBe(zora.address)
    expect(flags(named(99, 'official zora')).lookalikeOf).toBe(zora.address)
    expect(flags(named(99, 'Wrapped Ethereum')).lookalikeOf).toBe(weth.address)
    expect(flags(named(99, 'ether')).lookalikeOf).toBeNull()
  })

  describe('that several tokens have is that of the oldest launched by its creator', () => {
    const creator = nthAddress(501)
    const at = (number: number, minute: number, words: Partial<Token> = {}) =>
      tokenAt(number, START + minute, { symbol: 'jesse', ...words })
    const original = at(1, 5, { creator })
    const older = at(2, 1, { creator: nthAddress(502), launchedBy: nthAddress(503) })
    const { launchedAt } = original
    const inName = { creator: nthAddress(502), launchedBy: nthAddress(503) }
    const imported = (number: number) =>
      at(number, 0, {
        launchedBy: null,
        launchedAt: { ...launchedAt, ...importedAt({ number: 1, hash: hash(1), timestamp: 60 }, 0) },
      })
    const renamed = (token: Token): Token => ({ ...token, symbolSince: (START + 8) * 60 })
    const post = (number: number, minute: number) => at(number, minute, { kind: 'post' })
    it.each<[string, Token, Token[], number | null]>([
      [
        'an older one that was renamed to it later does not take it over',
        original,
        [renamed(at(3, 0)), original],
        null,
      ],
      [
        'an older one that was renamed to it later is flagged',
        renamed(at(3, 0)),
        [renamed(at(3, 0)), original],
        1,
      ],
      ['a post is not flagged for looking like another post', post(9, 9), [post(8, 1)], null],
      ['a post is flagged for looking like a creator token', post(9, 9), [post(8, 1), original], 1],
      ['a copy of a party is not flagged for its other copy', at(9, 9, inName), [at(8, 8, inName)], null],
      ['an older one that only names a creator does not take it over', original, [older, original], null],
      ['an older one that only names a creator is flagged', older, [older, original], 1],
      [
        'a copy that names the creator is flagged',
        at(9, 9, { creator, launchedBy: older.creator }),
        [original],
        1,
      ],
      ['a copy that leads the board is flagged', at(9, 9), [at(9, 9), original], 1],
      ['the original is not flagged, also where only the copy is on a board', original, [at(9, 9)], null],
      ['the creator’s next token is spared', at(9, 9, { creator }), [original], null],
      ['a token older than the log keeps its name', imported(3), [original, imported(3)], null],
      ['but renamed to it later it is flagged', renamed(imported(3)), [original, imported(3)], 1],
      [
        'and it is never the original of one whose creator launched it',
        original,
        [original, imported(3)],
        null,
      ],
      ['its copy in somebody’s name is flagged', at(9, 9, inName), [imported(3)], 3],
      [
        'of two that are older than the log the first on the boards counts',
        imported(4),
        [imported(3), imported(4)],
        3,
      ],
      [
        'where nobody’s creator is known to have launched it, the first on the boards counts',
        at(9, 9, { launchedBy: creator }),
        [older],
        2,
      ],
    ])('%s', (_, token, listed, expected) => {
      expect(besides(listed)(token).lookalikeOf).toBe(expected === null ? null : nthAddress(expected))
    })
  })
})
