/** Where the reader was on a page: Back and Forward return there, although the rows are fetched again. */

type Place = { readonly top: number; readonly href: string | null }

/** The place to return to in this history entry; undefined: none, the reader is there, or has moved. */
let sought: Place | undefined

/** Saves the place in the history entry. */
export function notePlace(): void {
  const href = document.activeElement?.getAttribute('href') ?? null
  history.replaceState({ top: scrollY, href } satisfies Place, '')
}

/** Saves the place of a page when it is left, and looks it up when the reader returns. */
export function keepPlace(): void {
  addEventListener('pagehide', notePlace)
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const place = history.state as Place | null
  if (!place || !['back_forward', 'reload'].includes(navigation?.type ?? '')) return
  sought = place
  history.scrollRestoration = 'manual'
  for (const moved of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(moved, forget, { once: true, passive: true })
}

function forget(): void {
  sought = undefined
  history.scrollRestoration = 'auto'
}

/** Scrolls to the place once the page is long enough, and focuses the link that had the focus. Called whenever a part is shown. */
export function returnToPlace(): void {
  if (!sought || document.documentElement.scrollHeight < sought.top + innerHeight) return
  const { top, href } = sought
  if (href !== null)
    document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true })
  scrollTo(0, top)
  forget()
}
