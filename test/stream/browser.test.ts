import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryStores } from '../support/ingest-stores.ts'
import { rounds } from '../support/rounds.ts'
import { openWay, readRaw, startTask, until } from '../support/stream-clients.ts'
import { openFeedChain, SwapBook, seeded } from '../support/swap-feed.ts'

const CHROMIUM = '/usr/bin/chromium'
const CUTS = rounds('STREAM_CUTS', 5, 100)
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

const isHere = existsSync(CHROMIUM)
if (!isHere) process.stdout.write(`skipped: ${CHROMIUM} is not here, so no browser reads the stream\n`)

/** What a page has been told: name, id and data of each event. */
type Told = readonly (readonly [string, string, string])[]

describe.runIf(isHere)("a browser's own EventSource", { timeout: 120_000 + CUTS * 1_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  })
  afterAll(() => browser?.close())

  it(`that is cut ${CUTS} times has exactly the swaps that stand`, async () => {
    const stores = memoryStores()
    const chain = await openFeedChain(stores.feed)
    const task = await startTask(stores)
    const way = await openWay(task.url)
    const page = await browser.newPage()
    await page.evaluate(listen, `${way.url}/stream/swaps?last_event_id=0.0`)
    const random = seeded(9)
    for (let cut = 0; cut < CUTS; cut++) {
      if (random() < 0.3) await chain.fork(1 + Math.floor(random() * 2))
      await chain.trade(1 + Math.floor(random() * 4))
      await sleep(random() * 100)
      way.cut()
    }
    const head = `${await stores.feed.tail()}.`
    const told = () => page.evaluate(() => (globalThis as unknown as { told: Told }).told)
    await until(async () => (await told()).at(-1)?.[1].startsWith(head) ?? false, head)
    const book = new SwapBook()
    for (const [name, id, data] of await told()) {
      expect(name).not.toBe('resync')
      if (name === 'message') book.message(id, data)
      if (name === 'retract') book.retract(id, data)
    }
    expect([...book.swaps()].sort()).toEqual([...chain.canonical()].sort())
    await Promise.all([page.close(), way.stop(), task.stop()])
  })

  it('goes on from the place that a filtered stream told it without data', async () => {
    const stores = memoryStores()
    const chain = await openFeedChain(stores.feed)
    const task = await startTask(stores, { heartbeatMs: 50 })
    const way = await openWay(task.url)
    const page = await browser.newPage()
    await page.evaluate(listen, `${way.url}/stream/swaps?token=nobody`)
    const told = () => page.evaluate(() => (globalThis as unknown as { told: Told }).told)
    await until(async () => (await told()).length === 1)
    await chain.trade(3)
    const raw = readRaw(task.url, '/stream/swaps?token=nobody')
    await until(() => raw.text().split('\n\nid: 1.2\n\n').length > 2)
    way.cut()
    await until(async () => (await told()).length === 2)
    expect((await told()).map(([name, id]) => [name, id])).toEqual([
      ['ready', '0.0'],
      ['ready', '1.2'],
    ])
    await Promise.all([page.close(), way.stop(), task.stop()])
  })
})

/** Runs in the page. */
function listen(url: string): void {
  const told: [string, string, string][] = []
  Object.assign(globalThis, { told })
  const source = new EventSource(url)
  for (const name of ['message', 'ready', 'retract', 'resync']) {
    source.addEventListener(name, (event) => {
      const { lastEventId, data } = event as unknown as { lastEventId: string; data: string }
      told.push([name, lastEventId, data])
    })
  }
}
