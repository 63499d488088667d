/** A few figures, large. */
import { change } from './cells.ts'
import { type Child, h } from './dom.ts'

/** Label, figure, its change in percent (undefined: none is known of), and where more of it is. */
export type Tile = readonly [label: string, figure: Child, change?: number | null | undefined, href?: string]

/** Tiles side by side. */
export const tiles = (all: readonly Tile[]): HTMLElement =>
  h(
    'dl',
    { class: 'tiles' },
    all.map(([label, figure, by, href]) =>
      h(
        'div',
        {},
        h('dt', {}, href ? h('a', { href }, label) : label),
        h('dd', {}, h('span', { class: 'number' }, figure), by !== undefined && change(by)),
      ),
    ),
  )
