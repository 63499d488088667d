/** The tokens that a reader watches. They are kept in this browser alone; only the page that shows them asks for them. */
import { ADDRESSES_MAX } from '../../../schemas/values/addresses-max.ts'
import { h, main } from './dom.ts'

const STORED = 'z100.watched'
const ADDRESS = /^0x[0-9a-f]{40}$/

/** What is watched while the browser refuses to store it: it is full, or stores nothing for this site. */
let unstored: string | undefined

/** Addresses in lower case, those that were starred last first, at most ADDRESSES_MAX. */
export function watched(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(storedText())
    return Array.isArray(stored) ? stored.filter((each) => ADDRESS.test(each)).slice(0, ADDRESSES_MAX) : []
  } catch {
    return []
  }
}

function storedText(): string {
  if (unstored !== undefined) return unstored
  try {
    return localStorage.getItem(STORED) ?? '[]'
  } catch {
    return '[]'
  }
}

function store(addresses: readonly string[]): void {
  const text = JSON.stringify(addresses)
  try {
    localStorage.setItem(STORED, text)
    unstored = undefined
  } catch {
    // The page has it until it is left.
    unstored = text
  }
}

/** A full list takes no more, and the page says so: else the token that was starred first would be lost. */
const full = h('p', { class: 'notice', role: 'alert' })

function toggle(address: string): void {
  const all = watched()
  const others = all.filter((each) => each !== address)
  full.remove()
  if (others.length >= ADDRESSES_MAX) {
    full.textContent = `Your watchlist is full: it holds ${ADDRESSES_MAX} tokens. Take one off to watch another.`
    main().prepend(full)
    full.scrollIntoView({ block: 'nearest' })
  } else {
    store(others.length < all.length ? others : [address, ...others])
    tell()
  }
}

/** Takes tokens off the list. */
export function unwatch(addresses: readonly string[]): void {
  store(watched().filter((each) => !addresses.includes(each)))
  tell()
}

const listeners = new Set<() => void>()

/** Calls back when a token is starred or no more, in this window or in another. */
export const onWatched = (listener: () => void): void => void listeners.add(listener)

function tell(): void {
  const all = new Set(watched())
  for (const star of document.querySelectorAll<HTMLButtonElement>('button.star'))
    star.setAttribute('aria-pressed', String(all.has(star.value)))
  for (const listener of listeners) listener()
}

addEventListener('storage', ({ key }) => {
  if (key === STORED || key === null) tell()
})

type Starred = { readonly token_address: string; readonly symbol: string }

/** A star that puts a token on the watchlist, and takes it off; `words`: beside it, else it has its name for screen readers alone. */
export function starButton({ token_address: address, symbol }: Starred, words?: string): HTMLButtonElement {
  const value = address.toLowerCase()
  const attributes = {
    type: 'button',
    class: words ? 'star worded' : 'star',
    value,
    title: words ? null : 'Watch',
    'aria-label': `Watch ${symbol || address}`,
    'aria-pressed': String(watched().includes(value)),
    on: { click: () => toggle(value) },
  }
  return h('button', attributes, words)
}
