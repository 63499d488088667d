/** A reader of a run: a browser with a key of its own, and what its page shows. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { BoardRow, Swap } from '../../clients/typescript/index.ts'
import { bearer } from '../support/aws/access.ts'
import { type Complaints, noteComplaints, startBrowser } from '../support/browser.ts'
import type { Service } from '../support/service.ts'

export const WAIT_MS = 60_000
export const WIDE = { width: 1280, height: 900 }
export const PHONE = { width: 390, height: 844 }
/** Most that the parts of a page move while it comes, as browsers measure it. */
export const MOST_SHIFT = 0.03
/** A folder for a picture of every page. */
const SHOTS = process.env['SITE_SHOTS']
if (SHOTS) mkdirSync(SHOTS, { recursive: true })

/** Notes the largest part that a page has painted, and when. */
export const notePaints = `globalThis.painted = { at: 0, what: '' }
new PerformanceObserver((list) => {
  for (const { startTime, element } of list.getEntries())
    painted = { at: startTime, what: element?.textContent.slice(0, 40) ?? '' }
}).observe({ type: 'largest-contentful-paint', buffered: true })`

/** Sums up the layout shifts of a page that no input caused. */
export const noteShifts = `globalThis.shifted = 0
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value
}).observe({ type: 'layout-shift', buffered: true })`

/** What the pages of one token, creator, wallet or search are asked for. */
export async function queriesOf(
  ask: <Body>(path: string) => Promise<Body>,
): Promise<Readonly<Record<string, string>>> {
  const [{ token_address: token }] = await ask<[BoardRow]>('/v1/z100/posts')
  const [{ creator_address: creator }] = await ask<[BoardRow]>('/v1/z100/creators')
  const [{ trader }] = await ask<[Swap]>('/v1/market/recent-swaps?limit=1')
  return {
    '/token': `?id=${token}`,
    '/creator': `?id=${creator}`,
    '/wallet': `?id=${trader}`,
    '/search': '?q=lisbon',
  }
}

export type PageReader = Awaited<ReturnType<typeof openPageReader>>

/** Opens a browser on the pages of a run. */
export async function openPageReader(service: Service) {
  const { base_url: base, keys } = service.ready
  const browser = await startBrowser()
  const context = await browser.newContext({ viewport: WIDE })
  context.setDefaultTimeout(WAIT_MS)
  for (const note of [noteShifts, notePaints]) await context.addInitScript(note)
  // That of the pages is answered documents alone.
  const key = JSON.stringify(keys.enterprise)
  const content = `if (!sessionStorage.getItem('z100.key')) sessionStorage.setItem('z100.key', ${key})`
  await context.addInitScript({ content })
  let page: Page
  let complaints: Complaints
  const newPage = async () => {
    page = await context.newPage()
    complaints = await noteComplaints(page)
  }
  await newPage()

  /** Every part of the page has its answer. */
  const settled = async () => {
    await page.waitForSelector('#freshness:not([data-state=unknown])')
    await page.waitForSelector('.panel[aria-busy=true]', { state: 'detached' })
  }
  /** What the API answers. */
  const ask = async <Body>(path: string, asking: string = keys.enterprise): Promise<Body> =>
    (await (await fetch(base + path, { headers: bearer(asking) })).json()) as Body

  return {
    service,
    settled,
    ask,
    get page() {
      return page
    },
    /** What went wrong on the page so far. */
    complaints: () => complaints(),
    close: () => browser.close(),
    /** A new page in place of the one that was. */
    begin: async () => {
      await page.close()
      await newPage()
    },
    open: async (path: string) => {
      await page.goto(base + path)
      await settled()
    },
    /** Answers are changed on their way to the page, and get these headers. */
    change: <Body>(
      addresses: string | RegExp,
      changed: (body: Body) => unknown,
      headers: Readonly<Record<string, string>> = {},
    ) =>
      page.route(addresses, async (route) => {
        const response = await route.fetch()
        const json = changed((await response.json()) as Body)
        await route.fulfill({ response, json, headers: { ...response.headers(), ...headers } })
      }),
    /** A new snapshot may come out meanwhile: page and test read the same one. */
    pin: async (addresses: RegExp): Promise<(address: string) => string> => {
      const { snapshot_id: id } = await ask<{ snapshot_id: string }>('/v1/status')
      const pinned = (address: string) => `${address}${address.includes('?') ? '&' : '?'}snapshot=${id}`
      await page.route(addresses, (route) => route.continue({ url: pinned(route.request().url()) }))
      return pinned
    },
    shot: async (name: string) => {
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
    },
    /** Addresses of the tokens in the first table, in order. */
    tokensShown: () =>
      page
        .locator(':is(.list, .scroll):has(tbody .token)')
        .first()
        .locator('tbody .token')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as unknown as { href: string }).href).searchParams.get('id')!),
        ),
  }
}
