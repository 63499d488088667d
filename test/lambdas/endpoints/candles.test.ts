// Whole form only.
import { expect, it } from 'vitest'
import { randomFrom } from '../../../dev/devnet/random.ts'
import type { ReadStores } from '../../../lambdas/api/endpoint.ts'
import { candles } from '../../../lambdas/endpoints/candles.ts'
import { decimalText } from '../../../market/display.ts'
import { type CandleInterval, candleIntervalNames, candleIntervals } from '../../../market/interval.ts'
import { microUsdOf, priceUsdE36 } from '../../../market/pool.ts'
import type { Coin } from '../../../market/segment.ts'
import { wirePrice, wireUsd } from '../../oracle/wire.ts'
import { openCandleMarket } from '../../support/market/candle-market.ts'
import { USD, ZORA } from '../../support/market/facts.ts'
import { isLong, rounds } from '../../support/rounds.ts'

type CandleMarket = ReturnType<typeof openCandleMarket>

const asking = { caller: null, viewer: '', now: 0, site: '' }

/** All candles of a query, read page by page; each page’s rows are joined. */
async function readCandles(
  { table, log }: CandleMarket,
  token: Coin,
  { interval: resolution, ...more }: Readonly<Record<string, string>>,
) {
  const stores = {
    table,
    past: table,
    log: { ...log, cached: async () => ({ applied: await log.applied(), holds: () => true }) },
    references: new Map([[ZORA, { address: ZORA, symbol: 'ZORA', name: 'Zora', decimals: 18 }]]),
  } as unknown as ReadStores
  const rows: Record<string, unknown>[] = []
  let pages = 0
  for (let before: string | undefined; ; ) {
    const defaults = { limit: '300', fill: 'last', currency: 'usd' }
    const query = { ...defaults, resolution, ...more, ...(before && { before }) }
    const answer = await candles({ id: token.address, query }, stores, asking)
    if (!('page' in answer)) throw new Error('candles are a list')
    const page = JSON.parse(answer.page.list) as Record<string, unknown>[]
    if (page.length > Number(query.limit)) throw new Error('a page has more rows than its limit')
    rows.unshift(...page)
    pages += 1
    before = answer.page.onward?.['before']
    if (before === undefined) return { rows, pages }
  }
}

/** Seconds of a slot, and of the end of the log. */
type SlotOf = { readonly start: number; readonly end: number }

type Rechecked = {
  readonly usd: readonly bigint[]
  readonly quote: readonly bigint[]
  readonly close: { readonly usd: bigint; readonly quote: bigint }
  readonly volume: bigint
  readonly buyVolume: bigint
  readonly volumeQuote: bigint
  readonly trades: number
  readonly buys: number
  readonly isSet: boolean
}

/** A slot by going through all facts from the first on. Prices are those at its start, those set in it and at minutes’ ends, and that at its end, in order. */
function recheckedCandle(
  { sealed, tokens: [creator] }: CandleMarket,
  token: Coin,
  { start, end }: SlotOf,
): Rechecked {
  const sqrts = new Map<string, bigint>()
  let held = USD
  const quoteOf = (coin: Coin): bigint => (coin === creator ? held : usdOf(creator))
  const usdOf = (coin: Coin): bigint => priceOf(coin, quoteOf(coin))
  const priceOf = ({ address: coin, isCurrency0 }: Coin, quoteUsd: bigint): bigint =>
    priceUsdE36({ sqrtPriceX96: sqrts.get(coin) ?? 0n, isCurrency0, quoteDecimals: 18 }, quoteUsd)
  const [usd, quote]: [bigint[], bigint[]] = [[], []]
  const sums = { volume: 0n, buyVolume: 0n, volumeQuote: 0n, trades: 0, buys: 0, isSet: false }
  const note = () => {
    usd.push(usdOf(token))
    quote.push(priceOf(token, USD))
  }
  let isOpen = false
  const open = () => {
    if (!isOpen && sqrts.has(token.address)) note()
    isOpen = true
  }
  for (const { minute, facts } of sealed) {
    if (minute * 60 >= end) break
    const isInside = minute * 60 >= start
    if (isInside) open()
    let [observed, isSet] = [held, false]
    for (const fact of facts) {
      if (fact.is === 'rated')
        observed = priceUsdE36({ sqrtPriceX96: fact.sqrtPriceX96, isCurrency0: true, quoteDecimals: 18 }, USD)
      if (fact.is !== 'initialized' && fact.is !== 'swapped') continue
      const isOwn = fact.token === token.address
      if (isOwn && isInside && fact.is === 'swapped') {
        const value = microUsdOf(fact.amountQuote, quoteOf(token), 18)
        sums.volume += value
        sums.volumeQuote += fact.amountQuote
        sums.trades += 1
        if (fact.isBuy) sums.buys += 1
        if (fact.isBuy) sums.buyVolume += value
      }
      sqrts.set(fact.token, fact.sqrtPriceX96)
      if (isOwn && isInside) note()
      isSet ||= isOwn
    }
    held = observed
    if (isSet && isInside) note()
    sums.isSet ||= isSet && isInside
  }
  open()
  const close = { usd: usdOf(token), quote: priceOf(token, USD) }
  return { ...sums, usd: [...usd, close.usd], quote: [...quote, close.quote], close }
}

const ROUNDS = rounds(1, 20)
type Row = Record<string, unknown>

/** Starts of all slots that are kept, oldest first. */
function startsOf(market: CandleMarket, token: Coin, interval: CandleInterval): number[] {
  const { minutes, first, keptMinutes } = candleIntervals[interval]
  const gridOf = (minute: number) => Math.floor((minute - first) / minutes)
  const last = gridOf(market.last())
  const kept = keptMinutes === null ? 0 : gridOf(market.last() - keptMinutes) + 1
  const oldest = Math.max(gridOf(token.launchedAt.timestamp / 60), kept)
  return Array.from({ length: last - oldest + 1 }, (_, at) => (first + (oldest + at) * minutes) * 60)
}

const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The row that a recheck gives. */
function rowOf(start: number, rechecked: Rechecked, currency: 'usd' | 'quote'): Row {
  const { close, volume, buyVolume, volumeQuote, trades, buys, isSet } = rechecked
  const prices = rechecked[currency]
  return {
    timestamp: start,
    open: wirePrice(prices[0]!),
    high: wirePrice(prices.reduce(largest)),
    low: wirePrice(prices.reduce(least)),
    close: wirePrice(close[currency]),
    price_usd: wirePrice(close.usd),
    volume_usd: wireUsd(volume),
    buy_volume: wireUsd(buyVolume),
    volume_quote: Number(decimalText(volumeQuote / 10n ** 12n, 6, 6)),
    trades,
    buys,
    filled: !isSet,
  }
}

it('candles equal a recheck of the facts, after reorgs, whatever the page; each opens at the close before', async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const market = openCandleMarket(seed)
    await market.grow(9 + (seed % 4) * 2, 60)
    const random = randomFrom(seed, 99)
    for (const token of market.tokens)
      for (const interval of candleIntervalNames) {
        const currency = random.pick(['usd', 'quote'] as const)
        const limit = String(random.pick([300, 1_000, interval === '1m' ? 250 : 7]))
        const { rows } = await readCandles(market, token, { interval, limit, currency })
        const starts = startsOf(market, token, interval)
        expect(rows.map(({ timestamp }) => timestamp)).toEqual(starts)
        for (const [at, row] of rows.entries()) if (at > 0) expect(row['open']).toBe(rows[at - 1]?.['close'])
        expectSums(market, token, { rows, starts })
        const end = (start: number) => start + candleIntervals[interval].minutes * 60
        for (let pick = 0; pick < 12; pick++) {
          const at = random.below(rows.length)
          const start = starts[at]!
          const rechecked = recheckedCandle(market, token, { start, end: end(start) })
          const wanted = rowOf(start, rechecked, currency)
          expect({ seed, interval, currency, ...rows[at] }).toMatchObject({
            seed,
            interval,
            currency,
            ...wanted,
          })
        }
        const set = await readCandles(market, token, { interval, limit, currency, fill: 'none' })
        expect(set.rows).toEqual(rows.filter(({ filled }) => filled === false))
      }
  }
})

it('candles of a token traded in every minute page without loss, and a page is as long as its reads may cost', async () => {
  const market = openCandleMarket(7)
  await market.grow(isLong ? 8.5 : 0.6, 1)
  const [token] = market.tokens
  const { rows, pages } = await readCandles(market, token, { interval: '1m', limit: '1000' })
  expect(rows.map(({ timestamp }) => timestamp)).toEqual(startsOf(market, token, '1m'))
  expect(pages).toBeGreaterThan(Math.ceil(rows.length / 1_000))
  expectSums(market, token, { rows, starts: startsOf(market, token, '1m') })
})

/** Candles add up to what was traded since the first of them. */
function expectSums(
  market: CandleMarket,
  token: Coin,
  { rows, starts }: { readonly rows: readonly Row[]; readonly starts: readonly number[] },
): void {
  const all = recheckedCandle(market, token, { start: starts[0]!, end: Number.POSITIVE_INFINITY })
  const sum = (key: string) => rows.reduce((total, row) => total + Number(row[key]), 0)
  expect(sum('trades')).toBe(all.trades)
  expect(sum('buys')).toBe(all.buys)
  // Each row is rounded to a cent.
  expect(Math.abs(sum('volume_usd') - wireUsd(all.volume))).toBeLessThanOrEqual(0.005 * rows.length + 0.01)
}
