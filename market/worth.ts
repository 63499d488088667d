import { effectiveCap, marketCapMicroUsd, microUsdOf, priceUsdE36 } from './pool.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from './rules.ts'
import type { Address, MicroUsd, References, StateField, Token, TokenState, UsdE36 } from './segment.ts'

/** The market at one moment, by token number (order of arrival in the log). A number not kept or not yet known reads as 0. */
export type Edge<Field extends StateField = StateField> = {
  readonly tokens: readonly Token[]
  readonly references: References
  /** Number of a token known at this edge. */
  readonly numberOf: (address: Address) => number | undefined
  readonly read: <N extends Field>(field: N, number: number) => TokenState[N]
}

type Quote = { readonly usdE36: UsdE36; readonly decimals: number; readonly number: number | undefined }

/** USD of what a token is priced in; 0 without a route. */
function quoteAt(edge: Edge<'sqrtPriceX96'>, token: Token, depth: number): Quote {
  const reference = edge.references.get(token.quote)
  if (reference) return { usdE36: reference.heldUsdE36, decimals: reference.decimals, number: undefined }
  const number = edge.numberOf(token.quote)
  const usdE36 = number === undefined || depth <= 1 ? 0n : priceAt(edge, number, depth - 1)
  return { usdE36, decimals: TOKEN_DECIMALS, number }
}

/** USD × 1e36 of one whole token at the edge's pool prices and reference rates; 0 without a price or a route. */
export function priceAt(edge: Edge<'sqrtPriceX96'>, number: number, depth = QUOTE_POOLS_MAX): UsdE36 {
  const token = edge.tokens[number]
  if (!token) return 0n
  const quote = quoteAt(edge, token, depth)
  const sqrtPriceX96 = edge.read('sqrtPriceX96', number)
  return priceUsdE36(
    { sqrtPriceX96, isCurrency0: token.isCurrency0, quoteDecimals: quote.decimals },
    quote.usdE36,
  )
}

/** What a token is worth at an edge. `priceUsdE36` and `marketCap` are 0 without a route to USD. */
export type Worth = {
  readonly priceUsdE36: UsdE36
  readonly marketCap: MicroUsd
  /** min(market cap, 25 × the least quote-side liquidity on the token's path to USD). */
  readonly effectiveCap: MicroUsd
}

/** What worth is made of. */
export type WorthField = 'sqrtPriceX96' | 'supply' | 'reserveQuote'

/** Worth of one token, by its number. */
export function worthAt(edge: Edge<WorthField>, number: number): Worth {
  const price = priceAt(edge, number)
  const token = edge.tokens[number]
  if (!token || price === 0n) return { priceUsdE36: 0n, marketCap: 0n, effectiveCap: 0n }
  const marketCap = marketCapMicroUsd(price, edge.read('supply', number))
  return {
    priceUsdE36: price,
    marketCap,
    // Few ask for it, and it takes the prices on the path once more.
    get effectiveCap() {
      return effectiveCap(marketCap, pathLiquidityAt(edge, number))
    },
  }
}

/** Market cap of a token; 0 without a price. */
export const marketCapAt = (edge: Edge<'sqrtPriceX96' | 'supply'>, number: number): MicroUsd =>
  marketCapMicroUsd(priceAt(edge, number), edge.read('supply', number))

/** Both sides of the hook's ranges at the current price; 0 without a price. */
export function liquidityAt(
  edge: Edge<WorthField | 'reserveToken'>,
  number: number,
  price = priceAt(edge, number),
): MicroUsd {
  if (price === 0n) return 0n
  return quoteSideAt(edge, number) + microUsdOf(edge.read('reserveToken', number), price, TOKEN_DECIMALS)
}

/** USD of the quote side of a token's pool; 0 without a route. */
export function quoteSideAt(edge: Edge<'sqrtPriceX96' | 'reserveQuote'>, number: number): MicroUsd {
  const token = edge.tokens[number]
  if (!token) return 0n
  const quote = quoteAt(edge, token, QUOTE_POOLS_MAX)
  return microUsdOf(edge.read('reserveQuote', number), quote.usdE36, quote.decimals)
}

/** The least quote-side liquidity of the pools between a token and a reference currency: a pumped creator token cannot make a post look liquid. */
export function pathLiquidityAt(
  edge: Edge<'sqrtPriceX96' | 'reserveQuote'>,
  number: number,
  depth = QUOTE_POOLS_MAX,
): MicroUsd {
  const token = edge.tokens[number]
  if (!token || depth === 0) return 0n
  const own = quoteSideAt(edge, number)
  if (edge.references.has(token.quote)) return own
  const next = edge.numberOf(token.quote)
  const rest = next === undefined ? 0n : pathLiquidityAt(edge, next, depth - 1)
  return own < rest ? own : rest
}
