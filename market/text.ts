import { NAME_MAX, SYMBOL_MAX } from './rules.ts'

/** Half of a surrogate pair, which no text can carry. */
const LONE_SURROGATE = /\p{Surrogate}/gu
/** Control characters and those that turn the direction of the text around them: they can disguise a name. */
const DISGUISING = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
/** Zero-width characters, variation selectors and other characters that are not seen. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/** A token's name as it may be shown: at most NAME_MAX code points. What the chain says is untrusted. */
export const cleanName = (text: string): string => clean(text, NAME_MAX)

/** A token's symbol as it may be shown: at most SYMBOL_MAX code points. */
export const cleanSymbol = (text: string): string => clean(text, SYMBOL_MAX)

function clean(text: string, max: number): string {
  // Surrogates first: what stood between two lone halves may be removed, and must not join them.
  const shown = text.replace(LONE_SURROGATE, '\uFFFD').replace(DISGUISING, '').trim()
  // Twice `max` code units hold `max` code points; cutting there first spares splitting a megabyte of hostile name.
  const codePoints = [...shown.slice(0, 2 * max)]
  return codePoints.slice(0, max).join('').trim()
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
  const seen = text.replace(UNSEEN, '').normalize('NFKC')
  const folded = Array.from(seen, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('')
  return folded.normalize('NFKC').replace(/\s+/gu, ' ').trim()
}
