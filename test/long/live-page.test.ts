/** The page of live swaps, left open under a busy stream: what the browser holds stays as it is. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Swap } from '../../clients/typescript/index.ts'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import { siteFileOf } from '../../schemas/pages/site.ts'
import { type BuiltSite, buildSite } from '../../site/build/build-site.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { isLong, rounds } from '../support/rounds.ts'

const MINUTES = rounds(1)
const SWAPS_PER_SECOND = 20
/** By then the table is full, and the browser has compiled what runs often. */
const FULL_AFTER_MS = 45_000
/** Kilobytes by which what is held differs from one moment to another. */
const SLACK_KB = 1_024

type Documented = {
  paths: Record<
    string,
    { get: { responses: Record<string, { content: Record<string, { example: Swap[] }> }> } }
  >
}

/** A swap as the documentation has it. */
function exampleSwap(): Swap {
  const { paths } = openapiDocument() as unknown as Documented
  const answer = paths['/v1/market/recent-swaps']?.get.responses['200']
  return answer!.content['application/json']!.example[0]!
}

/** Serves the pages, and the stream: a swap of a block of its own each time, and each hundredth one retracted. */
function serve(site: BuiltSite) {
  const readers = new Set<ServerResponse>()
  const swap = exampleSwap()
  let n = 0
  const timer = setInterval(() => {
    n += 1
    const block_hash = `0x${n.toString(16).padStart(64, '0')}`
    const timestamp = Math.floor(Date.now() / 1_000)
    const datetime = `${new Date(timestamp * 1_000).toISOString().slice(0, 19)}Z`
    const next = { ...swap, block_number: n, block_hash, timestamp, datetime, transaction_hash: block_hash }
    const undone =
      n % 100 === 0
        ? `event: retract\nid: ${n}.1\ndata: ${JSON.stringify({ block_number: n, block_hash })}\n\n`
        : ''
    for (const reader of readers) reader.write(`id: ${n}.0\ndata: ${JSON.stringify(next)}\n\n${undone}`)
  }, 1_000 / SWAPS_PER_SECOND)
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://z100.test').pathname.slice(1)
    if (name === 'stream/swaps') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('retry: 3000\nevent: ready\nid: 0.0\ndata: {"head":"0.0","oldest_id":"0.0"}\n\n')
      readers.add(response)
      return response.on('close', () => readers.delete(response))
    }
    const file = site.get(name)
    const { contentType } = siteFileOf(name)!
    const own = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    return response.writeHead(file ? 200 : 404, { 'content-type': contentType ?? own }).end(file)
  })
  return {
    sent: () => n,
    listen: () =>
      new Promise<string>((resolve) => {
        server.listen(0, () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
      }),
    close: () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Rows that were replaced in the moment before are held once more: the least of a few moments counts. */
const LOOKS = 8
const BETWEEN_LOOKS_MS = 400

/** What the page holds after what it dropped is collected: kilobytes of objects, nodes and listeners of documents. */
async function held(session: CDPSession) {
  const least = {
    kb: Number.POSITIVE_INFINITY,
    nodes: Number.POSITIVE_INFINITY,
    listeners: Number.POSITIVE_INFINITY,
  }
  for (let look = 0; look < LOOKS; look++) {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
    least.kb = Math.min(least.kb, Math.round(usedSize / 1_024))
    least.nodes = Math.min(least.nodes, nodes)
    least.listeners = Math.min(least.listeners, jsEventListeners)
    await sleep(BETWEEN_LOOKS_MS)
  }
  return least
}

it.runIf(isLong && hasBrowser('nobody leaves the live page open'))(
  'the live page holds no more after a while of twenty swaps a second than at its beginning',
  { timeout: (MINUTES + 5) * 60_000 },
  async () => {
    const service = serve(await buildSite())
    const browser = await startBrowser()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${await service.listen()}/live`)
    await page.waitForSelector('.connection[data-state=open]')
    await page.waitForTimeout(FULL_AFTER_MS)
    const session = await context.newCDPSession(page)
    const first = await held(session)
    let last = first
    for (let minute = 1; minute <= MINUTES; minute++) {
      await page.waitForTimeout(60_000)
      last = await held(session)
      process.stdout.write(`live page, minute ${minute}: ${last.kb} KB, ${last.nodes} nodes\n`)
    }
    const heard = await page.locator('.connection .quiet').textContent()
    await browser.close()
    service.close()
    expect(Number(heard!.split(' ')[0]!.replaceAll(',', ''))).toBeGreaterThan(service.sent() / 2)
    expect(last.kb).toBeLessThan(first.kb + SLACK_KB)
    expect(last.nodes).toBeLessThan(1.2 * first.nodes)
    expect(last.listeners).toBeLessThanOrEqual(1.2 * first.listeners)
  },
)
