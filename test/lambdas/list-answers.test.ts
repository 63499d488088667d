import { describe, expect, it } from 'vitest'
import { documents } from '../../schemas/documents.ts'
import { schemaFaults } from '../support/api-stack.ts'
import { ann, annPath, annsPost, bob, useMarketApi } from './market-api.ts'

const { api, ask, rowsOf } = useMarketApi()

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
    expect(await found(annsPost.address)).toEqual([['WALK', { field: 'address', kind: 'exact' }]])
    expect((await found(ann.creator.slice(0, 41))).map(([symbol]) => symbol)).toEqual(['ANN', 'BOB', 'WALK'])
    expect(await found('zz')).toEqual([])
    const { body } = await ask('/v1/search?q=walk')
    expect(schemaFaults('search', body)).toBe('')
    expect(body).toMatchObject([{ price_usd: 0.25, change_7d: 24_999_900, z100_rank: 1 }])
  })
})

describe('lists of a snapshot', () => {
  it('are ordered, cut and shaped, and equal the document without parameters', async () => {
    const path = '/v1/z100/creators'
    const board = await ask(path)
    expect(schemaFaults('creators', board.body)).toBe('')
    const document = await api().published.read('v1/z100/creators/24h')
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
      const { bytes, metadata } = (await api().published.read(name))!
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
