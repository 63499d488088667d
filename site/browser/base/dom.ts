/** Creates elements. All text becomes text nodes, never markup; there is no other way to show it. */

/** Children of an element; null and false: nothing. */
export type Child = Node | string | number | null | undefined | false | readonly Child[]

type Listeners = { readonly [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void }

type Styles = Readonly<Record<string, string>>

/** Attributes by name; true: present without a value, false and null: absent. `on`: listeners by event; `style`: values by property. */
export type Attributes = {
  readonly on?: Listeners
  readonly style?: Styles
  readonly [name: string]: string | number | boolean | null | undefined | Listeners | Styles
}

/** Creates an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (name === 'style') {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, String(text))
    } else if (typeof value === 'object') {
      for (const [event, listener] of Object.entries(value))
        element.addEventListener(event, listener as EventListener)
    } else element.setAttribute(name, value === true ? '' : String(value))
  }
  append(element, children)
  return element
}

/** Creates an SVG element, which is a picture beside a text that says the same: assistive technology skips it. */
export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly Child[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  append(element, children)
  return element
}

const append = (element: Element, children: readonly Child[]): void => element.append(...nodesOf(children))

const nodesOf = (children: readonly Child[]): readonly (Node | string)[] =>
  children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return []
    if (Array.isArray(child)) return nodesOf(child)
    return [child instanceof Node ? child : String(child)]
  })

/** Replaces the children of an element. A node among both stays in place, with its focus and scroll position. */
export function setChildren(element: Element, ...children: readonly Child[]): void {
  const wanted = nodesOf(children)
  const kept = new Set(wanted)
  for (const old of [...element.childNodes]) if (!kept.has(old)) old.remove()
  for (const [place, node] of wanted.entries()) {
    const there = element.childNodes[place] ?? null
    if (there !== node) element.insertBefore(node instanceof Node ? node : new Text(node), there)
  }
}

/**
 * Something with an explanation, shown while it is pointed at, touched or has the focus. What takes no focus by itself
 * gets it: `tabIndex` -1 leaves it out of the order of the Tab key, for what stands in every row.
 */
export function explained(child: HTMLElement | string, text: string, tabIndex: 0 | -1 = 0): HTMLElement {
  const takesFocus = child instanceof HTMLElement && child.matches('a, button')
  const tip = h('span', { class: 'tip', role: 'tooltip' }, text)
  return h('span', { class: 'why', tabindex: takesFocus ? null : tabIndex }, child, tip)
}

/** An element is missing in the page's HTML. */
export class MissingElementError extends Error {
  override readonly name = 'MissingElementError'
  constructor(selector: string) {
    super(`The page has no ${selector}`)
  }
}

/** The element of the page's HTML. Throws MissingElementError. */
export function find<T extends HTMLElement = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector)
  if (!element) throw new MissingElementError(selector)
  return element
}

/** The main element of a page. */
export const main = (): HTMLElement => find('#main')

/** Code to copy. */
const SAID_MS = 2_000

/** A block of code with a button that copies it. */
export function codeBlock(text: string, label: string): HTMLElement {
  return h(
    'div',
    { class: 'code' },
    h('pre', { tabindex: '0', 'aria-label': label }, h('code', {}, text)),
    copyButton(() => text, label),
  )
}

export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const words = h('span', { 'aria-live': 'polite' }, 'Copy')
  const say = (said: string) => {
    words.textContent = said
    setTimeout(() => {
      words.textContent = 'Copy'
    }, SAID_MS)
  }
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => say('Copied'),
      // The browser may forbid it; the text can still be selected.
      () => say('Not allowed'),
    )
  return h('button', { type: 'button', class: 'copy', title: label, on: { click: () => void copy() } }, words)
}
