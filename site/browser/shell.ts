/** What every page has: its style, how fresh the figures are, and the key. */
import './style.css'
import { showAccess } from './access-dialog.ts'
import { showFreshness } from './freshness.ts'

/** Brings a page to life. */
export function openPage(): void {
  showFreshness()
  showAccess()
}
