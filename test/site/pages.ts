import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBook } from '../../local/devnet/book.ts'
import { hostileNamings } from '../../local/devnet/names.ts'
import { buy } from '../../local/devnet/traders.ts'
import type { Address } from '../../market/segment.ts'
import type { BoardRow, Constituents, TokenSummary } from '../../schemas/client.ts'
import { pages } from '../../site/build/pages.ts'
import { type Complaints, hasBrowser, noteComplaints, startBrowser } from '../support/browser.ts'
import { anvilAt } from '../support/devnet-market.ts'
import { memoryStores } from '../support/ingest-stores.ts'
import { isLong } from '../support/rounds.ts'
import type { Service } from '../support/service.ts'
import { openWay, startTask } from '../support/stream-clients.ts'
import { openFeedChain } from '../support/swap-feed.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WAIT_MS = 60_000
const PHONE = { width: 390, height: 844 }
/** A folder for a picture of every page. */
const SHOTS = process.env['SITE_SHOTS']
if (SHOTS) mkdirSync(SHOTS, { recursive: true })

/** It takes minutes: `npm run test:long` looks at them. */
const isLooked = (isLong || SHOTS !== undefined) && hasBrowser('nobody looks at the pages')

/** The real pages of a real run, as a reader has them. test/system/end-to-end.test.ts has a run. */
export const describePages = (run: () => Service) =>
  describe.runIf(isLooked)('the pages of a run', { timeout: 240_000 }, () => {
    let service: Service
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let complaints: Complaints

    beforeAll(async () => {
      service = run()
      browser = await startBrowser()
      context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      await context.addInitScript(noteShifts)
      context.setDefaultTimeout(WAIT_MS)
      // A reader with a key of their own: that of the pages is answered documents alone.
      const key = JSON.stringify(service.ready.keys.enterprise)
      const content = `if (!sessionStorage.getItem('z100.key')) sessionStorage.setItem('z100.key', ${key})`
      await context.addInitScript({ content })
      page = await context.newPage()
      complaints = await noteComplaints(page)
    })
    afterAll(() => browser?.close())

    const open = async (path: string, base = service.ready.base_url) => {
      await page.goto(base + path)
      await settled()
    }
    /** Every part of the page has its answer. */
    const settled = async () => {
      await page.waitForSelector('#freshness:not([data-state=unknown])')
      await page.waitForSelector('.panel[aria-busy=true]', { state: 'detached' })
    }
    const ask = async <Body>(path: string, key = service.ready.keys.enterprise): Promise<Body> => {
      const response = await fetch(service.ready.base_url + path, {
        headers: { Authorization: `Bearer ${key}` },
      })
      return (await response.json()) as Body
    }
    const shot = async (name: string) => {
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
    }
    /** Addresses of the tokens in the first table, in order. */
    const tokensShown = () =>
      page
        .locator('.scroll:has(tbody .token)')
        .first()
        .locator('tbody .token')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as unknown as { href: string }).href).searchParams.get('id')!),
        )

    it('every one is read without a breach of its policy, on a phone too, and axe finds nothing serious', async () => {
      const [{ token_address: token }] = await ask<[BoardRow]>('/v1/z100/posts')
      const query: Record<string, string> = { '/token': `?id=${token}`, '/search': '?q=lisbon' }
      for (const [n, { path }] of pages.entries()) {
        await page.emulateMedia({ colorScheme: n % 2 === 0 ? 'light' : 'dark' })
        await page.setViewportSize(PHONE)
        await open(path + (query[path] ?? ''))
        expect(await page.locator('main .notice').allTextContents(), path).toEqual([])
        expect(await page.locator('h1').count(), path).toBe(1)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect(width, path).toBeLessThanOrEqual(PHONE.width)
        await shot(`phone${path.replaceAll('/', '-')}`)
        expect(await page.evaluate('shifted'), `${path} on a phone`).toBeLessThanOrEqual(0.1)
        await page.setViewportSize({ width: 1280, height: 900 })
        await open(path + (query[path] ?? ''))
        expect(await page.evaluate('shifted'), path).toBeLessThanOrEqual(0.1)
        expect(await complaints(), path).toEqual([])
        await page.evaluate(axe)
        // Of a long table some rows: the others are made alike.
        const found = (await page.evaluate(
          "axe.run({ exclude: ['tbody tr:nth-child(n+6)'] }, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
        )) as string[]
        expect(found, path).toEqual([])
        await shot(`wide${path.replaceAll('/', '-')}`)
      }
    })

    it('a refresh leaves focus, scroll and open parts where they are; Back undoes a sort; / finds', async () => {
      const status = await ask<{ snapshot_id: string }>('/v1/status')
      let snapshot = status.snapshot_id
      let refreshes = 0
      await page.route('**/v1/status', (route) =>
        route.fulfill({ json: { ...status, snapshot_id: snapshot } }),
      )
      await page.route('**/v1/z100/creators*', async (route) => {
        const response = await route.fetch()
        const rows = (await response.json()) as BoardRow[]
        // Each refresh brings other prices in another order.
        refreshes += 1
        const json = rows.map((row) => ({ ...row, price_usd: refreshes })).reverse()
        await route.fulfill({ response, json })
      })
      await page.clock.install()
      await open('/')
      await page.locator('details.proof summary').click()
      await page.locator('tbody tr').nth(40).locator('a').focus()
      const place = async () =>
        page.evaluate(
          "[document.activeElement.href, document.querySelector('.scroll').scrollTop, document.querySelector('details.proof').open]",
        )
      const before = (await place()) as [string, number, boolean]
      expect(before[1]).toBeGreaterThan(100)
      snapshot = 'another'
      await page.clock.fastForward(60_000)
      await expect
        .poll(() =>
          page.evaluate(
            "[...document.querySelectorAll('tbody .of-price')].every((cell) => cell.textContent.startsWith('$2'))",
          ),
        )
        .toBe(true)
      expect(await place()).toEqual([before[0], expect.any(Number), true])

      await page.locator("thead button[value='holders']").click()
      expect(new URL(page.url()).searchParams.get('sort_by')).toBe('holders')
      await page.goBack()
      await settled()
      expect(
        await page.locator("thead th[aria-sort] button[data-order$='ending']").getAttribute('value'),
      ).toBe('rank')
      await page.keyboard.press('/')
      expect(await page.evaluate('document.activeElement.name')).toBe('q')
      await page.unroute('**/v1/status')
      await page.unroute('**/v1/z100/creators*')
      await page.close()
      page = await context.newPage()
      complaints = await noteComplaints(page)
    })

    it('on a phone six rows of a board stand above the fold, and the head stays over its columns', async () => {
      await page.setViewportSize(PHONE)
      await open('/')
      const seen = await page
        .locator('tbody tr')
        .evaluateAll(
          (rows) =>
            rows.filter((row) => (row as unknown as Box).getBoundingClientRect().bottom <= 844).length,
        )
      expect(seen).toBeGreaterThanOrEqual(6)
      await page.evaluate("document.querySelector('.scroll').scrollTo(200, 600)")
      const [head, cell] = await Promise.all(
        ['thead .of-holders', 'tbody tr:nth-child(14) .of-holders'].map((selector) =>
          page.locator(selector).boundingBox(),
        ),
      )
      const region = await page.locator('.scroll').first().boundingBox()
      expect(head!.y).toBeCloseTo(region!.y, -1)
      expect(head!.x).toBeCloseTo(cell!.x, 0)
      await shot('phone-scrolled')
      await page.setViewportSize({ width: 1280, height: 900 })
    })

    it('a mistyped address is a page with status 404, one of the API an error', async () => {
      const base = service.ready.base_url
      const response = await page.goto(`${base}/z100-indx`)
      expect(response?.status()).toBe(404)
      expect(await page.locator('h1').textContent()).toBe('There is nothing at this address')
      expect(await page.evaluate('document.styleSheets[0].cssRules.length')).toBeGreaterThan(50)
      await shot('nothing-here')
      expect(await complaints()).toEqual([])
      await page.locator('main a').first().click()
      await settled()
      expect(await page.locator('h1').textContent()).toBe('Z100 boards')
      const refused = await ask<{ error: { code: string } }>('/v1/nothing')
      expect(refused.error.code).toBe('RESOURCE_NOT_FOUND')
    })

    it('the policy holds: text cannot become markup, nor a foreign address be asked', async () => {
      await open('/docs/start')
      await expect(page.evaluate("document.body.innerHTML = '<img src=x onerror=alert(1)>'")).rejects.toThrow(
        /TrustedHTML/,
      )
      await expect(page.evaluate("fetch('https://example.invalid/')")).rejects.toThrow(/Failed to fetch/)
      const breaches = await complaints()
      expect(breaches.some((line) => line.startsWith('policy: require-trusted-types-for'))).toBe(true)
      expect(breaches.some((line) => line.startsWith('policy: connect-src'))).toBe(true)
      await page.close()
      page = await context.newPage()
      complaints = await noteComplaints(page)
    })

    it('boards stand in every order of the API, both ways, and in every period', async () => {
      // A new snapshot may come out meanwhile: page and test read the same one.
      const { snapshot_id: snapshot } = await ask<{ snapshot_id: string }>('/v1/status')
      const pinned = (address: string) => `${address}${address.includes('?') ? '&' : '?'}snapshot=${snapshot}`
      await page.route(/\/v1\/z100\/(creators|posts)/, (route) =>
        route.continue({ url: pinned(route.request().url()) }),
      )
      for (const board of ['creators', 'posts']) {
        await open(`/?board=${board}`)
        const rows = await ask<BoardRow[]>(pinned(`/v1/z100/${board}`))
        expect((await tokensShown()).toSorted()).toEqual(rows.map((row) => row.token_address).toSorted())
        const sorts = await page
          .locator('thead button')
          .evaluateAll((all) => all.map((each) => each.getAttribute('value')!))
        expect(sorts).toHaveLength(11)
        for (const sort of sorts) {
          const ordered = await ask<BoardRow[]>(pinned(`/v1/z100/${board}?sort_by=${sort}`))
          const keyOf = sortKeys[sort]!
          const byToken = new Map(ordered.map((row) => [row.token_address, keyOf(row)]))
          const button = page.locator(`thead button[value=${sort}]`)
          if ((await button.getAttribute('data-order')) !== 'descending') await button.click()
          // Rows that differ are in the API's order; those that print alike may stand in either.
          expect(
            (await tokensShown()).map((token) => byToken.get(token)),
            sort,
          ).toEqual(ordered.map(keyOf))
          expect(await button.locator('..').getAttribute('aria-sort')).toBe('descending')
          await button.click()
          const values = (await tokensShown()).map((token) => byToken.get(token)!)
          const known = ordered.map(keyOf).filter((value) => value !== null)
          expect(values.slice(0, known.length), sort).toEqual(known.toReversed())
        }
      }
      for (const period of ['1h', '4h', '7d']) {
        await page.locator(`button[value='${period}']`).click()
        await settled()
        const rows = await ask<BoardRow[]>(pinned(`/v1/z100/posts?period=${period}`))
        expect(new URL(page.url()).searchParams.get('period')).toBe(period)
        expect(await page.locator('.move.new').count()).toBe(rows.filter((row) => row.is_new).length)
        expect(await page.locator('tr.is-mover').count()).toBe(
          rows.filter((row) => !row.is_new && Math.abs(row.rank_change ?? 0) >= 5).length,
        )
      }
      await page.unroute(/\/v1\/z100\/(creators|posts)/)
      await page.locator('details.proof summary').click()
      await page.waitForSelector("details.proof dd .hex:text-matches('^[0-9a-f]{64}$')")
      expect(await page.locator('details.proof pre').textContent()).toMatch(
        /^npm run admin -- verify \d{8}T\d{4}Z-/,
      )
    })

    it('lists show what the API says, in its order; the reference has each of its operations, in three languages', async () => {
      const { snapshot_id: snapshot } = await ask<{ snapshot_id: string }>('/v1/status')
      const lists = {
        '/trending?timeframe=7d&sort_by=change': '/v1/market/trending?timeframe=7d&sort_by=change',
        '/rising': '/v1/discover/rising?limit=20',
        '/new-launches': '/v1/discover/new-launches?limit=20',
      }
      const pinned = (address: string) => `${address}${address.includes('?') ? '&' : '?'}snapshot=${snapshot}`
      const ofLists = /\/v1\/(market\/trending|discover)/
      await page.route(ofLists, (route) => route.continue({ url: pinned(route.request().url()) }))
      for (const [path, source] of Object.entries(lists)) {
        await open(path)
        const rows = await ask<BoardRow[]>(pinned(source))
        expect(rows.length, path).toBeGreaterThan(0)
        expect((await tokensShown()).slice(0, rows.length), path).toEqual(
          rows.map((row) => row.token_address),
        )
      }
      await page.unroute(ofLists)
      await open('/docs/api')
      const { paths } = await ask<{ paths: Record<string, unknown> }>('/v1/openapi.json')
      const shown = await page.locator('.operation h3').allTextContents()
      expect(shown.toSorted()).toEqual(
        Object.keys(paths)
          .map((path) => `GET ${path}`)
          .toSorted(),
      )
      const sample = page.locator('#creators pre:visible').first()
      for (const [language, word] of [
        ['curl', 'curl -s'],
        ['js', 'await fetch('],
        ['python', 'urllib.request'],
      ]) {
        await page.locator(`.samples button[value=${language}]`).first().click()
        expect(await sample.textContent()).toContain(word)
      }
    })

    it('of a token that is older than the history its page says what is unknown, and never that nobody holds it', async () => {
      const [{ token_address: token }] = await ask<[BoardRow]>('/v1/z100/posts')
      const from = '2026-11-21T19:56:14Z'
      const nothing = { unique_holders: null, holders_count: null, total_holders: null, created_at: null }
      const highs = {
        all_time_high: null,
        ath_at: null,
        all_time_low: null,
        atl_at: null,
        total_volume: null,
      }
      const old = { coverage_from: from, ...nothing, ...highs }
      const change = async (route: Route, changed: (body: Record<string, object>) => object) => {
        const response = await route.fetch()
        const body = (await response.json()) as Record<string, object>
        await route.fulfill({ response, json: { ...body, ...changed(body) } })
      }
      await page.route(/\/v1\/tokens\/0x\w+$/, (route) => change(route, () => old))
      await page.route(/\/metrics$/, (route) =>
        change(route, ({ metrics }) => ({ metrics: { ...metrics, ...old } })),
      )
      await page.route(/\/holders(\?|$)/, (route) =>
        change(route, () => ({ ...old, distribution: null, distribution_adjusted: null, holders: [] })),
      )
      await open(`/token/${token}`)
      const text = (await page.locator('main').allInnerTexts()).join()
      expect(text).toContain('Known since')
      expect(text).toMatch(/Holders\s+unknown/)
      expect(text).toMatch(/Volume since launch\s+unknown/)
      expect(text).toContain('who held it then is not')
      expect(text).not.toContain('Nobody holds')
      await shot('adopted')
      await page.unrouteAll()
    })

    it('the index shows its members, all or of one board, by weight or by how long they sit; none before its base', async () => {
      const path = '/v1/z100/index/constituents'
      // One answer for page and test, with names worse than the service passes on.
      const body = await ask<Constituents>(path)
      const hostile = (rows: Constituents['constituents']) =>
        rows.map((row, n) => ({ ...row, ...hostileNamings[n % hostileNamings.length] }))
      const members = hostile(body.constituents)
      await page.route(`**${path}`, (route) => route.fulfill({ json: { ...body, constituents: members } }))
      await open('/z100-index')
      const addresses = (rows: typeof members) => rows.map((row) => row.token_address)
      expect(members.length).toBeGreaterThan(20)
      expect(await tokensShown()).toEqual(addresses(members))
      const weights = await page.locator('tbody .of-weight').allTextContents()
      for (const [n, row] of members.entries())
        expect(Number.parseFloat(weights[n]!)).toBeCloseTo(row.weight_percent, 1)
      expect(await page.locator('main .name').allTextContents()).toEqual(members.map(({ name }) => name))
      expect(await page.locator('main img, main script').count()).toBe(0)
      const posts = members.filter(({ type }) => type === 'post')
      await page.locator("button[value='post']").click()
      expect(await tokensShown()).toEqual(addresses(posts))
      expect(new Set(await page.locator('tbody .tag').allTextContents())).toEqual(new Set(['post']))
      await page.locator("thead button[value='since']").click()
      expect(await tokensShown()).toEqual(
        addresses(posts.toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since))),
      )
      await shot('members')
      const points = async () => page.locator('.chart + details tbody tr').count()
      for (const interval of ['daily', 'hourly']) {
        await page.locator(`button[value='${interval}']`).click()
        await settled()
        const bars = await ask<unknown[]>(`/v1/z100/historical?interval=${interval}`)
        // The days before the index has its base are none.
        expect(bars.length).toBeGreaterThan(3)
        // An hour may begin meanwhile.
        expect(bars.length - (await points())).toBeLessThanOrEqual(1)
      }
      await page.unroute(`**${path}`)
      await page.route(`**${path}`, (route) =>
        route.fulfill({ json: { ...body, constituents_count: 0, constituents: [] } }),
      )
      await open('/z100-index')
      expect(await page.locator('main').textContent()).toContain('The index has no members yet')
      await shot('no-members')
      expect(await complaints()).toEqual([])
      await page.unroute(`**${path}`)
    })

    it('names from the chain are text', async () => {
      for (const symbol of ['<script>', '__proto__', "'; DROP TABLE"]) {
        const [found] = await ask<{ token_address: string; name: string }[]>(
          `/v1/tokens?field=symbol&value=${encodeURIComponent(symbol)}`,
        )
        await open(`/token?id=${found!.token_address}`)
        expect(await page.locator('h1').textContent()).toBe(symbol)
        expect(await page.locator('.title p').textContent()).toBe(found!.name)
      }
      // Worse than the service passes on: the page bears it by itself.
      await page.route('**/v1/z100/creators*', async (route) => {
        const response = await route.fetch()
        const rows = (await response.json()) as BoardRow[]
        const json = rows.map((row, n) => ({ ...row, ...hostileNamings[n % hostileNamings.length] }))
        await route.fulfill({ response, json })
      })
      await open('/')
      expect((await page.locator('main .name').allTextContents()).slice(0, hostileNamings.length)).toEqual(
        hostileNamings.map(({ name }) => name),
      )
      expect(await page.locator('main img, main script').count()).toBe(0)
      // Each name turns text inside its own box alone.
      expect(await page.locator('main .name:not(bdi)').count()).toBe(0)
      await shot('hostile')
      expect(await complaints()).toEqual([])
      await page.unroute('**/v1/z100/creators*')
    })

    it('lists of several pages lead to the others, a thin pool is said, and a token has an address that names it', async () => {
      const asked: string[] = []
      const many = async (route: Route) => {
        asked.push(new URL(route.request().url()).searchParams.get('offset') ?? '')
        const response = await route.fetch({
          url: route
            .request()
            .url()
            .replace(/offset=\d+/, 'offset=0'),
        })
        const headers = { ...response.headers(), 'x-total-count': '120' }
        const rows = (await response.json()) as TokenSummary[]
        const json = rows.map((row) => ({ ...row, thin_liquidity: true, effective_market_cap: 1_234 }))
        await route.fulfill({ response, headers, json })
      }
      const links = page.locator("nav[aria-label='Pages of the list']")
      await page.route('**/v1/discover/new-launches*', many)
      await open('/new-launches')
      expect(await links.textContent()).toContain('1 to 20 of 120')
      await links.locator('button', { hasText: 'Older' }).click()
      await expect.poll(() => links.textContent()).toContain('21 to 40 of 120')
      expect(new URL(page.url()).search).toBe('?offset=20')
      expect(asked.slice(-2)).toEqual(['', '20'])
      expect(await page.locator('.tag.thin').count()).toBeGreaterThan(10)
      expect(await page.locator('.counted').first().textContent()).toBe('thin liquidity counts as $1,234.00')
      await shot('thin')
      await page.unroute('**/v1/discover/new-launches*')

      const [token] = await ask<TokenSummary[]>('/v1/market/trending?limit=1')
      await page.route('**/v1/tokens?*', many)
      await open(`/token?id=${token!.token_address}&timeframe=7d`)
      expect(new URL(page.url()).pathname).toBe(`/token/${token!.token_address}`)
      expect(new URL(page.url()).search).toBe('?timeframe=7d')
      await expect.poll(() => links.textContent()).toContain('1 to 10 of 120')
      await links.locator('button', { hasText: 'More' }).click()
      await expect.poll(() => links.textContent()).toContain('11 to 20 of 120')
      await page.unroute('**/v1/tokens?*')
      await page.reload()
      await settled()
      expect(await page.title()).toBe(`${token!.symbol} · z100`)
      expect(await complaints()).toEqual([])
      const withoutScript = await (await fetch(page.url())).text()
      expect(withoutScript).toContain(`<meta property="og:title" content="${token!.symbol} · z100">`)
    })

    it('the digests that a snapshot states are those of the bytes that come', async () => {
      // Caches may keep one of the two answers for half a minute longer: then the page says so, and is asked again.
      for (let tries = 0; ; tries++) {
        await open('/proof')
        const row = page.locator("tr:has(code:text-is('v1/market/trending/7d/change'))")
        await row.locator('button').click()
        const verdict = row.locator("[role=status]:not(:text-is('asking…')) span")
        await verdict.waitFor()
        const text = (await verdict.textContent())!
        if (tries < 20 && text.includes('is of snapshot')) {
          await page.waitForTimeout(3_000)
          continue
        }
        expect(text).toBe('✓ these bytes')
        break
      }
    })

    it('a swap appears after its trade on the chain, also when the connection was cut meanwhile', async () => {
      const way = await openWay(service.ready.base_url)
      await page.goto(`${way.url}/live`)
      await page.waitForSelector('.connection[data-state=open]')
      await page.waitForSelector('tbody tr')
      way.cut()
      await page.waitForSelector('.connection[data-state=waiting]')
      const head = Number(await rpc('eth_blockNumber', []))
      await trade()
      await page.waitForSelector('.connection[data-state=open]')
      const hashes = () =>
        page
          .locator('tbody .of-transaction .hex')
          .evaluateAll((all) => all.map((each) => each.getAttribute('title')!))
      let newest = 0
      for (const ends = Date.now() + WAIT_MS; newest <= head && Date.now() < ends; ) {
        const [first] = await hashes()
        const receipt = (await rpc('eth_getTransactionReceipt', [first])) as { blockNumber: string }
        newest = Number(receipt.blockNumber)
        await page.waitForTimeout(250)
      }
      expect(newest).toBeGreaterThan(head)
      await way.stop()
    })

    it('what the chain retracts is struck out', async () => {
      const stores = memoryStores()
      const chain = await openFeedChain(stores.feed)
      const task = await startTask(stores)
      await page.route('**/stream/swaps*', (route) =>
        route.continue({
          url: task.url + new URL(route.request().url()).pathname + new URL(route.request().url()).search,
        }),
      )
      await page.goto(`${service.ready.base_url}/live`)
      await page.waitForSelector('.connection[data-state=open]')
      await chain.trade(2)
      await chain.trade(1)
      await page.locator('tbody tr').nth(2).waitFor()
      await chain.fork(1)
      await page.waitForSelector('tr.retracted')
      expect(await page.locator('tr.retracted').count()).toBe(1)
      expect(await page.locator('tr.retracted .of-state').textContent()).toBe('retracted')
      await shot('taken-back')
      expect(
        await page
          .locator('tr.retracted .of-token')
          .evaluate((cell) => (globalThis as unknown as Styles).getComputedStyle(cell).textDecorationLine),
      ).toBe('line-through')
      await page.unroute('**/stream/swaps*')
      await page.goto('about:blank')
      await task.stop()
    })

    it('a key without answers left is told until when, and the figures that stand stay', async () => {
      const { basic } = service.ready.keys
      await open('/')
      for (let sent = 0; sent < 100; sent += 10)
        await Promise.all(Array.from({ length: 10 }, () => ask('/v1/market/stats', basic)))
      await page.locator('#access > button').click()
      await page.fill('#key', basic)
      await page.locator('dialog .strong').click()
      await page.waitForSelector('dialog p[role=status]:has-text("100 of 100")')
      // It is kept for this tab, and nowhere else.
      expect(
        await page.evaluate("[sessionStorage.getItem('z100.key'), localStorage.length, document.cookie]"),
      ).toEqual([basic, 0, ''])
      await page.locator('dialog button:text-is("Close")').click()
      // What the browser still keeps costs nothing; another period must be asked for.
      await page.locator("button[value='7d']").click()
      const notice = page.locator('.panel .notice').last()
      await notice.waitFor()
      const text = (await notice.textContent())!
      expect(text).toMatch(
        /limit of this key \(100 answers\) is used up until \d\d:00:00 UTC\. The page asks again in \d+ (min|s)/,
      )
      expect(text).toContain('What stands below is from before.')
      expect((await tokensShown()).length).toBe(100)
      await shot('limit')
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      const counted = () => asked.filter((path) => path.startsWith('/v1/') && path !== '/v1/status')
      await page.locator("button[value='1h']").click()
      await page.waitForTimeout(300)
      expect(counted()).toEqual([])
      await page.locator('#access > button').click()
      await page.locator('dialog button:text-is("Forget it")').click()
      await page.locator('.panel .notice').first().waitFor({ state: 'detached' })
      await shot('forgotten')
      await page.keyboard.press('Escape')
    })

    it('a wrong key is refused in words, and a service that is silent or late is said to be', async () => {
      // Of a page that was not open just now: what the browser keeps for seconds asks nobody.
      await open('/docs/start')
      await page.evaluate("sessionStorage.setItem('z100.key', 'z100_live_wrong')")
      await open('/trending?timeframe=30d&sort_by=holders')
      expect(await page.locator('.panel .notice').textContent()).toContain('(UNAUTHORIZED)')
      await shot('refused')
      await page.evaluate('sessionStorage.clear()')

      const status = await ask<{ as_of: string }>('/v1/status')
      const old = new Date(Date.parse(status.as_of) - 600_000).toISOString().replace('.000Z', 'Z')
      await page.route('**/v1/status', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...status, status: 'ok', reasons: [], as_of: old } })
      })
      await open('/')
      await page.waitForSelector('#freshness[data-state=stale]')
      expect(await page.locator('#freshness').textContent()).toMatch(/older than five minutes.*1\d min old/)
      await shot('stale')
      await page.unroute('**/v1/status')
      const reasons = [
        'figures are as of 2026-11-20T04:00:00Z, 86,400 s old',
        'blocks are read that the log lacks: 12,345 minutes of 2026-11-19T04:00:00Z and later are being read again',
      ]
      await page.route('**/v1/status', (route) =>
        route.fulfill({ json: { ...status, status: 'degraded', reasons } }),
      )
      await page.setViewportSize(PHONE)
      await open('/')
      expect(await page.locator('#freshness[data-state=stale] [role=status]').textContent()).toContain(
        reasons[1],
      )
      expect(await page.evaluate('shifted')).toBeLessThanOrEqual(0.1)
      await shot('degraded')
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.unroute('**/v1/status')
      // A service that hangs: nothing comes, and nothing is closed.
      await page.route('**/v1/**', () => {})
      await page.clock.install()
      await page.goto(`${service.ready.base_url}/`)
      await page.clock.fastForward(60_000)
      await page.waitForSelector('#freshness[data-state=lost]')
      await page.unroute('**/v1/**')
      await page.route('**/v1/**', (route) => route.abort())
      await page.goto(`${service.ready.base_url}/`)
      await page.waitForSelector('#freshness[data-state=lost]')
      expect(await page.locator('.panel .notice').last().textContent()).toContain('does not answer')
      await shot('lost')
      await page.close()
      page = await context.newPage()
      complaints = await noteComplaints(page)
    })

    it('is used with the keyboard alone', async () => {
      await open('/')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('main')
      await page.locator("thead button[value='holders']").focus()
      await page.keyboard.press('Enter')
      expect(await page.locator("thead th:has(button[value='holders'])").getAttribute('aria-sort')).toBe(
        'descending',
      )
      expect(await page.evaluate('document.activeElement.value')).toBe('holders')
      await page.locator('.find input').fill('lisbon')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search?q=lisbon')
      await settled()
      await page.locator('main .token').first().click()
      await page.waitForURL('**/token/0x*')
      await page.waitForSelector('.uplot canvas')
      await page.waitForSelector('.shares span')
    })

    /** Somebody buys, in a block of its own. */
    const trade = async () => {
      const anvil = anvilAt(service.ready.rpc_url)
      const [wallet] = (await anvil.request('eth_accounts')) as [Address]
      const book = await readBook(anvil, [wallet])
      const draft = buy(book, { wallet, token: book.tokens('creator')[0]!, usd: 5 })
      await anvil.batch([{ method: 'eth_sendTransaction', params: [{ ...draft, gas: '0x1e8480' }] }])
      await anvil.request('evm_mine')
    }
    const rpc = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const response = await fetch(service.ready.rpc_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return ((await response.json()) as { result: unknown }).result
    }
  })

type Box = { getBoundingClientRect(): { readonly bottom: number } }

/** Sums up the layout shifts of a page that no input caused. */
const noteShifts = `globalThis.shifted = 0
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value
}).observe({ type: 'layout-shift', buffered: true })`

type Styles = { getComputedStyle(element: unknown): { readonly textDecorationLine: string } }

/** What each order of the API sorts by, as it is printed. */
const sortKeys: Readonly<Record<string, (row: BoardRow) => number | null>> = {
  rank: (row) => -row.rank,
  value: (row) => row.portfolio_value_raw,
  engagement: (row) => row.engagement,
  price: (row) => row.price_usd,
  price_change: (row) => row.price_change_percent,
  market_cap: (row) => row.market_cap_raw,
  market_cap_change: (row) => row.market_cap_change_percent,
  volume: (row) => row.volume_period,
  volume_change: (row) => row.volume_change_percent,
  total_volume: (row) => row.total_volume_raw,
  holders: (row) => row.unique_holders,
  holders_change: (row) => row.holders_change_percent,
}
