/** Lists of a market that was ranked in shards: each shard's own lists with their places, merged into those of the whole market. */
import { verifiedCreator } from '../authorship.ts'
import { ownerOf } from '../fold/post-owners.ts'
import { byLaunch } from '../launch-order.ts'
import { BOARD_SIZE, DISCOVER_SIZE } from '../rules.ts'
import {
  type Address,
  type Minute,
  type References,
  type Token,
  type TokenKind,
  tokenKinds,
} from '../segment.ts'
import {
  type BoardTime,
  boardTimes,
  byName,
  type Period,
  periods,
  type Timeframe,
  timeframes,
} from '../window.ts'
import { type ByKind, mayHaveSwap } from './board.ts'
import { risingTokens } from './discovery.ts'
import type { Lists } from './lists.ts'
import { type NamedCurrency, namedToken, nameFlagsBeside } from './lookalikes.ts'
import { previousRank, ranksThen } from './past-ranks.ts'
import { byPlace, type Place, placesOf, type RankedToken } from './ranking.ts'
import type { Market } from './rankings.ts'
import type { TokenFigures, TokenSummary } from './row.ts'
import { type Screened, type ScreenedScores, screenedScores } from './screener.ts'
import { type TrendingOrder, trendingOrders } from './trending.ts'

type Boards = Readonly<Record<BoardTime, ByKind<readonly Place[]>>>

/** The places of a shard's lists, in the order of their rows, and what its boards' earlier ranks depend on. */
export type ListPlaces = {
  readonly boards: Boards
  /** If all older tokens had been swapped before the log. */
  readonly fullestBoards: Boards
  readonly trending: Readonly<Record<Timeframe, Readonly<Record<TrendingOrder, readonly Place[]>>>>
  readonly rising: readonly Place[]
  /** Tokens on the boards of which it is unknown whether they had a swap by the start of a period. */
  readonly mayHaveSwap: Readonly<Record<Period, readonly Address[]>>
  readonly hasState: Readonly<Record<Period, boolean>>
  /** Of the posts that are listed, their verified creators' oldest creator tokens. */
  readonly oldestCreatorTokens: ReadonlyMap<Address, Address>
  /** Tokens, in any shard, of which one may be the creator token of a listed post. */
  readonly creatorTokens: readonly Address[]
  readonly screened: ScreenedScores
}

/** The places of a market's lists; `members`: tokens of the index, which are listed as well. */
export function listPlacesOf(
  market: Market,
  { lists, screened }: { readonly lists: Lists; readonly screened: Screened },
  members: readonly Token[],
): ListPlaces {
  const boards = boardPlaces(market.boards)
  const posts = [...tokensOf(lists), ...members].filter(({ kind }) => kind === 'post')
  const oldestCreatorTokens = new Map(posts.flatMap((post) => oldestBeside(market, post)))
  const quotes = posts.map(({ quote }) => quote).filter((quote) => !market.at.now.references.has(quote))
  const elsewhere = screened.creatorTokens.flatMap((creatorToken) =>
    creatorToken?.description === null ? [creatorToken.address] : [],
  )
  return {
    boards,
    fullestBoards: market.fullestBoards === market.boards ? boards : boardPlaces(market.fullestBoards),
    trending: byName(timeframes, (name) =>
      byName(trendingOrders, (order) => placesOf(market.trending[name][order])),
    ),
    rising: placesOf(risingTokens(market)),
    mayHaveSwap: byName(periods, (period) =>
      tokenKinds
        .flatMap((kind) => market.boards.now[kind])
        .flatMap(({ number, token }) =>
          mayHaveSwap(market.valuations[period], number) ? [token.address] : [],
        ),
    ),
    hasState: byName(periods, market.hasState),
    oldestCreatorTokens,
    creatorTokens: [...new Set([...quotes, ...oldestCreatorTokens.values(), ...elsewhere])],
    screened: screenedScores(market),
  }
}

/** A post's address, and the oldest creator token of its verified creator, if there is one. */
function oldestBeside({ at: { now } }: Market, post: Token): readonly (readonly [Address, Address])[] {
  const creator = verifiedCreator(post)
  const oldest = creator && now.ownerOf(creator).oldestCreatorToken
  return oldest ? [[post.address, oldest]] : []
}

const boardPlaces = (boards: Readonly<Record<BoardTime, ByKind<readonly RankedToken[]>>>): Boards =>
  byName(boardTimes, (name) => ({
    creator: placesOf(boards[name].creator),
    post: placesOf(boards[name].post),
  }))

/** The tokens on a shard's lists, each once. */
function tokensOf({ boards, trending, rising, launches }: Lists): readonly Token[] {
  const rows = [
    ...tokenKinds.flatMap((kind) => Object.values(boards[kind]).flat()),
    ...Object.values(trending).flatMap((orders) => Object.values(orders).flat()),
    ...rising,
    ...launches,
  ]
  return [...new Map(rows.map(({ token }) => [token.address, token])).values()]
}

/** A shard's lists and their places. */
export type ShardLists = { readonly lists: Lists; readonly places: ListPlaces }

/** What the rows of a whole market need besides the shards' lists. */
export type MergeFacts = {
  readonly minute: Minute
  readonly coverageFrom: number | null
  readonly references: References
  readonly currencies: readonly NamedCurrency[]
  /** A token by its address, from whichever shard has it. */
  readonly tokenOf: (address: Address) => Token | undefined
}

/** The whole lists of a market in shards. */
export function mergedLists(shards: readonly ShardLists[], facts: MergeFacts): Lists {
  const boards = mergedBoards(shards, 'boards')
  const { ranked, summaries } = finishing(shards, boards, facts)
  const rankThen = ranksThenIn(shards, boards, facts)
  const boardOf = (kind: TokenKind, period: Period) => {
    const rows = firstRows(shards, BOARD_SIZE, ({ lists, places }) => [
      lists.boards[kind][period],
      places.boards.now[kind],
    ])
    const rankOf = rankThen(kind, period)
    return ranked(rows).map((row) => ({ ...row, ...rankOf(row.token.address) }))
  }
  return {
    boards: {
      creator: byName(periods, (period) => boardOf('creator', period)),
      post: byName(periods, (period) => boardOf('post', period)),
    },
    trending: byName(timeframes, (name) =>
      byName(trendingOrders, (order) =>
        ranked(
          firstRows(shards, BOARD_SIZE, ({ lists, places }) => [
            lists.trending[name][order],
            places.trending[name][order],
          ]),
        ),
      ),
    ),
    rising: summaries(firstRows(shards, DISCOVER_SIZE, ({ lists, places }) => [lists.rising, places.rising])),
    launches: summaries(
      shards
        .flatMap(({ lists }) => lists.launches)
        .sort((a, b) => byLaunch(b.token, a.token))
        .slice(0, DISCOVER_SIZE),
    ),
  }
}

/** Gives rows what depends on the whole market: their ranks, the flags of their names, and creator tokens of other shards. */
function finishing(shards: readonly ShardLists[], boards: Boards, facts: MergeFacts) {
  const listed = tokenKinds.flatMap((kind) => boards.now[kind]).map(({ token }) => namedToken(token))
  const nameFlagsOf = nameFlagsBeside({ listed, currencies: facts.currencies })
  const creatorOf = creatorTokensBy(shards, facts)
  const boardRanks = new Map(
    tokenKinds.flatMap((kind) => boards.now[kind].map(({ token }, at) => [token.address, at + 1] as const)),
  )
  const ranked = <Row extends TokenFigures>(rows: readonly Row[]): readonly Row[] =>
    rows.map((row, at) => {
      const creatorToken = creatorOf(row.token)
      return { ...row, rank: at + 1, position: at + 1, nameFlags: nameFlagsOf(row.token), creatorToken }
    })
  const summaries = <Row extends TokenSummary>(rows: readonly Row[]): readonly Row[] =>
    ranked(rows).map((row) => ({ ...row, boardRank: boardRanks.get(row.token.address) ?? null }))
  return { ranked, summaries }
}

/** Earlier ranks on the whole boards. */
function ranksThenIn(shards: readonly ShardLists[], boards: Boards, facts: MergeFacts) {
  const fullest = mergedBoards(shards, 'fullestBoards')
  return (kind: TokenKind, period: Period) => {
    const hasState = shards.some(({ places }) => places.hasState[period])
    const unsure = new Set(shards.flatMap(({ places }) => places.mayHaveSwap[period]))
    const rankOf = ranksThen<Address>(facts, {
      sure: boards[period][kind].map(addressOf),
      fullest: fullest[period][kind].map(addressOf),
      mayHaveSwap: (address) => unsure.has(address),
    })
    return (address: Address) => previousRank(rankOf(address), hasState)
  }
}

const addressOf = ({ token }: Place): Address => token.address

const mergedBoards = (shards: readonly ShardLists[], name: 'boards' | 'fullestBoards'): Boards =>
  byName(boardTimes, (time) => {
    const placesIn = (kind: TokenKind) => shards.flatMap(({ places }) => places[name][time][kind])
    return {
      creator: placesIn('creator').sort(byPlace).slice(0, BOARD_SIZE),
      post: placesIn('post').sort(byPlace).slice(0, BOARD_SIZE),
    }
  })

/** The first `size` rows of a list by their places, of which each shard gives its own first ones. */
function firstRows<Row>(
  shards: readonly ShardLists[],
  size: number,
  pick: (shard: ShardLists) => readonly [readonly Row[], readonly Place[]],
): readonly Row[] {
  const all = shards.flatMap((shard) => {
    const [rows, places] = pick(shard)
    return rows.map((row, at) => ({ row, place: places[at] as Place }))
  })
  return all
    .sort((a, b) => byPlace(a.place, b.place))
    .slice(0, size)
    .map(({ row }) => row)
}

/** A creator token itself; of a post the creator token that it belongs to, which may be in another shard, or null. */
export function creatorTokensBy(
  shards: readonly Pick<ShardLists, 'places'>[],
  { references, tokenOf }: Pick<MergeFacts, 'references' | 'tokenOf'>,
): (token: Token) => Token | null {
  const oldest = new Map(shards.flatMap(({ places }) => [...places.oldestCreatorTokens]))
  return (token) => {
    if (token.kind === 'creator') return token
    const owned = ownerOf(token, { tokenOf, references })
    if (!owned) return null
    const { owner, quote } = owned
    const address = owner === quote ? owner : oldest.get(token.address)
    return (address && tokenOf(address)) ?? null
  }
}
