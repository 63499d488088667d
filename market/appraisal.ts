import { creatorTokenIn, ERROR, type RankedEdge, SAFE } from './figures.ts'
import { CAP_PER_LIQUIDITY, QUOTE_POOLS_MAX } from './rules.ts'
import type { Workspace } from './workspace.ts'
import { marketCapAt, priceAt, quoteSideAt, type WorthField } from './worth.ts'

/** From USD × 1e36 to USD × 1e6. */
const MICRO = 1e-30
/** Base units of a token. */
const WHOLE = 1e18
/** USD × 1e36 of a base unit; above it the floor of the exact price is far below ERROR. */
const LEAST_UNIT = 2
/** Depth of a token whose route to USD is not known. */
const NO_ROUTE = 255

/**
 * Prices every token, in doubles within ERROR. `unit` takes USD × 1e36 of a base unit by token number, 0 without a route. Most
 * tokens come after what they are priced in; the others wait for it, and after as many rounds as a path may have pools no
 * token is left that has one. A pool's price is a uint160, so no product leaves the range of doubles.
 */
export function pricesAt(edge: RankedEdge<'sqrtPriceX96'>, unit: Float64Array, space: Workspace): void {
  const { order, depth, quoted, quoteUnit, contenders: waiting } = space
  const { rate, quote } = edge.figures
  const { tokenOf } = edge.lineage
  const references = referenceUnits(edge)
  unit.fill(0)
  depth.fill(NO_ROUTE)
  space.priced = 0
  let left = edge.tokens.length
  for (let round = 0; round < QUOTE_POOLS_MAX; round++) {
    let kept = 0
    for (let at = 0; at < left; at++) {
      const number = round === 0 ? at : (waiting[at] as number)
      const place = quote[number] as number
      const reference = references[place] as number
      const other = reference < 0 ? (tokenOf[place] as number) : -1
      const pools = other >= 0 ? (depth[other] as number) + 1 : reference < 0 ? NO_ROUTE : 1
      if (pools > QUOTE_POOLS_MAX) {
        waiting[kept++] = number
        continue
      }
      depth[number] = pools
      const ofQuote = other < 0 ? reference : (unit[other] as number)
      const value = (rate[number] as number) * ofQuote
      if (value === 0) continue
      unit[number] = value >= LEAST_UNIT ? value : Number(priceAt(edge, number)) / WHOLE
      if (unit[number] === 0) continue
      quoteUnit[number] = ofQuote
      quoted[number] = other
      order[space.priced++] = number
    }
    left = kept
  }
}

/** By place of a currency: USD × 1e36 of a base unit of a reference currency; -1: it is none. */
function referenceUnits({ references, lineage }: RankedEdge<never>): Float64Array {
  const units = new Float64Array(lineage.currencies.size).fill(-1)
  for (const [currency, { heldUsdE36, decimals }] of references) {
    const place = lineage.currencies.get(currency)
    if (place !== undefined) units[place] = Number(heldUsdE36) / 10 ** decimals
  }
  return units
}

/** What every priced token is worth, in whole micro-dollars: exact below SAFE and within ERROR above it. */
export function appraise(edge: RankedEdge<WorthField>, unit: Float64Array, space: Workspace): void {
  const { marketCap, counted, quoteSide, liquidity, portfolio, order, quoted, quoteUnit } = space
  const { reserveQuote, supply } = edge.figures
  const { isCreator } = edge.lineage
  for (const array of [marketCap, counted, quoteSide, portfolio]) array.fill(0)
  for (let at = 0; at < space.priced; at++) {
    const number = order[at] as number
    const other = quoted[number] as number
    let own = wholeOf((reserveQuote[number] as number) * (quoteUnit[number] as number) * MICRO)
    if (own < 0) own = Number(quoteSideAt(edge, number))
    let cap = wholeOf((supply[number] as number) * (unit[number] as number) * MICRO)
    if (cap < 0) cap = Number(marketCapAt(edge, number))
    const least = other < 0 ? own : Math.min(own, liquidity[other] as number)
    const counts = Math.min(cap, CAP * least)
    quoteSide[number] = own
    liquidity[number] = least
    marketCap[number] = cap
    counted[number] = counts
    const creatorToken =
      other >= 0 && isCreator[number] === 0 && isCreator[other] === 1 ? other : creatorTokenIn(edge, number)
    if (creatorToken >= 0) portfolio[creatorToken] = (portfolio[creatorToken] as number) + counts
  }
}

/** Both sides of a token's pool, of an appraised edge: whole micro-dollars; -1 where doubles cannot tell. */
export function bothSides({ figures }: RankedEdge<never>, number: number, space: Workspace): number {
  const tokenSide = wholeOf(
    (figures.reserveToken[number] as number) * (space.units.now[number] as number) * MICRO,
  )
  return tokenSide < 0 ? -1 : (space.quoteSide[number] as number) + tokenSide
}

const CAP = Number(CAP_PER_LIQUIDITY)

/** The floor of a number that is known within ERROR; -1 when that does not settle it. */
function wholeOf(value: number): number {
  const floor = Math.floor(value)
  const error = value * ERROR
  if (value - floor > error && value - floor < 1 - error) return floor
  return value - error >= SAFE || value === 0 ? value : -1
}
