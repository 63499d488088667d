import { verifiedCreator } from '../authorship.ts'
import { byLaunch } from '../launch-order.ts'
import { counted, inQuote } from '../pool.ts'
import { QUOTE_POOLS_MAX } from '../rules.ts'
import type {
  Address,
  Coin,
  OwnerChange,
  PostOwner,
  PostSums,
  References,
  Token,
  TokenState,
} from '../segment.ts'

/** Owners by address; one that is missing owns nothing. */
export type PostOwners = ReadonlyMap<Address, PostOwner>

/** An owner in two parts: the sums of posts quoted in itself, which only a creator token has, and the rest. */
export function partsOf(owner: Address, { oldestCreatorToken, posts }: PostOwner) {
  const isOwn = ({ quote }: PostSums) => quote === owner
  const rest: PostOwner = { oldestCreatorToken, posts: posts.filter((sums) => !isOwn(sums)) }
  return { own: posts.find(isOwn), rest }
}

/** Joins the two parts. */
export const withOwnSums = (rest: PostOwner, own: PostSums): PostOwner => ({
  ...rest,
  posts: sortedSums([...rest.posts, own]),
})

/** An owner without posts. */
export const noPosts: PostOwner = { oldestCreatorToken: null, posts: [] }

/** Inputs of a cap. */
export type CapState = Pick<TokenState, 'sqrtPriceX96' | 'supply' | 'reserveQuote'>

/**
 * A token's market cap in base units of its quote, and what it counts for: at most CAP_PER_LIQUIDITY times the quote
 * amount in its pool. A cap above that is its launcher's choice, and is in no sum of plain caps.
 */
export function contributionOf({ isCurrency0 }: Pick<Coin, 'isCurrency0'>, state: CapState) {
  const cap = inQuote(state.supply, { sqrtPriceX96: state.sqrtPriceX96, isCurrency0 })
  const backed = counted(cap, state.reserveQuote)
  return { cap, counted: backed, plain: backed < cap ? 0n : cap }
}

/**
 * What a creator token and the posts quoted in it count for, in base units of its quote: together at most
 * CAP_PER_LIQUIDITY times the quote amount in its pool. `postsAlone`: what the posts count for without that bound.
 */
export function sharesOf(token: Pick<Coin, 'isCurrency0'>, state: CapState, posts: PostSums | undefined) {
  const pool = { sqrtPriceX96: state.sqrtPriceX96, isCurrency0: token.isCurrency0 }
  const own = contributionOf(token, state)
  const postsAlone = inQuote(posts?.counted ?? 0n, pool)
  const all = counted(own.cap + postsAlone, state.reserveQuote)
  return {
    creatorCounted: own.counted,
    creatorPlain: own.plain,
    postCounted: all - own.counted,
    // A price that is its launcher's choice values no posts.
    postPlain: own.plain < own.cap ? 0n : inQuote(posts?.plain ?? 0n, pool),
    postsAlone,
  }
}

/** Tokens and reference currencies that posts are grouped by. `tokenOf` must know a post's quote if it is a token. */
export type PostMarket = {
  readonly tokenOf: (address: Address) => Coin | undefined
  readonly references: References
}

/**
 * The owner that a post's sums belong to: the creator token that it is quoted in, else its creator's address; null for a
 * post that only names its creator. A quote launched after the post does not become its owner, so the owner changes only
 * if the post itself migrates.
 */
export function ownerOf(
  post: Coin,
  { tokenOf, references }: PostMarket,
): { readonly owner: Address; readonly quote: Address | null } | null {
  const quote = tokenOf(post.quote)
  if (quote?.kind === 'creator' && byLaunch(quote, post) < 0) return { owner: post.quote, quote: post.quote }
  const owner = verifiedCreator(post)
  return owner && { owner, quote: references.has(post.quote) ? post.quote : null }
}

/** A token before (null: launched in the minute) and after a minute. */
export type TokenStep = {
  readonly before: { readonly token: Token; readonly state: TokenState } | null
  readonly after: { readonly token: Token; readonly state: TokenState }
}

/** The owners after a minute with these changes: sums change by each touched post's counted value after minus before. */
export function ownersAfter(before: PostOwners, steps: readonly TokenStep[], market: PostMarket): PostOwners {
  const owners = new Map(before)
  for (const { before, after } of steps) {
    if (after.token.kind === 'post') {
      if (before) addPost(owners, before, { market, sign: -1 })
      addPost(owners, after, { market, sign: 1 })
    } else if (!before) addCreatorToken(owners, after.token, market)
  }
  return owners
}

function addPost(
  owners: Map<Address, PostOwner>,
  { token, state }: TokenStep['after'],
  { market, sign }: { readonly market: PostMarket; readonly sign: 1 | -1 },
): void {
  const owned = ownerOf(token, market)
  if (!owned) return
  const { owner, quote } = owned
  const known = owners.get(owner) ?? noPosts
  const sums = known.posts.find((sums) => sums.quote === quote)
  const { counted, plain } = quote === null ? { counted: 0n, plain: 0n } : contributionOf(token, state)
  const moved: PostSums = {
    quote,
    counted: (sums?.counted ?? 0n) + BigInt(sign) * counted,
    plain: (sums?.plain ?? 0n) + BigInt(sign) * plain,
    count: (sums?.count ?? 0) + sign,
    lastSwapMinute: Math.max(sums?.lastSwapMinute ?? 0, state.lastSwapMinute),
  }
  const posts = [...known.posts.filter((other) => other !== sums), ...(moved.count > 0 ? [moved] : [])]
  owners.set(owner, { ...known, posts: sortedSums(posts) })
}

/** Order of an owner's sums: by quote, null last. */
export const sortedSums = (sums: readonly PostSums[]): readonly PostSums[] =>
  sums.toSorted((a, b) => (a.quote === null ? 1 : b.quote === null ? -1 : a.quote < b.quote ? -1 : 1))

/** Launches are in chain order, except for a token older than the log that is imported late. */
function addCreatorToken(owners: Map<Address, PostOwner>, token: Token, { tokenOf }: PostMarket): void {
  const creator = verifiedCreator(token)
  if (!creator) return
  const known = owners.get(creator) ?? noPosts
  const oldest = known.oldestCreatorToken && tokenOf(known.oldestCreatorToken)
  if (known.oldestCreatorToken && !(oldest && byLaunch(token, oldest) < 0)) return
  owners.set(creator, { ...known, oldestCreatorToken: token.address })
}

/** Tokens related to a token, whose rows are stored with its own: its quote, and its creator's oldest creator token. */
export function relatedTokensOf(
  token: Pick<Coin, 'quote' | 'creator' | 'launchedBy'>,
  owners: PostOwners,
  references: References,
): readonly Address[] {
  const { quote } = token
  const creator = verifiedCreator(token)
  const oldest = creator && owners.get(creator)?.oldestCreatorToken
  return [...(references.has(quote) ? [] : [quote]), ...(oldest ? [oldest] : [])]
}

/** Related tokens have related tokens; this many steps reach everything that a token's price and its creator's portfolio depend on. */
export const RELATED_STEPS = QUOTE_POOLS_MAX

/**
 * The tokens with a row in a minute's segment, sorted: those that it touched, and their related tokens. `coinsOf` gives the
 * descriptions of a known token before and after the minute: a post that moved to another quote has both as related tokens.
 */
export function withRelatedTokens(
  touched: readonly Address[],
  coinsOf: (address: Address) => readonly Coin[],
  { owners, references }: { readonly owners: PostOwners; readonly references: References },
): readonly Address[] {
  const rows = new Set(touched)
  let added = touched
  for (let step = 0; step < RELATED_STEPS; step++) {
    const related = added.flatMap(coinsOf).flatMap((coin) => relatedTokensOf(coin, owners, references))
    added = related.filter((address) => !rows.has(address) && coinsOf(address).length > 0)
    for (const address of added) rows.add(address)
  }
  return [...rows].sort()
}

/** Owners whose sums are stored with a token's row: a creator token itself, and its creator's address if verified. */
export function ownersBeside(coin: Coin): readonly Address[] {
  const creator = verifiedCreator(coin)
  return [
    ...new Set([...(coin.kind === 'creator' ? [coin.address] : []), ...(creator === null ? [] : [creator])]),
  ]
}

/** The owners related to the rows of these tokens that own anything before or after a minute, sorted. */
export function ownerChanges(
  coins: readonly Coin[],
  before: PostOwners,
  after: PostOwners,
): readonly OwnerChange[] {
  const owners = [...new Set(coins.flatMap(ownersBeside))].sort()
  const changes = owners.map((owner) => ({
    owner,
    before: before.get(owner) ?? noPosts,
    after: after.get(owner) ?? noPosts,
  }))
  return changes.filter((change) =>
    [change.before, change.after].some(
      ({ oldestCreatorToken, posts }) => oldestCreatorToken || posts.length > 0,
    ),
  )
}
