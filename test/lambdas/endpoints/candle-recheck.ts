/** What candles must say, from the facts of a market's minutes alone; and what the API says, page by page. */

import type { ReadStores } from '../../../lambdas/api/endpoint.ts'
import { candles } from '../../../lambdas/endpoints/candles.ts'
import { microUsdOf, priceUsdE36 } from '../../../market/pool.ts'
import type { Coin } from '../../../market/segment.ts'
import type { openCandleMarket } from '../../support/market/candle-market.ts'
import { USD, ZORA } from '../../support/market/facts.ts'

export type CandleMarket = ReturnType<typeof openCandleMarket>

const asking = { caller: null, viewer: '', now: 0, site: '' }

/** All candles of a query, read page by page; each page’s rows are joined. */
export async function readCandles(
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

export type Rechecked = {
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
export function recheckedCandle(
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
