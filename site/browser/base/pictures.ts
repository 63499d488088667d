/** Small pictures in rows. */
import { bloImage } from 'blo'
import { svg } from './dom.ts'

/** Pixels of an avatar, each way; its right half mirrors the left. */
const SIDE = 8

/** The picture of an address: the same on every page, and unlike that of any other address. */
export function avatar(address: string): SVGElement {
  const [pixels, colours] = bloImage(address.toLowerCase() as `0x${string}`)
  const layers = colours.map((_, colour) => {
    const places = [...pixels.keys()].filter((at) => pixels[at] === colour)
    return places.map((at) => squares(at % (SIDE / 2), Math.floor(at / (SIDE / 2)))).join('')
  })
  const picture = { class: 'avatar', viewBox: `0 0 ${SIDE} ${SIDE}`, 'aria-hidden': 'true' }
  const paths = layers.map((d, colour) => {
    const [hue, saturation, lightness] = colours[colour] ?? [0, 0, 0]
    return svg('path', { d, fill: `hsl(${hue} ${saturation}% ${lightness}%)` })
  })
  return svg('svg', picture, paths)
}

const squares = (x: number, y: number): string => `M${x} ${y}h1v1h-1zM${SIDE - 1 - x} ${y}h1v1h-1z`

const WIDTH = 96
const HEIGHT = 28

/** A line through values in equal steps, from their least to their greatest; null values are left out. */
export function sparkline(values: readonly (number | null)[] | null): SVGElement | null {
  const known = values?.filter((value) => value !== null) ?? []
  if (!values || known.length < 2) return null
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const isUp = (known.at(-1) ?? 0) >= (known[0] ?? 0)
  const pointOf = (value: number, at: number) => {
    const y = most === least ? 0.5 : (most - value) / (most - least)
    return `${((at * WIDTH) / (values.length - 1)).toFixed(1)},${(1 + y * (HEIGHT - 2)).toFixed(1)}`
  }
  const points = values.flatMap((value, at) => (value === null ? [] : [pointOf(value, at)])).join(' ')
  const picture = { class: `spark ${isUp ? 'up' : 'down'}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }
  return svg('svg', { ...picture, 'aria-hidden': 'true' }, svg('polyline', { points }))
}
