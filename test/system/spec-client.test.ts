// Whole form only.
/**
 * A client written from the text of the API's specification alone, against the real handlers: every path with every
 * parameter that the text lists, every field of its tables, every error that it states.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { bearer } from '../support/aws/access.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { startTask } from '../support/stream-clients.ts'
import { type SpecFields, specTables, surprisesIn } from './spec-fields.ts'

const moment = {
  seed: 4,
  now: Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000,
  history: { blocks: 30, days: 8, trades: 60, creators: 8, posts: 12 },
}

const { trending, detail, metrics, tokenRef, holders, distribution } = specTables
const { swap, event, changes, creator, post, index } = specTables

const api = await startDevnetApi(moment)
afterAll(api.stop)
const [first] = (await api.ask('/v1/z100/posts?sort_by=volume&limit=1')).body as Record<string, string>[]
const [id, symbol] = [first!['token_address']!, first!['symbol']!]

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await api.ask(path.replace(':id', id), {
    headers: { Accept: 'application/json', ...headers },
  })
  expect([path, answer.status], JSON.stringify(answer.body).slice(0, 300)).toEqual([path, 200])
  return answer
}

/** Words of a parameter, its default first. */
const periods = ['24h', '1h', '4h', '7d']
const orders = ['desc', 'asc']
const booleans = ['true', 'false']
const boardParameters = {
  period: periods,
  order: orders,
  sort_order: orders,
  include_changes: booleans,
  offset: ['0'],
  sort_by: [
    'rank',
    'price',
    'market_cap',
    'volume',
    'total_volume',
    'holders',
    'price_change',
    'market_cap_change',
    'volume_change',
    'holders_change',
  ],
}
type List = {
  readonly path: string
  readonly fields: SpecFields
  /** Highest limit, and the default one. */
  readonly most: number
  readonly rows: number
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** The table of 4.1: lists. */
const lists: readonly List[] = [
  {
    path: '/v1/market/trending',
    fields: trending,
    most: 100,
    rows: 100,
    parameters: {
      timeframe: ['24h', '1h', '7d', '30d'],
      sort: ['volume', 'market_cap', 'change', 'holders'],
      order: orders,
      offset: ['0'],
    },
  },
  {
    path: '/v1/market/recent-swaps',
    fields: swap,
    most: 100,
    rows: 100,
    parameters: { type: ['all', 'buy', 'sell'], order: orders, offset: ['0'] },
  },
  {
    path: '/v1/z100/creators',
    fields: creator,
    most: 100,
    rows: 100,
    parameters: { ...boardParameters, sort: ['value', 'volume', 'holders'] },
  },
  {
    path: '/v1/z100/posts',
    fields: post,
    most: 100,
    rows: 100,
    parameters: { ...boardParameters, sort: ['engagement', 'volume', 'holders'] },
  },
  { path: '/v1/tokens/:id/swaps', fields: swap, most: 100, rows: 50, parameters: {} },
  { path: '/v1/discover/rising', fields: {}, most: 50, rows: 20, parameters: {} },
  { path: '/v1/discover/new-launches', fields: {}, most: 50, rows: 20, parameters: {} },
]

describe('a client that knows the text alone', () => {
  it.each(lists)('reads $path', async ({ path, fields, most, rows: usual, parameters }) => {
    const all = (await get(`${path}?limit=${most}`)).body as object[]
    expect(all.length).toBeGreaterThan(0)
    expect(all.flatMap((row, at) => surprisesIn(fields, row, `${path} ${at}`))).toEqual([])
    const plain = await get(path)
    expect(plain.body).toEqual(all.slice(0, usual))
    for (const name of ['X-Total-Count', 'X-Page-Count', 'X-Current-Page', 'X-Per-Page'])
      expect(plain.headers.get(name), name).toMatch(/^\d+$/)
    for (const [name, words] of Object.entries(parameters))
      for (const [at, word] of words.entries()) {
        const { body, text } = await get(`${path}?${name}=${word}`)
        expect(Array.isArray(body)).toBe(true)
        // A default is what it says.
        if (at === 0) expect([name, text]).toEqual([name, plain.text])
      }
    for (const limit of [0, most + 1]) {
      const refused = await api.ask(`${path.replace(':id', id)}?limit=${limit}`)
      expect(refused.status).toBe(400)
      expect(refused.body).toMatchObject({
        error: {
          code: 'INVALID_PARAMETER',
          message: expect.any(String),
          details: { parameter: 'limit', provided: limit, allowed: `1-${most}` },
        },
      })
    }
  })

  it.each(lists.filter(({ parameters }) => 'offset' in parameters))(
    'pages through $path with limit and offset',
    async ({ path }) => {
      const whole = (await get(`${path}?limit=12`)).body as object[]
      const pages: object[] = []
      for (let offset = 0; offset < 12; offset += 4)
        pages.push(...((await get(`${path}?limit=4&offset=${offset}`)).body as object[]))
      expect(pages).toEqual(whole)
    },
  )

  it('reads the change fields of a board, and leaves them out', async () => {
    for (const path of ['/v1/z100/creators', '/v1/z100/posts']) {
      const rows = (await get(path)).body as object[]
      expect(rows.flatMap((row, at) => surprisesIn(changes, row, `${path} ${at}`))).toEqual([])
      const bare = (await get(`${path}?include_changes=false`)).body as object[]
      for (const row of bare) for (const name of Object.keys(changes)) expect(row).not.toHaveProperty(name)
      expect(rows.map((row) => (row as { rank: number }).rank)).toEqual(rows.map((_, at) => at + 1))
    }
  })

  it('reads a token by its address', async () => {
    expect(surprisesIn(detail, (await get('/v1/tokens/:id')).body, 'detail')).toEqual([])
    const measured = (await get('/v1/tokens/:id/metrics')).body as Record<string, unknown>
    expect(surprisesIn(metrics, measured['metrics'], 'metrics')).toEqual([])
    expect(surprisesIn({ ...tokenRef }, measured['token'], 'token')).toEqual([])
    expect(surprisesIn({ last_updated: 'time' }, measured, 'metrics')).toEqual([])
    const held = (await get('/v1/tokens/:id/holders?limit=5')).body as Record<string, unknown>
    expect(surprisesIn(holders, held, 'holders')).toEqual([])
    expect(surprisesIn(distribution, held['distribution'], 'distribution')).toEqual([])
    expect(
      surprisesIn({ contract_holders: 'integer?', eoa_holders: 'integer?' }, held['holder_types'], 'types'),
    ).toEqual([])
    const rows = held['holders'] as object[]
    expect(rows.length).toBeLessThanOrEqual(5)
    const holder: SpecFields = { address: 'address', balance: 'decimal', percentage: 'decimal' }
    expect(rows.flatMap((row) => surprisesIn(holder, row, 'holder'))).toEqual([])
    for (const period of periods)
      expect(Array.isArray((await get(`/v1/tokens/:id/price-history?period=${period}`)).body)).toBe(true)
    const unknown = `0x${'12'.repeat(20)}`
    const missing = await api.ask(`/v1/tokens/${unknown}`)
    expect(missing.status).toBe(404)
    expect(missing.body).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND', details: { token: unknown } } })
  })

  it('reads index, statistics, volume and all of the boards, by period', async () => {
    for (const period of periods) {
      const { body } = await get(`/v1/z100/index?period=${period}`)
      expect(surprisesIn(index, body, 'index')).toEqual([])
      expect(body).toMatchObject({ period })
      for (const path of ['/v1/market/volume', '/v1/all'])
        expect(isObject((await get(`${path}?period=${period}`)).body)).toBe(true)
    }
    expect(isObject((await get('/v1/market/stats')).body)).toBe(true)
    expect(isObject((await get('/v1/all?include_changes=false')).body)).toBe(true)
  })

  it('finds tokens by field, by text, and swaps by token and value', async () => {
    const found = async (path: string) => (await get(path)).body as Record<string, unknown>[]
    expect(await found(`/v1/tokens?field=symbol&value=${symbol}`)).not.toEqual([])
    expect(await found(`/v1/tokens?field=address&value=${id}`)).toHaveLength(1)
    const [row] = (await get('/v1/z100/posts?limit=1')).body as Record<string, string>[]
    expect(await found(`/v1/tokens?field=creator&value=${row!['creator_address']}`)).not.toEqual([])
    expect(await found(`/v1/tokens?field=name&value=${encodeURIComponent(row!['name']!)}`)).not.toEqual([])
    expect(await found(`/v1/search?q=${symbol.slice(0, 2)}`)).not.toEqual([])
    const [newest] = await found('/v1/market/recent-swaps?limit=1')
    const sold = String(newest!['token_symbol'])
    for (const token of [sold, String(newest!['token_address'])])
      for (const each of await found(`/v1/market/recent-swaps?token=${token}&min_value=0.01`)) {
        expect(each['token_symbol']).toBe(sold)
        expect(each['volume_usd']).toBeGreaterThanOrEqual(0.01)
      }
    for (const path of ['/v1/search?q=a', '/v1/search', '/v1/tokens?field=symbol', '/v1/tokens?value=a'])
      expect((await api.ask(path)).status, path).toBe(400)
  })

  it('reads history with a professional key, and is refused with a basic one', async () => {
    for (const interval of ['daily', 'hourly', 'weekly'])
      await get(`/v1/z100/historical?from=2026-01-28&to=2026-01-31&interval=${interval}`)
    await get('/v1/z100/historical')
    const { key } = await api.access.keyOf('basic')
    const refused = await api.ask('/v1/z100/historical', { headers: bearer(key) })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error: { code: expect.any(String), details: expect.any(Object) } })
  })

  it('is told of a missing key and of its limit', async () => {
    const without = await fetch(`${api.url}/v1/z100/creators`)
    expect(without.status).toBe(401)
    const { error } = (await without.json()) as { error: { code: string; details: { help: string } } }
    expect([error.code, error.details.help]).toEqual([
      'UNAUTHORIZED',
      expect.stringContaining('Authorization'),
    ])
    const { key } = await api.access.keyOf('basic')
    const headers = bearer(key)
    for (let asked = 0; asked < 100; asked++) await api.ask('/v1/search?q=zz', { headers })
    const over = await api.ask('/v1/search?q=zz', { headers })
    expect(over.status).toBe(429)
    const { details, code } = (over.body as { error: { code: string; details: Record<string, unknown> } })
      .error
    expect(code).toBe('RATE_LIMIT_EXCEEDED')
    expect(surprisesIn({ limit: 'integer', remaining: 'integer', reset_at: 'time' }, details, '429')).toEqual(
      [],
    )
    expect(details).toMatchObject({ limit: 100, remaining: 0 })
  })

  it('is pushed each swap on the stream, without a key', async () => {
    const stores = memoryStores()
    const chain = await openFeedChain(stores.feed)
    const task = await startTask(stores)
    const response = await fetch(`${task.url}/stream/swaps`)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    let text = ''
    const messages: unknown[] = []
    const reading = (async () => {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        text += part
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks)
          if (!/^event:/m.test(block)) messages.push(JSON.parse(/^data: (.*)$/m.exec(block)![1]!))
      }
    })()
    await chain.trade(3)
    await expect.poll(() => messages.length).toBe(3)
    expect(messages.flatMap((message) => surprisesIn(event, message, 'event'))).toEqual([])
    await task.stop()
    await reading
  })
})
