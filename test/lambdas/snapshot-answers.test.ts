import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { putBars } from '../../store/index-history.ts'
import { objectPrefixes } from '../../store/tables.ts'
import { schemaFaults } from '../support/api-stack.ts'
import { hash } from '../support/facts.ts'
import { MARKET_FROM, useMarketApi } from './market-api.ts'

const { api, ask, rowsOf } = useMarketApi()

/** The copy of the manifest by its minute. */
async function keyOfManifest() {
  for await (const each of api().published.list(objectPrefixes.manifests)) return each
  throw new Error('no manifest was published')
}

describe('snapshots', () => {
  it('are listed, newest first, and each has its manifest', async () => {
    const { body, headers } = await ask('/v1/snapshots')
    expect(schemaFaults('snapshots', body)).toBe('')
    const [row] = body as Record<string, unknown>[]
    expect(row).toMatchObject({ block_hash: hash(MARKET_FROM + 30), log_position: 4, unpublished: [] })
    expect(row!['snapshot_id']).toBe(headers.get('x-snapshot-id'))
    const manifest = await ask(`/v1/snapshots/${row!['snapshot_id']}`)
    expect(schemaFaults('snapshot', manifest.body)).toBe('')
    expect(manifest.headers.get('x-data-block-hash')).toBe(hash(MARKET_FROM + 30))
    const { documents } = manifest.body as { documents: Record<string, { sha256: string }> }
    expect(Object.keys(documents)).toHaveLength(row!['documents_count'] as number)
    const { bytes } = (await api().published.read('v1/market/stats'))!
    expect(documents['v1/market/stats']!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('are listed up to a time', async () => {
    const count = async (to: string) => (await rowsOf(`/v1/snapshots?to=${to}`)).length
    const at = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`
    expect([
      await count(at(MARKET_FROM + 31)),
      await count(at(MARKET_FROM + 30)),
      await count('2099-01-01'),
    ]).toEqual([1, 0, 1])
  })

  it('are 404 if unknown', async () => {
    for (const snapshot of ['20250219T2121Z-00000000', 'newest', '%F0%9F%90%B8'])
      expect((await ask(`/v1/snapshots/${snapshot}`)).body).toMatchObject({
        error: { code: 'RESOURCE_NOT_FOUND', details: { snapshot: decodeURIComponent(snapshot) } },
      })
  })

  it('tell which minutes of the day were published, without a key', async () => {
    const at = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`
    const response = await fetch(`${api().url}/v1/status/day`)
    const body = await response.json()
    expect([response.status, schemaFaults('statusDay', body)]).toEqual([200, ''])
    expect(response.headers.get('cache-control')).toMatch(/max-age=60\b/)
    // One snapshot was published, the first of all.
    const only = { from: at(MARKET_FROM + 30), minutes: 1, published: 1 }
    expect(body).toEqual({ ...only, to: at(MARKET_FROM + 31), hours: [only], gaps: [] })
    // Another of an hour before, and none between them.
    const manifest = (await api().published.read('manifest.json'))!
    const { key: old } = await keyOfManifest()
    const earlier = old.replace(String(MARKET_FROM + 30), String(MARKET_FROM - 30))
    await api().published.put(earlier, manifest.bytes)
    expect(await (await fetch(`${api().url}/v1/status/day`)).json()).toMatchObject({
      ...{ from: at(MARKET_FROM - 30), minutes: 61, published: 2 },
      gaps: [{ from: at(MARKET_FROM - 29), to: at(MARKET_FROM + 30), minutes: 59 }],
    })
  })

  it('have a status also if the bucket has none', async () => {
    const { status, body, headers, text } = await ask('/v1/status', { headers: { 'x-z100-scope': 'shared' } })
    expect([status, schemaFaults('status', body)]).toEqual([200, ''])
    expect(text).toBe(Buffer.from((await api().published.read('v1/status'))!.bytes).toString())
    expect(headers.get('x-data-block')).toBe(String((MARKET_FROM + 30) * 30 + 29))
  })
})

describe('the history of the index', () => {
  it('has steps of UTC time, up to the newest snapshot', async () => {
    const at = (minute: number) => new Date(minute * 60_000).toISOString().slice(0, 16)
    await putBars(api().stores.table, 1, {
      hour: [MARKET_FROM / 60 - 1, MARKET_FROM / 60].map((hour) => ({
        at: hour,
        open: 10n ** 11n,
        high: 12n * 10n ** 10n,
        low: 10n ** 11n,
        close: 11n * 10n ** 10n,
        creatorVolume: 5_000_000n,
        postVolume: 0n,
        trades: 2,
        activeCreators: 1,
        activePosts: 0,
      })),
      day: [],
      week: [],
    })
    const path = '/v1/z100/historical?interval=hourly'
    const { body } = await ask(path)
    expect(schemaFaults('historical', body)).toBe('')
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
    expect(await count(`from=${at(MARKET_FROM)}`)).toBe(1)
    expect(await count(`from=${at(MARKET_FROM - 1)}Z&to=2099-01-01`)).toBe(2)
    expect(await count(`from=${at(MARKET_FROM - 120)}&to=${at(MARKET_FROM - 61)}`)).toBe(0)
    expect(await rowsOf('/v1/z100/historical?to=2000-01-01')).toEqual([])
    expect(await rowsOf('/v1/z100/historical?from=2099-01-01')).toEqual([])
    expect(await rowsOf('/v1/z100/historical?from=2099-01-01&to=2099-02-01')).toEqual([])
    const refused = [
      'from=2026-02-30',
      'from=yesterday',
      'from=2020-01-01',
      `from=${at(MARKET_FROM)}&to=${at(MARKET_FROM - 1)}`,
    ]
    for (const query of refused)
      expect((await ask(`${path}&${query}`)).body).toMatchObject({
        error: { code: 'INVALID_PARAMETER', details: { parameter: 'from' } },
      })
  })
})
