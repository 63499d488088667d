import type { Lineage } from '../market/figures.ts'
import { grown } from '../market/grown.ts'
import { byLaunch } from '../market/ranking.ts'
import type { Address, Token } from '../market/segment.ts'

/** The lineage of the engine's tokens; only `learnToken` and `placeOf` change it. */
export type LineageStore = { -readonly [Name in keyof Lineage]: Lineage[Name] } & {
  readonly currencies: Map<Address, number>
  /** Places of creators, and the oldest creator token of each. */
  readonly creators: Map<Address, number>
  readonly oldestTokens: Token[]
}

/** The lineage of no tokens. */
export const emptyLineage = (): LineageStore => ({
  currencies: new Map(),
  creators: new Map(),
  oldestTokens: [],
  tokenOf: new Int32Array(),
  isCreator: new Uint8Array(),
  creator: new Int32Array(),
  oldest: new Int32Array(),
  launchedAt: new Float64Array(),
  launchPrice: new Float64Array(),
})

/** Place of what a token is priced in, made at the first question. */
export function placeOf(
  lineage: LineageStore,
  currency: Address,
  numbers: ReadonlyMap<Address, number>,
): number {
  const known = lineage.currencies.get(currency)
  if (known !== undefined) return known
  const place = lineage.currencies.size
  lineage.currencies.set(currency, place)
  lineage.tokenOf = grown(lineage.tokenOf, place)
  lineage.tokenOf[place] = numbers.get(currency) ?? -1
  return place
}

/** Takes in a token at its launch: what never changes of it, and whom it belongs to. */
export function learnToken(lineage: LineageStore, number: number, token: Token): void {
  const { address, kind, creator, launchedAt, launch } = token
  lineage.isCreator = grown(lineage.isCreator, number)
  lineage.launchedAt = grown(lineage.launchedAt, number)
  lineage.launchPrice = grown(lineage.launchPrice, number)
  lineage.creator = grown(lineage.creator, number)
  lineage.isCreator[number] = kind === 'creator' ? 1 : 0
  lineage.launchedAt[number] = launchedAt.timestamp
  lineage.launchPrice[number] = Number(launch.priceUsdE36 ?? 0n)
  lineage.creator[number] = creatorPlace(lineage, creator)
  const place = lineage.currencies.get(address)
  if (place !== undefined) lineage.tokenOf[place] = number
  if (kind === 'creator') noteOldest(lineage, number, token)
}

function creatorPlace(lineage: LineageStore, creator: Address): number {
  const known = lineage.creators.get(creator)
  if (known !== undefined) return known
  const place = lineage.creators.size
  lineage.creators.set(creator, place)
  lineage.oldest = grown(lineage.oldest, place)
  lineage.oldest[place] = -1
  return place
}

/** Tokens arrive by minute, so an edge that does not know a creator's oldest token knows none of theirs. */
function noteOldest(lineage: LineageStore, number: number, token: Token): void {
  const place = lineage.creator[number] as number
  const oldest = lineage.oldestTokens[place]
  if (oldest && byLaunch(oldest, token) < 0) return
  lineage.oldest[place] = number
  lineage.oldestTokens[place] = token
}
