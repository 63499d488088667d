/** Suggestions below the search field, over all tokens, by pointer and keyboard. */

import type { TokenSummary } from '../../../clients/typescript/index.ts'
import { readTokenId } from '../../../schemas/values/token-id.ts'
import { ask } from '../base/ask.ts'
import { kindTag, tokenHref } from '../base/cells.ts'
import { type Child, find, h, setChildren } from '../base/dom.ts'
import { dollars, shortHex } from '../base/format.ts'
import { avatar } from '../base/pictures.ts'

const MOST = 7
const PAUSE_MS = 180
const LEAST_LETTERS = 2

/** The field suggests tokens from now on: those on a board that match, then all others of this symbol or name. */
export function suggestTokens(): void {
  const input = find<HTMLInputElement>('.find input')
  const list = openList(input)
  find('.find').append(list.element)
  let asking = new AbortController()
  let due: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const text = input.value.trim()
    // Without an answer there are no suggestions; Enter still leads to the search page, which says why.
    const next = text.length < LEAST_LETTERS ? [] : await tokensLike(text, signal).catch(() => [])
    if (!signal.aborted) list.set(next)
  }
  input.addEventListener('input', () => {
    clearTimeout(due)
    due = setTimeout(() => void look(), PAUSE_MS)
  })
  input.addEventListener('blur', () => {
    clearTimeout(due)
    asking.abort()
    list.set([])
  })
  input.addEventListener('keydown', (event) => {
    const isDone = list.follow(event.key)
    if (isDone) event.preventDefault()
  })
}

/** The list below the field: `set` shows tokens, `follow` does what a key asks for, and returns whether it did. */
function openList(input: HTMLInputElement) {
  const element = h('ul', { id: 'suggestions', role: 'listbox', 'aria-label': 'Tokens', hidden: true })
  const attributes = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': element.id }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  let found: readonly TokenSummary[] = []
  let chosen = -1
  const show = () => {
    element.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(!element.hidden))
    input.setAttribute('aria-activedescendant', chosen < 0 ? '' : `suggestion-${chosen}`)
    setChildren(
      element,
      found.map((token, at) => optionOf(token, at, at === chosen)),
    )
  }
  const set = (next: readonly TokenSummary[]) => {
    found = next
    chosen = -1
    show()
  }
  const step = (by: number) => {
    chosen = Math.max(-1, Math.min(found.length - 1, chosen + by))
    show()
  }
  // The field keeps the focus while an option is pressed.
  element.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    const option = event.target instanceof Element && event.target.closest('li')
    if (option) open(found[[...element.children].indexOf(option)])
  })
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Escape: () => set([]),
    Enter: () => open(found[chosen]),
  }
  const follow = (key: string): boolean => {
    const run = keys[key]
    if (!run || element.hidden || (key === 'Enter' && chosen < 0)) return false
    run()
    return true
  }
  show()
  return { element, set, follow }
}

function open(token: TokenSummary | undefined): void {
  if (token) location.assign(tokenHref(token.token_address))
}

function optionOf(token: TokenSummary, at: number, isChosen: boolean): Child {
  const { symbol, name, token_address: address, creator_address: creator, type, market_cap: cap } = token
  return h(
    'li',
    { id: `suggestion-${at}`, role: 'option', 'aria-selected': String(isChosen) },
    avatar(creator ?? address),
    h('bdi', { class: 'symbol' }, symbol || shortHex(address)),
    h('bdi', { class: 'name' }, name),
    kindTag(type),
    h('span', { class: 'quiet' }, dollars(cap)),
  )
}

async function tokensLike(text: string, signal: AbortSignal): Promise<readonly TokenSummary[]> {
  const listed = (await ask('/v1/search', { query: { q: text, limit: MOST } }, signal)).body
  if (listed.length >= MOST) return listed
  const fields = readTokenId(text) ? (['address'] as const) : (['symbol', 'name'] as const)
  const others = await Promise.all(
    fields.map((field) =>
      ask('/v1/tokens', { query: { field, value: text, limit: MOST } }, signal).then(({ body }) => body),
    ),
  )
  const byAddress = new Map([...listed, ...others.flat()].map((token) => [token.token_address, token]))
  return [...byAddress.values()].slice(0, MOST)
}
