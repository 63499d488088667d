import { verifiedCreator } from '../../market/authorship.ts'
import { portfolioFrom } from '../../market/board/portfolio.ts'
import type { TokenPage } from '../../market/board/token-page.ts'
import { DAY_SECONDS, hourOfMinute } from '../../market/calendar.ts'
import { coverageFrom, isCovered, isImported } from '../../market/coverage.ts'
import { noPosts } from '../../market/fold/post-owners.ts'
import type { Quote } from '../../market/route.ts'
import type { Address, PostSums, Token, TokenState } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { CreatorNotFoundError } from '../../schemas/api/errors.ts'
import { creatorFields, type Earnings, type EarningsDay } from '../../schemas/records/creator.ts'
import { portfolioFields } from '../../schemas/records/portfolio-fields.ts'
import { shortAddress } from '../../schemas/values/address.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { cellsIn, textIn } from '../../schemas/values/list-text.ts'
import type { Item } from '../../store/aws/table.ts'
import { lookupPartitions, marketKeys } from '../../store/aws/tables.ts'
import { type FoundToken, newestOf } from '../../store/items/lookups.ts'
import { nowFrom } from '../../store/items/rows.ts'
import { LOOKUP_MAX } from '../../store/items/token-history.ts'
import { ownerOfItem } from '../../store/items/tokens.ts'
import {
  MovedOnError,
  type PastMinute,
  type ReadableMinute,
  readApplied,
} from '../../store/log/applied-read.ts'
import { type ApiEndpoint, numberOf, type ReadStores } from '../api/endpoint.ts'
import { withCountedReads } from '../api/read-budget.ts'
import { findCreator } from './find-creator.ts'
import { readRecords } from './holder-history.ts'
import { type BoardSnapshot, readBoardSnapshot, summaryRows } from './summary-rows.ts'
import { flagsBeside, readPage, snapshotReaderOf, type TokenReader } from './token.ts'

/** Creator tokens that are listed. */
const CREATOR_TOKENS_MAX = 20
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
    const { address, token, isKnown } = await findCreator(reader, asked.id, snapshot)
    // Of a token that only names its creator nothing else is theirs.
    const isJoined = token === null || verifiedCreator(token) !== null
    const launched = address && isJoined ? await launchedBy(stores, address, snapshot) : []
    const posts = launched.filter(({ kind, isTheirs }) => kind === 'post' && isTheirs)
    if (!isKnown && posts.length === 0) throw new CreatorNotFoundError(asked.id)
    const flagsOf = flagsBeside(snapshot.boards.values(), stores)
    const page = token && (await readPage(reader, token, snapshot, flagsOf(token)))
    const seen = page && { page, snapshot, applied }
    const [portfolio, earnings, creatorTokens] = await Promise.all([
      seen && readPortfolio(stores, reader, seen),
      seen && readEarnings(stores, reader, { ...seen, days: numberOf(asked, 'days') }),
      readCreatorTokens(reader, token, launched),
    ])
    const reading = { reader, snapshot, flagsOf, units: () => units() + STRONG_UNITS }
    const own = token ? await summaryRows({ rows: [token.address], offset: 0 }, reading) : null
    const addresses = posts.map((each) => each.token)
    const ordered = asked.query['sort_order'] === 'asc' ? addresses.toReversed() : addresses
    const [offset, limit] = [numberOf(asked, 'offset'), numberOf(asked, 'limit')]
    const read = await summaryRows({ rows: ordered.slice(offset, offset + limit), offset }, reading)
    const next = offset + Math.max(1, read.shown)
    const text = write({
      address,
      handle: token?.symbol || shortAddress(address ?? token?.address ?? '0x'),
      token: own?.texts[0] ?? null,
      creatorTokens,
      portfolio: portfolio?.text ?? null,
      portfolioAsOf: portfolio?.asOf ?? null,
      earnings,
      posts: { total: posts.length, offset, next: next < posts.length ? next : null, rows: read.texts },
      asOf: asOf(snapshot.minute),
    })
    return { at: snapshot.at, text }
  })
  return value
}

/** Tokens that name an address as their creator, newest first. */
const launchedBy = ({ past }: ReadStores, address: Address, at: PastMinute): Promise<readonly FoundToken[]> =>
  newestOf(past, lookupPartitions.creator(address), { lastBlock: at.last.number, limit: LOOKUP_MAX })

/** The creator tokens among them, those launched by the creator first, each oldest first; without an address the token itself. */
async function readCreatorTokens(
  { history }: TokenReader,
  token: Token | null,
  launched: readonly FoundToken[],
): Promise<readonly Token[]> {
  const found = launched.toReversed().filter(({ kind }) => kind === 'creator')
  const all = [...found.filter(({ isTheirs }) => isTheirs), ...found.filter(({ isTheirs }) => !isTheirs)]
  const addresses = all.slice(0, CREATOR_TOKENS_MAX).map((each) => each.token)
  const known = await history.tokens(addresses)
  const listed = addresses.flatMap((address) => known.get(address) ?? [])
  return token && !known.has(token.address) ? [token, ...listed] : listed
}

type Seen = { readonly page: TokenPage; readonly snapshot: BoardSnapshot; readonly applied: ReadableMinute }

/** What token and posts are worth, as JSON text, and the time it holds for, Unix seconds. */
type PortfolioText = { readonly text: string; readonly asOf: number }

const writePortfolio = rowWriter(portfolioFields)

/**
 * That of the board's row; off the board that of the sums stored with the token's newest state, which are the snapshot's
 * unless they have changed since. Then they are of the applied minute, and say so.
 */
async function readPortfolio(
  { table }: ReadStores,
  reader: TokenReader,
  { page, snapshot, applied }: Seen,
): Promise<PortfolioText> {
  const { token } = page
  const listed = snapshot.boards.get(token.address)?.['portfolio']
  if (listed) return { text: listed, asOf: asOf(snapshot.minute) }
  const creator = verifiedCreator(token)
  const [now, owner] = await Promise.all([
    table.read(marketKeys.now(token.address)),
    creator ? table.read(marketKeys.postOwner(creator)) : undefined,
  ])
  const changed = Math.max(positionOf(now), positionOf(owner))
  if (!now || changed > applied.n) throw new MovedOnError()
  const { minute } = changed > snapshot.at.n ? applied : snapshot
  const { oldestCreatorToken, posts } = owner?.['owner'] ? ownerOfItem(owner) : noPosts
  const byAddress: readonly PostSums[] = oldestCreatorToken === token.address ? posts : []
  const rates = new Map<Address, Quote>()
  for (const { address, decimals } of reader.references.values()) {
    if (address !== token.quote && !byAddress.some(({ quote }) => quote === address)) continue
    rates.set(address, { usdE36: (await reader.history.rateAt(address, minute)) ?? 0n, decimals })
  }
  const { state, posts: inToken } = nowFrom(now)
  const portfolio = portfolioFrom({
    token,
    state,
    posts: { inToken, byAddress },
    quote: rates.get(token.quote) ?? { usdE36: 0n, decimals: 18 },
    rateOf: (currency) => rates.get(currency),
  })
  return { text: writePortfolio({ ...portfolio, coverageFrom: postsFrom(snapshot) }), asOf: asOf(minute) }
}

/** From when on posts are known (Unix seconds), as the rows of the board say; null: all are. */
export function postsFrom({ boards }: BoardSnapshot): number | null {
  const portfolios = [...boards.values()].map((row) => row['portfolio'] ?? 'null')
  const from = textIn(cellsIn(portfolios.find((text) => text !== 'null') ?? '{}'), 'coverage_from')
  return from === '' ? null : Date.parse(from) / 1_000
}

/** The log entry that an item is of. */
const positionOf = (item: Item | undefined): number => Number(item?.['pos'] ?? 0)

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
  const sumsOf = (state: TokenState) => ({
    earned: state.cumEarnedMicroUsd,
    ofPosts: state.cumPostsEarnedMicroUsd,
  })
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
