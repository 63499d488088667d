import { expect, it } from 'vitest'
import type { BoardRow, CreatorPage, Swap } from '../../clients/typescript/index.ts'
import { type PageReader, PHONE, WIDE } from './reader.ts'

/** What somebody new wants to know is found in at most three clicks, on a phone too. */
export function itLeads(reader: () => PageReader): void {
  for (const size of [WIDE, PHONE])
    it(`the home page leads to the answers of a newcomer, ${size.width} wide`, async () => {
      const { ask, open, settled, complaints, begin } = reader()
      await begin()
      const page = reader().page
      await page.setViewportSize(size)
      const [leader] = await ask<[BoardRow]>('/v1/z100/creators')
      const card = (title: string) => page.locator('.card', { has: page.getByText(title, { exact: true }) })

      // What moved today: no click.
      await open('/')
      expect(await card('Rose most today').locator('li .change').first().textContent()).toMatch(/^(\+|×)/)
      expect(await page.locator('.slim .change').first().textContent()).toMatch(/%$/)

      // What did I earn: two clicks, by way of the token.
      await card('Leading creators').locator('.token').first().click()
      await page.waitForURL('**/token/0x*')
      await settled()
      await page.locator('.facts-list a[href^="/creator"]').first().click()
      await page.waitForURL('**/creator?id=*')
      await settled()
      const creator = await ask<CreatorPage>(`/v1/creators/${leader.creator_address}`)
      expect(await page.locator('h1').textContent()).toBe(creator.handle)
      expect(await page.locator('.tiles dd').first().textContent()).toMatch(/^\$/)
      expect(await page.locator('.list tbody tr').count()).toBe(Math.min(20, creator.posts_total))

      // Who bought, and what else: two clicks.
      await open(`/token/${leader.token_address}`)
      const trader = page.locator('.of-trader a').first()
      await trader.scrollIntoViewIfNeeded()
      const href = await trader.getAttribute('href')
      await trader.click()
      await page.waitForURL(`**${href}`)
      await settled()
      const swaps = await ask<Swap[]>(`/v1/wallets/${href!.slice('/wallet?id='.length)}/swaps?limit=50`)
      expect(await page.locator('.list tbody tr').count()).toBe(swaps.length)

      // Is this token thin: type or paste it; its market cap says what counts of it, and why.
      const [thin] = await ask<[BoardRow]>('/v1/tokens/screener?thin_liquidity=true&limit=1')
      await page.locator('.find input').fill(thin.token_address)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/token/${thin.token_address}`)
      await settled()
      expect(await page.locator('.tiles .counted').textContent()).toMatch(/^counts \$/)
      expect(await page.locator('.why:has(.counted) .tip').textContent()).toContain('Thin liquidity')

      // A creator by name: type, and choose.
      await page.locator('.find input').fill(leader.symbol)
      await page.locator('#suggestions li').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/token/0x*')
      await settled()
      expect(await page.locator('h1').textContent()).toBe(leader.symbol)
      expect(await complaints()).toEqual([])
    })

  it('a starred token is on a list of this browser, until its star is taken back', async () => {
    const { open, settled, tokensShown, complaints, begin, shot } = reader()
    await begin()
    const page = reader().page
    await open('/watchlist')
    expect(await page.locator('main').textContent()).toContain('the star at a token')
    await open('/boards')
    const [, second, third] = await tokensShown()
    const star = (token?: string) => page.locator(`.star[value="${token!.toLowerCase()}"]`)
    await star(second).click()
    // With the keyboard: one row down, and starred.
    for (const key of ['j', 's']) await page.keyboard.press(key)
    for (const token of [second, third]) expect(await star(token).getAttribute('aria-pressed')).toBe('true')
    expect(await page.locator('.star[aria-pressed=true]').count()).toBe(2)
    await open('/watchlist')
    expect(await tokensShown()).toEqual([third, second])
    await shot('watchlist')
    await page.locator('tbody .token').first().click()
    await page.waitForURL('**/token/0x*')
    await settled()
    await page.getByRole('button', { name: /^Watch /, pressed: true }).click()
    await page.getByRole('button', { name: /^Watch /, pressed: false }).waitFor()
    await open('/watchlist')
    expect(await tokensShown()).toEqual([second])
    // One that the service does not know can be taken off as well.
    const unknown = JSON.stringify([second!.toLowerCase(), `0x${'0'.repeat(39)}1`])
    await page.evaluate(`localStorage.setItem('z100.watched', '${unknown}')`)
    await open('/watchlist')
    expect(await page.locator('main').textContent()).toContain('1 of your watched tokens is not known')
    await page.getByRole('button', { name: 'Take off the list' }).click()
    await page.getByRole('button', { name: 'Take off the list' }).waitFor({ state: 'detached' })
    expect(await page.evaluate(`localStorage.getItem('z100.watched')`)).toBe(
      JSON.stringify([second!.toLowerCase()]),
    )
    // A full list loses none for another.
    const full = JSON.stringify(Array.from({ length: 100 }, (_, n) => `0x${String(n).padStart(40, '0')}`))
    await page.evaluate(`localStorage.setItem('z100.watched', '${full}')`)
    await open('/boards')
    await star(second).click()
    await page.getByRole('alert').getByText('Your watchlist is full').waitFor()
    expect(await star(second).getAttribute('aria-pressed')).toBe('false')
    expect(await page.evaluate(`localStorage.getItem('z100.watched')`)).toBe(full)
    // Where the browser stores nothing more, the page has what was starred until it is left.
    await page.evaluate('localStorage.clear(); Storage.prototype.setItem = () => { throw new Error("full") }')
    await open('/boards')
    await page.evaluate('Storage.prototype.setItem = () => { throw new Error("full") }')
    for (const token of [second, third]) await star(token).click()
    for (const token of [second, third]) expect(await star(token).getAttribute('aria-pressed')).toBe('true')
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await complaints()).toEqual([])
    await page.evaluate('localStorage.clear()')
  })

  it('the reference opens at the part that its address names, and where its reader left it', async () => {
    const { service, complaints, begin } = reader()
    await begin()
    const page = reader().page
    const isLaidOut = () => page.waitForSelector('.reference[data-painted]')
    const top = (id: string) =>
      page.locator(`#${id}`).evaluate((part) => {
        const { top } = (
          part as unknown as { getBoundingClientRect(): { top: number } }
        ).getBoundingClientRect()
        return Math.round(Math.abs(top))
      })
    await page.setViewportSize(PHONE)
    await page.goto(`${service.ready.base_url}/docs/api#walletSwaps`)
    await isLaidOut()
    expect(await top('walletSwaps')).toBeLessThanOrEqual(1)
    await page.evaluate(`document.querySelector('#headers').scrollIntoView()`)
    await page.reload()
    await isLaidOut()
    await expect.poll(() => top('headers')).toBeLessThanOrEqual(1)
    expect(await complaints()).toEqual([])
  })

  it('a board is shown as it was, with what changed since, and filters by name', async () => {
    const { ask, open, settled, tokensShown, shot, page } = reader()
    await open('/boards?board=posts')
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await page.locator('#as-of').fill(yesterday)
    await page.waitForURL(`**as_of=${yesterday}`)
    await settled()
    const then = await ask<BoardRow[]>(`/v1/z100/posts?as_of=${yesterday}`)
    const now = new Set((await ask<BoardRow[]>('/v1/z100/posts')).map((row) => row.token_address))
    expect(await tokensShown()).toEqual(then.map((row) => row.token_address))
    const left = then.filter((row) => !now.has(row.token_address)).length
    expect(await page.locator('.move', { hasText: 'left' }).count()).toBe(left)
    await shot('as-of')
    const [first] = then
    await page.locator('.filter').fill(first!.token_address)
    expect(await tokensShown()).toEqual([first!.token_address])
    await page.reload()
    await settled()
    expect(await tokensShown()).toEqual([first!.token_address])
  })
}
