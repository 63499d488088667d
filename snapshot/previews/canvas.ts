import { PREVIEW_SIZE } from '../../schemas/pages/previews.ts'

/** A point in pixels, from the upper left corner. */
export type Point = readonly [x: number, y: number]

/** A closed outline. Where several overlap, what any of them winds around is inside. */
export type Contour = readonly Point[]

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Pixels row by row, each the number of its colour. */
export type Raster = { readonly pixels: Uint8Array; readonly palette: readonly Colour[] }

/** A picture of PREVIEW_SIZE. */
export type Canvas = {
  readonly raster: Raster
  /** Paints the inside of an outline with smooth edges; what is beyond the picture is left out. */
  fill(contours: readonly Contour[], colour: Colour): void
}

/** A side of an outline, from its upper end to its lower one. */
type Edge = {
  readonly top: number
  readonly bottom: number
  /** Where it crosses y = 0, and how far it moves to the right in a row. */
  readonly x: number
  readonly slope: number
  /** 1: the outline goes down here, -1: up. */
  readonly winding: number
}

type Crossing = { readonly x: number; readonly winding: number }

/** Lines on which a row of pixels is sampled; along a line, coverage is exact. */
const LINES = 8
/** Steps between a pixel that is not covered and one that is: few, so that a picture has few colours. */
const LEVELS = 16

const { width, height } = PREVIEW_SIZE

/** An empty picture in one colour. */
export function openCanvas(background: Colour): Canvas {
  const { palette, numberOf } = openPalette()
  const pixels = new Uint8Array(width * height).fill(numberOf(background))
  const coverage = new Float64Array(width)
  return {
    raster: { pixels, palette },
    fill(contours, colour) {
      const edges = contours.flatMap(edgesOf).sort((a, b) => a.top - b.top)
      const bottom = Math.min(height, Math.max(...edges.map((edge) => edge.bottom)))
      const points = contours.flat().map(([x]) => x)
      const [left, right] = [
        Math.max(0, Math.floor(Math.min(...points))),
        Math.min(width, Math.max(...points)),
      ]
      const mixed = mixing(colour, { palette, numberOf })
      for (let row = Math.max(0, Math.floor(edges[0]?.top ?? height)); row < bottom; row++) {
        coverage.fill(0)
        const inRow = edges.filter((edge) => edge.top < row + 1 && edge.bottom > row)
        for (let line = 0; line < LINES; line++)
          coverLine(coverage, crossingsOf(inRow, row + (line + 0.5) / LINES))
        for (let x = left; x < right; x++) {
          const level = Math.round(LEVELS * Math.min(1, coverage[x] ?? 0))
          if (level > 0) pixels[row * width + x] = mixed(pixels[row * width + x] ?? 0, level)
        }
      }
    },
  }
}

/** Colours that a palette may have: as many as a byte can number. */
const COLOURS_MAX = 256

type Palette = { readonly palette: readonly Colour[]; readonly numberOf: (colour: Colour) => number }

/** A palette that takes colours as they come; once it is full, the nearest of its own stands for another. */
function openPalette(): Palette {
  const palette: Colour[] = []
  const numbers = new Map<string, number>()
  const nearest = (colour: Colour): number => {
    const distances = palette.map((own) =>
      own.reduce((sum, each, channel) => sum + (each - (colour[channel] ?? 0)) ** 2, 0),
    )
    return distances.indexOf(Math.min(...distances))
  }
  function numberOf(colour: Colour): number {
    const known = numbers.get(colour.join())
    if (known !== undefined) return known
    const number = palette.length < COLOURS_MAX ? palette.push(colour) - 1 : nearest(colour)
    numbers.set(colour.join(), number)
    return number
  }
  return { palette, numberOf }
}

/** The number of a colour that covers another one by some of LEVELS. */
function mixing(over: Colour, { palette, numberOf }: Palette): (below: number, level: number) => number {
  const known = new Map<number, number>()
  return (below, level) => {
    const key = below * (LEVELS + 1) + level
    const found = known.get(key)
    if (found !== undefined) return found
    const own = palette[below] ?? over
    const mix = (channel: 0 | 1 | 2): number =>
      Math.round(own[channel] + ((over[channel] - own[channel]) * level) / LEVELS)
    const number = numberOf([mix(0), mix(1), mix(2)])
    known.set(key, number)
    return number
  }
}

function edgesOf(contour: Contour): readonly Edge[] {
  return contour.flatMap(([x0, y0], at) => {
    const [x1, y1] = contour[(at + 1) % contour.length] ?? [x0, y0]
    if (y0 === y1) return []
    const slope = (x1 - x0) / (y1 - y0)
    return [
      {
        top: Math.min(y0, y1),
        bottom: Math.max(y0, y1),
        x: x0 - y0 * slope,
        slope,
        winding: y1 > y0 ? 1 : -1,
      },
    ]
  })
}

const crossingsOf = (edges: readonly Edge[], y: number): readonly Crossing[] =>
  edges
    .flatMap(({ top, bottom, x, slope, winding }) =>
      top <= y && y < bottom ? [{ x: x + slope * y, winding }] : [],
    )
    .sort((a, b) => a.x - b.x)

/** Adds the parts of a line that are inside. */
function coverLine(coverage: Float64Array, crossings: readonly Crossing[]): void {
  let winding = 0
  for (const [at, crossing] of crossings.entries()) {
    winding += crossing.winding
    const next = crossings[at + 1]
    if (winding !== 0 && next) coverSpan(coverage, Math.max(0, crossing.x), Math.min(width, next.x))
  }
}

function coverSpan(coverage: Float64Array, from: number, to: number): void {
  for (let x = Math.floor(from); x < to; x++) {
    const part = Math.min(to, x + 1) - Math.max(from, x)
    coverage[x] = (coverage[x] ?? 0) + part / LINES
  }
}
