import { beforeAll, describe, expect, it } from 'vitest'
import { openStoredLists } from '../../../lambdas/api/stored-lists.ts'
import { tokenDetail } from '../../../lambdas/endpoints/token.ts'
import { asOf } from '../../../market/window.ts'
import { weekBoards } from '../../../schemas/api/documents.ts'
import { snapshotId } from '../../../schemas/api/service.ts'
import { crawledPages } from '../../../schemas/pages/site-pages.ts'
import { printedAddress } from '../../../schemas/values/address.ts'
import { isoTime } from '../../../schemas/values/kinds.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { type DocumentStore, openDocuments } from '../../../store/published/documents.ts'
import { hash, nthAddress, segmentOf, stateWith, WHOLE, ZORA } from '../../support/market/facts.ts'
import { ann, annPath, annsPost, bob, MARKET_FROM, useMarketApi } from '../market-api.ts'

const { answered, api, ask, rowsOf } = await useMarketApi()

it('holders over time are steps of hours or days from the launch on, as of the applied minute', async () => {
  const { body } = await answered('holderHistory', `${annPath}/holders/history?interval=1h`)
  expect(body).toEqual([
    {
      timestamp: MARKET_FROM * 60,
      datetime: isoTime(MARKET_FROM * 60),
      holders_count: 2,
      top10_concentration: null,
      partial: true,
    },
  ])
  expect((await rowsOf(`${annPath}/holders/history`)).map((row) => row['holders_count'])).toEqual([2])
})

describe('one token', () => {
  it('has its figures as of the applied minute', async () => {
    const { body, headers } = await answered('token', `/v1/tokens/${annsPost.address}`)
    expect(body).toMatchObject({
      symbol: 'WALK',
      type: 'post',
      contract_address: printedAddress(annsPost.address),
      // One ANN, which is a quarter of a ZORA.
      price_usd: 0.25,
      market_cap: 250,
      circulating_supply: 500,
      circulating_market_cap: 125,
      // The launch price was $1e-6.
      change_24h: 24_999_900,
      volume_24h: 3,
      trades_24h: 1,
      holders_count: 2,
      // 10 ANN on the quote side.
      liquidity_usd: 2.5,
      creator_handle: 'ANN',
      creator_name: 'Ann',
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-data-block': String((MARKET_FROM + 30) * 30 + 29),
      'x-data-block-hash': hash(MARKET_FROM + 30),
      'x-data-time': isoTime((MARKET_FROM + 31) * 60),
      'cache-control': 'no-store',
    })
    expect(headers.get('x-data-stale')).toBeNull()
  })

  it('says of which time the boards are that its names were compared with, which may be earlier', async () => {
    const { minute, ...snapshot } = await api.stores.lists.newest()
    const asking = { caller: null, viewer: '', now: 0, site: '' }
    const detailWith = async (documents: DocumentStore) => {
      const stores = { ...api.stores, lists: openStoredLists(documents) }
      const answer = await tokenDetail({ id: ann.address, query: {} }, stores, asking)
      return 'text' in answer && JSON.parse(answer.text)
    }
    const last_updated = isoTime(asOf(minute))
    const documents = openDocuments(openMemoryTable())
    expect(await detailWith(documents)).toMatchObject({ last_updated, name_flags_as_of: null })
    const last = { number: 7, hash: snapshot.blockHash, timestamp: 0 }
    const id = snapshotId({ n: snapshot.n, minute: minute - 3, last })
    const earlier = { ...snapshot, id, minute: minute - 3 }
    for (const name of Object.values(weekBoards))
      await documents.putDocument({ name, snapshot: earlier, text: '[]' })
    await documents.putNewest(earlier)
    const name_flags_as_of = isoTime(asOf(minute - 3))
    expect(await detailWith(documents)).toMatchObject({ last_updated, name_flags_as_of })
  })

  it('is found by address in any form and by pool, never by symbol', async () => {
    const { text } = await ask(annPath)
    const hex = ann.address.slice(2).toUpperCase()
    const forms = [`0x${hex}`, `base_${ann.address}`, `${ann.address}:8453`, `${ann.address}/`]
    for (const id of [...forms, ann.poolId]) expect((await ask(`/v1/tokens/${id}`)).text).toBe(text)
    const strange = ['a%2Fb', '%7Bid%7D', '%F0%9F%90%B8', 'x'.repeat(500)]
    for (const id of ['ANN', '0x12', `${ann.address}0`, nthAddress(5), hash(77), ...strange]) {
      const { status, body } = await ask(`/v1/tokens/${id}`)
      const token = decodeURIComponent(id).slice(0, 128)
      expect([status, (body as { error: object }).error]).toMatchObject([
        404,
        { code: 'RESOURCE_NOT_FOUND', details: { token, hint: expect.stringContaining('/v1/tokens?') } },
      ])
    }
  })

  it('has metrics and holders', async () => {
    const metrics = await answered('metrics', `${annPath}/metrics`)
    expect(metrics.body).toMatchObject({
      token: { symbol: 'ANN' },
      metrics: { market_cap: 250, trades_24h: 2, all_time_high: 1, all_time_low: 0.25 },
    })
    const holders = await answered('holders', `${annPath}/holders?limit=1`)
    expect(holders.body).toMatchObject({
      total_holders: 2,
      holder_types: { contract_holders: null, scope: 'top100' },
      distribution: { top10_concentration: 40, gini_coefficient: 0.25, whale_count: 2 },
      holders: [
        {
          rank: 1,
          address: printedAddress(nthAddress(60)),
          balance: 300,
          percentage: 30,
          value_usd: 75,
          type: null,
          label: null,
        },
      ],
    })
    expect((holders.body as { holders: unknown[] }).holders).toHaveLength(1)
  })

  it('has a price history on the UTC grid that ends at the price', async () => {
    const { body, headers } = await answered('priceHistory', `${annPath}/price-history?period=4h`)
    const steps = body as Record<string, unknown>[]
    expect(headers.get('x-total-count')).toBe('7')
    expect(
      steps.map((step) => [
        Number(step['timestamp']) / 60 - MARKET_FROM,
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
    expect(steps[4]).toMatchObject({ open: 1, high: 1, low: 0.25, volume_usd: 50, market_cap: 250 })
    const set = await rowsOf(`${annPath}/price-history?period=4h&fill=false`)
    expect(set.map((step) => step['filled'])).toEqual([false, false])
    // The post's price moves with its creator token's.
    const moved = await rowsOf(`/v1/tokens/${annsPost.address}/price-history?period=1h`)
    expect(moved.map((step) => step['close'])).toEqual([...Array(10).fill(1), ...Array(11).fill(0.25)])
  })

  it('has all that a page about it shows in one answer, and refuses parts that there are not', async () => {
    const parts = 'price_history,Metrics,swaps,holders,swaps'
    const { body } = await answered('token', `${annPath}?include=${parts}`)
    const { metrics, swaps, holders, price_history: prices, ...detail } = body as Record<string, unknown>
    expect(detail).toEqual((await ask(annPath)).body)
    expect(metrics).toEqual(((await ask(`${annPath}/metrics`)).body as Record<string, unknown>)['metrics'])
    expect(swaps).toEqual(await rowsOf(`${annPath}/swaps`))
    expect(holders).toEqual(
      ((await ask(`${annPath}/holders?limit=50`)).body as Record<string, unknown>)['holders'],
    )
    expect(prices).toEqual(await rowsOf(`${annPath}/price-history`))
    const wrong = await ask(`${annPath}?include=metrics,trades`)
    expect(wrong.body).toMatchObject({ error: { details: { parameter: 'include', provided: 'trades' } } })
  })

  it('has candles that join, by pages and in the quote, and keeps closed ones for good', async () => {
    const candles = `${annPath}/candles?interval=5m`
    const all = await answered('candles', candles)
    expect(all.headers.get('cache-control')).toBe('no-store')
    const rows = all.body as Record<string, unknown>[]
    expect(rows.map(({ open, close }) => [open, close])).toEqual([
      // The launch price.
      [0.000001, 1],
      ...Array(3).fill([1, 1]),
      [1, 0.25],
      ...Array(2).fill([0.25, 0.25]),
    ])
    expect(rows[4]).toMatchObject({ trades: 2, buys: 0, volume_usd: 50, volume_quote: 4, filled: false })
    const newest = await ask(`${candles}&limit=3`)
    expect(newest.body).toEqual(rows.slice(-3))
    const next = /<([^>]+)>; rel="next"/.exec(newest.headers.get('link') ?? '')?.[1]
    expect(await rowsOf(next ?? '')).toEqual(rows.slice(1, 4))
    const set = await rowsOf(`${candles}&fill=none&currency=quote`)
    expect(set.map(({ open, close }) => [open, close])).toEqual([
      [1, 1],
      [1, 0.25],
    ])
    const old = `${annPath}/candles?interval=1m&before=${(MARKET_FROM + 5) * 60}&from=2020-01-01`
    expect((await ask(old)).body).toMatchObject({ error: { details: { parameter: 'from' } } })
  })

  it('lists its swaps, newest first', async () => {
    const { body, headers } = await answered('tokenSwaps', `${annPath}/swaps`)
    expect(body).toMatchObject([
      {
        log_index: 2,
        type: 'sell',
        is_buy: false,
        volume_usd: 0.01,
        usd_value: 0.01,
        confirmed: true,
        amount_in: 3,
        amount_out: 2,
        amount: 3,
        price_per_token: 0.5,
        token_in: { symbol: 'ANN', amount_raw: String(3n * WHOLE + 1n), decimals: 18 },
        token_out: { symbol: 'ZORA', address: printedAddress(ZORA) },
      },
      { log_index: 1, is_buy: true, volume_usd: 49.99, token_in: { symbol: 'ZORA' } },
    ])
    expect(headers.get('x-total-count')).toBe('2')
    const at = (seconds: number) => isoTime((MARKET_FROM + 20) * 60 + seconds)
    for (const [query, logs] of [
      ['type=BUY', [1]],
      ['order=asc', [1, 2]],
      ['min_value=0.01', [2, 1]],
      ['min_value=0.010000000000000001', [1]],
      ['limit=1&offset=1', [1]],
      ['offset=7', []],
      [`before=${at(11)}`, [2, 1]],
      [`before=${at(10)}`, []],
    ] as const) {
      const found = await rowsOf(`${annPath}/swaps?${query}`)
      expect([query, found.map((row) => row['log_index'])]).toEqual([query, logs])
    }
    expect((await ask(`${annPath}/swaps?before=soon`)).status).toBe(400)
  })
})

describe('the page of a token', () => {
  it('has the escaped name in its title and preview', async () => {
    const { text, headers } = await ask(`/v1/token-pages/${annsPost.address}`)
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

describe('texts for crawlers', () => {
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

describe('in the last minute of an hour', () => {
  beforeAll(async () => {
    const state = stateWith({
      supply: 1_000n * WHOLE,
      holders: 5,
      cumTrades: 3,
      cumVolumeMicroUsd: 8_050_000n,
    })
    await api.seal(segmentOf(MARKET_FROM + 59, { rows: [[bob.address, state]] }))
    api.state.now = (MARKET_FROM + 61) * 60
    await api.publish()
  })

  it('holders over time have the hour as it ended', async () => {
    const { body } = await answered('holderHistory', `/v1/tokens/${bob.address}/holders/history?interval=1h`)
    expect(body).toMatchObject([{ timestamp: MARKET_FROM * 60, holders_count: 5, partial: false }])
  })

  it('a token with exactly the least volume is among the launches', async () => {
    const { body } = await answered('launches', '/v1/discover/new-launches?kind=creator&min_volume=8.05')
    expect((body as { symbol: string }[]).map(({ symbol }) => symbol)).toContain('BOB')
  })
})
