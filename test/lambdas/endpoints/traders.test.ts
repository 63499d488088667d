import { describe, expect, it } from 'vitest'
import { importedAt } from '../../../market/coverage.ts'
import { grouped } from '../../../market/grouped.ts'
import type { Segment, Swap } from '../../../market/segment.ts'
import { printedAddress } from '../../../schemas/values/address.ts'
import { marketKeys } from '../../../store/aws/tables.ts'
import { itemsOfHourRecords } from '../../../store/items/hour-records.ts'
import { fillTable } from '../../support/aws/fill-table.ts'
import {
  hash,
  nthAddress,
  segmentOf,
  swapWith,
  tokenAt,
  tradedState,
  WHOLE,
} from '../../support/market/facts.ts'
import { ann, MARKET_FROM, useMarketApi } from '../market-api.ts'

const { answered, api, ask } = await useMarketApi()

const { address: token, poolId } = ann
/** The minute that answers are of: three quarters of an hour after a full one, more than a week after the market's. */
const NOW = MARKET_FROM + 8 * 1_440 + 45
const HOUR = 60
/** Minutes of a week and more, many about both ends of each period. */
const minutes = [
  ...[7 * 1_440, 1_440, 240, 60].flatMap((age) => [-31, -1, 0, 1, 2, 20].map((after) => NOW - age + after)),
  ...Array.from({ length: 20 }, (_, at) => NOW - 7 * 1_440 + 200 + at * 300),
  ...[NOW - 45, NOW - 44, NOW - 6, NOW - 1, NOW],
]
const traderAt = (n: number) => nthAddress(70 + (n % 9))
const swapsOf = (minute: number, many: number): Swap[] =>
  Array.from({ length: many }, (_, n) =>
    swapWith({
      token,
      poolId,
      blockNumber: minute * 30 + Math.floor(n / 20),
      logIndex: n,
      timestamp: minute * 60 + (n % 60),
      isBuy: (minute + n) % 3 > 0,
      volumeMicroUsd: BigInt(((minute * 31 + n) % 997) * 10_007),
      trader: traderAt(minute * 7 + n * n),
    }),
  ).toSorted((a, b) => a.timestamp - b.timestamp || a.logIndex - b.logIndex)
const held = { token, holder: traderAt(3), before: 0n, after: 25n * 10n ** 4n * WHOLE }
/** A token that is older than the log, and a trader of it with a balance that never changed since. */
const older = tokenAt(90, MARKET_FROM, {
  launchedAt: importedAt({ number: MARKET_FROM * 30, hash: hash(1), timestamp: MARKET_FROM * 60 }, 0),
})
const swapOfOlder = swapWith({
  ...{ token: older.address, poolId: older.poolId, trader: traderAt(5) },
  ...{ blockNumber: NOW * 30 + 29, logIndex: 999, timestamp: NOW * 60 + 59, volumeMicroUsd: 5_000_000n },
})
/** Every seventh has more swaps than its row holds. */
const segments: readonly Segment[] = [...new Set(minutes)]
  .sort((a, b) => a - b)
  .map((minute, at) =>
    segmentOf(minute, {
      born: minute === NOW ? [older] : [],
      rows: [
        [token, tradedState({ cumTrades: 100 + at })],
        ...(minute === NOW ? [[older.address, tradedState({ cumTrades: 1 })] as const] : []),
      ],
      swaps: [...swapsOf(minute, at % 7 === 0 ? 23 : 1 + (at % 4)), ...(minute === NOW ? [swapOfOlder] : [])],
      balances: at === 0 ? [held] : [],
    }),
  )
for (const segment of segments) await api.seal(segment)
const hours = [...grouped(segments, ({ minute }) => Math.floor(minute / HOUR))]
const whole = hours.filter(([hour]) => hour < Math.floor(NOW / HOUR))
await fillTable(
  'market',
  whole.flatMap(([hour, own]) => itemsOfHourRecords(hour, own)),
  1,
)
api.state.now = (NOW + 1) * 60

type Row = Readonly<Record<string, number | string>>
type Answer = { readonly traders: readonly Row[] } & Readonly<Record<string, unknown>>

/** All pages of the traders of a period. */
async function tradersOf(query: string): Promise<{ readonly rows: readonly Row[]; readonly answer: Answer }> {
  const rows: Row[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const { body } = await answered(
      'traders',
      `/v1/tokens/${token}/traders?limit=4&offset=${offset}&${query}`,
    )
    rows.push(...(body as Answer).traders)
    offset = (body as Answer)['traders_next_offset'] as number | null
    if (offset === null) return { rows, answer: body as Answer }
  }
  throw new Error('no page')
}

/** Sums of the swaps that the API lists since a time, by trader. */
async function swapsSince(seconds: number) {
  const swaps: Row[] = []
  for (let next: string | undefined = `/v1/tokens/${token}/swaps?limit=100`; next; ) {
    const { body, headers } = await answered('tokenSwaps', next)
    swaps.push(...(body as Row[]))
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return grouped(
    swaps.filter(({ timestamp }) => Number(timestamp) >= seconds),
    ({ trader }) => String(trader),
  )
}
const sumOf = (swaps: readonly Row[], type: string): number =>
  swaps
    .filter((swap) => swap['type'] === type)
    .reduce((sum, swap) => sum + Math.round(Number(swap['volume_usd']) * 1e6), 0)
const cents = (micro: number) => Math.round(micro / 1e4) / 100
const countOf = (swaps: readonly Row[], type: string) => swaps.filter((swap) => swap['type'] === type).length

describe('traders of a token', () => {
  it.each(['1h', '4h', '24h', '7d'])('of %s are exactly what the swaps sum up to', async (period) => {
    const { rows, answer } = await tradersOf(`period=${period}`)
    const minutes = { '1h': 60, '4h': 240, '24h': 1_440, '7d': 10_080 }[period] ?? 0
    const start = (NOW + 1 - minutes) * 60
    const swaps = await swapsSince(start)
    expect(Object.fromEntries(rows.map((row) => [row['trader'], row]))).toEqual(
      Object.fromEntries(
        [...swaps].map(([trader, own]) => [
          trader,
          expect.objectContaining({
            buys: countOf(own, 'buy'),
            sells: countOf(own, 'sell'),
            trades: own.length,
            buy_volume: cents(sumOf(own, 'buy')),
            sell_volume: cents(sumOf(own, 'sell')),
            net_volume_usd: cents(sumOf(own, 'buy') - sumOf(own, 'sell')),
            last_trade_at: new Date(Number(own[0]!['timestamp']) * 1_000).toISOString().replace('.000', ''),
          }),
        ]),
      ),
    )
    const all = [...swaps.values()].flat()
    expect(answer).toMatchObject({
      period_start: new Date(start * 1_000).toISOString().replace('.000', ''),
      is_whole_period: true,
      trades: all.length,
      buy_volume: cents(sumOf(all, 'buy')),
      buyers: [...swaps.values()].filter((own) => countOf(own, 'buy') > 0).length,
      traders_total: swaps.size,
    })
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, at) => at + 1))
  })

  it('say what they hold now', async () => {
    const { rows } = await tradersOf('period=7d')
    const holder = rows.find(({ trader }) => trader === printedAddress(held.holder))
    expect(holder).toMatchObject({ balance: 250_000, percentage: 25 })
    expect(rows.filter(({ balance }) => balance === 0)).toHaveLength(rows.length - 1)
  })

  it.each([
    ['net', 'net_volume_usd'],
    ['buys', 'buys'],
    ['sell_volume', 'sell_volume'],
  ])('are sorted by %s in both directions, equal ones by rank', async (sort, key) => {
    for (const [order, sign] of [
      ['desc', -1],
      ['asc', 1],
    ] as const) {
      const { rows } = await tradersOf(`period=7d&sort=${sort}&order=${order}`)
      const sorted = rows.toSorted(
        (a, b) => sign * (Number(a[key]) - Number(b[key])) || Number(a['rank']) - Number(b['rank']),
      )
      expect(rows).toEqual(sorted)
      expect(rows.map(({ position }) => position)).toEqual(rows.map((_, at) => at + 1))
    }
  })

  it('of a token older than the history may hold what nobody knows', async () => {
    const { body } = await answered('traders', `/v1/tokens/${older.address}/traders?period=1h`)
    expect((body as Answer).traders).toMatchObject([
      { trader: printedAddress(traderAt(5)), balance: null, balance_raw: null, percentage: null },
    ])
  })

  it('are not given while a later minute has sold what they hold', async () => {
    const tomb = { ...marketKeys.balance(token, held.holder), tomb: true, pos: 10 ** 6 }
    await fillTable('market', [tomb])
    const { status } = await ask(`/v1/tokens/${token}/traders?period=7d&limit=50`)
    await fillTable('market', [{ ...tomb, pos: 1 }])
    expect([status, (await ask(`/v1/tokens/${token}/traders?period=7d&limit=50`)).status]).toEqual([503, 200])
  })

  it('are of no token that is unknown, and sorted by nothing else', async () => {
    expect((await ask(`/v1/tokens/${nthAddress(999)}/traders`)).status).toBe(404)
    expect((await ask(`/v1/tokens/${token}/traders?sort=pnl`)).status).toBe(400)
  })
})
