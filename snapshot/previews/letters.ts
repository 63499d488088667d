import type { Colour, Contour, Point } from './canvas.ts'
import glyphs from './glyphs.json' with { type: 'json' }
import { plate } from './shapes.ts'

/** Units of an em in glyphs.json. */
const EM = 2_048
/** Lines that a curve is drawn as. */
const CURVE_LINES = 6
/** Of a longer text only so many code points are looked at, and no picture has room for as many. */
const LETTERS_MAX = 200
const ELLIPSIS = '…'
/** What is seen of nothing by itself: marks, formats, controls, halves of characters. */
const UNSEEN = /[\p{M}\p{C}\p{Emoji_Modifier}]/u

export type Weight = keyof typeof glyphs

/** How a text is written: its size in pixels, and the most pixels it may be wide. */
export type Style = {
  readonly size: number
  readonly weight: Weight
  readonly colour: Colour
  /** Space between letters as a share of the size. @default 0 */
  readonly spacing?: number
  /** Whether digits stand in columns. @default false */
  readonly isTabular?: boolean
}

/** A character's width in ems, and its outline in ems from the start of its baseline, downwards. */
type Letter = { readonly advance: number; readonly contours: readonly Contour[] }

/** A character that the font lacks: an empty box. */
const box: Letter = {
  advance: 0.68,
  contours: [plate([0.08, -0.72], [0.6, 0]), plate([0.14, -0.66], [0.54, -0.06]).toReversed()],
}

const letters: Readonly<Record<Weight, Map<string, Letter>>> = { medium: new Map(), bold: new Map() }

const hasGlyph = (character: string, weight: Weight): boolean => Object.hasOwn(glyphs[weight], character)

function letterOf(character: string, weight: Weight): Letter {
  const known = letters[weight].get(character)
  if (known) return known
  if (!hasGlyph(character, weight)) return box
  const table: Readonly<Record<string, readonly (string | number)[]>> = glyphs[weight]
  const [advance = 0, path = ''] = table[character] ?? []
  const letter = { advance: Number(advance) / EM, contours: contoursOf(String(path)) }
  letters[weight].set(character, letter)
  return letter
}

/** The outlines of a path of points and quadratic curves. */
function contoursOf(path: string): readonly Contour[] {
  return path.split('Z').flatMap((text) => {
    const contour: Point[] = []
    for (const [, type, written = ''] of text.matchAll(/([MLQ])([^MLQ]*)/g)) {
      const [x1 = 0, y1 = 0, x = 0, y = 0] = written.split(' ').map((unit) => Number(unit) / EM)
      if (type === 'Q') contour.push(...curve(contour.at(-1) ?? [0, 0], [x1, -y1], [x, -y]))
      else contour.push([x1, -y1])
    }
    return contour.length > 0 ? [contour] : []
  })
}

const curve = ([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point): readonly Point[] =>
  Array.from({ length: CURVE_LINES }, (_, at) => {
    const t = (at + 1) / CURVE_LINES
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
    return [a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2]
  })

/** The characters of a text that are seen, each once composed; a space for any white. */
const seen = (text: string, weight: Weight): readonly string[] =>
  [...text.slice(0, 2 * LETTERS_MAX).normalize('NFC')]
    .slice(0, LETTERS_MAX)
    .map((character) => (/\s/u.test(character) ? ' ' : character))
    .filter((character) => !UNSEEN.test(character))
    .flatMap((character) => plainest(character, weight))

/** The character, or if the font lacks it the letters that it is a form of: ấ is an a, 𝐙 a Z. */
function plainest(character: string, weight: Weight): readonly string[] {
  if (hasGlyph(character, weight)) return [character]
  const plain = [...character.normalize('NFKD')].filter((each) => !UNSEEN.test(each))
  return plain.every((each) => hasGlyph(each, weight)) ? plain : [character]
}

/** Whether the font has a letter or digit of the text; of the rest there is nothing to read but boxes. */
export const isReadable = (text: string, weight: Weight = 'medium'): boolean =>
  seen(text, weight).some((character) => /[\p{L}\p{N}]/u.test(character) && hasGlyph(character, weight))

function advanceOf(character: string, { weight, spacing = 0, isTabular }: Style): number {
  const widthOf = isTabular && /\d/.test(character) ? '0' : character
  return letterOf(widthOf, weight).advance + spacing
}

const widthOfAll = (characters: readonly string[], style: Style): number =>
  characters.reduce((sum, character) => sum + advanceOf(character, style), 0) * style.size

/** The width of a text in pixels. */
export const widthOf = (text: string, style: Style): number => widthOfAll(seen(text, style.weight), style)

/** A text that is no wider than `most` pixels: its end is left out where it has to be. */
export function shortened(text: string, style: Style, most: number): string {
  const characters = seen(text, style.weight)
  if (widthOfAll(characters, style) <= most) return characters.join('')
  let count = characters.length
  while (count > 0 && widthOfAll([...characters.slice(0, count), ELLIPSIS], style) > most) count--
  return characters.slice(0, count).join('').trimEnd() + ELLIPSIS
}

/** The style in which a text is no wider than `most` pixels: the same, or a smaller one. Nothing of a figure is left out. */
export const fitted = (text: string, style: Style, most: number): Style => ({
  ...style,
  size: style.size * Math.min(1, most / widthOf(text, style)),
})

/** The outlines of a text whose baseline begins at a point. */
export function outlinesOf(text: string, style: Style, [x, y]: Point): readonly Contour[] {
  const { size, weight } = style
  let pen = x
  return seen(text, weight).flatMap((character) => {
    const { contours, advance } = letterOf(character, weight)
    const width = advanceOf(character, style)
    // A narrow digit stands in the middle of its column.
    const left = pen + ((width - (style.spacing ?? 0) - advance) / 2) * size
    pen += width * size
    return contours.map((contour) => contour.map(([px, py]): Point => [left + px * size, y + py * size]))
  })
}
