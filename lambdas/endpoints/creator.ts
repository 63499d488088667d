import { verifiedCreator } from '../../market/authorship.ts'
import { type Portfolio, portfolioFrom } from '../../market/board/portfolio.ts'
import type { TokenPage } from '../../market/board/token-page.ts'
import { DAY_SECONDS, hourOfMinute } from '../../market/calendar.ts'
import { coverageFrom, isCovered, isImported } from '../../market/coverage.ts'
import { noPosts } from '../../market/fold/post-owners.ts'
import type { Quote } from '../../market/route.ts'
import type { Address, PostSums, Token, TokenState } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { CreatorNotFoundError } from '../../schemas/api/errors.ts'
import { creatorFields, type Earnings, type EarningsDay } from '../../schemas/records/creator.ts'
import { shortAddress } from '../../schemas/values/address.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { textIn } from '../../schemas/values/list-text.ts'
import { readAddress, readSymbols } from '../../schemas/values/token-id.ts'
import { lookupPartitions, marketKeys } from '../../store/aws/tables.ts'
import { type FoundToken, newestOf } from '../../store/items/lookups.ts'
import { nowFrom } from '../../store/items/rows.ts'
import { LOOKUP_MAX } from '../../store/items/token-history.ts'
import { ownerOfItem } from '../../store/items/tokens.ts'
import { MovedOnError, type PastMinute, readApplied } from '../../store/log/applied-read.ts'
import { type ApiEndpoint, numberOf, type ReadStores } from '../api/endpoint.ts'
import { withCountedReads } from '../api/read-budget.ts'
import { readRecords } from './holder-history.ts'
import { type BoardSnapshot, readBoardSnapshot, summaryRows } from './summary-rows.ts'
import { flagsBeside, readPage, snapshotReaderOf, type TokenReader } from './token.ts'

/** Tokens of a handle among which its creator token is looked for. */
const NAMESAKES = 20
/** Read units of what is read strongly here, which are not counted. */
const STRONG_UNITS = 8
const DAY_HOURS = 24

const write = rowWriter(creatorFields)

/** GET /v1/creators/{id}: an address, a handle, or a token of theirs. */
export const creatorPage: ApiEndpoint = async (asked, allStores) => {
  const { value } = await readApplied(allStores.log, async (applied) => {
    const { stores, units } = withCountedReads(allStores)
    const reader = snapshotReaderOf(stores)
    const snapshot = await readBoardSnapshot(stores, applied)
    const { address, token } = await findCreator(reader, asked.id, snapshot)
    const launched = address ? await launchedBy(stores, address, snapshot) : []
    if (!token && launched.length === 0) throw new CreatorNotFoundError(asked.id)
    const flagsOf = flagsBeside(snapshot.boards.values(), stores)
    const page = token && (await readPage(reader, token, snapshot, flagsOf(token)))
    const [portfolio, earnings] = await Promise.all([
      page && readPortfolio(stores, reader, { page, snapshot }),
      page && readEarnings(stores, reader, { page, snapshot, days: numberOf(asked, 'days') }),
    ])
    const reading = { reader, snapshot, flagsOf, units: () => units() + STRONG_UNITS }
    const own = token ? await summaryRows({ rows: [token.address], offset: 0 }, reading) : null
    const posts = asked.query['sort_order'] === 'asc' ? launched.toReversed() : launched
    const [offset, limit] = [numberOf(asked, 'offset'), numberOf(asked, 'limit')]
    const read = await summaryRows({ rows: posts.slice(offset, offset + limit), offset }, reading)
    const next = offset + Math.max(1, read.shown)
    const text = write({
      address,
      handle: token?.symbol || shortAddress(address ?? token?.address ?? '0x'),
      token: own?.texts[0] ?? null,
      portfolio,
      earnings,
      posts: { total: posts.length, offset, next: next < posts.length ? next : null, rows: read.texts },
      asOf: asOf(snapshot.minute),
    })
    return { at: snapshot.at, text }
  })
  return value
}

type Found = { readonly address: Address | null; readonly token: Token | null }

/** The creator's address and token; both null: there is none. */
async function findCreator(reader: TokenReader, id: string, snapshot: BoardSnapshot): Promise<Found> {
  const address = readAddress(id)
  if (!address) return tokenOfHandle(reader, id, snapshot)
  const { history } = reader
  const own = await history.oldestCreatorToken(address)
  const tokens = await history.tokens(own ? [own] : [address])
  const token = [...tokens.values()].find((each) => each.launchedAt.blockNumber <= snapshot.last.number)
  if (!token) return { address, token: null }
  if (own) return { address, token }
  // A token of theirs.
  const creator = isImported(token) ? null : token.creator
  if (token.kind === 'creator') return { address: creator, token }
  return creator ? findCreator(reader, creator, snapshot) : { address: null, token: null }
}

/** The creator token of a handle: one on the board, else the oldest that its creator launched, else the oldest. */
async function tokenOfHandle({ history }: TokenReader, id: string, snapshot: BoardSnapshot): Promise<Found> {
  const symbols = readSymbols(id)
  const listed = [...snapshot.boards].find(
    ([, row]) =>
      textIn(row, 'type') === 'creator' &&
      readSymbols(textIn(row, 'symbol')).some((one) => symbols.includes(one)),
  )
  const namesakes = listed
    ? [listed[0]]
    : (await history.lookup(symbols.map(lookupPartitions.symbol), snapshot.last.number, NAMESAKES))
        .filter(({ kind }) => kind === 'creator')
        .map(({ token }) => token)
  const tokens = await history.tokens(namesakes)
  const known = namesakes.flatMap((address) => tokens.get(address) ?? [])
  const token = known.find((each) => verifiedCreator(each)) ?? known[0] ?? null
  return { address: token && !isImported(token) ? token.creator : null, token }
}

/** Posts that an address launched itself, newest first. */
async function launchedBy(
  { past }: ReadStores,
  address: Address,
  at: PastMinute,
): Promise<readonly Address[]> {
  const found = await newestOf(past, lookupPartitions.creator(address), {
    lastBlock: at.last.number,
    limit: LOOKUP_MAX,
  })
  const isOwnPost = ({ kind, isTheirs }: FoundToken) => kind === 'post' && isTheirs
  return found.filter(isOwnPost).map(({ token }) => token)
}

type Seen = { readonly page: TokenPage; readonly snapshot: BoardSnapshot }

/** What token and posts are worth, from the sums stored with the token's newest state. */
async function readPortfolio(
  { table }: ReadStores,
  reader: TokenReader,
  { page, snapshot }: Seen,
): Promise<Portfolio & { readonly coverageFrom: number | null }> {
  const { token } = page
  const creator = verifiedCreator(token)
  const [now, owner] = await Promise.all([
    table.read(marketKeys.now(token.address)),
    creator ? table.read(marketKeys.postOwner(creator)) : undefined,
  ])
  if (!now) throw new MovedOnError()
  const { oldestCreatorToken, posts } = owner ? ownerOfItem(owner) : noPosts
  const byAddress: readonly PostSums[] = oldestCreatorToken === token.address ? posts : []
  const rates = new Map<Address, Quote>()
  for (const { address, decimals } of reader.references.values()) {
    if (address !== token.quote && !byAddress.some(({ quote }) => quote === address)) continue
    rates.set(address, { usdE36: (await reader.history.rateAt(address, snapshot.minute)) ?? 0n, decimals })
  }
  const { state, posts: inToken } = nowFrom(now)
  const portfolio = portfolioFrom({
    token,
    state,
    posts: { inToken, byAddress },
    quote: rates.get(token.quote) ?? { usdE36: 0n, decimals: 18 },
    rateOf: (currency) => rates.get(currency),
    tokenMarketCap: page.marketCap ?? 0n,
  })
  return { ...portfolio, coverageFrom: coverageFrom(token) }
}

/** What the trades of a creator's token and posts paid, and by days up to now. */
async function readEarnings(
  stores: ReadStores,
  { history }: TokenReader,
  { page, snapshot, days }: Seen & { readonly days: number },
): Promise<Earnings> {
  const { token, state } = page
  const end = asOf(snapshot.minute)
  const today = Math.floor((end - 1) / DAY_SECONDS)
  const launched = Math.floor(token.launchedAt.timestamp / DAY_SECONDS)
  const isKnown = (day: number) => isCovered(coverageFrom(token), day * DAY_SECONDS)
  const first = Math.max(today - days + 1, launched + (isKnown(launched) ? 0 : 1))
  const open = hourOfMinute(snapshot.minute)
  const records = await readRecords(stores, token.address, { first: first * DAY_HOURS, last: open })
  const sumsOf = (of: TokenState) => ({ earned: of.cumEarnedMicroUsd, ofPosts: of.cumPostsEarnedMicroUsd })
  const now = sumsOf(state)
  // Before the first change the sums were as it found them; without any they are as before the open hour.
  const initial = records[0]
    ? { earned: records[0].earnedBefore, ofPosts: records[0].postsEarnedBefore }
    : sumsOf(await history.stateAt(token.address, open * 60 - 1))
  const sumsAt = (day: number) => {
    if (day >= today) return now
    const last = records.findLast(({ hour }) => hour < (day + 1) * DAY_HOURS)
    return last ? { earned: last.earned, ofPosts: last.postsEarned } : initial
  }
  const rows = Array.from({ length: Math.max(0, today - first + 1) }, (_, at): EarningsDay => {
    const [before, after] = [sumsAt(first + at - 1), sumsAt(first + at)]
    return {
      start: (first + at) * DAY_SECONDS,
      earned: after.earned - before.earned,
      ofPosts: after.ofPosts - before.ofPosts,
      isPartial: first + at === today && end < (today + 1) * DAY_SECONDS,
    }
  })
  const ifKnown = <V>(value: V): V | null => (isImported(token) ? null : value)
  return {
    last24h: page.creatorEarnings24h,
    total: ifKnown(now.earned),
    ofPosts: ifKnown(now.ofPosts),
    toPlatform: ifKnown(state.cumPlatformFeesMicroUsd),
    toReferrers: ifKnown(state.cumReferrerFeesMicroUsd),
    toProtocol: ifKnown(state.cumProtocolFeesMicroUsd),
    coverageFrom: coverageFrom(token),
    days: rows,
  }
}
