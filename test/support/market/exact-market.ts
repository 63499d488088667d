/** A market in plain maps over all tokens ever launched, for comparison with the engine's. */
import type { Coins, MarketAt, PostColumns } from '../../../market/board/market-at.ts'
import { isImported } from '../../../market/coverage.ts'
import { noPosts, ownersAfter } from '../../../market/fold/post-owners.ts'
import {
  type Address,
  emptyState,
  type PostOwner,
  type References,
  type Token,
  type TokenState,
  type UsdE36,
} from '../../../market/segment.ts'
import { tokenLine } from '../../../store/bytes/codec.ts'
import { references as ratesOf } from './facts.ts'
import type { World } from './market-history.ts'

/** The market of a world; tokens are numbered by their index in `tokens`. */
export function exactMarket(
  tokens: readonly Token[],
  world: Pick<World, 'tokens' | 'states' | 'owners'>,
  references: References,
  hourPrices: ReadonlyMap<Address, UsdE36> = new Map(),
): MarketAt {
  const numbers = new Map(tokens.map(({ address }, number) => [address, number]))
  const tokenOf = (number: number): Token => {
    const token = tokens[number] as Token
    return world.tokens.get(token.address) ?? token
  }
  const stateOf = (number: number): TokenState =>
    world.states.get((tokens[number] as Token).address) ?? emptyState
  const ownerOf = (address: Address) => world.owners.get(address) ?? noPosts
  const others: (Address | null)[] = []
  const quoteOf = (quote: Address | null) => (quote && numbers.get(quote)) ?? -others.push(quote)
  const all = tokens.map((_, number) => tokenOf(number))
  const hourPriceOf = (number: number) => hourPrices.get((tokens[number] as Token).address) ?? null
  const hourPrice = Float64Array.from(tokens, (_, number) => Number(hourPriceOf(number) ?? 0n) / 1e36)
  const coins = { ...coinsOf(all, quoteOf), others, hourPrice }
  const posts = postsBeside(world.owners, quoteOf, numbers)
  return {
    references,
    count: tokens.length,
    tokenOf,
    textOf: (number) => tokenLine.write(tokenOf(number)),
    numberOf: (address) => numbers.get(address),
    zeros: () => new Float64Array(tokens.length),
    withScratch: (use) => use(),
    coins: () => coins,
    posts: () => posts,
    read: (field, number) => stateOf(number)[field],
    column: (field) => Float64Array.from(tokens, (_, number) => Number(stateOf(number)[field])),
    ownerOf,
    hourPriceOf,
  }
}

type QuoteOf = (quote: Address | null) => number

const coinsOf = (tokens: readonly Token[], quoteOf: QuoteOf): Omit<Coins, 'hourPrice' | 'others'> => ({
  quotes: tokens.map(({ quote }) => quoteOf(quote)),
  isCurrency0: Uint8Array.from(tokens, ({ isCurrency0 }) => Number(isCurrency0)),
  isCreator: Uint8Array.from(tokens, ({ kind }) => Number(kind === 'creator')),
  isImported: Uint8Array.from(tokens, (token) => Number(isImported(token))),
  launchedAt: Float64Array.from(tokens, ({ launchedAt }) => launchedAt.timestamp),
})

function postsBeside(
  owners: ReadonlyMap<Address, PostOwner>,
  quoteOf: QuoteOf,
  numbers: ReadonlyMap<Address, number>,
): PostColumns {
  const sums = [...owners].flatMap(([owner, { oldestCreatorToken, posts }]) =>
    posts.map((each) => ({ ...each, creator: each.quote === owner ? owner : oldestCreatorToken })),
  )
  return {
    creatorTokens: Int32Array.from(sums, ({ creator }) => (creator && numbers.get(creator)) ?? -1),
    quotes: sums.map(({ quote }) => quoteOf(quote)),
    counted: Float64Array.from(sums, ({ counted }) => Number(counted)),
    lastSwap: Float64Array.from(sums, ({ lastSwapMinute }) => lastSwapMinute),
  }
}

export type MarketEntry = readonly [Token, TokenState]

/** The market of these tokens, numbered by their index in `all`. */
export function marketOfEntries(
  entries: readonly MarketEntry[],
  {
    all = entries.map(([token]) => token),
    references = ratesOf(1000),
    hourPrices,
  }: { all?: readonly Token[]; references?: References; hourPrices?: ReadonlyMap<Address, UsdE36> } = {},
) {
  const tokens = new Map(entries.map(([token]) => [token.address, token]))
  const states = new Map(entries.map(([token, state]) => [token.address, state]))
  const steps = entries.map(([token, state]) => ({ before: null, after: { token, state } }))
  // In the order of the launches, as in a log.
  const inOrder = steps.toSorted(
    (a, b) => a.after.token.launchedAt.blockNumber - b.after.token.launchedAt.blockNumber,
  )
  const owners = ownersAfter(new Map(), inOrder, { references, tokenOf: (address) => tokens.get(address) })
  return exactMarket(all, { tokens, states, owners }, references, hourPrices)
}
