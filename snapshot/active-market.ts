import { type Coins, coinsOf, type MarketAt } from '../market/market-at.ts'
import { noPosts, type OwnerChange, type PostOwner } from '../market/post-owners.ts'
import type { Address, Minute, References, Token, TokenState } from '../market/segment.ts'
import type { Activity } from '../store/segment-bytes.ts'
import { StateRecords } from './state-records.ts'
import { change, Slots, sameAtAll, type Windowed } from './windowed.ts'

/** A token with a row in the last 30 days. */
export type ActiveToken = {
  /** Its place among the tokens; it changes when another leaves. */
  number: number
  /** As it is described now, and at each window start where it was ever described otherwise. */
  token: Token
  descriptions: Windowed<Token> | undefined
  lastRow: Minute
  /** What it is quoted in now, once it was asked for. It stays as long as this one: each row of a token stands beside one of its quote. */
  quote: ActiveToken | undefined
}

/** Owner of posts with a row in the last 30 days. */
export type ActiveOwner = { readonly sums: Windowed<PostOwner>; lastRow: Minute }

/** The tokens and owners that were active in the last 30 days, now and at each window start. Changed by the functions of this file alone. */
export type ActiveMarket = {
  readonly records: StateRecords
  /** Slots of the tokens' states among the records. */
  readonly slots: Slots
  readonly tokens: ActiveToken[]
  readonly byAddress: Map<Address, ActiveToken>
  readonly owners: Map<Address, ActiveOwner>
}

/** No token yet. */
export const emptyMarket = (): ActiveMarket => ({
  records: new StateRecords(),
  slots: new Slots(),
  tokens: [],
  byAddress: new Map(),
  owners: new Map(),
})

/** A window start passes a row whose token the market does not hold. */
export class InactiveTokenError extends Error {
  override readonly name = 'InactiveTokenError'
  constructor(token: Address, minute: Minute) {
    super(`${token} has a row in minute ${minute} and is not among the active tokens`)
  }
}

/** Takes in a minute: what it touched is as it left it now and at the first `moving` places, and stays as it found it at those before it. */
export function takeIn(market: ActiveMarket, segment: Activity, moving: number): void {
  const { minute } = segment
  const changes = descriptionChanges(segment)
  for (const { token: address, description, before, after } of segment.rows) {
    const described = changes.get(address)
    const active = market.byAddress.get(address) ?? enter(market, described ?? description, before)
    active.lastRow = minute
    if (described) {
      active.descriptions ??= sameAtAll(described)
      change(active.descriptions, description, moving)
      active.token = description
      active.quote = undefined
    }
    if (!market.records.holds(market.slots.column(0)[active.number] as number, after)) {
      replace(market, active, market.records.add(after), moving)
    }
  }
  for (const change of segment.owners) takeInOwner(market, change, { minute, moving })
}

/** The descriptions before the minute of those tokens that it described otherwise. */
const descriptionChanges = ({ tokens }: Activity): ReadonlyMap<Address, Token> =>
  new Map(tokens.flatMap(({ before }) => (before ? [[before.address, before] as const] : [])))

/** A token that was not active: its state before its row is its state at every window start. */
export function enter(market: ActiveMarket, token: Token, state: TokenState): ActiveToken {
  return admit(market, { token, descriptions: undefined, lastRow: 0 }, sameAtAll(market.records.add(state)))
}

/** Adds a token whose states are among the records. */
export function admit(
  { tokens, byAddress, slots }: ActiveMarket,
  { token, descriptions, lastRow }: Pick<ActiveToken, 'token' | 'descriptions' | 'lastRow'>,
  states: Windowed<number>,
): ActiveToken {
  const active: ActiveToken = { number: tokens.length, token, descriptions, lastRow, quote: undefined }
  slots.put(active.number, states)
  tokens.push(active)
  byAddress.set(active.token.address, active)
  return active
}

function replace(
  { records, slots }: ActiveMarket,
  { number }: ActiveToken,
  slot: number,
  moving: number,
): void {
  const states = slots.of(number)
  const replaced = new Set(states.slice(0, moving))
  change(states, slot, moving)
  slots.put(number, states)
  for (const old of replaced) if (!states.includes(old)) records.free(old)
}

function takeInOwner(
  { owners }: ActiveMarket,
  { owner, before, after }: OwnerChange,
  { minute, moving }: { readonly minute: Minute; readonly moving: number },
): void {
  const known = owners.get(owner) ?? { sums: sameAtAll(before), lastRow: minute }
  known.lastRow = minute
  if (!isSameOwner(known.sums[0] as PostOwner, after)) change(known.sums, after, moving)
  owners.set(owner, known)
}

/** Moves a window start past a minute: what the minute touched is there as the minute left it. Throws InactiveTokenError. */
export function pass(market: ActiveMarket, segment: Activity, at: number): void {
  const changes = descriptionChanges(segment)
  for (const { token: address, description, after } of segment.rows) {
    const active = market.byAddress.get(address)
    if (!active) throw new InactiveTokenError(address, segment.minute)
    if (changes.has(address)) passDescription(active, description, at)
    passState(market, active, { after, at })
  }
  for (const { owner, after } of segment.owners) {
    const sums = market.owners.get(owner)?.sums
    if (!sums) continue
    const newer = sums[at - 1] as PostOwner
    sums[at] = isSameOwner(newer, after) ? newer : after
  }
}

function passDescription(active: ActiveToken, description: Token, at: number): void {
  const descriptions = active.descriptions ?? sameAtAll(active.token)
  const newer = descriptions[at - 1] as Token
  descriptions[at] = isSameDescription(newer, description) ? newer : description
  active.descriptions = descriptions.every((each) => each === active.token) ? undefined : descriptions
}

function passState(
  { records, slots }: ActiveMarket,
  { number }: ActiveToken,
  { after, at }: { readonly after: TokenState; readonly at: number },
): void {
  const states = slots.of(number)
  const old = states[at] as number
  if (records.holds(old, after)) return
  const newer = states[at - 1] as number
  states[at] = records.holds(newer, after) ? newer : records.add(after)
  slots.put(number, states)
  if (!states.includes(old)) records.free(old)
}

/** Lets go of what had its last row in a minute that the longest window has passed, or before; tokens in `needed` stay. */
export function leave(
  market: ActiveMarket,
  { rows, owners, minute }: Activity,
  needed: ReadonlySet<Address>,
): void {
  for (const { token } of rows) letGo(market, token, { minute, needed })
  for (const { owner } of owners) {
    const known = market.owners.get(owner)
    if (known && known.lastRow <= minute) market.owners.delete(owner)
  }
}

/** Lets go of a token if its last row is of `minute` or before and nobody needs it. */
export function letGo(
  { tokens, byAddress, records, slots }: ActiveMarket,
  address: Address,
  { minute, needed }: { readonly minute: Minute; readonly needed: ReadonlySet<Address> },
): void {
  const active = byAddress.get(address)
  if (!active || active.lastRow > minute || needed.has(address)) return
  for (const slot of new Set(slots.of(active.number))) records.free(slot)
  byAddress.delete(address)
  const last = tokens.pop()
  if (!last || last === active) return
  tokens[active.number] = last
  slots.put(active.number, slots.of(last.number))
  last.number = active.number
}

/** The market now (place 0) or at a window start, with the reference rates of then. It follows the market until that goes on. */
export function viewOf(
  market: ActiveMarket,
  at: number,
  references: References,
  shared = sharedOf(market, references),
): MarketAt {
  const { records, slots, tokens, byAddress, owners } = market
  const activeOf = (number: number): ActiveToken => tokens[number] as ActiveToken
  const slotOf = (number: number): number => slots.column(at)[number] as number
  const describe = ({ token, descriptions }: ActiveToken): Token => descriptions?.[at] ?? token
  const view = {
    references,
    tokenOf: (number: number) => describe(activeOf(number)),
    numberOf: (address: Address) => byAddress.get(address)?.number,
    quoteNumberOf: (number: number) => {
      const active = activeOf(number)
      if (active.descriptions) return byAddress.get(describe(active).quote)?.number
      active.quote ??= byAddress.get(active.token.quote)
      return active.quote?.number
    },
  }
  return {
    ...view,
    read: (field, number) => records.read(field, slotOf(number)),
    columns: (fields) => records.columns(fields, slots.column(at).subarray(0, tokens.length)),
    coins: memoized(() => {
      const isSame = at === 0 || tokens.every(({ descriptions }) => !descriptions)
      return isSame ? shared.coinsNow() : coinsOf(tokens.length, view)
    }),
    ownerOf: (address) => owners.get(address)?.sums[at] ?? noPosts,
    ownersOf: (number) => {
      const [ofToken, ofCreator] = shared.ownersOf(number)
      return [ofToken?.sums[at] ?? noPosts, ofCreator?.sums[at] ?? noPosts]
    },
  }
}

/** What views at several window starts share: the tokens as they are described now, and who owns posts; each is looked up once. */
export type Shared = {
  readonly coinsNow: () => Coins
  readonly ownersOf: (number: number) => readonly [ActiveOwner | undefined, ActiveOwner | undefined]
}

/** `references` are the rates of now. */
export function sharedOf(market: ActiveMarket, references: References): Shared {
  const known: ReturnType<Shared['ownersOf']>[] = []
  return {
    coinsNow: memoized(() => coinsOf(market.tokens.length, viewOf(market, 0, references))),
    ownersOf: (number) => {
      const { address, creator } = (market.tokens[number] as ActiveToken).token
      known[number] ??= [market.owners.get(address), market.owners.get(creator)]
      return known[number]
    },
  }
}

function memoized<V>(make: () => V): () => V {
  let value: V | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** True when two descriptions of one token are the same: all else is settled by its creation. */
const isSameDescription = (a: Token, b: Token): boolean =>
  a.name === b.name &&
  a.symbol === b.symbol &&
  a.quote === b.quote &&
  a.poolId === b.poolId &&
  a.hook === b.hook &&
  a.isCurrency0 === b.isCurrency0

const isSameOwner = (a: PostOwner, b: PostOwner): boolean =>
  a === b ||
  (a.oldestCreatorToken === b.oldestCreatorToken &&
    a.posts.length === b.posts.length &&
    a.posts.every((sums, at) => {
      const other = b.posts[at]
      return (
        sums.quote === other?.quote &&
        sums.counted === other.counted &&
        sums.plain === other.plain &&
        sums.count === other.count &&
        sums.lastSwapMinute === other.lastSwapMinute
      )
    }))
