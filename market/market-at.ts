import type { PostOwner } from './post-owners.ts'
import { byLaunch } from './ranking.ts'
import type { Address, References, StateField, Token, TokenState } from './segment.ts'

/** The market as it is now or as it was at a window start. Tokens go by number; one that did not exist then reads as 0. */
export type MarketAt = {
  readonly references: References
  /** A token as it was described then. */
  readonly tokenOf: (number: number) => Token
  readonly numberOf: (address: Address) => number | undefined
  /** Number of the token that a token was quoted in; undefined: a reference currency, or nothing known. */
  readonly quoteNumberOf: (number: number) => number | undefined
  readonly read: <N extends StateField>(field: N, number: number) => TokenState[N]
  /** The same of all tokens, by number, as doubles: exact below 2^53, else within three roundings. */
  readonly columns: <N extends StateField>(fields: readonly N[]) => Readonly<Record<N, Float64Array>>
  readonly coins: () => Coins
  /** What an address owns of posts. */
  readonly ownerOf: (address: Address) => PostOwner
  /** The same of a token's own address and of its creator's. */
  readonly ownersOf: (number: number) => readonly [ofToken: PostOwner, ofCreator: PostOwner]
}

/** Attributes of all tokens, by number. */
export type Coins = {
  /** Number of the token that a token is quoted in; below 0: -1 less the place of its quote among `others`. */
  readonly quotes: Int32Array
  /** What tokens are quoted in that is no token here: mostly reference currencies. */
  readonly others: readonly Address[]
  /** 1: true. */
  readonly isCurrency0: Uint8Array
  readonly isCreator: Uint8Array
  /** Unix seconds, and USD of one whole token; 0: not known. */
  readonly launchedAt: Float64Array
  readonly launchPrice: Float64Array
}

/** Attributes of the first `count` tokens of a market. */
export function coinsOf(
  count: number,
  { references, tokenOf, quoteNumberOf }: Pick<MarketAt, 'references' | 'tokenOf' | 'quoteNumberOf'>,
): Coins {
  const places = new Map<Address, number>()
  const coins: Coins = {
    quotes: new Int32Array(count),
    others: [],
    isCurrency0: new Uint8Array(count),
    isCreator: new Uint8Array(count),
    launchedAt: new Float64Array(count),
    launchPrice: new Float64Array(count),
  }
  for (let number = 0; number < count; number++) {
    const { quote, isCurrency0, kind, launchedAt, launch } = tokenOf(number)
    const token = references.has(quote) ? undefined : quoteNumberOf(number)
    const place = places.get(quote) ?? places.size
    if (token === undefined) places.set(quote, place)
    coins.quotes[number] = token ?? -1 - place
    coins.isCurrency0[number] = Number(isCurrency0)
    coins.isCreator[number] = Number(kind === 'creator')
    coins.launchedAt[number] = launchedAt.timestamp
    coins.launchPrice[number] = Number(launch.priceUsdE36 ?? 0n) / 1e36
  }
  return { ...coins, others: [...places.keys()] }
}

/** Number of the creator token that a token belongs to: a creator token itself, a post that of its owner (see post-owners.ts). */
export function creatorNumberOf(market: MarketAt, number: number): number | undefined {
  const token = market.tokenOf(number)
  if (token.kind === 'creator') return number
  const quote = market.quoteNumberOf(number)
  const quoteToken = quote === undefined ? undefined : market.tokenOf(quote)
  if (quoteToken?.kind === 'creator' && byLaunch(quoteToken, token) < 0) return quote
  const { oldestCreatorToken } = market.ownersOf(number)[1]
  return oldestCreatorToken === null ? undefined : market.numberOf(oldestCreatorToken)
}
