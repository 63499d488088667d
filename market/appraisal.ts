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

/** Prices of an edge in doubles, within ERROR. */
export type Prices = {
  /** USD × 1e36 of a base unit, by token number; 0 without a route. */
  readonly unit: Float64Array
  /** By place of a currency: the unit of a reference currency; -1: it is none. */
  readonly references: Float64Array
  /** The tokens with a price are so many, the first of the workspace's order. */
  readonly count: number
}

/** Prices every token: first those priced in a reference currency, then those priced in these, and so on. A pool's price is a uint160, so no product leaves the range of doubles. */
export function pricesAt(edge: RankedEdge<'sqrtPriceX96'>, unit: Float64Array, space: Workspace): Prices {
  const { order, depth, contenders: waiting } = space
  const { figures, lineage, tokens } = edge
  const references = referenceUnits(edge)
  unit.fill(0)
  depth.fill(NO_ROUTE)
  for (let number = 0; number < tokens.length; number++) waiting[number] = number
  let left = tokens.length
  let count = 0
  for (let pools = 1; pools <= QUOTE_POOLS_MAX; pools++) {
    let kept = 0
    for (let at = 0; at < left; at++) {
      const number = waiting[at] as number
      const place = figures.quote[number] as number
      let quoteUnit = references[place] as number
      if (quoteUnit < 0) {
        const quoted = lineage.tokenOf[place] as number
        if (quoted < 0 || depth[quoted] !== pools - 1) {
          waiting[kept++] = number
          continue
        }
        quoteUnit = unit[quoted] as number
      }
      depth[number] = pools
      const value = (figures.rate[number] as number) * quoteUnit
      if (value === 0) continue
      unit[number] = value >= LEAST_UNIT ? value : Number(priceAt(edge, number)) / WHOLE
      if (unit[number] !== 0) order[count++] = number
    }
    left = kept
  }
  return { unit, references, count }
}

function referenceUnits({ references, lineage }: RankedEdge): Float64Array {
  const units = new Float64Array(lineage.currencies.size).fill(-1)
  for (const [currency, { heldUsdE36, decimals }] of references) {
    const place = lineage.currencies.get(currency)
    if (place !== undefined) units[place] = Number(heldUsdE36) / 10 ** decimals
  }
  return units
}

/** Fills the workspace with what every token is worth: whole micro-dollars, exact below SAFE and within ERROR above it. */
export function appraise(edge: RankedEdge<WorthField>, prices: Prices, space: Workspace): void {
  const { marketCap, counted, quoteSide, liquidity, portfolio, order } = space
  const { figures, lineage } = edge
  for (const array of [marketCap, counted, quoteSide, portfolio]) array.fill(0)
  for (let at = 0; at < prices.count; at++) {
    const number = order[at] as number
    const place = figures.quote[number] as number
    const reference = prices.references[place] as number
    const quoted = reference < 0 ? (lineage.tokenOf[place] as number) : -1
    const quoteUnit = quoted < 0 ? reference : (prices.unit[quoted] as number)
    let own = wholeOf((figures.reserveQuote[number] as number) * quoteUnit * MICRO)
    if (own < 0) own = Number(quoteSideAt(edge, number))
    let cap = wholeOf((figures.supply[number] as number) * (prices.unit[number] as number) * MICRO)
    if (cap < 0) cap = Number(marketCapAt(edge, number))
    const least = quoted < 0 ? own : Math.min(own, liquidity[quoted] as number)
    const counts = Math.min(cap, CAP * least)
    quoteSide[number] = own
    liquidity[number] = least
    marketCap[number] = cap
    counted[number] = counts
    const creatorToken = creatorTokenIn(edge, number)
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
  const low = Math.floor(value * (1 - ERROR))
  if (low === Math.floor(value * (1 + ERROR))) return low
  return low >= SAFE ? value : -1
}
