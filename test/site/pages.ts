import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BoardRow } from '../../clients/typescript/index.ts'
import { hostileNamings } from '../../dev/devnet/names.ts'
import { pages } from '../../site/build/pages.ts'
import { hasBrowser } from '../support/browser.ts'
import { isLong } from '../support/rounds.ts'
import type { Service } from '../support/service.ts'
import { itFollows } from './pages-changes.ts'
import { itShowsFigures } from './pages-figures.ts'
import { itBegins } from './pages-paint.ts'
import { itLeads } from './pages-tasks.ts'
import { MOST_SHIFT, openPageReader, type PageReader, PHONE, queriesOf, WIDE } from './reader.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** It takes minutes: `npm run test:long` looks at them. */
const isLooked = isLong && hasBrowser('nobody looks at the pages')

/** The real pages of a real run, as a reader has them. test/system/end-to-end.test.ts has a run. */
export const describePages = (run: () => Service) =>
  describe.runIf(isLooked)('the pages of a run', () => {
    let reader: PageReader

    beforeAll(async () => {
      reader = await openPageReader(run())
    })
    afterEach(async () => {
      await reader.page.unrouteAll({ behavior: 'ignoreErrors' })
      await reader.page.setViewportSize(WIDE)
    })
    afterAll(() => reader?.close())

    itIsRead(() => reader)
    itBegins(() => reader)
    itShowsFigures(() => reader)
    itFollows(() => reader)
    itLeads(() => reader)
  })

/** Which row of the table has the focus, from 1. */
const rowOfFocus =
  "[...document.querySelectorAll('tbody tr')].indexOf(document.activeElement.closest('tr')) + 1"

/** Rows that are wholly in sight, each with its score, market cap, volume and price change. */
const rowsInSight = `const nav = document.querySelector('.top nav')
const foot = getComputedStyle(nav).position === 'fixed' ? nav.getBoundingClientRect().top : innerHeight
;[...document.querySelectorAll('.list tbody tr')].filter((row) => {
  const cells = ['.of-score', '.of-cap', '.of-volume', '.of-price .change'].map((name) => row.querySelector(name))
  return [row, ...cells].every((each) => {
    const { width, bottom, right } = each.getBoundingClientRect()
    return width > 0 && bottom <= foot && right <= innerWidth
  })
}).length`

/** Pages as they are served, on a wide screen and a phone, to eyes, keyboard and assistive technology. */
function itIsRead(reader: () => PageReader): void {
  it('every one is read without a breach of its policy, on a phone too, and axe finds nothing serious', async () => {
    const { ask, open, shot, complaints, page } = reader()
    const query = await queriesOf(ask)
    for (const [n, { path }] of pages.entries()) {
      await page.emulateMedia({ colorScheme: n % 2 === 0 ? 'light' : 'dark' })
      await page.setViewportSize(PHONE)
      // On a busy machine figures may be late, and the page then says so.
      const statusNow = async () => (await ask<{ status: string }>('/v1/status')).status
      await expect.poll(statusNow, { timeout: 120_000, interval: 500 }).toBe('ok')
      await open(path + (query[path] ?? ''))
      expect(await page.locator('main .notice').allTextContents(), path).toEqual([])
      expect(await page.locator('h1').count(), path).toBe(1)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(PHONE.width)
      await shot(`phone${path.replaceAll('/', '-')}`)
      expect(await page.evaluate('shifted'), `${path} on a phone`).toBeLessThanOrEqual(MOST_SHIFT)
      await page.setViewportSize(WIDE)
      await open(path + (query[path] ?? ''))
      expect(await page.evaluate('shifted'), path).toBeLessThanOrEqual(MOST_SHIFT)
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

  it('sixteen rows of a board are in sight on a wide screen and ten on a phone, each with its main figures', async () => {
    const { open, shot, page } = reader()
    const sizes = [
      [{ width: 1_440, height: 900 }, 16],
      [PHONE, 10],
    ] as const
    for (const [size, least] of sizes) {
      await page.setViewportSize(size)
      for (const board of ['creators', 'posts']) {
        await open(`/boards?board=${board}`)
        const seen = (await page.evaluate(rowsInSight)) as number
        expect(seen, `${board}, ${size.width} wide`).toBeGreaterThanOrEqual(least)
      }
      await shot(`board-${size.width}`)
      // The page scrolls, and the head stays over its columns.
      await page.evaluate('scrollTo(0, 900)')
      const [head, cell] = await Promise.all(
        ['thead .of-volume', 'tbody tr:nth-child(30) .of-volume'].map((selector) =>
          page.locator(selector).first().boundingBox(),
        ),
      )
      expect(head!.y).toBeGreaterThanOrEqual(0)
      expect(head!.y).toBeLessThan(40)
      expect(head!.x + head!.width).toBeCloseTo(cell!.x + cell!.width, 0)
    }
  })

  it('the chart of a token begins within the first 380 pixels of a phone, and nobody has to scroll to its prices', async () => {
    const { ask, open, page } = reader()
    await page.setViewportSize(PHONE)
    await open(`/token${(await queriesOf(ask))['/token']}`)
    const box = (await page.locator('.of-chart .u-over').boundingBox())!
    expect(box.y).toBeLessThanOrEqual(380)
    expect(box.y + box.height).toBeLessThanOrEqual(PHONE.height)
  })

  it('no column of a list is cut, however wide the screen', async () => {
    const { ask, open, page } = reader()
    const query = await queriesOf(ask)
    const cut =
      "[...document.querySelectorAll('.list :is(th, td)')].filter((cell) => cell.checkVisibility() && (cell.getBoundingClientRect().right > innerWidth || cell.getBoundingClientRect().left < 0)).length"
    const lists = ['/boards', '/trending', '/rising', '/new-launches', '/screener', '/z100-index']
    const others = ['/live', '/search', '/token', '/creator', '/wallet']
    for (const width of [320, 390, 721, 820, 1_000, 1_260, 1_440])
      for (const path of width === PHONE.width || width === 1_440 ? [...lists, ...others] : lists) {
        await page.setViewportSize({ width, height: 900 })
        await open(path + (query[path] ?? ''))
        expect(await page.evaluate(cut), `${path}, ${width} wide`).toBe(0)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
  })

  it('a table wider than the screen scrolls under its first column, with a shadow where it goes on', async () => {
    const { open, page } = reader()
    await page.setViewportSize(PHONE)
    await open('/proof')
    const scroll = page.locator('.scroll:has(tbody tr)').first()
    await scroll.evaluate((element) => element.scrollTo(80, 0))
    expect(await scroll.evaluate(({ scrollLeft }) => scrollLeft)).toBe(80)
    const [box, first] = [
      await scroll.boundingBox(),
      await scroll.locator('tbody tr > :first-child').first().boundingBox(),
    ]
    expect(first!.x - box!.x).toBeLessThanOrEqual(1)
  })

  it('on a phone nothing moves for the reasons why figures are old', async () => {
    const { change, open, shot, page } = reader()
    const reasons = [
      'figures are as of 2026-11-20T04:00:00Z, 86,400 s old',
      'blocks are read that the log lacks: 12,345 minutes of 2026-11-19T04:00:00Z and later are being read again',
    ]
    await change('**/v1/status', (status: object) => ({ ...status, status: 'degraded', reasons }))
    await page.setViewportSize(PHONE)
    await open('/')
    expect(await page.locator('#freshness[data-state=stale] [role=status]').textContent()).toContain(
      reasons[1],
    )
    expect(await page.evaluate('shifted')).toBeLessThanOrEqual(MOST_SHIFT)
    await shot('degraded')
  })

  it('a mistyped address is a page with status 404, one of the API an error', async () => {
    const { ask, settled, shot, complaints, service, page } = reader()
    const response = await page.goto(`${service.ready.base_url}/z100-indx`)
    expect(response?.status()).toBe(404)
    expect(await page.locator('h1').textContent()).toBe('There is nothing at this address')
    expect(await page.evaluate('document.styleSheets[0].cssRules.length')).toBeGreaterThan(50)
    await shot('nothing-here')
    expect(await complaints()).toEqual([])
    await page.locator('main a').first().click()
    await settled()
    expect(await page.locator('h1').textContent()).toBe('The market now')
    const refused = await ask<{ error: { code: string } }>('/v1/nothing')
    expect(refused.error.code).toBe('RESOURCE_NOT_FOUND')
  })

  it('the policy holds: text cannot become markup, and foreign addresses are not requested', async () => {
    const { open, complaints, begin, page } = reader()
    await open('/docs/start')
    await expect(page.evaluate("document.body.innerHTML = '<img src=x onerror=alert(1)>'")).rejects.toThrow(
      /TrustedHTML/,
    )
    await expect(page.evaluate("fetch('https://example.invalid/')")).rejects.toThrow(/Failed to fetch/)
    const breaches = await complaints()
    expect(breaches.some((line) => line.startsWith('policy: require-trusted-types-for'))).toBe(true)
    expect(breaches.some((line) => line.startsWith('policy: connect-src'))).toBe(true)
    await begin()
  })

  it('names from the chain are text', async () => {
    const { ask, change, open, shot, complaints, page } = reader()
    for (const symbol of ['<script>', '__proto__', "'; DROP TABLE"]) {
      const [found] = await ask<{ token_address: string; name: string }[]>(
        `/v1/tokens?field=symbol&value=${encodeURIComponent(symbol)}`,
      )
      await open(`/token?id=${found!.token_address}`)
      expect(await page.locator('h1').textContent()).toBe(symbol)
      expect(await page.locator('.title p').textContent()).toBe(found!.name)
    }
    // Worse than the service passes on: the page bears it by itself.
    await change<BoardRow[]>('**/v1/z100/creators*', (rows) =>
      rows.map((row, n) => ({ ...row, ...hostileNamings[n % hostileNamings.length] })),
    )
    await open('/boards')
    expect((await page.locator('main .name').allTextContents()).slice(0, hostileNamings.length)).toEqual(
      hostileNamings.map(({ name }) => name),
    )
    expect(await page.locator('main img, main script').count()).toBe(0)
    // Each name turns text inside its own box alone.
    expect(await page.locator('main .name:not(bdi)').count()).toBe(0)
    await shot('hostile')
    expect(await complaints()).toEqual([])
  })

  it('is usable with only the keyboard', async () => {
    const { open, settled, page } = reader()
    await open('/boards')
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
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    expect(await page.evaluate(rowOfFocus)).toBe(2)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/token/0x*')
    await page.goBack()
    await settled()
    await expect.poll(() => page.evaluate(rowOfFocus)).toBe(2)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.name')).toBe('q')
    await page.keyboard.type('lisbon')
    await page.locator('#suggestions li').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('#suggestions li[aria-selected=true]').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=lisbon')
    await settled()
    await page.locator('main .token').first().click()
    await page.waitForURL('**/token/0x*')
    await page.waitForSelector('.uplot canvas')
    await page.getByRole('button', { name: 'Holders', exact: true }).press('Enter')
    await page.waitForSelector('.shares span')
  })
}
