import { bloImage } from 'blo'
import { PREVIEW_SIZE } from '../../schemas/pages/previews.ts'
import { type Colour, type Contour, openCanvas, type Point } from './canvas.ts'
import { outlinesOf, type Style, shortened, widthOf } from './letters.ts'
import { plate } from './shapes.ts'

/** Colours of the pages in the dark. */
export const colours = {
  paper: [20, 22, 26],
  ink: [243, 243, 239],
  quiet: [160, 165, 174],
  accent: [147, 168, 255],
  mark: [39, 70, 200],
  white: [255, 255, 255],
  tint: [30, 36, 56],
  up: [99, 207, 149],
  down: [255, 143, 130],
} as const satisfies Record<string, Colour>

/** Pixels around everything. */
export const MARGIN = 64
export const RIGHT = PREVIEW_SIZE.width - MARGIN

export const styles = {
  title: { size: 54, weight: 'bold', colour: colours.ink, spacing: -0.025 },
  line: { size: 25, weight: 'medium', colour: colours.quiet },
  head: { size: 21, weight: 'medium', colour: colours.quiet },
  name: { size: 31, weight: 'medium', colour: colours.ink, spacing: -0.008 },
  under: { size: 21, weight: 'medium', colour: colours.quiet },
  figure: { size: 29, weight: 'medium', colour: colours.ink, isTabular: true },
} as const satisfies Record<string, Style>

/** The colour of a change in percent; null: it is not known. */
export const changeColour = (percent: number | null): Colour =>
  percent ? (percent > 0 ? colours.up : colours.down) : colours.quiet

/** The day of a time of the API, as people read it: 26 Nov 2026. */
export const dayText = (iso: string): string => days.format(Date.parse(iso))
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Where a text stands: the end of its baseline that is given, and the most pixels it may be wide. */
type Written = { readonly at: Point; readonly most?: number; readonly isRight?: true }

/** A picture that texts and shapes are put on. */
export type Sheet = ReturnType<typeof openSheet>

/** A sheet with the mark of the service and the time of its figures, as the API writes it. */
export function openSheet(asOf: string) {
  const { fill, raster } = openCanvas(colours.paper)
  /** Writes a text; what does not fit is left out. */
  function write(text: string, style: Style, { at: [x, y], most = Infinity, isRight }: Written): void {
    const shown = shortened(text, style, most)
    fill(outlinesOf(shown, style, [isRight ? x - widthOf(shown, style) : x, y]), style.colour)
  }
  const sheet = { fill, raster, write }
  drawMark(sheet)
  write(`${dayText(asOf)}, ${asOf.slice(11, 16)} UTC`, styles.head, { at: [RIGHT, 118], isRight: true })
  return sheet
}

/** The letter of the service, in 32 units, as in site/browser/icon.svg. */
const letter: Contour = [
  ...([
    [8, 9],
    [24, 9],
    [24, 12.4],
    [13.6, 20],
    [24, 20],
  ] as const),
  ...([
    [24, 23.5],
    [8, 23.5],
    [8, 20.2],
    [18.5, 12.5],
    [8, 12.5],
  ] as const),
]

const brand: Style = { size: 30, weight: 'bold', colour: colours.ink, spacing: -0.02 }

/** The icon and the name of the service, at the upper right. */
function drawMark({ fill, write }: Pick<Sheet, 'fill' | 'write'>): void {
  const [size, top] = [36, 54]
  const left = RIGHT - widthOf('z100', brand) - 12 - size
  fill([plate([left, top], [left + size, top + size], (7 / 32) * size)], colours.mark)
  fill([letter.map(([x, y]): Point => [left + (x / 32) * size, top + (y / 32) * size])], colours.white)
  write('z100', brand, { at: [RIGHT, top + 29], isRight: true })
}

/** Cells of an avatar, each way; its right half mirrors the left. */
const SIDE = 8

/** The picture of an address, the one that it has on the pages. */
export function drawAvatar(
  { fill }: Sheet,
  address: string,
  { at: [left, top], size }: { readonly at: Point; readonly size: number },
): void {
  const [cells, palette] = bloImage(address.toLowerCase() as `0x${string}`)
  const cell = size / SIDE
  for (const [layer, hsl] of palette.entries()) {
    const places = [...cells.keys()].filter((at) => cells[at] === layer)
    const squares = places.flatMap((at) => {
      const [x, y] = [at % (SIDE / 2), Math.floor(at / (SIDE / 2))]
      return [x, SIDE - 1 - x].map((column) => {
        const corner: Point = [left + column * cell, top + y * cell]
        return plate(corner, [corner[0] + cell, corner[1] + cell])
      })
    })
    fill(squares, colourOf(hsl))
  }
}

/** Hue in degrees, saturation and lightness in percent, as red, green and blue (CSS Color 4, 7.1). */
function colourOf([hue = 0, saturation = 0, lightness = 0]: ArrayLike<number> & Iterable<number>): Colour {
  const [share, light] = [saturation / 100, lightness / 100]
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12
    return Math.round(
      255 * (light - share * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))),
    )
  }
  return [channel(0), channel(8), channel(4)]
}
