import { creatorTokenIn, ERROR, type Figures, type RankedEdge, SAFE } from './figures.ts'
import { CAP_PER_LIQUIDITY, QUOTE_POOLS_MAX } from './rules.ts'
import { liquidityAt, marketCapAt, priceAt, quoteSideAt, type WorthField } from './worth.ts'

/** From USD × 1e36 to USD × 1e6. */
const MICRO = 1e-30
/** Base units of a token. */
const WHOLE = 1e18
/** USD × 1e36 of a base unit; above it the floor of the exact price is far below ERROR. */
const LEAST_UNIT = 2
/** Depth of a currency whose route to USD is not known. */
const NO_ROUTE = 255
const CAP = Number(CAP_PER_LIQUIDITY)

/** What tokens are priced in, at an edge, by place of the currency. */
export type Quotes = {
  /** USD × 1e36 of a base unit; 0: no route to USD. */
  readonly units: Float64Array
  /** Places of those that are tokens and have a route, each after what it is priced in itself. */
  readonly routed: Int32Array
}

/**
 * Prices every token, in doubles within ERROR: `unit` takes USD × 1e36 of a base unit by token number, 0 without a route. The
 * currencies come first, so that the tokens need no order. A pool's price is a uint160, so no product leaves the range of doubles.
 */
export function pricesAt(edge: RankedEdge<'sqrtPriceX96'>, unit: Float64Array): Quotes {
  const quotes = quotesAt(edge)
  const { units } = quotes
  const { quote } = edge.figures
  const count = edge.tokens.length
  for (let number = 0; number < count; number++) {
    unit[number] = unitOf(edge, number, units[quote[number] as number] as number)
  }
  unit.fill(0, count)
  return quotes
}

function unitOf(edge: RankedEdge<'sqrtPriceX96'>, number: number, ofQuote: number): number {
  const value = (edge.figures.rate[number] as number) * ofQuote
  return value >= LEAST_UNIT || value === 0 ? value : Number(priceAt(edge, number)) / WHOLE
}

/** Prices the currencies: the references, then what is priced in them, then what is priced in that. */
function quotesAt(edge: RankedEdge<'sqrtPriceX96'>): Quotes {
  const { references, lineage, figures, tokens } = edge
  const { currencies, tokenOf } = lineage
  const units = new Float64Array(currencies.size)
  const routed = new Int32Array(currencies.size)
  const depths = new Uint8Array(currencies.size).fill(NO_ROUTE)
  for (const [currency, { heldUsdE36, decimals }] of references) {
    const place = currencies.get(currency)
    if (place === undefined) continue
    units[place] = Number(heldUsdE36) / 10 ** decimals
    depths[place] = 0
  }
  let count = 0
  for (let depth = 1; depth < QUOTE_POOLS_MAX; depth++) {
    for (let place = 0; place < units.length; place++) {
      const number = tokenOf[place] as number
      if (depths[place] !== NO_ROUTE || number < 0 || number >= tokens.length) continue
      const its = figures.quote[number] as number
      if (depths[its] !== depth - 1) continue
      depths[place] = depth
      units[place] = unitOf(edge, number, units[its] as number)
      routed[count++] = place
    }
  }
  return { units, routed: routed.subarray(0, count) }
}

/** An edge with the prices of its tokens: what their worth is told from, token by token, without a word on the heap. */
export type Appraisal = {
  readonly edge: RankedEdge<WorthField>
  readonly figures: Figures
  /** USD × 1e36 of a base unit of each token, by its number. */
  readonly unit: Float64Array
  /** By place of a currency: USD × 1e36 of a base unit, and the least quote-side liquidity of the pools between it and USD. */
  readonly units: Float64Array
  readonly least: Float64Array
}

/** Prices the tokens of an edge; `unit` takes the prices. */
export function appraise(edge: RankedEdge<WorthField>, unit: Float64Array): Appraisal {
  const { units, routed } = pricesAt(edge, unit)
  const least = new Float64Array(units.length).fill(Number.POSITIVE_INFINITY)
  const appraisal = { edge, figures: edge.figures, unit, units, least }
  for (let at = 0; at < routed.length; at++) {
    const place = routed[at] as number
    least[place] = liquidityOf(appraisal, edge.lineage.tokenOf[place] as number)
  }
  return appraisal
}

// Worth is in whole micro-dollars: exact below SAFE and within ERROR above it.

/** Market cap of a token; 0 without a price. */
export function capOf({ edge, figures, unit }: Appraisal, number: number): number {
  const cap = wholeOf((figures.supply[number] as number) * (unit[number] as number) * MICRO)
  return cap < 0 ? Number(marketCapAt(edge, number)) : cap
}

/** Least quote-side liquidity on a token's path to USD. */
export function liquidityOf(appraisal: Appraisal, number: number): number {
  const side = wholeOf(quoteSideIn(appraisal, number))
  const least = appraisal.least[appraisal.figures.quote[number] as number] as number
  return Math.min(side < 0 ? Number(quoteSideAt(appraisal.edge, number)) : side, least)
}

/** Effective cap of a token. */
export function countedOf(appraisal: Appraisal, number: number): number {
  const cap = capOf(appraisal, number)
  const least = appraisal.least[appraisal.figures.quote[number] as number] as number
  // Mostly the pools hold more than enough, and nobody needs to know how much exactly.
  if (CAP * Math.min(quoteSideIn(appraisal, number) * (1 - ERROR) - 1, least) >= cap) return cap
  return Math.min(cap, CAP * liquidityOf(appraisal, number))
}

/** Both sides of a priced token's pool. */
export function bothSidesOf(
  edge: RankedEdge<WorthField | 'reserveToken'>,
  appraisal: Appraisal,
  number: number,
): number {
  const { figures, unit } = appraisal
  const quoteSide = wholeOf(quoteSideIn(appraisal, number))
  const tokenSide = wholeOf((figures.reserveToken[number] as number) * (unit[number] as number) * MICRO)
  return quoteSide < 0 || tokenSide < 0 ? Number(liquidityAt(edge, number)) : quoteSide + tokenSide
}

/** What a token's pool holds of its quote, in micro-dollars within ERROR. */
const quoteSideIn = ({ figures, units }: Appraisal, number: number): number =>
  (figures.reserveQuote[number] as number) * (units[figures.quote[number] as number] as number) * MICRO

/** Sums up what is counted of each creator token and of its posts, by the creator token's number. */
export function portfoliosAt(appraisal: Appraisal, portfolio: Float64Array): void {
  const { edge, unit } = appraisal
  const count = edge.tokens.length
  portfolio.fill(0)
  for (let number = 0; number < count; number++) {
    if (unit[number] === 0) continue
    const creatorToken = creatorTokenIn(edge, number)
    if (creatorToken < 0) continue
    portfolio[creatorToken] = (portfolio[creatorToken] as number) + countedOf(appraisal, number)
  }
}

/** The floor of a number that is known within ERROR; -1 when that does not settle it. */
function wholeOf(value: number): number {
  const floor = Math.floor(value)
  const error = value * ERROR
  if (value - floor > error && value - floor < 1 - error) return floor
  return value - error >= SAFE || value === 0 ? value : -1
}
