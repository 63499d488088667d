import { isPictograph, isUnseen } from './character-table.ts'
import { NAME_MAX, SYMBOL_MAX } from './rules.ts'

/** Half of a surrogate pair, which no text can carry. */
const LONE_SURROGATE = /\p{Surrogate}/gu
/** Space, and the braille cell without a dot, which looks like it. */
const BLANK_ENDS = /^[\s\u2800]+|[\s\u2800]+$/gu
/** Joins two emoji into one. */
const JOINER = 0x200d
/** Says that the character before it is to be shown as an emoji. */
const EMOJI_STYLE = 0xfe0f

/** A token's name as it may be shown: at most NAME_MAX code points. What the chain says is untrusted. */
export const cleanName = (text: string): string => clean(text, NAME_MAX)

/** A token's symbol as it may be shown: at most SYMBOL_MAX code points. */
export const cleanSymbol = (text: string): string => clean(text, SYMBOL_MAX)

function clean(text: string, max: number): string {
  // Surrogates first: what stood between two lone halves may be removed, and must not join them.
  const shown = seenIn(text.replace(LONE_SURROGATE, '\uFFFD')).replace(BLANK_ENDS, '')
  // Twice `max` code units hold `max` code points; cutting there first spares splitting a megabyte of hostile name.
  const codePoints = [...shown.slice(0, 2 * max)].slice(0, max)
  // Again: the cut may leave a joiner with nothing behind it.
  return seenIn(codePoints.join('')).replace(BLANK_ENDS, '')
}

/** The text without characters that are not seen, but for those within and behind an emoji that make it. */
function seenIn(text: string): string {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  let seen = ''
  let [before, isStyled] = [0, false]
  for (const [at, codePoint] of codePoints.entries()) {
    const isKept = isUnseen(codePoint)
      ? isPictograph(before) &&
        ((codePoint === EMOJI_STYLE && !isStyled) ||
          (codePoint === JOINER && isPictograph(codePoints[at + 1] ?? 0)))
      : true
    if (!isKept) continue
    seen += String.fromCodePoint(codePoint)
    isStyled = codePoint === EMOJI_STYLE
    if (!isStyled) before = codePoint
  }
  return seen
}

/** What a reader looks for, as it is compared: one leading sign is not part of it. */
export const soughtText = (text: string): string =>
  foldText(text)
    .replace(/^[@$#]/, '')
    .trim()

/**
 * A text as it is compared: two that differ only in case, width, unseen characters or spacing fold to the same.
 * Independent of locale. Lower → upper → lower per code point is what makes ẞ, ß and ss, or Σ, σ and ς, one.
 */
export function foldText(text: string): string {
  const seen = bare(text).normalize('NFKC')
  const folded = Array.from(seen, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('')
  return folded.normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/** The text without a single unseen character. */
const bare = (text: string): string =>
  Array.from(text, (character) => (isUnseen(character.codePointAt(0) ?? 0) ? '' : character)).join('')
