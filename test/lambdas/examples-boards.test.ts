import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiStack } from '../support/api-stack.ts'
import { startDevnetApi } from '../support/devnet-api.ts'

// The programs of examples/, run against a market of the development chain.
const NOW = Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000

let api: ApiStack

beforeAll(async () => {
  const history = { blocks: 12, days: 3, trades: 60, creators: 4, posts: 5 }
  api = await startDevnetApi({ seed: 3, now: NOW, history })
}, 120_000)
afterAll(() => api.stop())

async function run(program: string, ...words: readonly string[]): Promise<string> {
  const path = new URL(`../../examples/${program}`, import.meta.url).pathname
  const env = { ...process.env, API: api.url, KEY: api.key, PAUSE_MS: '10' }
  return (await promisify(execFile)(process.execPath, [path, ...words], { env })).stdout
}

it('the bot has both boards from one document, asked again and again', async () => {
  const { body } = await api.ask('/v1/all?period=1h')
  const { creators, posts } = body as Record<'creators' | 'posts', { symbol: string }[]>
  const printed = await run('bot.mjs', '3')
  expect(printed).toContain(`creators: ${creators.length} rows, first ${creators[0]?.symbol}`)
  expect(printed).toContain(`posts: ${posts.length} rows, first ${posts[0]?.symbol}`)
})

it('the dashboard has candles that join, and that add up to all trades', async () => {
  const [row] = (await api.ask('/v1/z100/creators?limit=1')).body as Record<string, string>[]
  const address = row?.['contract_address'] ?? ''
  const { body: swaps } = await api.ask(`/v1/tokens/${address}/swaps?limit=100`)
  const { length } = swaps as unknown[]
  expect(length).toBeGreaterThan(0)
  const printed = await run('dashboard.mjs', address, '5m', '2000')
  expect(printed).toMatch(/candles of 5m, 0 that do not join/)
  expect(printed).toContain(`trades ${length},`)
})
