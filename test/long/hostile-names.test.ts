import { stripVTControlCharacters } from 'node:util'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchCreator, launchPost } from '../../dev/devnet/actions.ts'
import { type BookToken, readBook } from '../../dev/devnet/book.ts'
import type { Devnet } from '../../dev/devnet/chain.ts'
import type { TransactionDraft } from '../../dev/devnet/miner.ts'
import { buy } from '../../dev/devnet/traders.ts'
import { documents } from '../../schemas/api/documents.ts'
import { operations } from '../../schemas/api/operations.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { hasBrowser, noteComplaints, startBrowser } from '../support/browser.ts'
import { anvilAt } from '../support/chain/devnet-market.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'
import { hostileTexts, INVALID, INVALID_BYTES } from '../support/described/hostile-texts.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startServiceProcess } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Whoever launches a token writes its name, symbol and URI: nothing of them leaves the strings of what readers get. */

const TOKENS = rounds(100)
const LAUNCHES_A_BLOCK = 20
/** 10 KB of a name take 320 slots of a contract. */
const LAUNCH_GAS = 28_000_000
/** In most texts, and in nothing else that the service says. */
const MARK = 'zqzq'
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}]/u

const dataDir = tempDir()
let service: Service
let addresses: readonly string[]
let harmless: string

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

/** A transaction with bytes that are no UTF-8 where a text stands for them. */
const broken = (draft: TransactionDraft): TransactionDraft => ({
  ...draft,
  data: `0x${draft.data.slice(2).replaceAll(toHex(INVALID).slice(2), INVALID_BYTES)}`,
  gas: LAUNCH_GAS,
})

/** Launches all of them, half as posts, and trades each: the last ones a minute ago. */
async function launchAll(devnet: Devnet): Promise<void> {
  const [wallet, trader] = devnet.wallets
  if (!wallet || !trader) throw new Error('no wallets')
  const quote = devnet.tokens('creator')[0]
  if (!quote) throw new Error('no creator token')
  harmless = quote.address
  const before = new Set(devnet.tokens().map(({ address }) => address))
  const drafts = hostileTexts(TOKENS, MARK).map((texts, at) =>
    broken(at % 2 ? launchPost(wallet, { ...texts, quote: quote.address }) : launchCreator(wallet, texts)),
  )
  let timestamp = Math.floor(Date.now() / 1_000) - 60 * (2 + 2 * Math.ceil(TOKENS / LAUNCHES_A_BLOCK))
  const mine = async (all: readonly TransactionDraft[]) => {
    for (const some of chunks(all, LAUNCHES_A_BLOCK)) {
      timestamp += 50
      expect((await devnet.mineBlock(timestamp, some)).failed).toEqual([])
    }
  }
  await mine(drafts)
  const launched = devnet.tokens().filter(({ address }) => !before.has(address))
  addresses = launched.map(({ address }) => address)
  const book = await readBook(anvilAt(devnet.rpcUrl), devnet.wallets)
  const trade = (token: BookToken) => buy(book, { wallet: trader, token, usd: 40 })
  await mine([quote, ...launched].map(trade))
  await devnet.mineBlock(Math.floor(Date.now() / 1_000) - 60)
}

beforeAll(async () => {
  const devnet = await startQuietDevnet({
    dataDir,
    seed: 3,
    now: () => Date.now() - 60 * 60_000,
    history: { blocks: 8, days: 1, trades: 12, creators: 2, posts: 2 },
  })
  try {
    await launchAll(devnet)
  } finally {
    await devnet.stop()
  }
  service = await startServiceProcess({ dataDir, seed: 3 })
})
afterAll(async () => {
  await service?.interrupt('group')
})

const ask = (path: string) =>
  fetch(service.ready.base_url + path, {
    headers: { authorization: `Bearer ${service.ready.keys.enterprise}` },
  })

/** What a JSON text says outside its strings. */
const outside = (json: string): string => json.replace(/"(?:[^"\\]|\\.)*"/g, '""')
const valuesIn = (value: unknown): readonly unknown[] =>
  value !== null && typeof value === 'object' ? Object.values(value).flatMap(valuesIn) : [value]

/** Fails where a JSON text holds more than JSON, or a string that disguises. */
function expectPlain(json: string, where: string): void {
  expect(outside(json), where).toMatch(
    /^[\s{}[\]:,0-9.eE+\-"]*(?:(?:true|false|null)[\s{}[\]:,0-9.eE+\-"]*)*$/,
  )
  expect(json, where).not.toMatch(/[\u2028\u2029]/)
  for (const value of valuesIn(JSON.parse(json)))
    if (typeof value === 'string') expect(value, where).not.toMatch(hidden)
}

/** Asks; fails where the status is another, or a header holds a name. */
async function answerTo(path: string, statuses: readonly number[] = [200]): Promise<string> {
  const response = await ask(path)
  expect(statuses, path).toContain(response.status)
  const { link = '', ...headers } = Object.fromEntries(response.headers)
  expect(JSON.stringify(headers), path).not.toContain(MARK)
  // Links to other pages hold what was asked for, encoded.
  expect(link.replaceAll(/<\/[\w%/?=&.~!*'()-]*>; rel="\w+"(, )?/g, ''), path).toBe('')
  return response.text()
}

describe('names from the chain', () => {
  it('stay within the strings of every document', async () => {
    let marked = 0
    for (const { operation, parameterValues } of documents) {
      const { path, documentParameters: parameters } = operations[operation]
      const query = (parameters ?? []).map(({ names }, at) => `${names[0]}=${parameterValues[at]}`).join('&')
      const text = await answerTo(`${path}?${query}`)
      expectPlain(text, `${path}?${query}`)
      marked += text.split(MARK).length - 1
    }
    expect(marked).toBeGreaterThan(TOKENS / 2)
  })

  it('stay within the strings of each token’s answers, and of look-ups by its names', async () => {
    const names = await mapParallel(addresses, 4, async (address) => {
      const detail = await answerTo(`/v1/tokens/${address}`)
      expectPlain(detail, address)
      expectPlain(await answerTo(`/v1/tokens/${address}/swaps`), address)
      const { symbol, name } = JSON.parse(detail) as { symbol: string; name: string }
      for (const query of [
        `field=symbol&value=${encodeURIComponent(symbol)}`,
        `field=name&value=${encodeURIComponent(name)}`,
      ])
        expectPlain(await answerTo(`/v1/tokens?${query}`), query)
      // A single character is refused, in the error shape.
      const sought = encodeURIComponent([...name].slice(0, 40).join(''))
      expectPlain(await answerTo(`/v1/search?q=${sought}`, [200, 400]), name)
      return name
    })
    expect(names).toHaveLength(TOKENS)
    expect(names.filter((name) => name.includes(MARK)).length).toBeGreaterThan(TOKENS / 3)
    expectPlain(await answerTo('/v1/market/recent-swaps?limit=100'), 'recent swaps')
  })

  it('change no tag of a page: it has those of a token with a plain name', async () => {
    const tagsOf = (html: string) => html.match(/<[a-z!/][^\s>]*/gi)
    const attributesOf = (html: string) => html.match(/\s[a-z-]+="/gi)
    const plain = await answerTo(`/token/${harmless}`)
    let marked = 0
    for (const address of addresses) {
      const html = await answerTo(`/token/${address}`)
      expect(tagsOf(html), address).toEqual(tagsOf(plain))
      expect(attributesOf(html), address).toEqual(attributesOf(plain))
      expect(html.replaceAll('\n', ''), address).not.toMatch(hidden)
      marked += html.includes(MARK) ? 1 : 0
    }
    expect(marked).toBeGreaterThan(TOKENS / 3)
  })

  it('stay within the data of the stream’s events', async () => {
    const response = await fetch(`${service.ready.stream_base_url}/stream/swaps`, {
      headers: { 'last-event-id': '0.0' },
      signal: AbortSignal.timeout(60_000),
    })
    let text = ''
    const decoder = new TextDecoder()
    // Each token was traded once, after all of the market's past.
    const isEnough = () => {
      const told = new Set(text.match(/(?<="token_address":")\w+/g)?.map((address) => address.toLowerCase()))
      return addresses.every((address) => told.has(address))
    }
    for await (const part of response.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true })
      if (isEnough()) break
    }
    const lines = text.slice(0, text.lastIndexOf('\n')).split(/\r\n|[\n\r\u2028\u2029\u0085]/)
    for (const line of lines) expect(line).toMatch(/^((id|event|data|retry): .*|:.*)?$/)
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6))
    for (const json of data.slice(0, -1)) expectPlain(json, json)
    expect(isEnough()).toBe(true)
    expect(text).toContain(MARK)
    const events = new Set(lines.filter((line) => line.startsWith('event: ')))
    for (const event of events) expect(event).toMatch(/^event: (ready|retract|resync)$/)
  })

  it('never come to the terminal', async () => {
    const output = service.output()
    expect(output.length).toBeGreaterThan(100)
    expect(output).not.toContain(MARK)
    expect(stripVTControlCharacters(output).replaceAll(/[\r\n\t]/g, '')).not.toMatch(/\p{Cc}/u)
  })

  it.runIf(hasBrowser('nobody looks at hostile tokens on the pages'))(
    'are text on the pages, which run nothing of theirs',
    async () => {
      const browser = await startBrowser()
      try {
        const page = await (await browser.newContext()).newPage()
        const key = JSON.stringify(service.ready.keys.enterprise)
        await page.addInitScript({ content: `sessionStorage.setItem('z100.key', ${key})` })
        const complaints = await noteComplaints(page)
        const shown = addresses.filter((_, at) => at % 8 === 5)
        for (const path of [
          '/',
          '/trending',
          '/new-launches',
          '/live',
          ...shown.map((id) => `/token/${id}`),
        ]) {
          await page.goto(service.ready.base_url + path)
          await page.waitForSelector('#freshness:not([data-state=unknown])')
          await page.waitForSelector('.panel[aria-busy=true]', { state: 'detached' })
          expect(
            await page.locator('main img, main script, main style, main base, main meta').count(),
            path,
          ).toBe(0)
        }
        expect(await complaints()).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})
