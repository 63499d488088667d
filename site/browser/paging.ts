/** The pages of a list that is asked for a page at a time. */
import { type Child, h } from './dom.ts'
import { count } from './format.ts'

/** Says which rows are shown, and leads to those before and after them. `offset`: rows before the first. */
export function pageLinks(
  { offset, size, total }: { readonly offset: number; readonly size: number; readonly total: number },
  [before, after]: readonly [before: string, after: string],
  show: (offset: number) => void,
): Child {
  const to = (label: string, next: number) =>
    next >= 0 && next < total && h('button', { type: 'button', on: { click: () => show(next) } }, label)
  return h(
    'nav',
    { class: 'bar', 'aria-label': 'Pages of the list' },
    h(
      'span',
      { class: 'quiet' },
      `${count(offset + 1)} to ${count(Math.min(total, offset + size))} of ${count(total)}`,
    ),
    h('span', { class: 'row' }, to(before, offset - size), to(after, offset + size)),
  )
}
