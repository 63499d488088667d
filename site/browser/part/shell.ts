/** Common to all pages: style, freshness and key. */
import '../style/base.css'
import '../style/frame.css'
import '../style/tables.css'
import '../style/figures.css'
import '../style/documents.css'
import { goBackToChoices } from '../base/choices.ts'
import { find } from '../base/dom.ts'
import { showFreshness } from '../base/freshness.ts'
import { keepPlace } from '../base/place.ts'
import { showAccess } from './access.ts'
import { suggestTokens } from './suggest.ts'

/** Starts a page. */
export function openPage(): void {
  showFreshness()
  showAccess()
  goBackToChoices()
  keepPlace()
  suggestTokens()
  document.addEventListener('keydown', followKey)
  showWhere()
}

/** Scrolls a navigation that is wider than the screen so that the page's own name is visible. */
function showWhere(): void {
  for (const here of document.querySelectorAll<HTMLElement>('nav a[aria-current]')) {
    const { parentElement: nav } = here
    if (nav) nav.scrollLeft = here.offsetLeft + here.offsetWidth / 2 - nav.offsetLeft - nav.clientWidth / 2
  }
}

/** What a key does, unless the reader is typing. */
const keys: Readonly<Record<string, () => void>> = {
  '/': () => find('.find input').focus(),
  j: () => stepRows(1),
  k: () => stepRows(-1),
  s: () => rowOfFocus()?.querySelector<HTMLElement>('.star')?.click(),
}

function followKey(event: KeyboardEvent): void {
  const isWriting = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
  const run = keys[event.key]
  if (!run || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  run()
}

const rowOfFocus = () => document.activeElement?.closest('tr')

/** Focuses the token `by` rows further down; Enter opens it. */
function stepRows(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('tbody .token')]
  const here = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const next = links[here < 0 ? 0 : here + by]
  next?.focus({ preventScroll: true })
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}
