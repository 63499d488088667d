import { isVerified } from '../../market/authorship.ts'
import { dayOfMinute, minuteOfBlock } from '../../market/calendar.ts'
import { isImported } from '../../market/coverage.ts'
import { noPosts, partsOf } from '../../market/fold/post-owners.ts'
import { grouped } from '../../market/grouped.ts'
import type {
  Address,
  BalanceChange,
  MinuteRow,
  PostOwner,
  PostSums,
  Segment,
  Token,
  TokenChange,
} from '../../market/segment.ts'
import { lookupSort } from '../aws/launch-key.ts'
import type { Item } from '../aws/table.ts'
import { holdingOf, type Key, keptSeconds, keyText, lookupPartitions, marketKeys } from '../aws/tables.ts'
import { ownerText, tokenText } from '../bytes/codec.ts'
import { voidedHourRecords } from './hour-records.ts'
import { voidedSpans } from './price-grains.ts'
import { areRowsExpired, isChanged, itemOfNow, itemsOfRow } from './rows.ts'

/** DynamoDB numbers have 38 digits; larger integers are stored as text. */
const NUMBER_LIMIT = 10n ** 38n

/** The rows of a sealed minute with their swaps, of which candles and lists of swaps are made. The caller adds `pos`. Pure. */
export function rowItemsOf(segment: Segment): Item[] {
  const swaps = grouped(segment.swaps, ({ token }) => token)
  return touchedRows(segment).flatMap(({ row }) =>
    itemsOfRow(row, segment.minute, swaps.get(row.token) ?? []),
  )
}

/** All items of a sealed minute, without its rows if they have expired by `now` (Unix seconds). The caller adds `pos`, the number of the log entry. Pure. */
export function itemsOf(segment: Segment, now = 0): Item[] {
  const { minute } = segment
  return [
    ...segment.tokens.flatMap(itemsOfChange),
    ...(areRowsExpired(minute, now) ? [] : rowItemsOf(segment)),
    ...touchedRows(segment).map(({ row, posts }) =>
      itemOfNow(row.token, { minute, state: row.after, ranges: row.ranges, posts: posts.after }),
    ),
    ...changedOwners(segment).map(({ owner, after }) => itemOfOwner(owner, after)),
    ...heldBalances(segment).flatMap(({ token, holder, after }) => itemsOfBalance(token, holder, after)),
    ...segment.hooks.map((hook) => ({ ...marketKeys.hook(hook), hook })),
    ...[...segment.references].map(([currency, { heldUsdE36 }]) => ({
      ...marketKeys.reference(currency, minute),
      heldUsdE36: String(heldUsdE36),
      ttl: minute * 60 + keptSeconds.reference,
    })),
  ]
}

/**
 * All items of rolling back these segments (newest first): a tombstone for what only they put, and the value before the
 * oldest of them for what they changed. The caller adds `pos`. Pure.
 */
export function itemsOfRewind(orphaned: readonly Segment[]): Item[] {
  const items = new Map<string, Item>()
  for (const segment of orphaned) {
    for (const item of itemsOf(segment)) items.set(keyText(item), tombstone(item))
    for (const item of itemsBefore(segment)) items.set(keyText(item), item)
    // A view is as of the last minute that touched the token, whatever it changed.
    const touched = touchedRows(segment).map(({ row }) => row.token)
    const moved = [...touched, ...segment.balances.map(({ token }) => token)]
    const views = moved.map(marketKeys.holderView)
    const series = [
      ...touched.map((token) => ({ token })),
      ...[...segment.references.keys()].map((currency) => ({ currency })),
    ]
    const voided = [...voidedSpans(segment.minute, series), ...voidedHourRecords(segment, moved)]
    for (const key of [...views, ...voided]) items.set(keyText(key), tombstone(key))
  }
  return [...items.values()]
}

/** The previous values at the keys that a segment overwrote. */
function itemsBefore(segment: Segment): Item[] {
  const { tokens } = segment
  const newborn = new Set(tokens.filter(({ before }) => !before).map(({ after }) => after.address))
  return [
    ...tokens.flatMap(({ before }) => (before ? [itemOfToken(before), ...lookupsOf(before)] : [])),
    ...touchedRows(segment)
      .filter(({ row }) => !newborn.has(row.token))
      .map(({ row: { token, before, rangesBefore }, posts }) =>
        // Its last active minute is not known here, and a later one would block the minutes that replace these.
        itemOfNow(token, { minute: null, state: before, ranges: rangesBefore, posts: posts.before }),
      ),
    ...changedOwners(segment).map(({ owner, before }) => itemOfOwner(owner, before)),
    ...heldBalances(segment).flatMap(({ token, holder, before }) => itemsOfBalance(token, holder, before)),
  ]
}

/** A row, and the sums of the posts quoted in its token, before and after. */
type TouchedRow = {
  readonly row: MinuteRow
  readonly posts: { readonly before: PostSums | undefined; readonly after: PostSums | undefined }
}

/**
 * Rows with changes, and those of tokens that the minute describes for the first time, so that no description is without
 * a state. Rows of related tokens that the minute did not touch are not stored.
 */
function touchedRows({ rows, balances, owners, tokens }: Segment): readonly TouchedRow[] {
  const moved = new Set(balances.map(({ token }) => token))
  const described = new Set(tokens.flatMap(({ before, after }) => (before ? [] : [after.address])))
  const ofOwners = new Map(owners.map((change) => [change.owner, change]))
  return rows
    .map((row) => {
      const { before = noPosts, after = noPosts } = ofOwners.get(row.token) ?? {}
      return { row, posts: { before: partsOf(row.token, before).own, after: partsOf(row.token, after).own } }
    })
    .filter(
      ({ row, posts }) =>
        described.has(row.token) ||
        isChanged(row) ||
        moved.has(row.token) ||
        !isSame(posts.before, posts.after),
    )
}

const isSame = (a: PostSums | undefined, b: PostSums | undefined): boolean =>
  a?.counted === b?.counted &&
  a?.plain === b?.plain &&
  a?.count === b?.count &&
  a?.lastSwapMinute === b?.lastSwapMinute

/** Owners with changed sums that are not part of a token's state. */
const changedOwners = ({ owners }: Segment) =>
  owners
    .map(({ owner, before, after }) => ({
      owner,
      before: partsOf(owner, before).rest,
      after: partsOf(owner, after).rest,
    }))
    .filter(({ before, after }) => ownerText.write(before) !== ownerText.write(after))

/** Balances, without addresses that only passed a token on, such as routers. */
const heldBalances = ({ balances }: Segment): readonly BalanceChange[] =>
  balances.filter(({ before, after }) => before > 0n || after > 0n)

/**
 * A token's description, its look-ups (an old symbol or name no longer finds it) and its pool if new; a token never
 * returns to an earlier pool.
 */
function itemsOfChange({ before, after }: TokenChange): Item[] {
  const items = new Map<string, Item>()
  for (const item of before ? lookupsOf(before) : []) items.set(keyText(item), tombstone(item))
  for (const item of lookupsOf(after)) items.set(keyText(item), item)
  const isSamePool = before?.poolId === after.poolId
  return [itemOfToken(after), ...items.values(), ...(isSamePool ? [] : [itemOfPool(after)])]
}

const itemOfToken = (token: Token): Item => ({
  ...marketKeys.token(token.address),
  token: tokenText.write(token),
})

const itemOfPool = ({ poolId, address, hook }: Token): Item => ({
  ...marketKeys.pool(poolId),
  token: address,
  hook,
})

/** Owners without posts are absent; sums quoted in a token itself are in its state. */
function itemOfOwner(owner: Address, posts: PostOwner): Item {
  const key = marketKeys.postOwner(owner)
  const isNothing = posts.oldestCreatorToken === null && posts.posts.length === 0
  return isNothing ? tombstone(key) : { ...key, owner: ownerText.write(posts) }
}

/**
 * A creator's handle is the symbol of their creator token, so look-ups by symbol and kind find it. The sort key contains
 * the address.
 */
function lookupsOf(token: Token): Item[] {
  const sk = lookupSort(token)
  const { kind } = token
  const created = {
    pk: lookupPartitions.creator(token.creator),
    sk,
    kind,
    theirs: isVerified(token) === true,
  }
  return [
    { pk: lookupPartitions.symbol(token.symbol), sk, kind },
    { pk: lookupPartitions.name(token.name), sk, kind },
    { pk: lookupPartitions.all, sk, kind },
    // Who created a token older than the log, and when, is not known.
    ...(isImported(token) ? [] : [created, { pk: lookupPartitions.launches(dayOf(token)), sk, kind }]),
  ]
}

const dayOf = ({ launchedAt }: Token): number => dayOfMinute(minuteOfBlock(launchedAt))

/** A balance by its token and by its holder. Holders without one are absent. */
function itemsOfBalance(token: Address, holder: Address, balance: bigint): Item[] {
  const key = marketKeys.balance(token, holder)
  const item =
    balance === 0n ? tombstone(key) : { ...key, balance: balance < NUMBER_LIMIT ? balance : String(balance) }
  return [item, holdingOf(item)]
}

/** A5: no value, but its `pos` keeps a late writer from putting the item back. */
const tombstone = ({ pk, sk, ttl }: Key & { readonly ttl?: Item[string] }): Item => ({
  pk,
  sk,
  tomb: true,
  ttl,
})
