import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { itemsOfRow } from '../../store/items/rows.ts'
import { fillTable } from '../support/aws/fill-table.ts'
import { stateWith, swapWith } from '../support/market/facts.ts'
import { isWhole } from '../support/rounds.ts'
import { ann, annsPost, bob, MARKET_FROM, useMarketApi } from './market-api.ts'

const { api, ask, rowsOf } = await useMarketApi()
const run = promisify(execFile)

/** What a program of examples/ prints. */
const printed = (program: string, ...args: string[]) => printedWith({}, program, ...args)

/** The same, with more variables. */
async function printedWith(more: NodeJS.ProcessEnv, program: string, ...args: string[]): Promise<string[]> {
  const file = join(import.meta.dirname, '../../examples', program)
  const env = { ...process.env, API: api.url, KEY: api.key, ONCE: '1', LIMIT: '2', PAUSE_MS: '10', ...more }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', file, ...args], { env })
  return stdout.trimEnd().split('\n')
}

/** Hears what is posted to it. `refusals`: how many requests it refuses before that. */
async function serve(hear: (body: string) => void, refusals = 0) {
  let left = refusals
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      left -= 1
      if (left >= 0) response.statusCode = 429
      else hear(body)
      response.end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

const DAY = 1_440
/** Minutes with many blocks a second, quiet ones between them, and one from before the week. */
const minutes = [8 * DAY - 60, 6 * DAY, 5 * DAY, 61].map((before) => MARKET_FROM - before)
const swaps = minutes.flatMap((minute, at) =>
  Array.from({ length: at === 2 ? 3 : 620 }, (_, n) =>
    swapWith({
      token: ann.address,
      poolId: ann.poolId,
      // Thirty a minute, as those of the market; the busy minutes lie hours apart.
      blockNumber: minute * 30 + Math.floor(n / 3),
      logIndex: n % 3,
      // Most of them in one second.
      timestamp: minute * 60 + (n < 560 ? 7 : 8),
    }),
  ),
)

const state = stateWith({ sqrtPriceX96: 2n ** 96n })
const row = { before: state, after: state, rangesBefore: [], ranges: [], candle: null }
const items = minutes.flatMap((minute) =>
  itemsOfRow(
    { token: ann.address, ...row },
    minute,
    swaps.filter(({ timestamp }) => Math.floor(timestamp / 60) === minute),
  ),
)
await fillTable('market', items, 1)

describe('the programs of examples/', () => {
  it('swaps-of-seven-days prints every swap of the week once', async () => {
    const [head, ...rows] = await printed('swaps-of-seven-days.ts', ann.address)
    expect(head).toMatch(/^cursor,datetime,type,/)
    const since = (MARKET_FROM + 31) * 60 - 7 * 86_400
    const wanted = swaps.filter(({ timestamp }) => timestamp >= since)
    const places = rows.map((row) => row.split('.').slice(0, 2).join('.'))
    // The two of the market itself are the newest.
    expect(places.slice(2)).toEqual(
      wanted.toReversed().map(({ blockNumber, logIndex }) => `${blockNumber}.${logIndex}`),
    )
  })

  it.each([
    ['all-tokens', []],
    ['all-tokens, those traded', ['traded']],
  ])('%s lists each token once', async (_, args) => {
    const [head, ...rows] = await printed('all-tokens.mjs', ...args)
    expect(head).toMatch(/^contract_address,symbol,name,/)
    const addresses = rows.map((row) => row.split('"')[1]!.toLowerCase())
    const all = [ann, bob, annsPost].map(({ address }) => address)
    expect(addresses.toSorted()).toEqual(all.toSorted())
  })

  it('launches says each launch once, with its buyers', async () => {
    const rows = (await printed('launches.ts', '0')).map((row) => JSON.parse(row))
    const symbols = [ann, bob, annsPost].map(({ symbol }) => symbol)
    expect(rows.map((row) => row.symbol).sort()).toEqual(symbols.sort())
    expect(rows.every((row) => row.buyers === 0 && row.trades > 0)).toBe(true)
  })

  it('alerts tells a webhook once that a bound is passed, also after a restart', async () => {
    const heard: string[] = []
    const hook = await serve((body) => heard.push((JSON.parse(body) as { content: string }).content))
    const folder = await mkdtemp(join(tmpdir(), 'alerts-'))
    const file = join(folder, 'rules.json')
    const rules = [
      { token: ann.address, figure: 'unique_holders', above: -1 },
      { token: ann.address, figure: 'unique_holders', below: 0 },
    ]
    await writeFile(file, JSON.stringify(rules))
    await printedWith({ HOOK: hook.url }, 'alerts.mjs', file, '2')
    await printedWith({ HOOK: hook.url }, 'alerts.mjs', file, '2')
    expect(heard).toEqual([expect.stringMatching(`^${ann.symbol}: unique_holders is \\d+, above -1$`)])
    hook.stop()
    await rm(folder, { recursive: true })
  })

  it('alerts asks a webhook again that refused, and never rings for everybody', async () => {
    const heard: string[] = []
    const hook = await serve((body) => heard.push(body), 1)
    const folder = await mkdtemp(join(tmpdir(), 'alerts-'))
    const file = join(folder, 'rules.json')
    const rules = [ann, bob].map(({ address }) => ({ token: address, figure: 'unique_holders', above: -1 }))
    await writeFile(file, JSON.stringify(rules))
    await printedWith({ HOOK: hook.url, PAUSE_MS: '1' }, 'alerts.mjs', file, '3')
    const contents = heard.map((body) => (JSON.parse(body) as { content: string }).content)
    expect(contents.map((text) => text.split(':')[0]).sort()).toEqual([ann.symbol, bob.symbol])
    for (const body of heard) expect(JSON.parse(body)).toMatchObject({ allowed_mentions: { parse: [] } })
    hook.stop()
    await rm(folder, { recursive: true })
  })

  it.runIf(isWhole)('bot has both boards from one document, asked again and again', async () => {
    const { body } = await ask('/v1/all?period=1h')
    const { creators, posts } = body as Record<'creators' | 'posts', { symbol: string }[]>
    const rows = await printed('bot.mjs', '3')
    expect(rows).toContain(`creators: ${creators.length} rows, first ${creators[0]?.symbol}`)
    expect(rows).toContain(`posts: ${posts.length} rows, first ${posts[0]?.symbol}`)
  })

  it.runIf(isWhole)('dashboard has candles that join, and that add up to all trades', async () => {
    const { length } = await rowsOf(`/v1/tokens/${bob.address}/swaps?limit=100`)
    expect(length).toBeGreaterThan(0)
    const text = (await printed('dashboard.mjs', bob.address, '5m', '2000')).join('\n')
    expect(text).toMatch(/candles of 5m, 0 that do not join/)
    expect(text).toContain(`trades ${length},`)
  })
})
