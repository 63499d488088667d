/**
 * `npm run pictures`: pictures of every page of a run that is on, wide and on a phone, light and dark, and of what they
 * are in trouble, in dist/pictures/. An argument names the run's ready.json, a second one a part of the names, `paint` the times alone.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { hostileNamings } from '../../dev/devnet/names.ts'
import type { Ready } from '../../dev/local/service.ts'
import { pages } from '../../site/build/pages.ts'
import { bearer } from '../support/aws/access.ts'
import { startBrowser } from '../support/browser.ts'
import { printPaints } from './paints.ts'
import { queriesOf } from './reader.ts'

const [file = '.z100/ready.json', part = ''] = process.argv.slice(2)
const OUT = join(import.meta.dirname, '../../dist/pictures')
const { base_url: base, keys } = JSON.parse(readFileSync(file, 'utf8')) as Ready

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const schemes = ['light', 'dark'] as const

type View = { readonly size: keyof typeof sizes; readonly scheme: (typeof schemes)[number] }

const views: readonly View[] = (['wide', 'phone'] as const).flatMap((size) =>
  schemes.map((scheme) => ({ size, scheme })),
)

const ask = async <Body>(path: string): Promise<Body> =>
  (await (await fetch(base + path, { headers: bearer(keys.enterprise) })).json()) as Body

const DATA = '**/v1/**'

/** Changes every answer on its way to the page. */
const changed = (change: (value: unknown) => unknown) => async (page: Page) =>
  page.route(DATA, async (route) => {
    if (route.request().url().includes('/v1/status')) return route.continue()
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })

const answered = (status: number, error: object) => async (page: Page) =>
  page.route(DATA, (route) =>
    route.request().url().includes('/v1/status')
      ? route.continue()
      : route.fulfill({ status, json: { error: { details: {}, request_id: 'req-1', ...error } } }),
  )

/** Every list in an answer, and the lists within it, emptied. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, emptied(inner)]))
}

/** Every named record with a name that means harm. */
function renamed(value: unknown): unknown {
  let n = 0
  const cutIn = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(cutIn)
    if (each === null || typeof each !== 'object') return each
    const inner = Object.fromEntries(Object.entries(each).map(([name, deeper]) => [name, cutIn(deeper)]))
    return 'symbol' in inner ? { ...inner, ...hostileNamings[n++ % hostileNamings.length] } : inner
  }
  return cutIn(value)
}

/** What may happen to a page: before it is opened, or once it is shown. */
const troubles: Readonly<
  Record<string, { before?: (page: Page) => Promise<unknown>; after?: (page: Page) => Promise<unknown> }>
> = {
  empty: { before: changed(emptied) },
  loading: {
    before: (page) =>
      page.route(DATA, (route) =>
        route.request().url().includes('/v1/status') ? route.continue() : undefined,
      ),
  },
  stale: {
    before: (page) =>
      page.route('**/v1/status', async (route) => {
        const response = await route.fetch()
        const reasons = ['figures are as of 2026-11-20T04:00:00Z, 86,400 s old']
        await route.fulfill({ response, json: { ...(await response.json()), status: 'degraded', reasons } })
      }),
  },
  error: { before: answered(500, { code: 'INTERNAL_ERROR', message: 'Internal error.' }) },
  limit: {
    before: answered(429, {
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'The limit is reached.',
      details: { limit: 100, remaining: 0, reset_at: '2026-11-26T05:00:00Z' },
    }),
  },
  offline: {
    after: async (page) => {
      await page.context().setOffline(true)
      await page.waitForSelector('#freshness[data-state=lost]')
    },
  },
  hostile: { before: changed(renamed) },
}

const troubled = ['/', '/boards', '/z100-index', '/token', '/creator', '/wallet', '/recap', '/new-launches']

async function picture(browser: Browser, name: string, { size, scheme }: View, shot: Shot): Promise<void> {
  const file = `${name}-${size}-${scheme}.png`
  if (!file.includes(part)) return
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: scheme })
  await context.addInitScript(`sessionStorage.setItem('z100.key', ${JSON.stringify(keys.enterprise)})`)
  const page = await context.newPage()
  await shot.before?.(page)
  await page.goto(base + shot.path)
  await page.waitForSelector('#freshness:not([data-state=unknown])')
  // One whose parts never come is shown as it waits.
  await page.waitForSelector('.panel[aria-busy=true]', { state: 'detached', timeout: 8_000 }).catch(() => {})
  await shot.after?.(page)
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(OUT, file), fullPage: shot.isWhole })
  await context.close()
}

type Shot = (typeof troubles)[string] & { readonly path: string; readonly isWhole: boolean }

mkdirSync(OUT, { recursive: true })
const browser = await startBrowser()
const query = await queriesOf(ask)
const nameOf = (path: string) => (path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'))
for (const { path } of pages)
  for (const view of views)
    await picture(browser, nameOf(path), view, { path: path + (query[path] ?? ''), isWhole: true })
for (const path of troubled)
  for (const [trouble, steps] of Object.entries(troubles))
    for (const view of [views[0]!, views[3]!])
      await picture(browser, `${nameOf(path)}-${trouble}`, view, {
        ...steps,
        path: path + (query[path] ?? ''),
        isWhole: false,
      })
if (part === '' || part === 'paint') {
  const own = `/token/${query['/token']!.slice('?id='.length)}`
  await printPaints(browser, base, [...pages.map(({ path }) => path + (query[path] ?? '')), own])
}
await browser.close()
