/** Where the reader was on a page: Back and Forward lead there again, though the rows are requested anew. */

type Place = { readonly top: number; readonly href: string | null }

/** The place of this history entry, until it is returned to; undefined: the page is opened, or the reader has moved. */
let sought: Place | undefined

/** Notes the place with the history entry. */
export function notePlace(): void {
  const href = document.activeElement?.getAttribute('href') ?? null
  history.replaceState({ top: scrollY, href } satisfies Place, '')
}

/** Keeps the place of every page that is left, and looks for the one of a page that is returned to. */
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

/** Scrolls to the place once the page is long enough, and focuses the link that was. Called when a part is shown. */
export function returnToPlace(): void {
  if (!sought || document.documentElement.scrollHeight < sought.top + innerHeight) return
  const { top, href } = sought
  if (href !== null)
    document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true })
  scrollTo(0, top)
  forget()
}
