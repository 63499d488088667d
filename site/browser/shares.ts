/** A whole as one bar of its parts, and the key that says them in words. */
import { h } from './dom.ts'
import { fixed } from './format.ts'

/** A part: percent of the whole, and its shade, 1 (the strongest) to 5. */
export type Share = { readonly label: string; readonly share: number; readonly shade: number }

/** The bar and its key. */
export function sharesBar(parts: readonly Share[]): HTMLElement {
  const bar = h(
    'div',
    { class: 'shares', 'aria-hidden': 'true' },
    parts.map(({ share, shade }) => {
      const part = h('span', { class: `share-${shade}` })
      part.style.width = `${share}%`
      return part
    }),
  )
  const key = h(
    'ul',
    { class: 'key' },
    parts.map(({ label, share, shade }) =>
      h(
        'li',
        {},
        h('i', { class: `share-${shade}`, 'aria-hidden': 'true' }),
        `${label}: ${fixed(share, 2)}%`,
      ),
    ),
  )
  return h('div', { class: 'picture' }, bar, key)
}
