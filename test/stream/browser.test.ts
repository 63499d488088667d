import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { openWay, readSocket, startTask, until } from '../support/stream-clients.ts'

/** What a page has been told: name, id and data of each event. */
type Told = readonly (readonly [string, string, string])[]

describe.runIf(hasBrowser('no browser reads the stream'))("a browser's own EventSource", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  it('continues from the position that its filter has been applied to', async () => {
    const stores = memoryStores()
    const chain = await openFeedChain(stores.feed)
    const task = await startTask(stores, { heartbeatMs: 50 })
    const way = await openWay(task.url)
    const page = await browser.newPage()
    await page.evaluate(listen, `${way.url}/stream/swaps?token=nobody`)
    const told = () => page.evaluate(() => (globalThis as unknown as { told: Told }).told)
    // Positions may follow before the page is asked.
    await until(async () => (await told()).length > 0)
    await chain.trade(3)
    const raw = readSocket(task.url, '/stream/swaps?token=nobody')
    await until(() => raw.events().filter(({ event, id }) => event === 'position' && id === '1.2').length > 1)
    way.cut()
    const readies = async () => (await told()).flatMap(([name, id]) => (name === 'ready' ? [id] : []))
    await until(async () => (await readies()).length === 2)
    expect(await readies()).toEqual(['0.0', '1.2'])
    await Promise.all([page.close(), way.stop(), task.stop()])
  })
})

/** Runs in the page. */
function listen(url: string): void {
  const told: [string, string, string][] = []
  Object.assign(globalThis, { told })
  const source = new EventSource(url)
  for (const name of ['message', 'ready', 'retract', 'resync', 'position']) {
    source.addEventListener(name, (event) => {
      const { lastEventId, data } = event as unknown as { lastEventId: string; data: string }
      told.push([name, lastEventId, data])
    })
  }
}
