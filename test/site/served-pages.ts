/** The built pages in a browser, over a service that answers as a test wants it. */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { SITE_ROOT_OBJECT, siteFileOf } from '../../schemas/pages/site.ts'
import { type BuiltSite, buildSite } from '../../site/build/build-site.ts'
import { startBrowser } from '../support/browser.ts'

const ORIGIN = 'http://z100.test'

/** The answer of /v1/status with a snapshot. */
export const statusOf = (snapshot: string, as_of = new Date()) => ({
  status: 'ok',
  reasons: [] as readonly string[],
  chain: 'devnet',
  block_number: 7,
  rebuild_every_seconds: 60,
  snapshot_id: snapshot,
  as_of: `${as_of.toISOString().slice(0, 16)}:00Z`,
})

/** The pages for the tests of a `describe`, each with a page of its own. */
export function useServedPages() {
  let site: BuiltSite
  let browser: Browser
  let page: Page
  /** What was asked for, in its order. */
  const asked: string[] = []

  const serve = (route: Route) => {
    const path = new URL(route.request().url()).pathname
    asked.push(path)
    const name = path.slice(1) || SITE_ROOT_OBJECT
    const file = site.get(name)
    if (!file) return route.abort()
    const { contentType } = siteFileOf(name)!
    const own = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    return route.fulfill({ body: Buffer.from(file), contentType: contentType ?? own })
  }
  /** Answers a path with a body from now on. */
  const answer = (path: string, json: unknown, more: Partial<Parameters<Route['fulfill']>[0]> = {}) =>
    page.route(`${ORIGIN}${path}*`, (route) => {
      asked.push(path)
      return route.fulfill({ json, ...more })
    })

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([buildSite(), startBrowser()])
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    asked.length = 0
    page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    await page.route('**/*', serve)
    await answer('/config.json', { key: 'z100_site_1' })
    await answer('/v1/status', statusOf('first'))
  })
  afterEach(() => page.close())

  return {
    /** The page of the test that runs. */
    page: () => page,
    answer,
    timesAsked: (path: string) => asked.filter((each) => each === path).length,
    open: (path: string) => page.goto(ORIGIN + path),
    /** Keeps the next request of an address without an answer; gives it once it is made. */
    hold: async (address: string | RegExp) => {
      const held: Route[] = []
      await page.route(address, (route) => void held.push(route), { times: 1 })
      return () => vi.waitUntil(() => held[0])
    },
  }
}
