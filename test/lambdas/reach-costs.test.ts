// Whole form only.
/** The dearest answers about creators, wallets, launches and holders over time. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Address, Hash } from '../../market/segment.ts'
import type { Item } from '../../store/aws/table.ts'
import { itemOfSample, itemsOfHourRecords } from '../../store/items/hour-records.ts'
import { itemsOf } from '../../store/items/projection.ts'
import { expectWithinCosts } from '../support/aws/answer-costs.ts'
import { schemaFaults } from '../support/aws/api-stack.ts'
import { fillTable } from '../support/aws/fill-table.ts'
import { nthAddress, segmentOf, stateWith, swapWith, tokenAt } from '../support/market/facts.ts'
import { ann, bob, MARKET_FROM, useMarketApi } from './market-api.ts'

const { api } = await useMarketApi()

const HOUR = MARKET_FROM / 60
const wallet = nthAddress(4_000)
/** Bytes that compress to no less, as hashes and addresses of a chain do. */
const noise = (seed: string): Hash => `0x${createHash('sha256').update(seed).digest('hex')}`
const someone = (seed: string): Address => `0x${noise(seed).slice(2, 42)}`
const put = (items: readonly Item[]) =>
  fillTable(
    'market',
    items.map((item) => ({ pos: 1, ...item })),
  )

/** An answer within its costs, and whether another page follows. */
async function asked(operation: string, path: string) {
  const { status, body, headers, ...costs } = await api.askWarm(path)
  expect([status, schemaFaults(operation, body)]).toEqual([200, ''])
  expectWithinCosts(operation, costs)
  return { body, next: /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] }
}

// Sixty days in which holders and earnings change each hour, and the ten largest are looked at.
for (let hour = HOUR - 60 * 24; hour < HOUR; hour++) {
  const [before, after] = [0n, 1n].map((more) =>
    stateWith({ holders: 100_000 + (hour % 7), cumEarnedMicroUsd: 10n ** 12n + BigInt(hour) + more }),
  )
  const row = {
    token: ann.address,
    before: before!,
    after: after!,
    rangesBefore: [],
    ranges: [],
    candle: null,
  }
  await put([
    ...itemsOfHourRecords(hour, [{ rows: [row], swaps: [] }]),
    itemOfSample(ann.address, { minute: hour * 60, n: 1 }, 123_456n),
  ])
}
// A token with three hundred traders an hour.
const BUSY = 300
for (let hour = HOUR - 170; hour < HOUR; hour++) {
  const swaps = Array.from({ length: BUSY }, (_, n) =>
    swapWith({
      token: bob.address,
      timestamp: hour * 3_600 + n,
      trader: someone(`y${hour} ${n}`),
      volumeMicroUsd: BigInt(`0x${noise(`v${hour} ${n}`).slice(2, 14)}`),
    }),
  )
  await put(itemsOfHourRecords(hour, [{ rows: [], swaps }]))
}
// A wallet whose swaps are of a token each, and no filter admits.
for (let hour = HOUR - 200; hour < HOUR; hour++) {
  const swaps = Array.from({ length: 60 }, (_, n) =>
    swapWith({
      blockNumber: hour * 1_000 + n,
      timestamp: hour * 3_600 + n,
      trader: wallet,
      token: someone(`t${hour} ${n}`),
      transactionHash: noise(`x${hour} ${n}`),
      blockHash: noise(`b${hour} ${n}`),
      poolId: noise(`p${hour} ${n}`),
      from: someone(`f${hour} ${n}`),
      to: someone(`o${hour} ${n}`),
    }),
  )
  await put(itemsOfHourRecords(hour, [{ rows: [], swaps }]))
}
// A thousand posts that the creator launched.
const posts = Array.from({ length: 1_000 }, (_, n) =>
  tokenAt(5_000 + n, MARKET_FROM - 2_000 + n, { kind: 'post', creator: ann.creator, quote: ann.address }),
)
const born = segmentOf(MARKET_FROM - 1, {
  born: posts,
  rows: posts.map(({ address }) => [address, stateWith({ sqrtPriceX96: 2n ** 96n, supply: 10n ** 21n })]),
})
await put(itemsOf(born))

// A wallet of ten thousand tokens, a tenth of which are described.
const collector = nthAddress(4_001)
const held = Array.from({ length: 10_000 }, (_, n) => ({
  token: posts[n]?.address ?? someone(`h${n}`),
  holder: collector,
  before: 0n,
  after: BigInt(noise(`a${n}`)) >> 160n,
}))
await put(itemsOf(segmentOf(MARKET_FROM - 1, { balances: held })))

// A wallet that has sold twenty thousand tokens, and holds one of those that come last.
const seller = nthAddress(4_002)
const sold = Array.from({ length: 20_000 }, (_, n) => ({
  ...{ token: someone(`s${n}`), holder: seller },
  ...{ before: 1n, after: 0n },
}))
const kept = { token: `0x${'f'.repeat(40)}` as const, holder: seller, before: 0n, after: 1n }
await put(itemsOf(segmentOf(MARKET_FROM - 1, { balances: [...sold, kept] })))

describe('an answer costs no more than a page', () => {
  it.each(['1h', '1d'])('of holders by %s', async (interval) => {
    await asked('holderHistory', `/v1/tokens/${ann.address}/holders/history?interval=${interval}`)
  })

  it('of a wallet that trades everything, filtered or not', async () => {
    const { next } = await asked('walletSwaps', `/v1/wallets/${wallet}/swaps?limit=100`)
    expect(next).toContain('before=')
    const filtered = await asked('walletSwaps', `/v1/wallets/${wallet}/swaps?min_value=9999999`)
    expect(filtered.body).toEqual([])
    expect(filtered.next).toContain('before=')
  })

  it.each(['24h', '7d'])(
    'of the traders of a busy token in %s, which are exact since a full hour',
    async (period) => {
      const { body } = await asked('traders', `/v1/tokens/${bob.address}/traders?period=${period}&limit=50`)
      const { trades, traders_total, period_start, is_whole_period } = body as Record<string, unknown>
      const hours = HOUR - Date.parse(String(period_start)) / 3_600_000
      expect(is_whole_period).toBe(false)
      expect(hours).toBeGreaterThan(10)
      // And the one swap of the open hour.
      expect([trades, traders_total]).toEqual([hours * BUSY + 1, hours * BUSY + 1])
    },
  )

  it('of a wallet of ten thousand tokens, each in one of its pages', async () => {
    const seen = new Set<unknown>()
    for (let cursor: unknown = ''; cursor !== null; ) {
      const path = `/v1/wallets/${collector}?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body } = await asked('wallet', path)
      const { holdings, next_cursor } = body as { holdings: Record<string, unknown>[]; next_cursor: string }
      for (const { contract_address } of holdings) seen.add(contract_address)
      cursor = next_cursor
    }
    expect(seen.size).toBe(posts.length)
  })

  it('of a wallet that has sold nearly all it ever had', async () => {
    let cursor: string | null = ''
    for (let page = 0; page < 10; page += 1) {
      const path: string = `/v1/wallets/${seller}?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body } = await asked('wallet', path)
      const { tokens_count, holdings, next_cursor } = body as {
        tokens_count: number | null
        holdings: unknown[]
        next_cursor: string | null
      }
      expect([tokens_count, holdings]).toEqual([null, []])
      cursor = next_cursor
    }
    expect(cursor).toContain('-')
  })

  it('of a creator with a thousand posts', async () => {
    const { body } = await asked('creator', `/v1/creators/${ann.creator}?days=60&limit=50`)
    // Of the newest thousand launches one is the creator token.
    expect(body).toMatchObject({ posts_total: 999 })
    expect((body as { posts_next_offset: number }).posts_next_offset).toBeGreaterThan(1)
  })

  it('of launches, filtered or not', async () => {
    for (const query of ['kind=post', 'min_trades=5', 'kind=creator&min_volume=1']) {
      const { next } = await asked('launches', `/v1/discover/new-launches?limit=50&${query}`)
      expect(next).toContain('cursor=')
    }
  })
})
