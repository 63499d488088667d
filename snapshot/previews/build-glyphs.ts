/** `npm run build:glyphs`: the outlines of letters that previews are written in, from a font's package, in `glyphs.json`. */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import opentype, { type Command, type Font } from 'opentype.js'

const PACKAGE = '@fontsource/inter'
/** Parts of the font, by script. */
const parts = ['latin', 'latin-ext', 'cyrillic', 'greek']

type Range = readonly [first: number, last: number]

/** ASCII, the dashes and dots of our own words, and signs of change. */
const own: readonly Range[] = [
  [0x20, 0x7e],
  [0xb7, 0xb7],
  [0x2013, 0x2026],
  [0x2212, 0x2212],
]
/** What names are written in: Latin with its accents, Greek, Cyrillic, punctuation and currencies. */
const all: readonly Range[] = [
  ...own,
  [0xa1, 0x17f],
  [0x386, 0x3ce],
  [0x400, 0x45f],
  [0x2010, 0x2044],
  [0x20a0, 0x20bf],
  [0x2122, 0x2122],
]

/** The weights that are used: names are in the first, headings and figures in the second. */
const weights = { medium: { weight: 500, ranges: all }, bold: { weight: 700, ranges: own } } as const

type Glyph = readonly [advance: number, path: string]

/** The text of glyphs.json: of each weight, each character's advance and outline, in 2,048 units to the em. */
export async function glyphsText(): Promise<string> {
  const written = await Promise.all(
    Object.entries(weights).map(async ([name, { weight, ranges }]) => {
      const glyphs = [...(await glyphsOf(weight, ranges))].sort(([a], [b]) => a - b)
      const lines = glyphs.map(
        ([code, glyph]) => `${JSON.stringify(String.fromCodePoint(code))}: ${JSON.stringify(glyph)}`,
      )
      return `"${name}": {\n${lines.join(',\n')}\n}`
    }),
  )
  return `{\n${written.join(',\n')}\n}\n`
}

async function glyphsOf(weight: number, ranges: readonly Range[]): Promise<ReadonlyMap<number, Glyph>> {
  const glyphs = new Map<number, Glyph>()
  for (const part of parts) {
    const font = await fontOf(`inter-${part}-${weight}-normal.woff`)
    for (const code of Object.keys(font.tables.cmap.glyphIndexMap).map(Number)) {
      if (glyphs.has(code) || !ranges.some(([first, last]) => first <= code && code <= last)) continue
      const { advanceWidth, path } = font.charToGlyph(String.fromCodePoint(code))
      glyphs.set(code, [advanceWidth, path.commands.map(commandText).join('')])
    }
  }
  return glyphs
}

async function fontOf(file: string): Promise<Font> {
  const path = join(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`), '../files', file)
  return opentype.parse(new Uint8Array(await readFile(path)).buffer)
}

/** A command of an outline: to a point, or by a quadratic curve. TrueType has no others. */
function commandText({ type, ...points }: Command): string {
  const { x1, y1, x, y } = points
  return type + [x1, y1, x, y].flatMap((value) => (value === undefined ? [] : Math.round(value))).join(' ')
}

if (process.argv[1] === import.meta.filename)
  await writeFile(join(import.meta.dirname, 'glyphs.json'), await glyphsText())
