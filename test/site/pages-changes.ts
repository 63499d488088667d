import { expect, it } from 'vitest'
import type { BoardRow } from '../../clients/typescript/index.ts'
import { readBook } from '../../dev/devnet/book.ts'
import { buy } from '../../dev/devnet/traders.ts'
import type { Address } from '../../market/segment.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { anvilAt } from '../support/chain/devnet-market.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import type { Service } from '../support/service.ts'
import { openWay, startTask } from '../support/stream-clients.ts'
import { type PageReader, WAIT_MS } from './reader.ts'

/** Pages follow what changes: figures, swaps, and the key that they ask with. */
export function itFollows(reader: () => PageReader): void {
  it('a refresh leaves focus, scroll and open parts where they are; Back undoes a sort', async () => {
    const { open, settled, change, begin, page } = reader()
    let snapshot = 'one'
    let refreshes = 0
    await change('**/v1/status', (status: object) => ({ ...status, snapshot_id: snapshot }))
    await change<BoardRow[]>('**/v1/z100/creators*', (rows) => {
      // Each refresh brings other prices in another order.
      refreshes += 1
      return rows.map((row) => ({ ...row, price_usd: refreshes })).reverse()
    })
    await page.clock.install()
    await open('/boards')
    await page.locator('details.proof summary').click()
    await page.locator('tbody tr').nth(40).locator('a').focus()
    const place = async () =>
      page.evaluate("[document.activeElement.href, scrollY, document.querySelector('details.proof').open]")
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
    expect(await page.locator("thead th[aria-sort] button[data-order$='ending']").getAttribute('value')).toBe(
      'rank',
    )
    await begin()
  })

  it('a swap appears after its trade on the chain, also when the connection was cut meanwhile', async () => {
    const { service, page } = reader()
    const anvil = anvilAt(service.ready.rpc_url)
    const way = await openWay(service.ready.base_url)
    await page.goto(`${way.url}/live`)
    await page.waitForSelector('.connection[data-state=open]')
    await page.waitForSelector('tbody tr')
    way.cut()
    await page.waitForSelector('.connection[data-state=waiting]')
    const head = Number(await anvil.request('eth_blockNumber'))
    await trade(service)
    await page.waitForSelector('.connection[data-state=open]')
    const hashes = () =>
      page
        .locator('tbody .of-transaction .hex')
        .evaluateAll((all) => all.map((each) => each.getAttribute('title')!))
    let newest = 0
    for (const ends = Date.now() + WAIT_MS; newest <= head && Date.now() < ends; ) {
      const [first] = await hashes()
      const receipt = (await anvil.request('eth_getTransactionReceipt', [first])) as { blockNumber: string }
      newest = Number(receipt.blockNumber)
      await page.waitForTimeout(250)
    }
    expect(newest).toBeGreaterThan(head)
    await way.stop()
  })

  it('retracted swaps are struck out', async () => {
    const { service, shot, page } = reader()
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
    await page.goto('about:blank')
    await task.stop()
  })

  it('a key without answers left shows the reset time, and no figures of another choice', async () => {
    const { service, ask, open, shot, tokensShown, page } = reader()
    const { basic } = service.ready.keys
    await open('/boards')
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
    expect(text).not.toContain('The data below')
    expect(await tokensShown()).toEqual([])
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
}

/** Somebody buys, in a block of its own. */
async function trade({ ready }: Service): Promise<void> {
  const anvil = anvilAt(ready.rpc_url)
  const [wallet] = (await anvil.request('eth_accounts')) as [Address]
  const book = await readBook(anvil, [wallet])
  const draft = buy(book, { wallet, token: book.tokens('creator')[0]!, usd: 5 })
  await anvil.batch([{ method: 'eth_sendTransaction', params: [{ ...draft, gas: '0x1e8480' }] }])
  await anvil.request('evm_mine')
}

type Styles = { getComputedStyle(element: unknown): { readonly textDecorationLine: string } }
