import { describe, expect, it } from 'vitest'
import { distributionOf } from '../../market/fold/holders.ts'
import type { SealedEntry } from '../../market/log.ts'
import { operations } from '../../schemas/api/operations.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { putHolderView } from '../../store/items/holders.ts'
import { expectWithinCosts, readUnits } from '../support/aws/answer-costs.ts'
import { fillTable } from '../support/aws/fill-table.ts'
import { hash, nthAddress, WHOLE } from '../support/market/facts.ts'
import { ann, annPath, bob, late, MARKET_FROM, supply, unseen, useMarketApi } from './market-api.ts'

const { answered, api, ask, rowsOf } = await useMarketApi()

/** A request of each operation that reads a table. */
const requests: Readonly<Record<string, readonly string[]>> = {
  recentSwaps: ['/v1/market/recent-swaps', '/v1/market/recent-swaps?token=ann'],
  tokens: [
    '/v1/tokens?field=name&value=ann',
    `/v1/tokens?field=address&value=${ann.address}`,
    '/v1/tokens?limit=100',
    `/v1/tokens?addresses=${ann.address},${bob.address}`,
  ],
  search: ['/v1/search?q=ann'],
  historical: ['/v1/z100/historical?interval=hourly', '/v1/z100/historical?interval=1h&limit=9'],
  creators: ['/v1/z100/creators?limit=5'],
  posts: ['/v1/z100/posts?sort=price'],
  index: ['/v1/z100/index?period=1h&strict=1'],
  indexHours: ['/v1/z100/index/hours'],
  constituents: ['/v1/z100/index/constituents?strict=1'],
  all: ['/v1/all?include_changes=0'],
  trending: ['/v1/market/trending?limit=5'],
  volume: ['/v1/market/volume?period=7d&strict=1'],
  stats: ['/v1/market/stats'],
  rising: ['/v1/discover/rising?limit=1'],
  screener: ['/v1/tokens/screener?limit=1', '/v1/tokens/screener?kind=post&min_holders=1&sort=age'],
  launches: ['/v1/discover/new-launches?limit=1', '/v1/discover/new-launches?min_trades=1'],
  creator: [`/v1/creators/${ann.creator}`, '/v1/creators/ann?days=60'],
  wallet: [`/v1/wallets/${nthAddress(60)}`],
  walletSwaps: [`/v1/wallets/${nthAddress(70)}/swaps`],
  boardHistory: [`/v1/z100/history/${ann.address}?days=366`],
  holderHistory: [`/v1/tokens/${ann.address}/holders/history?interval=1h`],
  traders: [`/v1/tokens/${ann.address}/traders?period=7d&limit=50`],
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
    const ofToken = ['token', 'metrics', 'holders', 'tokenSwaps', 'priceHistory', 'candles']
    // Of a week that is over: as-of.test.ts.
    expect([...Object.keys(requests), ...none, ...ofToken, 'recap'].sort()).toEqual(
      Object.keys(operations).sort(),
    )
  })

  it('of very many holders come from the holder view, as of its minute', async () => {
    const crowd = Array.from({ length: 1_100 }, (_, at) => ({
      token: bob.address,
      holder: nthAddress(10_000 + at),
      before: 0n,
      after: BigInt(2_000 - at) * WHOLE,
    }))
    await fillTable(
      'market',
      crowd.map(({ token, holder, after }) => ({
        ...marketKeys.balance(token, holder),
        balance: after,
        pos: 3,
      })),
    )
    const path = `/v1/tokens/${bob.address}/holders`
    const before = await ask(path)
    const last = { number: (MARKET_FROM + 20) * 30 + 29, hash: hash(MARKET_FROM + 20), timestamp: 0 }
    const at = { n: 3, minute: MARKET_FROM + 20, last }
    const amounts = crowd.map(({ after }) => after)
    const top = crowd
      .slice(0, 100)
      .map(({ holder, after }, place) => ({ holder, amount: after, isContract: place % 4 === 0 }))
    const view = { at, distribution: distributionOf(amounts, supply), top }
    await putHolderView(api.log.ledger, bob.address, { n: 3, view })
    api.read.units = 0
    const { body, headers } = await answered('holders', path)
    expect(api.read.units).toBeLessThanOrEqual(24)
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
      at: { ...at, n: 2, minute: MARKET_FROM + 10, last: { ...last, hash: hash(MARKET_FROM + 10) } },
    }
    await putHolderView(api.log.ledger, ann.address, { n: 2, view: older })
    const answer = await ask(`${annPath}/holders`)
    expect(answer.headers.get('x-data-block-hash')).toBe(hash(MARKET_FROM + 10))
    expect(answer.body).toMatchObject({ last_updated: answer.headers.get('x-data-time') })
    const uncounted = { ...view, distribution: null, top: [] }
    await putHolderView(api.log.ledger, bob.address, { n: 4, view: uncounted })
    const tooMany = await answered('holders', path)
    expect(tooMany.body).toMatchObject({
      distribution: null,
      holders: [],
      coverage_from: null,
      total_holders: (body as { total_holders: number }).total_holders,
      holder_types: { contract_holders: null, eoa_holders: null },
    })
    await putHolderView(api.log.ledger, ann.address, { n: 3, view: null })
    await putHolderView(api.log.ledger, bob.address, { n: 5, view: null })
  })
})

describe('parameters that are not applied', () => {
  it('is in no answer about tokens; in recent swaps it is unconfirmed', async () => {
    const paths = ['', '/metrics', '/holders', '/swaps', '/price-history', '/candles?interval=1m'].map(
      (part) => annPath + part,
    )
    const before = await Promise.all(paths.map(async (path) => (await ask(path)).text))
    await api.seal(unseen, false)
    await api.feed({ seq: 3, is: 'block', block: unseen.last, swaps: unseen.swaps })
    expect(await Promise.all(paths.map(async (path) => (await ask(path)).text))).toEqual(before)
    expect((await ask(`/v1/tokens/${late.address}`)).status).toBe(404)
    expect(await rowsOf('/v1/tokens?field=symbol&value=late')).toEqual([])
    const swaps = await rowsOf('/v1/market/recent-swaps?limit=2')
    expect(swaps.map((swap) => swap['confirmed'])).toEqual([false, true])
    await api.feed({ seq: 4, is: 'retract', block: { ...unseen.last, hash: hash(MARKET_FROM + 40) } })
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
