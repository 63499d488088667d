import type { Coins, MarketAt, PostColumns } from '../../market/board/market-at.ts'
import { noPosts, sortedSums } from '../../market/fold/post-owners.ts'
import { memoized } from '../../market/memoized.ts'
import type { Address, PostOwner, References } from '../../market/segment.ts'
import { tokenLine } from '../../store/bytes/codec.ts'
import { type ActiveMarket, ArrayPool, quoteNumber } from './active-market.ts'

/**
 * Views of the market at indexes of `windows`, with the reference rates of those times. They share what they have in
 * common, and are valid until the market advances or `arrays` are reclaimed.
 */
export function viewsOf(market: ActiveMarket, arrays = new ArrayPool()) {
  const { states, byAddress, descriptions, hourPrices, redescribed, sums } = market
  const read = memoized(tokenLine.read)
  const posts = memoized(() => relationsOf(market))
  return (at: number, references: References): MarketAt => {
    const textOf = (number: number) => redescribed.get(number)?.[at] ?? (descriptions[number] as string)
    const coins = memoized(() => {
      posts(null) // the quotes of posts are in `others`, too
      return coinsThen(market, at)
    })
    return {
      references,
      count: states.count,
      textOf,
      tokenOf: (number) => read(textOf(number)),
      numberOf: (address) => byAddress.get(address),
      read: (field, number) => states.read(field, number, at),
      column: (field) => states.column(field, at, arrays.next(states.count)),
      zeros: () => arrays.next(states.count).fill(0),
      withScratch: (use) => arrays.within(use),
      coins: () => coins(null),
      hourPriceOf: (number) => (hourPrices[number] ? BigInt(hourPrices[number]) : null),
      ownerOf: (address) => ownerThen(market, address, at),
      posts: () => ({
        ...postsThen(market, posts(null), at),
        counted: sums.column('counted', at, arrays.next(sums.count)),
        lastSwap: sums.column('lastSwapMinute', at, arrays.next(sums.count)),
      }),
    }
  }
}

/** Owners of posts as of now. */
type PostRelations = Pick<PostColumns, 'creatorTokens' | 'quotes'>

function relationsOf(market: ActiveMarket): PostRelations {
  const { byAddress, sums, owners } = market
  const quotes = new Int32Array(sums.count)
  const creatorTokens = new Int32Array(sums.count).fill(-1)
  for (const [address, owner] of owners) {
    const oldest = numberOf(byAddress, owner.oldestCreatorToken)
    for (const { quote, number } of owner.sums) {
      const isOwn = quote === address
      creatorTokens[number] = isOwn ? numberOf(byAddress, address) : oldest
      quotes[number] = isOwn ? (creatorTokens[number] as number) : quoteNumber(market, quote)
    }
  }
  return { quotes, creatorTokens }
}

const numberOf = (byAddress: ReadonlyMap<Address, number>, address: Address | null): number =>
  (address === null ? undefined : byAddress.get(address)) ?? -1

/** The tokens' descriptions at that time. */
function coinsThen(market: ActiveMarket, at: number): Coins {
  const { columns, redescribed } = market
  const then = { quotes: columns.quotes, isCurrency0: columns.isCurrency0 }
  if (at > 0 && redescribed.size > 0) {
    then.quotes = columns.quotes.slice()
    then.isCurrency0 = columns.isCurrency0.slice()
    for (const [number, texts] of redescribed) {
      const { quote, isCurrency0 } = tokenLine.read(texts[at] as string)
      then.quotes[number] = quoteNumber(market, quote)
      then.isCurrency0[number] = Number(isCurrency0)
    }
  }
  return { ...columns, ...then, others: [...market.others.keys()] }
}

/** Owners of posts at that time. */
function postsThen(
  { byAddress, owners, reowned }: ActiveMarket,
  { quotes, creatorTokens }: PostRelations,
  at: number,
): PostRelations {
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
