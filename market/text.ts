import { isPictograph, isUnseen } from './character-table.ts'
import { NAME_MAX, SYMBOL_MAX, URI_MAX } from './rules.ts'

/** Half of a surrogate pair, which is not valid text. */
const LONE_SURROGATE = /\p{Surrogate}/gu
/** Spaces, and the empty braille cell, which looks like one. */
const BLANK_ENDS = /^[\s\u2800]+|[\s\u2800]+$/gu
/** Joins two emoji into one. */
const JOINER = 0x200d
/** Selects the emoji form of the previous character. */
const EMOJI_STYLE = 0xfe0f

/** A token's name, cleaned for display: at most NAME_MAX code points. On-chain text is untrusted. */
export const cleanName = (text: string): string => clean(text, NAME_MAX)

/** A token's symbol, cleaned for display: at most SYMBOL_MAX code points. */
export const cleanSymbol = (text: string): string => clean(text, SYMBOL_MAX)

/** A URI of the usual schemes, in the characters that URIs have (RFC 3986). */
const URI = /^(?:ipfs|ar|https?):\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i

/** A token's contract URI as the chain has it; null if it is longer than URI_MAX, or anything but such a URI: on-chain text is untrusted. */
export const soundUri = (text: string): string | null =>
  text.length <= URI_MAX && URI.test(text) ? text : null

function clean(text: string, max: number): string {
  // Surrogates first: removing the text between two lone halves must not join them.
  const shown = seenIn(text.replace(LONE_SURROGATE, '\uFFFD')).replace(BLANK_ENDS, '')
  // `max` code points fit into twice as many code units; cutting there first avoids splitting a megabyte of hostile
  // name.
  const codePoints = [...shown.slice(0, 2 * max)].slice(0, max)
  // Again, because the cut may leave a joiner at the end.
  return seenIn(codePoints.join('')).replace(BLANK_ENDS, '')
}

/** The text without invisible characters, except those that are part of an emoji. */
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

/** A search text, normalised for comparison, without one leading sign. */
export const soughtText = (text: string): string =>
  foldText(text)
    .replace(/^[@$#]/, '')
    .trim()

/**
 * Normalises a text for comparison: texts that differ only in case, width, invisible characters or spacing become equal.
 * Independent of locale. Lower → upper → lower per code point unifies ẞ, ß and ss, or Σ, σ and ς.
 */
export function foldText(text: string): string {
  const seen = bare(text).normalize('NFKC')
  const folded = Array.from(seen, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('')
  return folded.normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/** The text without any invisible character. */
const bare = (text: string): string =>
  Array.from(text, (character) => (isUnseen(character.codePointAt(0) ?? 0) ? '' : character)).join('')

/** A text in which characters that show nothing, or move the cursor, stand as their code points. */
export const shownText = (text: string): string =>
  Array.from(text, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return isUnseen(codePoint) ? `\\u{${codePoint.toString(16)}}` : character
  }).join('')
