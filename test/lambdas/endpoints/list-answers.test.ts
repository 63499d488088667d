import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documents } from '../../../schemas/api/documents.ts'
import { isoTime } from '../../../schemas/values/kinds.ts'
import { objectPrefixes } from '../../../store/aws/tables.ts'
import { openDocuments } from '../../../store/published/documents.ts'
import { OPEN_BARS, openBarsText, putBars } from '../../../store/published/index-history.ts'
import { schemaFaults } from '../../support/aws/api-stack.ts'
import { hash } from '../../support/market/facts.ts'
import { ann, annPath, annsPost, bob, MARKET_FROM, useMarketApi } from '../market-api.ts'

const { answered, api, ask, rowsOf } = await useMarketApi()

it('recent swaps are those of the live feed, by filter', async () => {
  const path = '/v1/market/recent-swaps'
  await answered('recentSwaps', path)
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

describe('tokens by field', () => {
  const found = async (query: string) => (await rowsOf(`/v1/tokens?${query}`)).map((row) => row['symbol'])

  it('are equal after folding, oldest first', async () => {
    expect(await found('field=symbol&value=%20ann%20')).toEqual(['ANN'])
    expect(await found('field=NAME&value=a%20%20walk+in+SEOUL')).toEqual(['WALK'])
    expect(await found(`field=address&value=${bob.address}`)).toEqual(['BOB'])
    expect(await found(`field=creator&value=${ann.creator}`)).toEqual(['ANN', 'WALK'])
    expect(await found('field=creator&value=@Ann')).toEqual(['ANN', 'WALK'])
    expect(await found('field=symbol&value=an')).toEqual([])
    const { body } = await answered('tokens', '/v1/tokens?field=symbol&value=walk')
    expect(body).toMatchObject([{ z100_board: 'posts', z100_rank: 1, rank: 1, price_usd: 0.25 }])
  })
})

describe('a question that is not understood is refused', () => {
  it.each([
    ['/v1/tokens', 'addresses[]'],
    ['/v1/tokens', 'addresses[0]'],
    ['/v1/market/recent-swaps', 'token[]'],
    ['/v1/market/recent-swaps', 'token[1]'],
    ['/v1/z100/creators', 'period[]'],
    ['/v1/z100/creators', 'timeframe[a][b]'],
  ])('%s?%s', async (path, name) => {
    const query = new URLSearchParams({ [name]: name.startsWith('t') ? ann.address : '1h' })
    const { status, body } = await ask(`${path}?${query}`)
    expect([status, body]).toMatchObject([400, { error: { details: { parameter: name } } }])
  })
  it.each([
    ['offset=3', 'offset'],
    ['offset=1&strict=true', 'offset'],
    ['cursor=$CURSOR&offset=1', 'offset'],
    ['addresses=$ANN&offset=1', 'offset'],
    ['addresses=$ANN&order=asc', 'sort_order'],
    ['addresses=$ANN&field=symbol', 'field'],
    ['addresses=$ANN&value=ann', 'value'],
    ['addresses=$ANN&cursor=$CURSOR', 'cursor'],
    ['field=symbol&value=ann&cursor=$CURSOR', 'cursor'],
    ['field=symbol&value=ann&sort_order=asc', 'sort_order'],
    ['field=symbol&value=$ANN', 'value'],
    ['field=symbol&value=base_$ANN', 'value'],
  ])('/v1/tokens?%s', async (text, parameter) => {
    const link = (await ask('/v1/tokens?limit=1')).headers.get('link') ?? ''
    const cursor = /cursor=([^&>]+)/.exec(link)?.[1] ?? ''
    const query = text.replace('$ANN', ann.address).replace('$CURSOR', cursor)
    const { status, body } = await ask(`/v1/tokens?${query}`)
    expect([status, body]).toMatchObject([400, { error: { details: { parameter } } }])
  })
  it.each(['kind=post', 'min_trades=1', 'min_volume=0.1'])(
    'launches with %s and an offset',
    async (filter) => {
      const { status } = await ask(`/v1/discover/new-launches?${filter}&offset=1`)
      expect(status).toBe(400)
      expect((await ask(`/v1/discover/new-launches?${filter}&offset=0`)).status).toBe(200)
    },
  )
})

describe('an envelope says how a list goes on', () => {
  type Enveloped = {
    readonly data: readonly object[]
    readonly meta: { readonly next: string | null; readonly capped: boolean }
  }
  it.each([
    '/v1/tokens?limit=1',
    `/v1/tokens?limit=1&addresses=${ann.address},${bob.address}`,
    '/v1/tokens?limit=1&field=creator&value=@Ann',
    '/v1/discover/new-launches?limit=1&kind=creator',
    '/v1/z100/creators?limit=1',
    `${annPath}/swaps?limit=1`,
    `/v1/wallets/${ann.creator}/swaps?limit=1`,
    '/v1/market/recent-swaps?limit=1',
  ])('%s, strictly', async (path) => {
    const plain = await rowsOf(path.replace('limit=1', 'limit=50'))
    const walked: object[] = []
    let next: string | null = `${path}&envelope=true&strict=true`
    while (next !== null && walked.length <= plain.length) {
      const { status, body, headers } = await ask(next)
      expect([next, status]).toEqual([next, 200])
      const { data, meta } = body as Enveloped
      expect([meta.next, meta.capped]).toEqual([
        /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null,
        headers.has('x-total-capped'),
      ])
      // A page after the last one that was counted is unknown.
      if (meta.capped) expect(headers.get('link') ?? '').not.toContain('rel="last"')
      walked.push(...data)
      next = meta.next
    }
    const places = (rows: readonly object[]) => rows.map((row) => ({ ...row, rank: 0, position: 0 }))
    expect(places(walked)).toEqual(places(plain))
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
    expect(await found(annsPost.address)).toEqual([['WALK', { field: 'address', kind: 'exact' }]])
    expect((await found(ann.creator.slice(0, 41))).map(([symbol]) => symbol)).toEqual(['ANN', 'BOB', 'WALK'])
    expect(await found('zz')).toEqual([])
    const { body } = await answered('search', '/v1/search?q=walk')
    expect(body).toMatchObject([{ price_usd: 0.25, change_7d: 24_999_900, z100_rank: 1 }])
  })
})

describe('lists of a snapshot', () => {
  it('are ordered, cut and shaped, and equal the document without parameters', async () => {
    const path = '/v1/z100/creators'
    const board = await answered('creators', path)
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
    await answered('all', '/v1/all')
    await answered('trending', '/v1/market/trending?limit=3')
    await answered('stats', '/v1/market/stats')
    await answered('launches', '/v1/discover/new-launches?limit=50')
  })

  it('have the launches of the first second of a day before a time within that second', async () => {
    expect((MARKET_FROM * 60) % 86_400).toBe(0)
    const launches = await rowsOf(`/v1/discover/new-launches?limit=50&cursor=${MARKET_FROM * 60}.5`)
    expect(launches.map((row) => row['symbol'])).toEqual(['BOB', 'ANN'])
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
    expect(body).toMatchObject({
      data: [{ rank: 1 }],
      meta: { total: 2, page: 1, per_page: 1, capped: false },
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-total-count': '2',
      'x-page-count': '2',
      'x-current-page': '1',
      'x-per-page': '1',
      'x-ignored-parameters': 'utm',
    })
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!
    expect(next).toContain(`snapshot=${headers.get('x-snapshot-id')}`)
    expect((await ask(next)).body).toMatchObject({ data: [{ rank: 2 }], meta: { page: 2 } })
  })
})

/** The copy of the manifest by its minute. */
async function keyOfManifest() {
  for await (const each of api.published.list(objectPrefixes.manifests)) return each
  throw new Error('no manifest was published')
}

const at = (minute: number) => isoTime(minute * 60)

describe('snapshots', () => {
  it('are listed, newest first, and each has its manifest', async () => {
    const { body, headers } = await answered('snapshots', '/v1/snapshots')
    const [row] = body as Record<string, unknown>[]
    expect(row).toMatchObject({ block_hash: hash(MARKET_FROM + 30), log_position: 4, unpublished: [] })
    expect(row!['snapshot_id']).toBe(headers.get('x-snapshot-id'))
    const manifest = await answered('snapshot', `/v1/snapshots/${row!['snapshot_id']}`)
    expect(manifest.headers.get('x-data-block-hash')).toBe(hash(MARKET_FROM + 30))
    const { documents } = manifest.body as { documents: Record<string, { sha256: string }> }
    expect(Object.keys(documents)).toHaveLength(row!['documents_count'] as number)
    const { bytes } = (await api.published.read('v1/market/stats'))!
    expect(documents['v1/market/stats']!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('are listed up to a time', async () => {
    for (const [to, count] of [
      [at(MARKET_FROM + 31), 1],
      [at(MARKET_FROM + 30), 0],
      ['2099-01-01', 1],
    ] as const)
      expect([to, await rowsOf(`/v1/snapshots?to=${to}`)]).toMatchObject([to, { length: count }])
  })

  it('are 404 if unknown', async () => {
    for (const snapshot of ['20250219T2121Z-00000000', 'newest', '%F0%9F%90%B8'])
      expect((await ask(`/v1/snapshots/${snapshot}`)).body).toMatchObject({
        error: { code: 'RESOURCE_NOT_FOUND', details: { snapshot: decodeURIComponent(snapshot) } },
      })
  })

  it('tell which minutes of the day were published, without a key', async () => {
    const response = await fetch(`${api.url}/v1/status/day`)
    const body = await response.json()
    expect([response.status, schemaFaults('statusDay', body)]).toEqual([200, ''])
    expect(response.headers.get('cache-control')).toMatch(/max-age=60\b/)
    // One snapshot was published, the first of all.
    const only = { from: at(MARKET_FROM + 30), minutes: 1, published: 1 }
    expect(body).toEqual({ ...only, to: at(MARKET_FROM + 31), hours: [only], gaps: [] })
    // Another of an hour before, and none between them.
    const manifest = (await api.published.read('manifest.json'))!
    const { key: old } = await keyOfManifest()
    const earlier = old.replace(String(MARKET_FROM + 30), String(MARKET_FROM - 30))
    await api.published.put(earlier, manifest.bytes)
    expect(await (await fetch(`${api.url}/v1/status/day`)).json()).toMatchObject({
      ...{ from: at(MARKET_FROM - 30), minutes: 61, published: 2 },
      gaps: [{ from: at(MARKET_FROM - 29), to: at(MARKET_FROM + 30), minutes: 59 }],
    })
  })

  it('have a status also if the bucket has none', async () => {
    const shared = { headers: { 'x-z100-scope': 'shared' } }
    const { headers, text } = await answered('status', '/v1/status', shared)
    expect(text).toBe(Buffer.from((await api.published.read('v1/status'))!.bytes).toString())
    expect(headers.get('x-data-block')).toBe(String((MARKET_FROM + 30) * 30 + 29))
  })
})

it('the history of the index has steps of UTC time, up to the newest snapshot', async () => {
  /** Without seconds and zone. */
  const text = (minute: number) => at(minute).slice(0, 16)
  const bar = {
    open: 10n ** 11n,
    high: 12n * 10n ** 10n,
    low: 10n ** 11n,
    close: 11n * 10n ** 10n,
    creatorVolume: 5_000_000n,
    postVolume: 0n,
    trades: 2,
    activeCreators: 1,
    activePosts: 0,
  }
  const hour = MARKET_FROM / 60
  const table = api.stores.table
  await putBars(table, 1, { hour: [{ ...bar, at: hour - 1 }], day: [], week: [] })
  await openDocuments(table).putDocument({
    name: OPEN_BARS,
    snapshot: { ...(await api.stores.lists.newest()), n: 99 },
    text: openBarsText({ hour: { ...bar, at: hour }, day: null, week: null }),
  })
  const path = '/v1/z100/historical?interval=hourly'
  const { body } = await answered('historical', path)
  expect(body).toMatchObject([
    { timestamp: MARKET_FROM * 60, index_value: 1100, open: 1000, change_percent: 10, partial: false },
    {
      timestamp: (MARKET_FROM + 60) * 60,
      total_volume: 5,
      total_trades: 2,
      active_creators: 1,
      partial: true,
    },
  ])
  const count = async (query: string) => (await rowsOf(`${path}&${query}`)).length
  const newest = await ask(`${path}&interval=1h&limit=1`.replace('interval=hourly&', ''))
  expect(newest.body).toEqual((body as object[]).slice(-1))
  const next = /<([^>]+)>; rel="next"/.exec(newest.headers.get('link') ?? '')?.[1]
  expect(await rowsOf(next ?? '')).toEqual((body as object[]).slice(0, 1))
  expect(await count(`from=${text(MARKET_FROM)}`)).toBe(1)
  expect(await count(`from=${text(MARKET_FROM - 1)}Z&to=2099-01-01`)).toBe(2)
  expect(await count(`from=${text(MARKET_FROM - 120)}&to=${text(MARKET_FROM - 61)}`)).toBe(0)
  expect(await rowsOf('/v1/z100/historical?to=2000-01-01')).toEqual([])
  expect(await rowsOf('/v1/z100/historical?from=2099-01-01')).toEqual([])
  expect(await rowsOf('/v1/z100/historical?from=2099-01-01&to=2099-02-01')).toEqual([])
  const refused = [
    'from=2026-02-30',
    'from=yesterday',
    'from=2020-01-01',
    `from=${text(MARKET_FROM)}&to=${text(MARKET_FROM - 1)}`,
  ]
  for (const query of refused)
    expect((await ask(`${path}&${query}`)).body).toMatchObject({
      error: { code: 'INVALID_PARAMETER', details: { parameter: 'from' } },
    })
})
