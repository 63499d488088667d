/** Short lists of tokens, several of them side by side. */
import { type Named, tokenCell } from '../base/cells.ts'
import { type Child, h } from '../base/dom.ts'

/** A token and its figure in each row; `none`: the text shown if there are no rows. */
export const tokenRows = <Row extends Named>(
  rows: readonly Row[],
  figure: (row: Row) => Child,
  none = 'None.',
): HTMLElement =>
  rows.length === 0
    ? h('p', { class: 'quiet' }, none)
    : h(
        'ol',
        { class: 'rows' },
        rows.map((row) => h('li', {}, tokenCell(row), h('span', { class: 'value' }, figure(row)))),
      )

/** A list under its title, as high as its rows. */
export const shortCard = (title: string, ...content: readonly Child[]): HTMLElement =>
  h('section', { class: 'card short' }, h('h3', {}, title), content)
