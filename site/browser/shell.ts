/** What every page has: its style, how fresh the figures are, and the key. */
import './style/base.css'
import './style/frame.css'
import './style/tables.css'
import './style/figures.css'
import './style/documents.css'
import { showAccess } from './access.ts'
import { goBackToChoices } from './choices.ts'
import { find } from './dom.ts'
import { showFreshness } from './freshness.ts'

/** Brings a page to life. */
export function openPage(): void {
  showFreshness()
  showAccess()
  goBackToChoices()
  document.addEventListener('keydown', findBySlash)
}

/** `/` leads to the field that finds tokens, unless something is being written. */
function findBySlash(event: KeyboardEvent): void {
  const isWriting = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
  if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  find('.find input').focus()
}
