/** Moves tokens and their owners from one market to another, with what they were at every window start. */
import { ownersBeside } from '../market/fold/post-owners.ts'
import { type Address, emptyState, type Minute, type PostSums } from '../market/segment.ts'
import { windowNames } from '../market/window.ts'
import { tokenLine } from '../store/codec.ts'
import { type ActiveMarket, enterAll, enterOwner, leaveOwner, letGo, quoteNumber } from './active-market.ts'
import { sameAtAll, type Windowed } from './windowed.ts'

/** A token as plain data. */
export type MovedToken = {
  readonly address: Address
  /** Description as text, now and at each window start, like the states. */
  readonly descriptions: Windowed<string>
  readonly states: ReturnType<ActiveMarket['states']['windowed']>
  readonly hourPrice: string
  readonly isYoung: boolean
  readonly lastRow: Minute
}

/** An owner of posts as plain data. */
export type MovedOwner = {
  readonly address: Address
  readonly lastRow: Minute
  readonly oldest: Windowed<Address | null>
  readonly sums: readonly {
    readonly quote: Address | null
    readonly records: readonly Omit<PostSums, 'quote'>[]
  }[]
}

/** Tokens, and the owners that stand beside their rows. */
export type Moved = { readonly tokens: readonly MovedToken[]; readonly owners: readonly MovedOwner[] }

/** Copies tokens of a market, with their owners. */
export function copyOf(market: ActiveMarket, addresses: readonly Address[]): Moved {
  const tokens = addresses.map((address) => copyOfToken(market, address))
  const owners = new Set(
    tokens.flatMap(({ descriptions: [text = ''] }) => ownersBeside(tokenLine.read(text))),
  )
  return { tokens, owners: [...owners].flatMap((owner) => copyOfOwner(market, owner) ?? []) }
}

function copyOfToken(
  { byAddress, descriptions, redescribed, states, hourPrices, young, columns }: ActiveMarket,
  address: Address,
): MovedToken {
  const number = byAddress.get(address) as number
  return {
    address,
    descriptions: [...(redescribed.get(number) ?? sameAtAll(descriptions[number] as string))],
    states: states.windowed(number),
    hourPrice: hourPrices[number] ?? '',
    isYoung: young.includes(address),
    lastRow: columns.lastRow[number] as number,
  }
}

function copyOfOwner({ owners, reowned, sums }: ActiveMarket, address: Address): MovedOwner | null {
  const owner = owners.get(address)
  if (!owner) return null
  return {
    address,
    lastRow: owner.lastRow,
    oldest: [...(reowned.get(address) ?? sameAtAll(owner.oldestCreatorToken))],
    sums: owner.sums.map(({ quote, number }) => ({ quote, records: sums.windowed(number) })),
  }
}

/**
 * Enters moved tokens with their owners. Of an owner that the market knows already the past comes from where its creator
 * token was, since only there all of its changes were seen.
 */
export function enterMoved(market: ActiveMarket, { tokens, owners }: Moved): void {
  enterAll(
    market,
    tokens.map(({ descriptions: [text = ''], states: [state] }) => [
      tokenLine.read(text),
      { ...emptyState, ...state },
    ]),
  )
  for (const token of tokens) enterPast(market, token)
  const moved = new Set(tokens.map(({ address }) => address))
  for (const owner of owners) {
    const isComplete = moved.has(owner.address) || moved.has(owner.oldest[0] as Address)
    if (market.owners.has(owner.address) && !isComplete) continue
    leaveOwner(market, owner.address)
    enterMovedOwner(market, owner)
  }
}

function enterPast(
  market: ActiveMarket,
  { address, descriptions, states, hourPrice, isYoung, lastRow }: MovedToken,
): void {
  const number = market.byAddress.get(address) as number
  for (const [at, state] of states.entries()) if (at > 0) market.states.pass(number, state, at)
  if (descriptions.some((text) => text !== descriptions[0])) market.redescribed.set(number, [...descriptions])
  market.columns.lastRow[number] = lastRow
  if (isYoung) market.young = [...market.young, address]
  if (hourPrice === '') return
  market.hourPrices[number] = hourPrice
  market.columns.hourPrice[number] = Number(BigInt(hourPrice)) / 1e36
}

function enterMovedOwner(market: ActiveMarket, { address, lastRow, oldest, sums }: MovedOwner): void {
  const posts = sums.map(({ quote, records: [now] }) => ({ ...(now as Omit<PostSums, 'quote'>), quote }))
  const owner = enterOwner(market, address, { oldestCreatorToken: oldest[0] ?? null, posts })
  owner.lastRow = lastRow
  for (const [place, { records }] of sums.entries())
    for (let at = 1; at < windowNames.length; at++)
      market.sums.pass((owner.sums[place] as { number: number }).number, records[at] as never, at)
  if (oldest.some((each) => each !== oldest[0])) market.reowned.set(address, [...oldest])
}

/** Removes tokens that have been copied to another market. Tokens that are quoted in them keep their quote, by address. */
export function removeMoved(market: ActiveMarket, { tokens }: Moved): void {
  const { byAddress, columns, descriptions, states } = market
  const gone = new Set(tokens.map(({ address }) => byAddress.get(address)))
  for (const { address } of tokens)
    letGo(market, address, { minute: Number.POSITIVE_INFINITY, needed: new Set() })
  const addresses = new Set(tokens.map(({ address }) => address))
  market.young = market.young.filter((address) => !addresses.has(address))
  for (let number = 0; number < states.count; number++) {
    const text = descriptions[number]
    if (text && gone.has(columns.quotes[number]))
      columns.quotes[number] = quoteNumber(market, tokenLine.read(text).quote)
  }
}
