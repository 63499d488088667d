import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { distributionOf } from '../../market/holders.ts'
import type { SealedEntry } from '../../market/log.ts'
import type { Address, Segment, Swap, Token, TokenState } from '../../market/segment.ts'
import { printedAddress } from '../../schemas/address.ts'
import { documents } from '../../schemas/documents.ts'
import { operations } from '../../schemas/operations.ts'
import { crawledPages } from '../../schemas/site.ts'
import { putHolderView } from '../../store/holders.ts'
import { putBars } from '../../store/index-history.ts'
import { marketKeys } from '../../store/tables.ts'
import { bearer } from '../support/access.ts'
import { expectWithinCosts, readUnits } from '../support/answer-costs.ts'
import {
  API_POOL_MANAGER,
  type ApiStack,
  type Reply,
  schemaFaults,
  startApiStack,
} from '../support/api-stack.ts'
import {
  HISTORY_ZORA,
  hashOf,
  nthAddress,
  segmentOf,
  stateWith,
  swapWith,
  tokenAt,
} from '../support/market-history.ts'

// Two creator tokens in ZORA ($1) and a post in the first. Prices are powers of two: 2^96 is one quote a token, 2^97 a quarter.
const START = 29_000_160 // a full hour, a multiple of 15 and 5
const ONE = 2n ** 96n
const QUARTER = 2n ** 97n
const WHOLE = 10n ** 18n

const ann = tokenAt(1, START, { name: 'Ann', symbol: 'ANN' })
const bob = tokenAt(2, START, { name: 'Bob & Co', symbol: 'BOB' })
const post = tokenAt(3, START + 10, {
  ...{ kind: 'post', name: 'A walk in Seoul', symbol: 'WALK' },
  ...{ quote: ann.address, creator: ann.creator },
})
const late = tokenAt(4, START + 40, { name: 'Late', symbol: 'LATE' })

const supply = 1_000n * WHOLE
const traded = (sqrtPriceX96: bigint, trades: number, dollars: number): TokenState =>
  stateWith({
    ...{ sqrtPriceX96, supply, selfHeld: supply / 2n, holders: 2, cumTrades: trades },
    ...{ cumVolumeMicroUsd: BigInt(dollars) * 1_000_000n, reserveQuote: 10n * WHOLE, athUsdE36: 10n ** 36n },
  })

const swapOf = (token: Token, minute: number, at: { log: number; isBuy?: boolean; cents: number }): Swap =>
  swapWith({
    ...{ blockNumber: minute * 30 + 5, blockHash: hashOf(minute), timestamp: minute * 60 + 10 },
    ...{ logIndex: at.log, transactionHash: hashOf(minute * 100 + at.log), isBuy: at.isBuy ?? true },
    ...{ token: token.address, poolId: token.poolId, quote: token.quote },
    ...{ amountToken: 3n * WHOLE + 1n, amountQuote: 2n * WHOLE },
    ...{ volumeMicroUsd: BigInt(at.cents) * 10_000n, paidUsdE36: 5n * 10n ** 35n },
  })

const candle = (cents: bigint) => {
  const close = cents * 10n ** 34n
  return { open: close, high: close, low: close, close }
}
const balance = (holder: Address, tokens: bigint) => ({
  token: ann.address,
  holder,
  before: 0n,
  after: tokens * WHOLE,
})

/** The minutes of the market. */
const minutes: readonly Segment[] = [
  segmentOf(START, {
    born: [ann, bob],
    rows: [
      [ann.address, traded(ONE, 0, 0), candle(100n)],
      [bob.address, traded(ONE, 0, 0), candle(100n)],
    ],
    hooks: [nthAddress(900)],
    balances: [
      balance(nthAddress(60), 300n),
      balance(nthAddress(61), 100n),
      // Nobody's: the pool, the hook, the token itself.
      ...[API_POOL_MANAGER, nthAddress(900), ann.address].map((holder) => balance(holder, 999n)),
    ],
  }),
  segmentOf(START + 10, { born: [post], rows: [[post.address, traded(ONE, 0, 0), candle(100n)]] }),
  segmentOf(START + 20, {
    rows: [
      [ann.address, traded(QUARTER, 2, 50), candle(25n)],
      [bob.address, traded(ONE, 1, 7), candle(100n)],
    ],
    swaps: [
      swapOf(ann, START + 20, { log: 1, cents: 4_999 }),
      swapOf(ann, START + 20, { log: 2, cents: 1, isBuy: false }),
      swapOf(bob, START + 20, { log: 3, cents: 700 }),
    ],
  }),
  segmentOf(START + 30, {
    rows: [[post.address, traded(ONE, 1, 3), candle(25n)]],
    swaps: [swapOf(post, START + 30, { log: 1, cents: 300 })],
  }),
]

/** A minute after the applied one: another price, and a new token. */
const unseen = segmentOf(START + 40, {
  born: [late],
  rows: [
    [ann.address, traded(ONE, 9, 99), candle(100n)],
    [late.address, traded(ONE, 1, 1), candle(100n)],
  ],
  swaps: [swapOf(ann, START + 40, { log: 1, cents: 4_900 })],
})

let api: ApiStack
const ask = (path: string, init?: RequestInit): Promise<Reply> => api.ask(path, init)
const rowsOf = async (path: string) => (await ask(path)).body as Record<string, unknown>[]

beforeAll(async () => {
  api = await startApiStack()
  api.state.now = (START + 32) * 60
  for (const segment of minutes) await api.seal(segment)
  const feed = minutes.flatMap(({ swaps, last }) => (swaps.length > 0 ? [{ swaps, last }] : []))
  for (const [at, { swaps, last }] of feed.entries())
    await api.feed({ seq: at + 1, is: 'block', block: last, swaps })
  await api.publish()
})
afterAll(() => api.stop())

const annPath = `/v1/tokens/${ann.address}`

describe('one token', () => {
  it('has its figures as of the applied minute', async () => {
    const { status, body, headers } = await ask(`/v1/tokens/${post.address}`)
    expect([status, schemaFaults('token', body)]).toEqual([200, ''])
    expect(body).toMatchObject({
      ...{ symbol: 'WALK', type: 'post', contract_address: printedAddress(post.address) },
      // One ANN, which is a quarter of a ZORA.
      ...{ price_usd: 0.25, market_cap: 250, circulating_supply: 500, circulating_market_cap: 125 },
      // The launch price was $1e-6.
      ...{ change_24h: 24_999_900, volume_24h: 3, trades_24h: 1, holders_count: 2 },
      // 10 ANN on the quote side.
      ...{ liquidity_usd: 2.5, creator_handle: 'ANN', creator_name: 'Ann' },
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-data-block': String((START + 30) * 30 + 29),
      'x-data-block-hash': hashOf(START + 30),
      'x-data-time': new Date((START + 31) * 60_000).toISOString().replace('.000Z', 'Z'),
      'cache-control': 'no-store',
    })
    expect(headers.get('x-data-stale')).toBeNull()
  })

  it('is found by address in any form and by pool, never by symbol', async () => {
    const { text } = await ask(annPath)
    const hex = ann.address.slice(2).toUpperCase()
    for (const id of [
      `0x${hex}`,
      `base_${ann.address}`,
      `${ann.address}:8453`,
      ann.poolId,
      `${ann.address}/`,
    ])
      expect((await ask(`/v1/tokens/${id}`)).text).toBe(text)
    for (const id of [
      'ANN',
      '0x12',
      `${ann.address}0`,
      nthAddress(5),
      hashOf(77),
      'a%2Fb',
      '%7Bid%7D',
      '%F0%9F%90%B8',
      'x'.repeat(500),
    ]) {
      const { status, body } = await ask(`/v1/tokens/${id}`)
      const token = decodeURIComponent(id).slice(0, 128)
      expect([status, (body as { error: object }).error]).toMatchObject([
        404,
        { code: 'RESOURCE_NOT_FOUND', details: { token, hint: expect.stringContaining('/v1/tokens?') } },
      ])
    }
  })

  it('has metrics and holders', async () => {
    const metrics = await ask(`${annPath}/metrics`)
    expect(schemaFaults('metrics', metrics.body)).toBe('')
    expect(metrics.body).toMatchObject({
      token: { symbol: 'ANN' },
      metrics: { market_cap: 250, trades_24h: 2, all_time_high: 1, all_time_low: null },
    })
    const holders = await ask(`${annPath}/holders?limit=1`)
    expect(schemaFaults('holders', holders.body)).toBe('')
    expect(holders.body).toMatchObject({
      ...{ total_holders: 2, holder_types: { contract_holders: null, scope: 'top100' } },
      distribution: { top10_concentration: 40, gini_coefficient: 0.25, whale_count: 2 },
      holders: [
        {
          ...{
            rank: 1,
            address: printedAddress(nthAddress(60)),
            balance: 300,
            percentage: 30,
            value_usd: 75,
          },
          ...{ type: null, label: null },
        },
      ],
    })
    expect((holders.body as { holders: unknown[] }).holders).toHaveLength(1)
  })

  it('has a price history on the UTC grid that ends at the price', async () => {
    const { body, headers } = await ask(`${annPath}/price-history?period=4h`)
    expect(schemaFaults('priceHistory', body)).toBe('')
    const steps = body as Record<string, unknown>[]
    expect(headers.get('x-total-count')).toBe('7')
    expect(
      steps.map((step) => [
        Number(step['timestamp']) / 60 - START,
        step['close'],
        step['trades'],
        step['filled'],
        step['partial'],
      ]),
    ).toEqual([
      [0, 1, 0, false, false],
      [5, 1, 0, true, false],
      [10, 1, 0, true, false],
      [15, 1, 0, true, false],
      [20, 0.25, 2, false, false],
      [25, 0.25, 0, true, false],
      [30, 0.25, 0, true, true],
    ])
    expect(steps[4]).toMatchObject({ open: 0.25, high: 0.25, volume_usd: 50, market_cap: 250 })
    const set = await rowsOf(`${annPath}/price-history?period=4h&fill=false`)
    expect(set.map((step) => step['filled'])).toEqual([false, false])
    // The post's price moves with its creator token's.
    const moved = await rowsOf(`/v1/tokens/${post.address}/price-history?period=1h`)
    expect(moved.map((step) => step['close'])).toEqual([...Array(10).fill(1), ...Array(11).fill(0.25)])
  })

  it('lists its swaps, newest first', async () => {
    const { body, headers } = await ask(`${annPath}/swaps`)
    expect(schemaFaults('tokenSwaps', body)).toBe('')
    expect(body).toMatchObject([
      {
        ...{ log_index: 2, type: 'sell', is_buy: false, volume_usd: 0.01, usd_value: 0.01, confirmed: true },
        ...{ amount_in: 3, amount_out: 2, amount: 3, price_per_token: 0.5 },
        token_in: { symbol: 'ANN', amount_raw: String(3n * WHOLE + 1n), decimals: 18 },
        token_out: { symbol: 'ZORA', address: printedAddress(HISTORY_ZORA) },
      },
      { log_index: 1, is_buy: true, volume_usd: 49.99, token_in: { symbol: 'ZORA' } },
    ])
    expect(headers.get('x-total-count')).toBe('2')
    const logs = async (query: string) =>
      (await rowsOf(`${annPath}/swaps?${query}`)).map((row) => row['log_index'])
    expect(await logs('type=BUY')).toEqual([1])
    expect(await logs('order=asc')).toEqual([1, 2])
    expect(await logs('min_value=0.01')).toEqual([2, 1])
    expect(await logs('min_value=0.010000000000000001')).toEqual([1])
    expect(await logs('limit=1&offset=1')).toEqual([1])
    expect(await logs('offset=7')).toEqual([])
    const at = (seconds: number) => new Date(((START + 20) * 60 + seconds) * 1_000).toISOString()
    expect(await logs(`before=${at(11)}`)).toEqual([2, 1])
    expect(await logs(`before=${at(10)}`)).toEqual([])
    expect((await ask(`${annPath}/swaps?before=soon`)).status).toBe(400)
  })
})

describe('the page of a token', () => {
  it('has the escaped name in its title and preview', async () => {
    const { text, headers } = await ask(`/v1/token-pages/${post.address}`)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('<title>WALK · z100</title>')
    expect(text).toContain('<meta property="og:title" content="WALK · z100">')
    expect(text).toContain(
      '<meta property="og:description" content="A walk in Seoul: post token. Market cap $',
    )
    expect(text).toContain('<script type="module" src="/token.js"></script>')
    expect((await ask(`/v1/token-pages/${bob.address}`)).text).toContain(
      'content="Bob &#38; Co: creator token.',
    )
  })

  it('of an unknown token is the general page', async () => {
    for (const id of [`0x${'1'.repeat(40)}`, '-'])
      expect((await ask(`/v1/token-pages/${id}`)).text).toContain('<title>Token · z100</title>')
  })
})

describe('what crawlers read', () => {
  const headers = { 'x-z100-host': 'z100.example' }

  it('is robots.txt, which names the sitemap by its whole address', async () => {
    const { text, headers: answered } = await ask('/v1/robots.txt', { headers })
    expect(answered.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^Disallow: \/v1\/$/m)
    expect(text).toMatch(/^Sitemap: http:\/\/z100\.example\/sitemap\.xml$/m)
  })

  it('is the sitemap: the pages, and those of the tokens on the boards', async () => {
    const { text, headers: answered } = await ask('/v1/sitemap.xml', { headers })
    expect(answered.get('content-type')).toBe('application/xml; charset=utf-8')
    const places = [...text.matchAll(/<url><loc>http:\/\/z100\.example([^<]*)<\/loc><\/url>/g)]
    const boards = await Promise.all(['creators', 'posts'].map((board) => ask(`/v1/z100/${board}`)))
    const rows = boards.flatMap(({ body }) => body as readonly { readonly contract_address: string }[])
    expect(rows.length).toBeGreaterThan(2)
    expect(places.map(([, path]) => path)).toEqual([
      ...crawledPages,
      ...rows.map((row) => `/token/${row.contract_address.toLowerCase()}`),
    ])
  })
})

describe('recent swaps', () => {
  it('are those of the live feed, by filter', async () => {
    const path = '/v1/market/recent-swaps'
    expect(schemaFaults('recentSwaps', (await ask(path)).body)).toBe('')
    const symbols = async (query: string) =>
      (await rowsOf(`${path}?${query}`)).map((row) => row['token_symbol'])
    expect(await symbols('')).toEqual(['WALK', 'BOB', 'ANN', 'ANN'])
    expect(await symbols('token=$bob')).toEqual(['BOB'])
    expect(await symbols(`token=${ann.address.toUpperCase().replace('X', 'x')}&type=sell`)).toEqual(['ANN'])
    expect(await symbols('token=nobody')).toEqual([])
    for (const nothing of ['$', '@', '%E2%80%8B'])
      expect((await ask(`${path}?token=${nothing}`)).status).toBe(400)
    expect(await symbols('min_value=7&order=asc')).toEqual(['ANN', 'BOB'])
  })
})

describe('tokens by field', () => {
  const found = async (query: string) => (await rowsOf(`/v1/tokens?${query}`)).map((row) => row['symbol'])

  it('are equal after folding, oldest first', async () => {
    expect(await found('field=symbol&value=%20ann%20')).toEqual(['ANN'])
    expect(await found('field=NAME&value=a%20%20walk+in+SEOUL')).toEqual(['WALK'])
    expect(await found(`field=address&value=${bob.address}`)).toEqual(['BOB'])
    expect(await found(`field=creator&value=${ann.creator}`)).toEqual(['ANN', 'WALK'])
    expect(await found('field=creator&value=@Ann')).toEqual(['ANN', 'WALK'])
    expect(await found('field=symbol&value=an')).toEqual([])
    const { body } = await ask('/v1/tokens?field=symbol&value=walk')
    expect(schemaFaults('tokens', body)).toBe('')
    expect(body).toMatchObject([{ z100_board: 'posts', z100_rank: 1, rank: 1, price_usd: 0.25 }])
  })
})

describe('search', () => {
  const found = async (q: string) =>
    (await rowsOf(`/v1/search?q=${encodeURIComponent(q)}`)).map((row) => [row['symbol'], row['match']])

  it('looks through both boards in seven tiers', async () => {
    expect(await found('$ann')).toEqual([['ANN', { field: 'symbol', kind: 'exact' }]])
    expect(await found('seo')).toEqual([['WALK', { field: 'name', kind: 'word' }]])
    expect(await found('ob')).toEqual([['BOB', { field: 'symbol', kind: 'contains' }]])
    expect(await found('eoul')).toEqual([['WALK', { field: 'name', kind: 'contains' }]])
    expect(await found(post.address)).toEqual([['WALK', { field: 'address', kind: 'exact' }]])
    expect((await found(ann.creator.slice(0, 41))).map(([symbol]) => symbol)).toEqual(['ANN', 'BOB', 'WALK'])
    expect(await found('zz')).toEqual([])
    const { body } = await ask('/v1/search?q=walk')
    expect(schemaFaults('search', body)).toBe('')
    expect(body).toMatchObject([{ price_usd: 0.25, change_7d: 24_999_900, z100_rank: 1 }])
  })
})

describe('lists of a snapshot', () => {
  it('are ordered, cut and shaped, and equal the document where nothing is asked', async () => {
    const path = '/v1/z100/creators'
    const board = await ask(path)
    expect(schemaFaults('creators', board.body)).toBe('')
    const document = await api.published.read('v1/z100/creators/24h')
    expect(board.text).toBe(Buffer.from(document!.bytes).toString())
    const shared = await ask(`${path}/24h`, { headers: { 'x-z100-scope': 'shared' } })
    expect([shared.status, shared.text]).toEqual([200, board.text])
    expect((await ask(`${path}/24h`)).status).toBe(404)

    const [bobs, anns] = await rowsOf(`${path}?sort=price`)
    expect([bobs!['symbol'], anns!['symbol']]).toEqual(['BOB', 'ANN'])
    const { body } = await ask(`${path}?include_changes=0&values=display&limit=1`)
    expect(body).toMatchObject([{ volume_24h: '$50.00', volume_24h_raw: 50 }])
    expect(Object.keys((body as object[])[0]!)).not.toContain('historical_price')
    expect(await rowsOf(`${path}?order=asc&offset=1&limit=1`)).toMatchObject([{ position: 2, rank: 1 }])
    for (const [name, path] of Object.entries({
      all: '/v1/all',
      trending: '/v1/market/trending?limit=3',
      stats: '/v1/market/stats',
      launches: '/v1/discover/new-launches?limit=50',
    }))
      expect([name, schemaFaults(name, (await ask(path)).body)]).toEqual([name, ''])
  })

  it('have the published bytes and headers when the API answers for the bucket', async () => {
    const told = { snapshot: 'x-snapshot-id', block: 'x-data-block', 'block-hash': 'x-data-block-hash' }
    const more = { time: 'x-data-time', sort: 'x-applied-sort', period: 'x-applied-period' }
    for (const { name } of documents) {
      const { text, headers } = await ask(`/${name}`, { headers: { 'x-z100-scope': 'shared' } })
      const { bytes, metadata } = (await api.published.read(name))!
      expect([name, text]).toEqual([name, Buffer.from(bytes).toString()])
      const pages = { total: 'x-total-count', limit: 'x-per-page' }
      for (const [key, header] of Object.entries({ ...told, ...more, ...(metadata['limit'] ? pages : {}) }))
        expect([name, key, headers.get(header)]).toEqual([name, key, metadata[key] ?? null])
    }
  })

  it('repeat sort and period in canonical spelling', async () => {
    const told = async (path: string) => {
      const { headers } = await ask(path)
      return [headers.get('x-applied-sort'), headers.get('x-applied-period')]
    }
    expect(await told('/v1/z100/creators')).toEqual(['rank;desc', '24h'])
    expect(await told('/v1/z100/creators?sort=Value&order=&period=7D')).toEqual(['rank;desc', '7d'])
    expect(await told('/v1/z100/posts?sort=market_cap&order=ASC')).toEqual(['market_cap;asc', '24h'])
    expect(await told('/v1/market/trending?sort=change&timeframe=30d')).toEqual(['change;desc', '30d'])
    expect(await told('/v1/market/volume?period=1h&strict=1')).toEqual([null, '1h'])
    expect(await told(`${annPath}/price-history`)).toEqual([null, '24h'])
    expect(await told(`${annPath}/swaps?order=asc`)).toEqual(['timestamp;asc', null])
    for (const path of ['/v1/market/stats', '/v1/discover/rising', annPath])
      expect(await told(path)).toEqual([null, null])
    // As the edge asks for a document that its bucket lacks.
    const { headers } = await ask('/v1/market/trending/1h/holders', { headers: { 'x-z100-scope': 'shared' } })
    expect(headers.get('x-applied-sort')).toBe('holders;desc')
    expect(headers.get('x-applied-period')).toBe('1h')
  })

  it('state the total and link to the other pages of the same snapshot', async () => {
    const { body, headers } = await ask('/v1/z100/creators?limit=1&envelope=TRUE&utm=1')
    expect(body).toMatchObject({ data: [{ rank: 1 }], meta: { total: 2, page: 1, per_page: 1 } })
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'x-total-count': '2', 'x-page-count': '2', 'x-current-page': '1', 'x-per-page': '1' },
      'x-ignored-parameters': 'utm',
    })
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!
    expect(next).toContain(`snapshot=${headers.get('x-snapshot-id')}`)
    expect((await ask(next)).body).toMatchObject({ data: [{ rank: 2 }], meta: { page: 2 } })
  })
})

describe('snapshots', () => {
  it('are listed, newest first, and each has its manifest', async () => {
    const { body, headers } = await ask('/v1/snapshots')
    expect(schemaFaults('snapshots', body)).toBe('')
    const [row] = body as Record<string, unknown>[]
    expect(row).toMatchObject({ block_hash: hashOf(START + 30), log_position: 4, unpublished: [] })
    expect(row!['snapshot_id']).toBe(headers.get('x-snapshot-id'))
    const manifest = await ask(`/v1/snapshots/${row!['snapshot_id']}`)
    expect(schemaFaults('snapshot', manifest.body)).toBe('')
    expect(manifest.headers.get('x-data-block-hash')).toBe(hashOf(START + 30))
    const { documents } = manifest.body as { documents: Record<string, { sha256: string }> }
    expect(Object.keys(documents)).toHaveLength(row!['documents_count'] as number)
    const { bytes } = (await api.published.read('v1/market/stats'))!
    expect(documents['v1/market/stats']!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('are listed up to a time', async () => {
    const count = async (to: string) => (await rowsOf(`/v1/snapshots?to=${to}`)).length
    const at = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`
    expect([await count(at(START + 31)), await count(at(START + 30)), await count('2099-01-01')]).toEqual([
      1, 0, 1,
    ])
  })

  it('are 404 if unknown', async () => {
    for (const snapshot of ['20250219T2121Z-00000000', 'newest', '%F0%9F%90%B8'])
      expect((await ask(`/v1/snapshots/${snapshot}`)).body).toMatchObject({
        error: { code: 'RESOURCE_NOT_FOUND', details: { snapshot: decodeURIComponent(snapshot) } },
      })
  })

  it('have a status also if the bucket has none', async () => {
    const { status, body, headers, text } = await ask('/v1/status', { headers: { 'x-z100-scope': 'shared' } })
    expect([status, schemaFaults('status', body)]).toEqual([200, ''])
    expect(text).toBe(Buffer.from((await api.published.read('v1/status'))!.bytes).toString())
    expect(headers.get('x-data-block')).toBe(String((START + 30) * 30 + 29))
  })
})

describe('the history of the index', () => {
  it('has steps of UTC time, up to the newest snapshot', async () => {
    const at = (minute: number) => new Date(minute * 60_000).toISOString().slice(0, 16)
    await putBars(api.stores.table, 1, {
      hour: [START / 60 - 1, START / 60].map((hour) => ({
        ...{ at: hour, open: 10n ** 11n, high: 12n * 10n ** 10n, low: 10n ** 11n, close: 11n * 10n ** 10n },
        ...{ creatorVolume: 5_000_000n, postVolume: 0n, trades: 2, activeCreators: 1, activePosts: 0 },
      })),
      ...{ day: [], week: [] },
    })
    const path = '/v1/z100/historical?interval=hourly'
    const { body } = await ask(path)
    expect(schemaFaults('historical', body)).toBe('')
    expect(body).toMatchObject([
      { timestamp: START * 60, index_value: 1100, open: 1000, change_percent: 10, partial: false },
      { timestamp: (START + 60) * 60, total_volume: 5, total_trades: 2, active_creators: 1, partial: true },
    ])
    const count = async (query: string) => (await rowsOf(`${path}&${query}`)).length
    expect(await count(`from=${at(START)}`)).toBe(1)
    expect(await count(`from=${at(START - 1)}Z&to=2099-01-01`)).toBe(2)
    expect(await count(`from=${at(START - 120)}&to=${at(START - 61)}`)).toBe(0)
    expect(await rowsOf('/v1/z100/historical?to=2000-01-01')).toEqual([])
    const refused = [
      'from=2026-02-30',
      'from=yesterday',
      'from=2020-01-01',
      `from=${at(START)}&to=${at(START - 1)}`,
    ]
    for (const query of refused)
      expect((await ask(`${path}&${query}`)).body).toMatchObject({
        error: { code: 'INVALID_PARAMETER', details: { parameter: 'from' } },
      })
  })
})

describe('what is refused', () => {
  const refusal = async (path: string, init?: RequestInit) => {
    const { status, headers, body } = await ask(path, init)
    const { error } = body as {
      error: { code: string; details: Record<string, unknown>; request_id: string }
    }
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(error.request_id).toBe(headers.get('x-request-id'))
    return [status, error.code, error.details]
  }

  it.each([
    ['limit=101', 'limit', 101],
    ['limit=1&limit=2', 'limit', '1, 2'],
    ['period=2h', 'period', '2h'],
    ['snapshot=20200101T0000Z-00000000', 'snapshot', '20200101T0000Z-00000000'],
    ['strict=1&x=2', 'x', 2],
  ])('a parameter: %s', async (query, parameter, provided) => {
    expect(await refusal(`/v1/z100/creators?${query}`)).toMatchObject([
      400,
      'INVALID_PARAMETER',
      { parameter, provided, allowed: expect.stringMatching(/./) },
    ])
  })

  it('names the parameter in its message', async () => {
    const messageOf = async (path: string) =>
      ((await ask(path)).body as { error: { message: string } }).error.message
    expect(await messageOf('/v1/search')).toBe(
      'The parameter q is missing: it takes at least 2 characters, at most 100.',
    )
    expect(await messageOf('/v1/search?q=aa&limit=0')).toBe(
      'The parameter limit is not valid: it takes 1-100.',
    )
  })

  it.each([
    ['/v1/search', 'q', null],
    ['/v1/search?q=+a+', 'q', ' a '],
    ['/v1/tokens?value=a&field=', 'field', null],
    ['/v1/tokens?field=address&value=0x12', 'value', '0x12'],
    ['/v1/%zz', 'path', '/v1/%zz'],
  ])('a request: %s', async (path, parameter, provided) => {
    expect(await refusal(path)).toMatchObject([400, 'INVALID_PARAMETER', { parameter, provided }])
  })

  it('unknown paths are 404, other methods 405', async () => {
    expect(await refusal('/v1/nothing')).toEqual([404, 'RESOURCE_NOT_FOUND', { path: '/v1/nothing' }])
    expect(await refusal(`${annPath}/nothing`)).toMatchObject([404, 'RESOURCE_NOT_FOUND', {}])
    const path = '/v1/z100/posts'
    expect(await refusal(path, { method: 'POST', body: '{}' })).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      { method: 'POST' },
    ])
    expect((await ask(path, { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await refusal(path, { method: 'PROPFIND' })).toMatchObject([405, 'METHOD_NOT_ALLOWED', {}])
  })

  it.each(['/v1/z100/../z100/posts', '/v1/%2e%2e/z100/posts', '/v1/z100/posts/.', '/v1/./z100/posts'])(
    'is there nothing at a path with dot segments: %s',
    async (path) => {
      const { hostname, port } = new URL(api.url)
      const sent = request({ hostname, port, path, headers: bearer(api.key) }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode).toBe(404)
    },
  )

  it('keeps a valid request id of the client', async () => {
    const idOf = async (id: string) =>
      (await ask('/v1/nothing', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idOf('job-7.retry:2')).toBe('job-7.retry:2')
    for (const id of ['x'.repeat(65), 'a b', '<script>']) expect(await idOf(id)).not.toBe(id)
  })

  it('names the newest snapshot in errors and in the usage', async () => {
    const snapshot = (await ask('/v1/z100/posts')).headers.get('x-snapshot-id')
    for (const path of ['/v1/usage', '/v1/nothing', '/v1/search', `/v1/tokens/0x${'1'.repeat(40)}`]) {
      const { headers } = await ask(path)
      expect([path, headers.get('x-snapshot-id')]).toEqual([path, snapshot])
      expect(headers.get('x-data-time')).toBeTruthy()
    }
  })

  it('a defect is a 500 without details', async () => {
    const { list } = api.stores.lists
    api.stores.lists.list = () => Promise.reject(new Error('secret'))
    expect(await refusal('/v1/z100/posts')).toEqual([500, 'INTERNAL_ERROR', {}])
    api.stores.lists.list = list
    expect(api.state.defects.splice(0).map(String)).toEqual(['Error: secret'])
  })
})

describe('conditions and methods', () => {
  it('answers 304 to a matching ETag, and HEAD with the headers of GET', async () => {
    const { headers, text } = await ask(annPath)
    const etag = headers.get('etag')!
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await ask(annPath, { headers: { 'if-none-match': tag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await ask(annPath, { headers: { 'if-none-match': '"x"' } })).text).toBe(text)
    const head = await ask(annPath, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  it('marks old figures as stale', async () => {
    api.state.now += 3_600
    expect((await ask(annPath)).headers.get('x-data-stale')).toBe('true')
    api.state.now -= 3_600
  })
})

/** A request of each operation that reads a table. */
const requests: Readonly<Record<string, readonly string[]>> = {
  recentSwaps: ['/v1/market/recent-swaps', '/v1/market/recent-swaps?token=ann'],
  tokens: ['/v1/tokens?field=name&value=ann', `/v1/tokens?field=address&value=${ann.address}`],
  search: ['/v1/search?q=ann'],
  historical: ['/v1/z100/historical?interval=hourly'],
  creators: ['/v1/z100/creators?limit=5'],
  posts: ['/v1/z100/posts?sort=price'],
  index: ['/v1/z100/index?period=1h&strict=1'],
  constituents: ['/v1/z100/index/constituents?strict=1'],
  all: ['/v1/all?include_changes=0'],
  trending: ['/v1/market/trending?limit=5'],
  volume: ['/v1/market/volume?period=7d&strict=1'],
  stats: ['/v1/market/stats'],
  rising: ['/v1/discover/rising?limit=1'],
  launches: ['/v1/discover/new-launches?limit=1'],
  status: ['/v1/status'],
  tokenPage: [`/v1/token-pages/${ann.address}`],
  sitemap: ['/v1/sitemap.xml'],
  usage: ['/v1/usage'],
}

describe('reads', () => {
  const asked = Object.entries(requests).flatMap(([name, paths]) =>
    paths.map((path) => [path, name] as const),
  )
  it.each(asked)('%s costs no more than README says of %s', async (path, name) => {
    const answer = await api.askWarm(path)
    expect(answer.status).toBe(200)
    expect(answer.units).toBeGreaterThan(0)
    expectWithinCosts(name, answer)
  })

  it('README bounds every operation', () => {
    expect([...readUnits.keys()].sort()).toEqual(Object.keys(operations).sort())
    const none = [...readUnits].filter(([, units]) => units === 0).map(([name]) => name)
    // The dearest answers about one token are in read-costs.test.ts.
    const ofToken = ['token', 'metrics', 'holders', 'tokenSwaps', 'priceHistory']
    expect([...Object.keys(requests), ...none, ...ofToken].sort()).toEqual(Object.keys(operations).sort())
  })

  it('of very many holders come from the holder view, as of its minute', async () => {
    const crowd = Array.from({ length: 1_100 }, (_, at) => ({
      ...{
        token: bob.address,
        holder: nthAddress(10_000 + at),
        before: 0n,
        after: BigInt(2_000 - at) * WHOLE,
      },
    }))
    for (const { token, holder, after } of crowd)
      await api.stores.table.put(
        { ...marketKeys.balance(token, holder), balance: after, pos: 3 },
        { olderThan: 3 },
      )
    const path = `/v1/tokens/${bob.address}/holders`
    const before = await ask(path)
    const last = { number: (START + 20) * 30 + 29, hash: hashOf(START + 20), timestamp: 0 }
    const at = { n: 3, minute: START + 20, last }
    const amounts = crowd.map(({ after }) => after)
    const top = crowd
      .slice(0, 100)
      .map(({ holder, after }, place) => ({ ...{ holder, amount: after, isContract: place % 4 === 0 } }))
    const view = { at, distribution: distributionOf(amounts, supply), top }
    await putHolderView(api.log.ledger, bob.address, { n: 3, view })
    api.read.units = 0
    const { body, headers } = await ask(path)
    expect(api.read.units).toBeLessThanOrEqual(24)
    expect(schemaFaults('holders', body)).toBe('')
    const types = { contract_holders: 25, eoa_holders: 75, scope: 'top100' }
    // Nothing has touched the token since: what the balances say now, but for who is a contract.
    const listed = (before.body as { holders: object[] }).holders.map((row, place) => ({
      ...row,
      type: place % 4 === 0 ? 'contract' : 'eoa',
    }))
    expect(body).toEqual({ ...(before.body as object), holder_types: types, holders: listed })
    expect(headers.get('x-data-block')).toBe(before.headers.get('x-data-block'))
    const older = {
      ...view,
      at: { ...at, n: 2, minute: START + 10, last: { ...last, hash: hashOf(START + 10) } },
    }
    await putHolderView(api.log.ledger, ann.address, { n: 2, view: older })
    const answer = await ask(`${annPath}/holders`)
    expect(answer.headers.get('x-data-block-hash')).toBe(hashOf(START + 10))
    expect(answer.body).toMatchObject({ last_updated: answer.headers.get('x-data-time') })
    const uncounted = { ...view, distribution: null, top: [] }
    await putHolderView(api.log.ledger, bob.address, { n: 4, view: uncounted })
    const tooMany = await ask(path)
    expect(schemaFaults('holders', tooMany.body)).toBe('')
    expect(tooMany.body).toMatchObject({
      ...{ distribution: null, holders: [], coverage_from: null },
      ...{ total_holders: (body as { total_holders: number }).total_holders },
      holder_types: { contract_holders: null, eoa_holders: null },
    })
    await putHolderView(api.log.ledger, ann.address, { n: 3, view: null })
    await putHolderView(api.log.ledger, bob.address, { n: 5, view: null })
  })
})

describe('what is not applied', () => {
  it('is in no answer about tokens; in recent swaps it is unconfirmed', async () => {
    const paths = ['', '/metrics', '/holders', '/swaps', '/price-history'].map((part) => annPath + part)
    const before = await Promise.all(paths.map(async (path) => (await ask(path)).text))
    await api.seal(unseen, false)
    await api.feed({ seq: 3, is: 'block', block: unseen.last, swaps: unseen.swaps })
    expect(await Promise.all(paths.map(async (path) => (await ask(path)).text))).toEqual(before)
    expect((await ask(`/v1/tokens/${late.address}`)).status).toBe(404)
    expect(await rowsOf('/v1/tokens?field=symbol&value=late')).toEqual([])
    const swaps = await rowsOf('/v1/market/recent-swaps?limit=2')
    expect(swaps.map((swap) => swap['confirmed'])).toEqual([false, true])
    await api.feed({ seq: 4, is: 'retract', block: { ...unseen.last, hash: hashOf(START + 40) } })
    expect((await rowsOf('/v1/market/recent-swaps?limit=1'))[0]).toMatchObject({ confirmed: true })
  })

  it('reaches the list of tokens with its snapshot: figures, ranks and headers are of one', async () => {
    const path = '/v1/tokens?field=symbol&value=walk'
    const before = await ask(path)
    const { n, last, minute } = (await api.log.tail()) as SealedEntry
    await api.log.putApplied({ n, minute, last, isLowered: false })
    const after = await ask(path)
    expect(after.text).toBe(before.text)
    for (const header of ['x-snapshot-id', 'x-data-block', 'x-data-time'])
      expect(after.headers.get(header)).toBe(before.headers.get(header))
    const manifest = await ask(`/v1/snapshots/${after.headers.get('x-snapshot-id')}`)
    expect(manifest.body).toMatchObject({ snapshot_id: after.headers.get('x-snapshot-id') })
    expect((await ask(annPath)).headers.get('x-data-block')).toBe(String(last.number))
  })

  it('is a 503 with Retry-After while minutes are rolled back', async () => {
    const { n, minute, last } = (await api.log.applied())!
    await api.log.putApplied({ n: n + 2, minute, last, isLowered: true })
    const { status, headers, body } = await ask(annPath)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect((body as { error: object }).error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
