import { verifiedCreator } from '../authorship.ts'
import { type CapState, noPosts, partsOf, sharesOf } from '../fold/post-owners.ts'
import { marketCapMicroUsd, microUsdOf, priceUsdE36 } from '../pool.ts'
import type { Quote } from '../route.ts'
import type { Address, Coin, MicroUsd, PostSums } from '../segment.ts'
import { type MarketAt, quoteAt } from './market-at.ts'

/** A creator's portfolio: the plain cap of the creator token, what all linked posts count for, and the counted parts of them. */
export type Portfolio = {
  readonly tokenMarketCap: MicroUsd
  readonly tokenCounted: MicroUsd
  /** Each post's cap, at most CAP_PER_LIQUIDITY times what its own pool holds. */
  readonly postsMarketCap: MicroUsd
  /** The counted sum minus `tokenCounted`. */
  readonly postsCounted: MicroUsd
  readonly postsCount: number
}

/**
 * Sums of the posts that belong to a creator token: those quoted in it, and those linked by its creator's address if it
 * is their oldest token.
 */
export function postsOf(
  market: MarketAt,
  number: number,
): { readonly inToken: PostSums | undefined; readonly byAddress: readonly PostSums[] } {
  const token = market.tokenOf(number)
  const { address } = token
  const creator = verifiedCreator(token)
  const { oldestCreatorToken, posts } = creator ? market.ownerOf(creator) : noPosts
  return {
    inToken: partsOf(address, market.ownerOf(address)).own,
    // A creator's address may itself be a creator token, whose posts are then its own.
    byAddress: oldestCreatorToken === address ? posts.filter(({ quote }) => quote !== creator) : [],
  }
}

/**
 * A creator token's portfolio. Everything priced through the token's own pool, the token and the posts quoted in it,
 * counts together for at most CAP_PER_LIQUIDITY times the quote amount in that pool. Sums are in base units of the quote
 * and are valued once.
 */
export function portfolioAt(market: MarketAt, number: number): Portfolio {
  const token = market.tokenOf(number)
  const [sqrtPriceX96, supply] = [market.read('sqrtPriceX96', number), market.read('supply', number)]
  return portfolioFrom({
    token,
    state: { sqrtPriceX96, supply, reserveQuote: market.read('reserveQuote', number) },
    posts: postsOf(market, number),
    quote: quoteAt(market, number),
    rateOf: (currency) => {
      const rate = market.references.get(currency)
      return rate && { usdE36: rate.heldUsdE36, decimals: rate.decimals }
    },
  })
}

/** The same of a token's state and the sums of its posts. */
export function portfolioFrom({
  token,
  state,
  posts,
  quote: ofQuote,
  rateOf,
}: {
  readonly token: Pick<Coin, 'quote' | 'isCurrency0'>
  readonly state: CapState
  readonly posts: ReturnType<typeof postsOf>
  /** What the token is priced in. */
  readonly quote: Quote
  readonly rateOf: (currency: Address) => Quote | undefined
}): Portfolio {
  const { inToken, byAddress } = posts
  const shares = sharesOf(token, state, inToken)
  const usdOfSums = (inOwnQuote: bigint): MicroUsd => {
    const sums = new Map<Address, bigint>([[token.quote, inOwnQuote]])
    for (const posts of byAddress) {
      if (posts.quote) sums.set(posts.quote, (sums.get(posts.quote) ?? 0n) + posts.counted)
    }
    return [...sums].reduce((total, [quote, sum]) => {
      const { usdE36, decimals } = rateOf(quote) ?? ofQuote
      return total + microUsdOf(sum, usdE36, decimals)
    }, 0n)
  }
  const price = priceUsdE36({ ...token, ...state, quoteDecimals: ofQuote.decimals }, ofQuote.usdE36)
  const tokenCounted = microUsdOf(shares.creatorCounted, ofQuote.usdE36, ofQuote.decimals)
  return {
    tokenMarketCap: marketCapMicroUsd(price, state.supply),
    tokenCounted,
    postsMarketCap: usdOfSums(shares.postsAlone),
    postsCounted: usdOfSums(shares.creatorCounted + shares.postCounted) - tokenCounted,
    postsCount: byAddress.reduce((count, posts) => count + posts.count, inToken?.count ?? 0),
  }
}

/** The ranking value of the creators board. */
export const countedOf = ({ tokenCounted, postsCounted }: Portfolio): MicroUsd => tokenCounted + postsCounted
