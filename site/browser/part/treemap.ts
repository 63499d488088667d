/** A map of shares: each part's area is its share of the whole. */
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import { h } from '../base/dom.ts'

/** A part: its share, where it leads, two lines of text, and its change in percent, which colours it. */
export type MapTile = {
  readonly share: number
  readonly href: string
  readonly name: string
  readonly detail: string
  readonly change: number | null
}

/** A change from which on the colour is the strongest, percent. */
const STRONGEST = 15
/** Percent of the height and width from which there is room for text. */
const TEXT_HEIGHT = 8
const TEXT_WIDTH = 6

type Root = { readonly tiles?: readonly MapTile[]; readonly tile?: MapTile }

/** The map, as links that fill a box; `ratio` is its width by its height. */
export function shareMap(tiles: readonly MapTile[], ratio: number): HTMLElement {
  const root: Root = { tiles }
  const tree = hierarchy<Root>(root, (node) => node.tiles?.map((tile) => ({ tile })) ?? []).sum(
    ({ tile }) => tile?.share ?? 0,
  )
  const laid = treemap<Root>()
    .tile(treemapSquarify)
    .size([100 * ratio, 100])(tree)
  const boxes = laid.leaves().flatMap(({ data: { tile }, x0, x1, y0, y1 }) => {
    if (!tile) return []
    const [width, height] = [(x1 - x0) / ratio, y1 - y0]
    const strength = Math.min(1, Math.abs(tile.change ?? 0) / STRONGEST)
    const side = (tile.change ?? 0) >= 0 ? 'up' : 'down'
    const place = { left: `${x0 / ratio}%`, top: `${y0}%`, width: `${width}%`, height: `${height}%` }
    const isNamed = width > TEXT_WIDTH && height > TEXT_HEIGHT
    return h(
      'a',
      {
        class: side,
        href: tile.href,
        title: `${tile.name}: ${tile.detail}`,
        'aria-label': isNamed ? null : `${tile.name}: ${tile.detail}`,
        style: { ...place, '--strength': `${Math.round(12 + 58 * strength)}%` },
      },
      isNamed && h('bdi', {}, tile.name),
      isNamed && h('span', {}, tile.detail),
    )
  })
  return h('div', { class: 'map', style: { 'aspect-ratio': String(ratio) } }, boxes)
}
