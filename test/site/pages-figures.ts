import { expect, it } from 'vitest'
import type { BoardRow, Constituents, TokenDetail, TokenSummary } from '../../clients/typescript/index.ts'
import { hostileNamings } from '../../dev/devnet/names.ts'
import { logsOf } from '../support/chain/devnet-logs.ts'
import { type PageReader, WIDE } from './reader.ts'

/** Pages show what the API says, in its order. */
export function itShowsFigures(reader: () => PageReader): void {
  it('boards stand in every order of the API, both ways, and in every period', async () => {
    const { ask, open, settled, pin, tokensShown, page } = reader()
    const pinned = await pin(/\/v1\/z100\/(creators|posts)/)
    for (const board of ['creators', 'posts']) {
      await open(`/boards?board=${board}`)
      const rows = await ask<BoardRow[]>(pinned(`/v1/z100/${board}`))
      expect((await tokensShown()).toSorted()).toEqual(rows.map((row) => row.token_address).toSorted())
      const sorts = await page
        .locator('thead button')
        .evaluateAll((all) => all.map((each) => each.getAttribute('value')!))
      expect(sorts).toHaveLength(14)
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
        expect(await button.locator('xpath=ancestor::th').getAttribute('aria-sort')).toBe('descending')
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
    await page.locator('details.proof summary').click()
    await page.waitForSelector("details.proof dd .hex:text-matches('^[0-9a-f]{64}$')")
    expect(await page.locator('details.proof pre').textContent()).toMatch(
      /^npm run admin -- verify \d{8}T\d{4}Z-/,
    )
  })

  it('lists show the API’s rows in its order; the reference has each operation, in three languages', async () => {
    const { ask, open, pin, tokensShown, page } = reader()
    const lists = {
      '/trending?timeframe=7d&sort_by=change': '/v1/market/trending?timeframe=7d&sort_by=change',
      '/rising': '/v1/discover/rising?limit=20',
      '/new-launches': '/v1/discover/new-launches?limit=20',
      '/screener?kind=post&min_holders=2': '/v1/tokens/screener?kind=post&min_holders=2&limit=20',
    }
    const pinned = await pin(/\/v1\/(market\/trending|discover|tokens\/screener)/)
    for (const [path, source] of Object.entries(lists)) {
      await open(path)
      const rows = await ask<BoardRow[]>(pinned(source))
      expect(rows.length, path).toBeGreaterThan(0)
      expect((await tokensShown()).slice(0, rows.length), path).toEqual(rows.map((row) => row.token_address))
    }
    await open('/docs/api')
    type Described = { paths: Record<string, { get: { tags: readonly string[] } }> }
    const { paths } = await ask<Described>('/v1/openapi.json')
    const shown = await page.locator('.operation h3').allTextContents()
    expect(shown.toSorted()).toEqual(
      Object.entries(paths)
        // Texts for search engines are no operations for readers.
        .filter(([, { get }]) => !get.tags.includes('Pages'))
        .map(([path]) => `GET ${path}`)
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

  it('the page of a token older than the history marks unknown figures, and never shows zero holders', async () => {
    const { ask, open, change, shot, page } = reader()
    const [{ token_address: token }] = await ask<[BoardRow]>('/v1/z100/posts')
    const from = '2026-11-21T19:56:14Z'
    const nothing = { unique_holders: null, holders_count: null, total_holders: null, created_at: null }
    const highs = { all_time_high: null, ath_at: null, all_time_low: null, atl_at: null, total_volume: null }
    const old = { coverage_from: from, ...nothing, ...highs }
    await change(/\/v1\/tokens\/0x\w+\?include/, (body: TokenDetail) => ({
      ...body,
      ...old,
      metrics: { ...body.metrics, ...old },
    }))
    const unheld = { distribution: null, distribution_adjusted: null, holders: [] }
    await change(/\/holders(\?|$)/, (body: object) => ({ ...body, ...old, ...unheld }))
    await open(`/token/${token}`)
    await page.getByRole('button', { name: 'Holders', exact: true }).click()
    await page.getByText('who held it then is not').waitFor()
    const text = (await page.locator('main').allInnerTexts()).join()
    expect(text).toContain('Known since')
    expect(text).toMatch(/Holders\s+unknown/)
    expect(text).toMatch(/Volume since launch\s+unknown/)
    expect(text).toContain('who held it then is not')
    expect(text).not.toContain('No holders')
    await shot('imported')
  })

  it('the index shows its members, all or of one board, by weight or by how long they sit; none before its base', async () => {
    const { ask, open, shot, complaints, tokensShown, page } = reader()
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
    expect(await page.locator('.list .name').allTextContents()).toEqual(members.map(({ name }) => name))
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
    const { hours } = await ask<{ hours: unknown[] }>('/v1/z100/index/hours')
    // The hours before the index has its base are none.
    expect(hours.length).toBeGreaterThan(3)
    // An hour may begin meanwhile.
    expect(Math.abs(hours.length - (await points()))).toBeLessThanOrEqual(1)
    await page.unroute(`**${path}`)
    await page.route(`**${path}`, (route) =>
      route.fulfill({ json: { ...body, constituents_count: 0, constituents: [] } }),
    )
    await open('/z100-index')
    expect(await page.locator('main').textContent()).toContain('The index has no constituents yet')
    await shot('no-members')
    expect(await complaints()).toEqual([])
  })

  it('lists of several pages lead to the others, a thin pool is said, and a token has an address that names it', async () => {
    const { ask, open, change, pin, shot, complaints, tokensShown, page } = reader()
    const thin = (rows: readonly object[]) =>
      rows.map((row) => ({ ...row, thin_liquidity: true, effective_market_cap: 1_234 }))
    const links = page.locator("nav[aria-label='Pages of the list']")
    const pinned = await pin(/\/v1\/discover/)
    const launches = await ask<TokenSummary[]>(pinned('/v1/discover/new-launches?limit=50'))
    expect(launches.length).toBeGreaterThan(40)
    await open('/new-launches')
    expect(await links.textContent()).toContain(`1 to 20 of ${launches.length}`)
    await links.locator('button', { hasText: 'Older' }).click()
    await expect.poll(() => links.textContent()).toContain(`21 to 40 of ${launches.length}`)
    expect(new URL(page.url()).search).toBe('?offset=20')
    expect(await tokensShown()).toEqual(launches.slice(20, 40).map((row) => row.token_address))
    // Its rows are of no document.
    await page.locator('details.proof summary').click()
    await page.getByText('not part of this snapshot').waitFor()
    await page.unrouteAll()
    await open('/new-launches?offset=1000')
    await expect.poll(() => links.textContent()).toContain('1 to 20 of')
    await change('**/v1/discover/new-launches*', thin)
    await open('/new-launches')
    expect(await page.locator('.counted').count()).toBe(20)
    expect(await page.locator('.counted').first().textContent()).toBe('counts $1.23K')
    const why = page.locator('.why:has(.counted)').first()
    await why.focus()
    expect(await why.locator('.tip').textContent()).toContain('Thin liquidity')
    await shot('thin')

    const [token] = await ask<TokenSummary[]>('/v1/market/trending?limit=1')
    await change('**/v1/tokens?*', thin, { 'x-total-count': '120' })
    await open(`/token?id=${token!.token_address}&period=7d`)
    expect(new URL(page.url()).pathname).toBe(`/token/${token!.token_address}`)
    expect(new URL(page.url()).search).toBe('?period=7d')
    await page.getByRole('button', { name: 'Same creator' }).click()
    await expect.poll(() => links.textContent()).toContain('1 to 10 of 120')
    await links.locator('button', { hasText: 'More' }).click()
    await expect.poll(() => links.textContent()).toContain('11 to 20 of 120')
    const details: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/tokens')) details.push(request.url())
    })
    await open(`/token/${token!.token_address}`)
    await page.waitForSelector('.chart canvas')
    // Everything in sight comes with one request.
    const ofFirst = details.filter((url) => !/\/holders|\/history|field=/.test(url))
    expect(ofFirst).toEqual([expect.stringContaining('?include=')])
    expect(await page.title()).toBe(`${token!.symbol} · z100`)
    expect(await complaints()).toEqual([])
    const withoutScript = await (await fetch(page.url())).text()
    expect(withoutScript).toContain(`<meta property="og:title" content="${token!.symbol} · z100">`)
    expect(withoutScript).toContain(`<h1>${token!.symbol}</h1>`)
  })

  it('the page of a token says who bought it and who sold it, by what each did on balance', async () => {
    const { ask, open, page } = reader()
    const [token] = await ask<[TokenSummary]>('/v1/market/trending?limit=1')
    const tradersBy = async (order: string) => {
      const path = `/v1/tokens/${token.token_address}/traders?period=7d&sort_by=net&sort_order=${order}&limit=50`
      return (await ask<{ traders: { trader: string }[] }>(path)).traders.map(({ trader }) => trader)
    }
    const shown = () =>
      page
        .locator('.list .of-trader .hex')
        .evaluateAll((all) => all.map((each) => each.getAttribute('title')!))
    await open(`/token/${token.token_address}?tab=traders&traded=7d`)
    await expect
      .poll(async () => (await shown()).toString() === (await tradersBy('desc')).toString())
      .toBe(true)
    await page.getByRole('button', { name: 'Who sold most' }).click()
    await expect
      .poll(async () => (await shown()).toString() === (await tradersBy('asc')).toString())
      .toBe(true)
  })

  it('the presets of the screener are addresses, and the form shows what they ask for', async () => {
    const { open, settled, page } = reader()
    await open('/screener')
    await page.getByRole('button', { name: 'Launched today, still traded' }).click()
    await settled()
    const asked = () => Object.fromEntries(new URL(page.url()).searchParams)
    expect(asked()).toEqual({ max_age: '86400', min_trades_24h: '5' })
    await page.locator('.filters summary').click()
    await page.locator('[name=min_holders]').fill('3')
    await page.getByRole('button', { name: 'Screen', exact: true }).click()
    await settled()
    expect(asked()).toEqual({ max_age: '86400', min_trades_24h: '5', min_holders: '3' })
    await page.reload()
    await settled()
    expect(await page.locator('[name=max_age]').inputValue()).toBe('86400')
  })

  it('the chart of a token marks its launch and when it joined the index', async () => {
    const { ask, open, page } = reader()
    const { constituents } = await ask<Constituents>('/v1/z100/index/constituents')
    const member = constituents.find(({ since }) => Date.parse(since) > Date.now() - 80 * 86_400_000)!
    const { created_at: launched } = await ask<TokenDetail>(`/v1/tokens/${member.token_address}`)
    await open(`/token/${member.token_address}?period=all`)
    const words = `Launch: ${launched!.slice(0, 10)} \\S+ UTC. Joined the index: ${member.since.slice(0, 10)} `
    await expect
      .poll(() => page.locator('.of-chart .chart').getAttribute('aria-label'))
      .toMatch(new RegExp(words))
  })

  it('the chart of a token marks when it moved to another pool, and its figures say since when it has that one', async () => {
    const { ask, open, shot, service, page } = reader()
    const [log] = await logsOf(service.ready.rpc_url, ['LiquidityMigrated'])
    const moved = await ask<TokenDetail>(`/v1/tokens/${log!.address}`)
    expect(moved.migrations.map(({ block_number: block }) => block)).toEqual([Number(log!.blockNumber)])
    const day = moved.migrations.at(-1)!.datetime.slice(0, 10)
    await open(`/token/${moved.token_address}?period=all`)
    await expect
      .poll(() => page.locator('.of-chart .chart').getAttribute('aria-label'))
      .toMatch(new RegExp(`New pool: ${day} `))
    expect(await page.locator('.facts-list').textContent()).toContain(` since ${day} `)
    await shot('moved')
  })

  it('no text leaves its tile, however narrow', async () => {
    const { ask, open, change, page } = reader()
    const [token] = await ask<TokenSummary[]>('/v1/market/trending?limit=1')
    const thin = { thin_liquidity: true, effective_market_cap: 861_234 }
    await change(`**/v1/tokens/${token!.token_address}?include*`, (detail: object) => ({
      ...detail,
      ...thin,
    }))
    const spilt =
      "[...document.querySelectorAll('.tiles dd')].filter((each) => each.scrollWidth > each.clientWidth).length"
    for (const width of [320, 768, 1_024, WIDE.width]) {
      await page.setViewportSize({ width, height: WIDE.height })
      await open(`/token/${token!.token_address}`)
      expect(await page.locator('.tiles .counted').count()).toBe(1)
      expect(await page.evaluate(spilt), `${width} wide`).toBe(0)
    }
  })

  it('the digests that a snapshot states are those of the bytes that come', async () => {
    const { open, page } = reader()
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
}

/** What each order of the API sorts by, as it is printed. */
const sortKeys: Readonly<Record<string, (row: BoardRow) => number | null>> = {
  rank: (row) => -row.rank,
  value: (row) => row.portfolio_value_raw,
  engagement: (row) => row.engagement,
  price: (row) => row.price_usd,
  price_change: (row) => row.price_change_percent,
  change_1h: (row) => row.change_1h,
  change_7d: (row) => row.change_7d,
  market_cap: (row) => row.market_cap_raw,
  market_cap_change: (row) => row.market_cap_change_percent,
  volume: (row) => row.volume_period,
  volume_change: (row) => row.volume_change_percent,
  earnings: (row) => row.creator_earnings_24h,
  total_volume: (row) => row.total_volume_raw,
  holders: (row) => row.unique_holders,
  holders_change: (row) => row.holders_change_percent,
}
