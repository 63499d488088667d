/** Common to all pages: style, freshness and key. */
import './style/base.css'
import './style/frame.css'
import './style/tables.css'
import './style/figures.css'
import './style/documents.css'
import { showAccess } from './access.ts'
import { goBackToChoices } from './choices.ts'
import { find } from './dom.ts'
import { showFreshness } from './freshness.ts'

/** Starts a page. */
export function openPage(): void {
  showFreshness()
  showAccess()
  goBackToChoices()
  document.addEventListener('keydown', findBySlash)
}

/** `/` focuses the search field, unless the reader is typing. */
function findBySlash(event: KeyboardEvent): void {
  const isWriting = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
  if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  find('.find input').focus()
}
