/** Elements made of words. Text from anywhere becomes text nodes, never markup: the page has no other way to show it. */

/** What stands inside an element; null and false: nothing. */
export type Child = Node | string | number | null | undefined | false | readonly Child[]

type Listeners = { readonly [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void }

/** Attributes by name; true: present without a value, false and null: absent. `on`: listeners by event. */
export type Attributes = {
  readonly on?: Listeners
  readonly [name: string]: string | number | boolean | null | undefined | Listeners
}

/** Makes an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'object') {
      for (const [event, listener] of Object.entries(value))
        element.addEventListener(event, listener as EventListener)
    } else element.setAttribute(name, value === true ? '' : String(value))
  }
  append(element, children)
  return element
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) append(element, child)
    else element.append(child instanceof Node ? child : String(child))
  }
}

/** Puts children in place of what an element holds. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren()
  append(element, children)
}

/** A page lacks an element that its HTML should have. */
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

/** Where a page puts what it shows. */
export const main = (): HTMLElement => find('#main')
