/** The tools as they are listed, and what they ask for; the whole service answers them in test/lambdas/agent-tools.ts. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMcp } from '../../clients/mcp/http.ts'
import { callTool } from '../../clients/mcp/server.ts'
import { rowKeys } from '../../clients/mcp/tool-schemas.ts'
import { tools } from '../../clients/mcp/tools.ts'
import { createClient } from '../../clients/typescript/index.ts'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'

/** An API that remembers what it was asked for. */
let asked: string[] = []
let api: Emulator
beforeAll(async () => {
  api = await listen(
    'api',
    createServer(({ url = '' }, response) => {
      asked.push(url)
      response.setHeader('content-type', 'application/json').end('[]')
    }),
  )
})
afterAll(() => api.stop())
beforeEach(() => {
  asked = []
})

const KEY = { authorization: 'Bearer z100_test_key' }

async function send(method: string, params: object = {}) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...KEY },
    ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } })
  const serve = openMcp(
    () => api.url,
    (error) => expect.fail(error.message),
  )
  const answer = await serve(new Request('http://z100.example/mcp', { method: 'POST', headers, body }))
  const text = await answer.text()
  return { text, result: JSON.parse(text.replace(/^(?:event: .*\n)?data: /, '')).result }
}

/** Every value in a schema that stands under a keyword. */
function under(keyword: string, schema: unknown): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => (key === keyword ? [value] : under(keyword, value)))
}

const keywords =
  /^(?:type|enum|minimum|maximum|default|description|items|properties|required|additionalProperties)$/

describe('the list of tools', () => {
  it('is short, and may be kept for an hour', async () => {
    const { text, result } = await send('tools/list')
    expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
    expect(text.length).toBeLessThanOrEqual(20 * 1_024)
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
      ...Object.keys(tools),
      'verify_row',
    ])
    const { result: discovered } = await send('server/discover')
    expect(discovered.capabilities).toMatchObject({ tools: { listChanged: false } })
  })

  it('is in the keywords that strict providers take, without an empty word, with the defaults that hold', async () => {
    const { result } = await send('tools/list')
    for (const { name, inputSchema } of result.tools) {
      expect([name, under('enum', inputSchema).flat()]).not.toContain('')
      const { properties, ...outer } = inputSchema
      for (const schema of [outer, ...Object.values<object>(properties)])
        for (const key of Object.keys(schema))
          expect([name, key]).toEqual([name, expect.stringMatching(keywords)])
      for (const [argument, value] of Object.entries(tools[name]?.defaults ?? {}))
        expect([name, argument, properties[argument].default]).toEqual([name, argument, value])
    }
  })
})

const call = (name: string, given: object) =>
  callTool(createClient({ baseUrl: api.url }), tools[name] as never, given as never)

describe('a tool reads what the API reads', () => {
  const id = `0x${'a'.repeat(40)}`
  it.each<[string, object, string]>([
    ['get_creators_board', {}, 'limit=10'],
    ...[2, '2', ' 2 ', '2.0', [2]].map((limit): [string, object, string] => [
      'get_creators_board',
      { limit },
      'limit=2',
    ]),
    ...[null, '', '24h', '24H'].map((timeframe): [string, object, string] => [
      'get_creators_board',
      { timeframe },
      'limit=10',
    ]),
    ...['timeframe', 'period'].map((name): [string, object, string] => [
      'get_creators_board',
      { [name]: '1H' },
      'limit=10&timeframe=1h',
    ]),
    ['get_trending', { sort: 'Change', order: 'ASC' }, 'limit=10&sort_by=change&sort_order=asc'],
    ['get_creators_board', { limit: 100 }, ''],
    ...[1_795_700_000, '1795700000', '2026-11-26T12:53:20Z'].map((from): [string, object, string] => [
      'get_candles',
      { id, from },
      `from=${encodeURIComponent(from)}&limit=24`,
    ]),
    [
      'screen_tokens',
      { thin_liquidity: false, min_change_24h: '-5' },
      'limit=10&min_change_24h=-5&thin_liquidity=false',
    ],
  ])('%s %j', async (name, given, query) => {
    await call(name, given)
    const sent = new URL(asked[0] ?? '', api.url).searchParams
    sent.sort()
    expect(sent.toString()).toBe(new URLSearchParams(query).toString())
  })

  it.each<[string, object, RegExp]>([
    ['get_creators_board', { limit: 'many' }, /limit.*1-100/],
    ['get_creators_board', { limit: [1, 2] }, /limit.*one text/],
    ['get_creators_board', { limit: {} }, /limit.*one text/],
    ['get_creators_board', { sort_by: 'worth' }, /sort_by.*price/],
    ['get_creators_board', { colour: 'red' }, /colour.*timeframe, limit/],
    ['get_token', {}, /id is missing/],
    ['search_tokens', { q: null }, /q is missing/],
  ])('%s %j is refused, and nothing is asked', async (name, given, words) => {
    await expect(call(name, given)).rejects.toThrow(words)
    expect(asked).toEqual([])
  })

  it('refusals name the argument, its value and what is allowed', async () => {
    const { result } = await send('tools/call', { name: 'get_index', arguments: { timeframe: '2h' } })
    expect([result.isError, result.content[0].text]).toEqual([
      true,
      expect.stringMatching(/timeframe is not valid: it takes 1h, 4h, 24h, 7d.*"2h"/),
    ])
  })
})

describe('fields of a row', () => {
  it.each<[unknown]>([
    ['symbol, rank'],
    ['["symbol","rank"]'],
    [['SYMBOL', ' rank']],
    ["['symbol', 'rank']"],
  ])('%j are two of them', async (fields) => {
    const answered = { symbol: 'A', rank: 1, price_usd: 2 }
    const client = { get: async () => ({ body: [answered], headers: new Headers() }) }
    const { data } = await callTool(client as never, tools['get_posts_board'] as never, { fields })
    expect(data).toEqual([{ symbol: 'A', rank: 1 }])
  })
  it.each([[['price']], ['price'], [['symbol', 'cap']], [['Symbol ', 'price_eur']]])(
    '%j name one that there is not',
    async (fields) => {
      await expect(call('get_posts_board', { fields })).rejects.toThrow(/fields.*price_usd/)
      expect(asked).toEqual([])
    },
  )
  it('are there for every tool that names some', () => {
    for (const [name, tool] of Object.entries(tools))
      expect([name, (tool.fields ?? []).filter((key) => !(key in rowKeys(tool)))]).toEqual([name, []])
  })
})
