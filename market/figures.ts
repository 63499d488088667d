import type { Address, StateField } from './segment.ts'
import type { Edge } from './worth.ts'

/**
 * Doubles beside the exact numbers: what ranking scans. A list of 100 out of a million tokens needs exact arithmetic for a few
 * hundred of them; for the rest a double says enough. Nothing published is made of these.
 */

/** Whole numbers below this are exact as doubles. */
export const SAFE = 2 ** 53

/**
 * Share by which a figure may differ from the exact number: 64 roundings of 2^-53. The longest chain has 34: a supply (2) × the
 * price (8) of a post in a creator token (9) in another (9) in a reference currency (2), made micro-dollars (2), and their products.
 */
export const ERROR = 2 ** -47

/** Numbers of an edge by token number, in base units; arrays may be longer than there are tokens, those of fields not kept are empty. */
export type Figures = {
  /** Base units of the quote for one of the token; 0 before the first price. */
  readonly rate: Float64Array
  readonly supply: Float64Array
  /** What the pool holds of the quote, and of the token. */
  readonly reserveQuote: Float64Array
  readonly reserveToken: Float64Array
  /** Micro-dollars since launch; exact below SAFE. */
  readonly volume: Float64Array
  /** What the token is priced in: a place among the lineage's currencies. */
  readonly quote: Int32Array
  readonly trades: Uint32Array
  readonly engagement: Uint32Array
  readonly holders: Uint32Array
}

/** What is known of tokens at any edge, by token number; arrays may be longer than there are tokens. */
export type Lineage = {
  /** Places of everything that some token is or was priced in. */
  readonly currencies: ReadonlyMap<Address, number>
  /** By place of a currency: the number of the token that it is; -1: none. */
  readonly tokenOf: Int32Array
  /** 1: a creator token. */
  readonly isCreator: Uint8Array
  /** A place among all creators. */
  readonly creator: Int32Array
  /** By place of a creator: the number of their oldest creator token; -1: none. */
  readonly oldest: Int32Array
  /** Unix seconds. */
  readonly launchedAt: Float64Array
  /** USD × 1e36; 0: no route to USD. */
  readonly launchPrice: Float64Array
}

/** An edge whose tokens can be ranked. */
export type RankedEdge<Field extends StateField = StateField> = Edge<Field> & {
  readonly figures: Figures
  readonly lineage: Lineage
}

/** A token's number at an edge; 0 for a token beyond the last one that the edge knows. */
export const figureAt = (values: Float64Array | Uint32Array, number: number): number =>
  number < values.length ? (values[number] as number) : 0

/** Number of the creator token that a token belongs to: a creator token to itself, a post to its quote, else to the oldest of its creator; -1: none. */
export function creatorTokenIn({ tokens, figures, lineage }: RankedEdge<never>, number: number): number {
  const { isCreator, tokenOf, creator, oldest } = lineage
  if (isCreator[number] === 1) return number
  const quoted = tokenOf[figures.quote[number] as number] as number
  if (quoted >= 0 && quoted < tokens.length && isCreator[quoted] === 1) return quoted
  const other = oldest[creator[number] as number] as number
  return other < tokens.length ? other : -1
}

type VolumeEdge = RankedEdge<'cumVolumeMicroUsd'>

/** Micro-dollars that tokens traded from one edge to a later one; exact below SAFE. */
export const volumesBetween =
  (then: VolumeEdge, now: VolumeEdge) =>
  (numbers: Int32Array, into: Float64Array): void => {
    const [volume, before] = [now.figures.volume, then.figures.volume]
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] as number
      const total = volume[number] as number
      if (total < SAFE) into[at] = total - figureAt(before, number)
      else into[at] = Number(exactBetween(then, now, number))
    }
  }

const exactBetween = (then: VolumeEdge, now: VolumeEdge, number: number): bigint =>
  now.read('cumVolumeMicroUsd', number) - then.read('cumVolumeMicroUsd', number)
