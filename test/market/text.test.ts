import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUnseen } from '../../market/character-table.ts'
import { NAME_MAX, SYMBOL_MAX, URI_MAX } from '../../market/rules.ts'
import { cleanName, cleanSymbol, foldText, soundUri } from '../../market/text.ts'
import { anyText } from '../support/described/any-text.ts'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** What may be left of them: a joiner between emoji, a style behind one. */
const IN_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=[\p{Extended_Pictographic}\p{Emoji_Modifier}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\ufe0f/gu
const lengthOf = (text: string) => [...text].length

/** Letters whose case is not one to one, marks that reorder or compose, and characters that are not seen. */
const odd = [
  ...['ß', 'ẞ', 'ſ', 'Σ', 'ς', 'İ', 'ı', 'ŉ', 'ǰ', 'ΐ', 'ﬃ', 'ᾳ', 'Ǆ', 'ǅ', 'K', 'Å', '½', 'Ａ', 'ｶﾞ', '각'],
  ...['\u0345', '\u0301', '\u0308', '\u0327', '\u0331', '\u3099', '\u1100', '\u1161', '\u11a8'],
  ...['\u200b', '\u200d', '\ufe0f', '\ufeff', '\u00ad', '\u034f', '\u3164', '\u{e0061}', '\u{e0100}'],
  ...[' ', '\u00a0', '\u3000', '\t', '\u00a8', '\u202e', '\u2066', '\0', '\ud83d', '\ude00', '🏴', 'a', 'Z'],
]
const hostile = fc.oneof(
  anyText(),
  fc.array(fc.constantFrom(...odd)).map((list) => list.join('')),
  fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
)

it.each([
  ['ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi', true],
  ['https://example.org/a%20b?c=(d)#e', true],
  ['ar://x', true],
  ['HTTP://x', true],
  ['', false],
  ['ipfs://', false],
  ['javascript://%0aalert(1)', false],
  ['data:application/json,{}', false],
  ['https://x/<script>', false],
  ['https://x/\u202ey', false],
  ['https://x/\n', false],
  [`ipfs://${'a'.repeat(URI_MAX - 7)}`, true],
  [`ipfs://${'a'.repeat(URI_MAX - 6)}`, false],
  ['a'.repeat(1_000_000), false],
])('has %.40j as a contract URI, as it is: %j', (text, isSound) => {
  expect(soundUri(text)).toBe(isSound ? text : null)
})

describe('cleanName and cleanSymbol', () => {
  it.each([
    ['  gm  from Jesse ', 'gm  from Jesse'],
    ['gm\u202Etxt.exe', 'gmtxt.exe'],
    ['\u2066a\u2069\u200e\u200f\u061c', 'a'],
    ['line\nbreak\u0000\u0007\u009f', 'linebreak'],
    ['\u0000 padded \u0000', 'padded'],
    ['half \ud83d', 'half \ufffd'],
    ['\ud83d\u202e\ude00', '\ufffd\ufffd'],
    ['family 👩‍👩‍👧 ❤️ 🧑🏽‍💻', 'family 👩‍👩‍👧 ❤️ 🧑🏽‍💻'],
    ['US\u200bD\u2060C\u{e0041}', 'USDC'],
    ['jes\u200dse\ufe0f', 'jesse'],
    ['👩\u200d', '👩'],
    ['\u200d👩\u200d\u200d👩\ufe0f\ufe0f', '👩\u200d👩\ufe0f'],
    ['\u3164', ''],
    ['\u2800 \u3164', ''],
    ['two\u2028lines\u2029', 'twolines'],
    ['', ''],
  ])('cleans %j', (text, cleaned) => {
    expect(cleanName(text)).toBe(cleaned)
  })

  it('bounds code points, not code units', () => {
    expect(cleanName('😀'.repeat(500))).toBe('😀'.repeat(NAME_MAX))
    expect(cleanSymbol('😀'.repeat(500))).toBe('😀'.repeat(SYMBOL_MAX))
    expect(cleanSymbol(`x${'😀'.repeat(500)}`)).toBe(`x${'😀'.repeat(SYMBOL_MAX - 1)}`)
    expect(cleanSymbol('a'.repeat(SYMBOL_MAX))).toBe('a'.repeat(SYMBOL_MAX))
  })

  it('leaves no space where it cut', () => {
    expect(cleanSymbol(`${'a'.repeat(SYMBOL_MAX - 1)} b`)).toBe('a'.repeat(SYMBOL_MAX - 1))
  })

  it('handles a megabyte', () => {
    expect(lengthOf(cleanName('😀'.repeat(500_000)))).toBe(NAME_MAX)
  })

  it('never leaves a removed character or half a pair, is bounded, and cleans once', () => {
    fc.assert(
      fc.property(hostile, fc.nat({ max: 40 }), (text, times) => {
        for (const [clean, max] of [
          [cleanName, NAME_MAX],
          [cleanSymbol, SYMBOL_MAX],
        ] as const) {
          const cleaned = clean(text.repeat(times))
          expect(cleaned.replace(IN_EMOJI, '')).not.toMatch(UNSEEN)
          expect(cleaned).not.toMatch(/\p{Surrogate}/u)
          expect(lengthOf(cleaned)).toBeLessThanOrEqual(max)
          expect(cleaned.trim()).toBe(cleaned)
          expect(clean(cleaned)).toBe(cleaned)
        }
      }),
      { numRuns: 500 },
    )
  })
})

it('the table of characters has exactly the invisible characters that this runtime knows', () => {
  const wrong: string[] = []
  for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
    const letter = String.fromCodePoint(codePoint)
    if (/\p{Cs}/u.test(letter)) continue
    const isKnown = UNSEEN.test(letter)
    if (isKnown && !isUnseen(codePoint)) wrong.push(codePoint.toString(16))
    if (!isKnown && isUnseen(codePoint) && !/\p{Cn}/u.test(letter)) wrong.push(codePoint.toString(16))
  }
  expect(wrong).toEqual([])
})

describe('foldText', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['ẞ', 'ß'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ｚ１００', 'z100'],
    ['  two\u3000 words\t', 'two words'],
    ['je\u200bsse', 'JESSE'],
    ['❤\ufe0f', '❤'],
    ['e\u200d\u0301', 'É'],
  ])('folds %j and %j to the same', (one, other) => {
    expect(foldText(one)).toBe(foldText(other))
  })

  it('keeps different letters apart', () => {
    expect(foldText('jessé')).not.toBe(foldText('jesse'))
    expect(foldText('ab')).not.toBe(foldText('a b'))
  })

  it('folds once, for any text, and leaves nothing unseen', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const folded = foldText(text)
        expect(foldText(folded)).toBe(folded)
        expect(folded).not.toMatch(/\p{Default_Ignorable_Code_Point}|\s\s|^\s|\s$/u)
      }),
      { numRuns: 2000 },
    )
  })

  // Unicode's own limit: upper case turns an iota subscript (U+0345) that is not yet joined to its letter into a letter.
  it('does not see case, for any composed text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const composed = text.replace(new RegExp(UNSEEN, 'gu'), '').normalize('NFKC')
        expect(foldText(composed.toUpperCase())).toBe(foldText(composed))
        expect(foldText(composed.toLowerCase())).toBe(foldText(composed))
      }),
      { numRuns: 2000 },
    )
  })

  it('folds once and does not see case, for every character that has one form or another', () => {
    const failed: string[] = []
    const plain = /[\p{Cn}\p{Co}\p{Cs}\p{Unified_Ideograph}]/u
    for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
      const letter = String.fromCodePoint(codePoint)
      if (plain.test(letter)) continue
      const folded = foldText(letter)
      const others = [folded, letter.toUpperCase(), letter.toLowerCase()]
      if (others.some((other) => foldText(other) !== folded)) failed.push(codePoint.toString(16))
    }
    expect(failed).toEqual([])
  })
})
