import type { MarketAt } from './market-at.ts'
import { postsOf } from './portfolio.ts'
import { CAP_PER_LIQUIDITY, QUOTE_POOLS_MAX, TOKEN_DECIMALS } from './rules.ts'
import type { ReferenceRate } from './segment.ts'
import { priceAt } from './worth.ts'

/**
 * What tokens are worth in doubles, by number: enough to leave out those that cannot stand on a list; exact integers decide
 * among the rest (ranking.ts). Each figure is within a few dozen roundings of 2^-53 of the exact one before that is floored.
 */
export type Approximation = {
  /** USD of one whole token; 0 without a route. */
  readonly price: Float64Array
  /** Micro-dollars. */
  readonly marketCap: Float64Array
  /** The least quote side on the path, micro-dollars. */
  readonly pathLiquidity: Float64Array
}

const Q96 = 2 ** 96
const MICRO = 1e6
const WHOLE = 10 ** TOKEN_DECIMALS
const CAP = Number(CAP_PER_LIQUIDITY)
/** USD × 1e36 below which flooring the exact price shows in a double: there the exact price is asked. */
const LEAST_PRICE_E36 = 2 ** 40

/** Approximate worth of the first `count` tokens. */
export function approximateWorth(market: MarketAt, count: number): Approximation {
  const values = () => new Float64Array(count)
  const approximation = { price: values(), marketCap: values(), pathLiquidity: values() }
  for (let number = 0; number < count; number++) {
    const { price, pathLiquidity } = along(market, number, QUOTE_POOLS_MAX)
    if (price === 0) continue
    approximation.price[number] = price
    approximation.marketCap[number] = (market.approximate('supply', number) / WHOLE) * price * MICRO
    approximation.pathLiquidity[number] = pathLiquidity
  }
  return approximation
}

type Along = { readonly price: number; readonly pathLiquidity: number }
const NOTHING: Along = { price: 0, pathLiquidity: 0 }

function along(market: MarketAt, number: number, pools: number): Along {
  const sqrt = market.approximate('sqrtPriceX96', number)
  if (sqrt === 0 || pools === 0) return NOTHING
  const { quote, isCurrency0 } = market.tokenOf(number)
  const reference = market.references.get(quote)
  const quoteNumber = reference ? undefined : market.quoteNumberOf(number)
  const rest = quoteNumber === undefined ? NOTHING : along(market, quoteNumber, pools - 1)
  const ofQuote = reference ? Number(reference.heldUsdE36) / 1e36 : rest.price
  const unit = ofQuote / (reference ? 10 ** reference.decimals : WHOLE)
  const root = isCurrency0 ? sqrt / Q96 : Q96 / sqrt
  const price = root * root * unit * WHOLE
  const own = market.approximate('reserveQuote', number) * unit * MICRO
  return {
    price:
      price !== 0 && price * 1e36 < LEAST_PRICE_E36 ? Number(priceAt(market, number, pools)) / 1e36 : price,
    pathLiquidity: reference ? own : Math.min(own, rest.pathLiquidity),
  }
}

/** What is counted of a creator token and its posts (portfolio.ts), micro-dollars. */
export function approximateCounted(market: MarketAt, number: number): number {
  const token = market.tokenOf(number)
  const { inToken, byAddress } = postsOf(market, token)
  const sqrt = market.approximate('sqrtPriceX96', number)
  const root = sqrt === 0 ? 0 : token.isCurrency0 ? sqrt / Q96 : Q96 / sqrt
  const whole = (market.approximate('supply', number) + Number(inToken?.counted ?? 0n)) * root * root
  const counted = Math.min(whole, CAP * market.approximate('reserveQuote', number))
  return byAddress.reduce(
    (sum, posts) => {
      const rate = posts.quote && market.references.get(posts.quote)
      return rate ? sum + Number(posts.counted) * unitOf(rate) * MICRO : sum
    },
    counted * quoteUnit(market, number, QUOTE_POOLS_MAX) * MICRO,
  )
}

/** USD of a base unit of what a token is priced in; 0 without a route. */
function quoteUnit(market: MarketAt, number: number, pools: number): number {
  const reference = market.references.get(market.tokenOf(number).quote)
  if (reference) return unitOf(reference)
  const quote = market.quoteNumberOf(number)
  return quote === undefined ? 0 : along(market, quote, pools - 1).price / WHOLE
}

const unitOf = ({ heldUsdE36, decimals }: ReferenceRate): number => Number(heldUsdE36) / 1e36 / 10 ** decimals
