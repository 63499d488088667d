/** What raw logs are worth: reference rates in force, prices along the path to USD, volumes and launches. */
import { marketCapMicroUsd, microUsdOf, priceUsdE36 } from '../../market/pool.ts'
import { LOGS, ZERO } from './logs.ts'
import { coinAt, poolAt, type RawCoin, type RawMarket, type RawPayment } from './market.ts'
import { closingRates, minutesIn, tradedRate } from './rates.ts'

const DEAD = '0x000000000000000000000000000000000000dead'
/** Prices on the longest path: post in creator token, creator token in ZORA, ZORA in USD. */
const HOPS = 3

/** The market before a log position, and the USD of reference currencies there. */
export type MarketView = { market: RawMarket; before: number; rate: (currency: string) => bigint }

/** Sets what depends on USD: rates of minutes, launch prices, volumes. */
export function valued(market: RawMarket): RawMarket {
  market.minutes = minutesOf(market)
  for (const coin of market.coins) coin.launch = launchOf(market, coin)
  for (const coin of market.coins)
    for (const trade of coin.trades) {
      const { usd, decimals } = quoteOf(atLog(market, trade.at), coin)
      trade.volume = microUsdOf(trade.quoteAmount, usd, decimals)
    }
  for (const coin of market.coins) for (const payment of coin.payments) valuePayment(market, coin, payment)
  return market
}

/** Payments count in currencies on their token's path alone: itself, what it is priced in, and so on. */
function valuePayment(market: RawMarket, coin: RawCoin, { at, currency, amounts, usd }: RawPayment): void {
  const view = atLog(market, at)
  const path = [coin.address]
  for (let last: RawCoin | undefined = coin; last && path.length < HOPS; last = coinAt(market, path.at(-1)!))
    path.push(poolAt(last, at).quote)
  const reference = market.chain.references.find(({ address }) => address === currency)
  const rate = path.includes(currency) ? usdOf(view, currency) : 0n
  for (const [name, amount] of Object.entries(amounts))
    usd[name as keyof typeof usd] = microUsdOf(amount, rate, reference?.decimals ?? 18)
}

/** Minutes that have a block, with the reference rates in force at their close. */
const minutesOf = ({ chain, seconds, rateSwaps }: RawMarket): RawMarket['minutes'] =>
  closingRates(chain, rateSwaps, { seconds, minutes: minutesIn(seconds) })

/** The Initialize price at the quote's rate at that log, and the supply right after the creation log. */
function launchOf(market: RawMarket, coin: RawCoin): RawCoin['launch'] {
  const { id } = coin.pools[0]!
  const initialized = market.prices.get(id)?.[0]
  if (!initialized) return { price: 0n, cap: 0n }
  const price = priceOf(atLog(market, initialized.at), coin, initialized.sqrt)
  return { price, cap: marketCapMicroUsd(price, balancesOf(market, coin, coin.launchedAt + 1).supply) }
}

/** Unix seconds of a log. */
export const secondsOf = (market: RawMarket, at: number): number => market.seconds[Math.floor(at / LOGS)]!

/** At a log the rates of the minute before hold; before any close, what the currency last traded at. */
export function atLog(market: RawMarket, at: number): MarketView {
  const minute = Math.floor(secondsOf(market, at) / 60)
  const closed = market.minutes.findLast((each) => each.minute < minute)
  const traded = (currency: string) => tradedRate(market.chain, market.rateSwaps, currency, at)
  return { market, before: at, rate: (currency) => closed?.held.get(currency) || traded(currency) }
}

/** USD × 1e36 of a whole token or reference currency, along at most so many prices; 0 without a route. */
export function usdOf(view: MarketView, currency: string, hops = HOPS): bigint {
  const { market, rate } = view
  if (market.chain.references.some(({ address }) => address === currency)) return rate(currency)
  const coin = coinAt(market, currency)
  return coin && hops > 1 ? priceOf(view, coin, sqrtOf(view, coin), hops) : 0n
}

function priceOf(view: MarketView, coin: RawCoin, sqrtPriceX96: bigint, hops = HOPS): bigint {
  const { isCurrency0 } = poolAt(coin, view.before)
  const { usd, decimals } = quoteOf(view, coin, hops)
  return priceUsdE36({ sqrtPriceX96, isCurrency0, quoteDecimals: decimals }, usd)
}

/** What a token is priced in: USD × 1e36 of one whole, and its decimals. */
export function quoteOf(view: MarketView, coin: RawCoin, hops = HOPS): { usd: bigint; decimals: number } {
  const { quote } = poolAt(coin, view.before)
  const reference = view.market.chain.references.find(({ address }) => address === quote)
  return { usd: usdOf(view, quote, hops - 1), decimals: reference?.decimals ?? 18 }
}

/** sqrtPriceX96 of the current pool; 0 before Initialize. */
export const sqrtOf = ({ market, before }: MarketView, coin: RawCoin): bigint =>
  market.prices.get(poolAt(coin, before).id)?.findLast(({ at }) => at < before)?.sqrt ?? 0n

/** Balances by adding up transfers: what each holder has, and how much there is. */
export function balancesOf(
  market: RawMarket,
  coin: RawCoin,
  before: number,
): { supply: bigint; self: bigint; holders: (readonly [string, bigint])[] } {
  const balances = new Map<string, bigint>()
  for (const { at, from, to, amount } of coin.transfers) {
    if (at >= before) break
    balances.set(from, (balances.get(from) ?? 0n) - amount)
    balances.set(to, (balances.get(to) ?? 0n) + amount)
  }
  const nobody = new Set([ZERO, DEAD, coin.address, market.chain.poolManager, ...market.hooks])
  const holders = [...balances].filter(([holder, amount]) => amount > 0n && !nobody.has(holder))
  return { supply: -(balances.get(ZERO) ?? 0n), self: balances.get(coin.address) ?? 0n, holders }
}
