/** The screener: every token with a trade in the last 24 hours, of which the first SCREENER_SIZE are listed. */
import { isCovered, isCoveredByHour } from '../coverage.ts'
import { changeE2 } from '../display.ts'
import { memoized } from '../memoized.ts'
import { figuresOfWorth } from '../route.ts'
import { SCREENER_SIZE } from '../rules.ts'
import type { Address, MicroUsd, Token, TokenKind } from '../segment.ts'
import { byName, startOf } from '../window.ts'
import { type ByKind, tieKeys } from './board.ts'
import { type NamedCurrency, type NameFlags, namedToken, nameFlagsBeside } from './lookalikes.ts'
import { creatorNumberOf, type MarketAt } from './market-at.ts'
import { changeAbout, rankedNumbers, SAFE, wholeKey } from './ranking.ts'
import type { Market } from './rankings.ts'
import type { TokenFigures, TokenNow, TokenSummary } from './row.ts'
import { amountGrowth, type Growth } from './valuation.ts'

/** What lists are screened by, of one token. Null as on every row; `launchedAt`: Unix seconds, null if it is older than the log. */
export type ScreenedFigures = Omit<TokenNow, 'token' | 'creatorToken' | 'nameFlags'> & {
  readonly rankVolume24h: MicroUsd | null
  readonly launchedAt: number | null
}

/** Every figure, and what its values are: amounts or counts. */
export const screenedFigures: { readonly [N in keyof ScreenedFigures]: typeof BigInt | typeof Number } = {
  priceUsdE36: BigInt,
  marketCap: BigInt,
  effectiveMarketCap: BigInt,
  liquidity: BigInt,
  holders: Number,
  volume24h: BigInt,
  totalVolume: BigInt,
  creatorEarnings24h: BigInt,
  creatorEarnings: BigInt,
  trades24h: Number,
  change24hE2: BigInt,
  change7dE2: BigInt,
  rankVolume24h: BigInt,
  launchedAt: Number,
}
export type ScreenedFigure = keyof ScreenedFigures
export const screenedFigureNames = Object.keys(screenedFigures) as readonly ScreenedFigure[]

/** An exact whole number, as a double where that is exact. */
type Whole = number | bigint

/** For a post: its creator token's description, if that is among the active tokens. */
export type ScreenedCreatorToken = { readonly description: string } | null

/**
 * The screened tokens, largest rank volume first, then as every list, and how many have traded in all. One column per figure,
 * since one object per token would burden the garbage collector. Descriptions are text as `MarketAt` has it.
 */
export type Screened = {
  readonly traded: number
  readonly kinds: readonly TokenKind[]
  readonly descriptions: readonly string[]
  readonly creatorTokens: readonly ScreenedCreatorToken[]
  readonly figures: Readonly<Record<ScreenedFigure, readonly (Whole | null)[]>>
}

/** The figures of the token at an index. */
export const screenedAt = ({ figures }: Pick<Screened, 'figures'>, at: number): ScreenedFigures =>
  byName(screenedFigureNames, (name) => {
    const value = figures[name][at] ?? null
    return value === null ? null : screenedFigures[name](value)
  }) as ScreenedFigures

/** A row of the screener. */
export type ScreenerRow = TokenSummary &
  Pick<ScreenedFigures, 'rankVolume24h'> & { readonly ageSeconds: number | null }

/** Numbers of the screened tokens in their order, and how many tokens have traded in all. */
export function screenedNumbers({ at, valuations, since }: Market) {
  const { trades, rankVolume } = since['24h']
  const traded: number[] = []
  for (let number = 0; number < trades.about.length; number++) {
    if ((trades.about[number] as number) > 0) traded.push(number)
  }
  const keys = [wholeKey(rankVolume), ...tieKeys(valuations.now)]
  const numbers = rankedNumbers(traded, at.now.tokenOf, { keys, size: SCREENER_SIZE })
  return { traded: traded.length, numbers }
}

/** The tokens traded in the last 24 hours. */
export function screenedTokens(market: Market): Screened {
  const { now } = market.at
  const { traded, numbers } = screenedNumbers(market)
  const { isCreator } = now.coins()
  const isPost = (number: number) => isCreator[number] !== 1
  const creatorTokenOf = creatorTokensIn(now)
  return {
    traded,
    kinds: numbers.map((number) => (isPost(number) ? 'post' : 'creator')),
    descriptions: numbers.map(now.textOf),
    creatorTokens: numbers.map((number) => (isPost(number) ? creatorTokenOf(number) : null)),
    figures: now.withScratch(() => figuresIn(market, numbers)),
  }
}

/** The figures of tokens as other rows have them, without reading a description where the columns tell. */
function figuresIn(market: Market, numbers: readonly number[]): Screened['figures'] {
  const { valuations, since, minute } = market
  const { now, '24h': dayAgo } = market.at
  const { isImported, launchedAt } = now.coins()
  const start = startOf(minute, '24h')
  const { trades, rankVolume } = since['24h']
  const worths = numbers.map((number) => figuresOfWorth(valuations.now.worthOnce(number)))
  const ofAll = ({ about, exactly }: Growth<Whole>) =>
    numbers.map((number) => {
      const value = about[number] as number
      return value < SAFE ? value : exactly(number)
    })
  const total = (field: 'holders' | 'cumVolumeMicroUsd' | 'cumEarnedMicroUsd') =>
    ofAll({ about: now.column(field), exactly: (number) => now.read(field, number) })
  /** Null where a token is older than the log, and the window begins before its coverage. */
  const known = <V>(values: readonly V[], isKnown: (from: number) => boolean = () => false) =>
    values.map((value, at) => {
      const number = numbers[at] as number
      return isImported[number] === 1 && !isKnown(launchedAt[number] as number) ? null : value
    })
  const inDay = <V>(values: readonly V[]) => known(values, (from) => isCovered(from, start))
  const priced = (figure: keyof ReturnType<typeof figuresOfWorth>) =>
    worths.map((worth) => {
      const value = worth[figure]
      return value !== null && value < SAFE ? Number(value) : value
    })
  return {
    priceUsdE36: priced('priceUsdE36'),
    marketCap: priced('marketCap'),
    effectiveMarketCap: priced('effectiveMarketCap'),
    liquidity: priced('liquidity'),
    holders: known(total('holders')),
    volume24h: inDay(ofAll(valuations.now.volume24h)),
    totalVolume: known(total('cumVolumeMicroUsd')),
    creatorEarnings24h: inDay(ofAll(amountGrowth('cumEarnedMicroUsd', now, dayAgo))),
    creatorEarnings: known(total('cumEarnedMicroUsd')),
    trades24h: inDay(ofAll(trades)),
    change24hE2: changesIn(market, '24h', { numbers, worths }),
    change7dE2: changesIn(market, '7d', { numbers, worths }),
    rankVolume24h: known(ofAll(rankVolume), (from) => isCoveredByHour(from, start)),
    launchedAt: known(numbers.map((number) => launchedAt[number] as number)),
  }
}

/** Changes of tokens' prices in hundredths of a percent: from doubles where these tell how they are rounded. */
function changesIn(
  { valuations, minute, at: { now } }: Market,
  name: '24h' | '7d',
  {
    numbers,
    worths,
  }: {
    readonly numbers: readonly number[]
    readonly worths: readonly Pick<ScreenedFigures, 'priceUsdE36'>[]
  },
): readonly (Whole | null)[] {
  const start = startOf(minute, name)
  const { launchedAt } = now.coins()
  const { priceOf, approximation } = valuations[name]
  const { price: priceNow } = valuations.now.approximation
  return numbers.map((number, at) => {
    const price = worths[at]?.priceUsdE36 ?? null
    if (price === null) return null
    const isYounger = (launchedAt[number] as number) >= start
    const base = isYounger ? now.tokenOf(number).launch.priceUsdE36 : (approximation.price[number] as number)
    if (!base) return null
    if (typeof base === 'bigint') return changeE2(base, price)
    return changeAbout(base, priceNow[number] as number) ?? changeE2(priceOf(number), price)
  })
}

/** The creator tokens that posts belong to: one object for all posts of one, which is then written once. */
function creatorTokensIn(now: MarketAt): (post: number) => ScreenedCreatorToken {
  const described = memoized((number: number) => ({ description: now.textOf(number) }))
  return (post) => creatorTokenIn(now, post, described)
}

function creatorTokenIn(
  now: MarketAt,
  number: number,
  described: (creator: number) => { readonly description: string },
): ScreenedCreatorToken {
  const { quotes, isCreator, launchedAt } = now.coins()
  const quote = quotes[number] as number
  // A quote launched before the post owns it; only one of the same second has to be looked at.
  const isOwn =
    quote >= 0 && isCreator[quote] === 1 && (launchedAt[quote] as number) < (launchedAt[number] as number)
  const found = isOwn ? quote : creatorNumberOf(now, number)
  return found === undefined ? null : described(found)
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
