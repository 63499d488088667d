import type { Coins, MarketAt, PostColumns } from '../market/market-at.ts'
import { noPosts, type PostOwner, sortedSums } from '../market/post-owners.ts'
import type { Address, References } from '../market/segment.ts'
import { byName } from '../market/window.ts'
import { tokenOfLine } from '../store/codec.ts'
import type { ActiveMarket } from './active-market.ts'

/** The market at a place in the order of `windows`, with the reference rates of then. */
export type Views = (at: number, references: References) => MarketAt

/** Views of the market as it stands, which share what they have in common. They hold until the market goes on. */
export function viewsOf(market: ActiveMarket): Views {
  const { states, byAddress, descriptions, redescribed, sums } = market
  const read = memoized(tokenOfLine)
  const now = memoized(() => relationsOf(market))
  return (at, references) => {
    const coins = memoized(() => coinsThen(market, now(null), at))
    const posts = memoized(() => postsThen(market, now(null), at))
    return {
      references,
      count: states.count,
      tokenOf: (number) => read(redescribed.get(number)?.[at] ?? (descriptions[number] as string)),
      numberOf: (address) => byAddress.get(address),
      read: (field, number) => states.read(field, number, at),
      columns: (fields) => byName(fields, (field) => states.column(field, at)),
      coins: () => coins(null),
      ownerOf: (address) => ownerThen(market, address, at),
      posts: () => ({
        ...posts(null),
        counted: sums.column('counted', at),
        lastSwap: sums.column('lastSwapMinute', at),
      }),
    }
  }
}

/** Who is quoted in whom, and whose posts belong to whom, as of now. */
type Relations = {
  readonly quoteOf: (quote: Address | null) => number
  readonly others: (Address | null)[]
  readonly quotes: Int32Array
  readonly postQuotes: Int32Array
  readonly creatorTokens: Int32Array
}

function relationsOf({ states, byAddress, descriptions, quotes, sums, owners }: ActiveMarket): Relations {
  const others: (Address | null)[] = []
  const places = new Map<Address | null, number>()
  const quoteOf = (quote: Address | null): number => {
    const token = quote === null ? undefined : byAddress.get(quote)
    if (token !== undefined) return token
    const place = places.get(quote) ?? others.push(quote) - 1
    places.set(quote, place)
    return -1 - place
  }
  const relations: Relations = {
    ...{ quoteOf, others },
    quotes: new Int32Array(states.count),
    postQuotes: new Int32Array(sums.count),
    creatorTokens: new Int32Array(sums.count).fill(-1),
  }
  for (let number = 0; number < states.count; number++) {
    relations.quotes[number] = quoteOf(descriptions[number] ? (quotes[number] as Address) : null)
  }
  for (const [address, owner] of owners) {
    const oldest = numberOf(byAddress, owner.oldestCreatorToken)
    for (const { quote, number } of owner.sums) {
      relations.postQuotes[number] = quoteOf(quote)
      relations.creatorTokens[number] = quote === address ? numberOf(byAddress, address) : oldest
    }
  }
  return relations
}

const numberOf = (byAddress: ReadonlyMap<Address, number>, address: Address | null): number =>
  (address === null ? undefined : byAddress.get(address)) ?? -1

/** The tokens as they were described then. */
function coinsThen({ columns, redescribed }: ActiveMarket, relations: Relations, at: number): Coins {
  const { quotes, others, quoteOf } = relations
  const coins = { ...columns, quotes, others }
  if (at === 0 || redescribed.size === 0) return coins
  const then = { ...coins, quotes: quotes.slice(), isCurrency0: columns.isCurrency0.slice() }
  for (const [number, texts] of redescribed) {
    const { quote, isCurrency0 } = tokenOfLine(texts[at] as string)
    then.quotes[number] = quoteOf(quote)
    then.isCurrency0[number] = Number(isCurrency0)
  }
  return then
}

/** Whose posts were whose then. */
function postsThen(
  { byAddress, owners, reowned }: ActiveMarket,
  { postQuotes: quotes, creatorTokens }: Relations,
  at: number,
): Pick<PostColumns, 'creatorTokens' | 'quotes'> {
  if (at === 0 || reowned.size === 0) return { quotes, creatorTokens }
  const then = creatorTokens.slice()
  for (const [address, oldest] of reowned) {
    const number = numberOf(byAddress, oldest[at] ?? null)
    for (const sums of owners.get(address)?.sums ?? []) if (sums.quote !== address) then[sums.number] = number
  }
  return { quotes, creatorTokens: then }
}

function ownerThen({ owners, reowned, sums }: ActiveMarket, address: Address, at: number): PostOwner {
  const owner = owners.get(address)
  if (!owner) return noPosts
  const oldest = reowned.get(address)
  const posts = owner.sums.map(({ quote, number }) => ({ quote, ...sums.recordAt(number, at) }))
  return {
    oldestCreatorToken: (oldest ? oldest[at] : owner.oldestCreatorToken) ?? null,
    posts: sortedSums(posts.filter(({ count }) => count > 0)),
  }
}

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}
