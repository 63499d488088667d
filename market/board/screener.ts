/** The screener: every token with a trade in the last 24 hours, of which the first SCREENER_SIZE are listed. */
import { isCovered, isCoveredByHour } from '../coverage.ts'
import { changeE2 } from '../display.ts'
import { basePriceOf, figuresOfWorth } from '../route.ts'
import { SCREENER_SIZE } from '../rules.ts'
import type { Address, MicroUsd, Token, TokenKind, UsdE36 } from '../segment.ts'
import { startOf } from '../window.ts'
import { type ByKind, tieKeys } from './board.ts'
import { type NamedCurrency, type NameFlags, namedToken, nameFlagsBeside } from './lookalikes.ts'
import { amountSince, creatorAddressAt, creatorNumberOf, type MarketAt } from './market-at.ts'
import { rankedNumbers, wholeKey } from './ranking.ts'
import type { Market } from './rankings.ts'
import type { TokenFigures, TokenNow, TokenSummary } from './row.ts'

/** What lists are screened by, of one token. Null as on every row; `launchedAt`: Unix seconds, null if it is older than the log. */
export type ScreenedFigures = Omit<TokenNow, 'token' | 'creatorToken' | 'nameFlags'> & {
  readonly rankVolume24h: MicroUsd | null
  readonly launchedAt: number | null
}

/** A token that is screened. Descriptions are text as `MarketAt` has it. */
export type ScreenedToken = ScreenedFigures & {
  readonly kind: TokenKind
  readonly description: string
  /** Of a post: its creator token's description, or its address if it is not among these tokens, as in another shard. */
  readonly creatorToken:
    | { readonly description: string }
    | { readonly address: Address; readonly description: null }
    | null
}

/** The screened tokens, largest rank volume first, then as every list, and how many have traded in all. */
export type Screened = { readonly traded: number; readonly tokens: readonly ScreenedToken[] }

/** A row of the screener. */
export type ScreenerRow = TokenSummary &
  Pick<ScreenedFigures, 'rankVolume24h'> & { readonly ageSeconds: number | null }

/** Numbers of the screened tokens in their order, the keys of that order, and how many tokens have traded in all. */
export function screenedNumbers({ at, valuations, since }: Market) {
  const { trades, rankVolume } = since['24h']
  const traded: number[] = []
  for (let number = 0; number < trades.about.length; number++) {
    if ((trades.about[number] as number) > 0) traded.push(number)
  }
  const keys = [wholeKey(rankVolume), ...tieKeys(valuations.now)]
  const numbers = rankedNumbers(traded, at.now.tokenOf, { keys, size: SCREENER_SIZE })
  return { traded: traded.length, numbers, keys }
}

/** The tokens traded in the last 24 hours. */
export function screenedTokens(market: Market): Screened {
  const { now } = market.at
  const { traded, numbers } = screenedNumbers(market)
  const { isCreator } = now.coins()
  const figures = figuresIn(market)
  const tokens = numbers.map((number): ScreenedToken => {
    const isPost = isCreator[number] !== 1
    return {
      kind: isPost ? 'post' : 'creator',
      description: now.textOf(number),
      creatorToken: isPost ? creatorTokenIn(now, number) : null,
      // Last: a spread that comes first takes V8 ten times as long.
      ...figures(number),
    }
  })
  return { traded, tokens }
}

/** The figures of a token as other rows have them, without reading its description where the columns tell. */
function figuresIn(market: Market): (number: number) => ScreenedFigures {
  const { valuations, since, minute } = market
  const { now, '24h': dayAgo } = market.at
  const { isImported, launchedAt } = now.coins()
  const starts = { '24h': startOf(minute, '24h'), '7d': startOf(minute, '7d') }
  const { volume24h, worthOf } = valuations.now
  const earnedSince = amountSince('cumEarnedMicroUsd', now, dayAgo)
  const changeIn = (name: '24h' | '7d', number: number, price: UsdE36 | null): bigint | null => {
    const isSame = (launchedAt[number] as number) < starts[name]
    const priceThen = () => valuations[name].priceOf(number)
    const base = isSame ? priceThen() || null : basePriceOf(now.tokenOf(number), starts[name], priceThen)
    return base === null || price === null ? null : changeE2(base, price)
  }
  return (number) => {
    const [launch, isOlder] = [launchedAt[number] as number, isImported[number] === 1]
    const from = isOlder ? launch : null
    const isDayKnown = isCovered(from, starts['24h'])
    const worth = figuresOfWorth(worthOf(number))
    return {
      holders: isOlder ? null : now.read('holders', number),
      volume24h: isDayKnown ? volume24h.exactly(number) : null,
      totalVolume: isOlder ? null : now.read('cumVolumeMicroUsd', number),
      creatorEarnings24h: isDayKnown ? earnedSince(number) : null,
      creatorEarnings: isOlder ? null : now.read('cumEarnedMicroUsd', number),
      trades24h: isDayKnown ? (since['24h'].trades.about[number] as number) : null,
      change24hE2: changeIn('24h', number, worth.priceUsdE36),
      change7dE2: changeIn('7d', number, worth.priceUsdE36),
      rankVolume24h: isCoveredByHour(from, starts['24h']) ? since['24h'].rankVolume.exactly(number) : null,
      launchedAt: isOlder ? null : launch,
      ...worth,
    }
  }
}

/** The creator token that a post belongs to. */
function creatorTokenIn(now: MarketAt, number: number): ScreenedToken['creatorToken'] {
  const { quotes, isCreator, launchedAt } = now.coins()
  const quote = quotes[number] as number
  // A quote launched before the post owns it; only one of the same second has to be looked at.
  const isOwn =
    quote >= 0 && isCreator[quote] === 1 && (launchedAt[quote] as number) < (launchedAt[number] as number)
  const found = isOwn ? quote : creatorNumberOf(now, number)
  if (found !== undefined) return { description: now.textOf(found) }
  const address = creatorAddressAt(now, number)
  return address && { address, description: null }
}

/** What a row needs besides its token's figures: the tokens on both boards by rank, and the time of the figures, Unix seconds. */
export type ScreenerFacts = BoardFacts & { readonly seconds: number }

/** Ranks on the boards, and warnings about names that look like theirs. */
export type BoardFacts = {
  readonly boardRanks: ReadonlyMap<Address, number>
  readonly flagsOf: (token: Token) => NameFlags
}

/** The tokens on both boards, by rank. */
export type BoardTokens = ByKind<readonly Token[]>

/** What rows need of the boards' tokens; `currencies`: the names of the references. */
export function boardFactsOf(
  { creator, post }: BoardTokens,
  currencies: Iterable<NamedCurrency>,
): BoardFacts {
  const ranks = [creator, post].flatMap((board) => board.map(({ address }, at) => [address, at + 1] as const))
  const listed = [...creator, ...post].map(namedToken)
  return { boardRanks: new Map(ranks), flagsOf: nameFlagsBeside({ listed, currencies }) }
}

/** The row of a screened token, whose descriptions have been read. `rank` is by rank volume; `position` that in the answer. */
export function screenerRow(
  { launchedAt, ...figures }: ScreenedFigures,
  { token, creatorToken }: Pick<TokenNow, 'token' | 'creatorToken'>,
  { rank, position, boardRanks, flagsOf, seconds }: ScreenerFacts & Pick<TokenFigures, 'rank' | 'position'>,
): ScreenerRow {
  return {
    ...figures,
    rank,
    position,
    token,
    creatorToken: token.kind === 'creator' ? token : creatorToken,
    nameFlags: flagsOf(token),
    volume: figures.volume24h,
    trades: figures.trades24h,
    boardRank: boardRanks.get(token.address) ?? null,
    ageSeconds: launchedAt === null ? null : seconds - launchedAt,
  }
}
