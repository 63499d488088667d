import { marketFields } from '../../market/board/market-at.ts'
import { isImported } from '../../market/coverage.ts'
import type {
  Address,
  Minute,
  OwnerChange,
  PostOwner,
  PostSums,
  Token,
  TokenState,
} from '../../market/segment.ts'
import { tokenLine } from '../../store/bytes/codec.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import { changeWindowed, sameAtAll, type Windowed, WindowedRecords } from './windowed.ts'

/** PostSums of one owner in one quote, as a record; the record of zeros means no posts. */
export const sumFields = { counted: 'u256', plain: 'u256', count: 'u32', lastSwapMinute: 'u32' } as const

/** Owner of posts with a row in the last 30 days. */
export type ActiveOwner = {
  /** Numbers of its sums, and the quote of each. */
  readonly sums: { readonly quote: Address | null; readonly number: number }[]
  oldestCreatorToken: Address | null
  lastRow: Minute
}

/** Attributes of tokens, one array per attribute, indexed by number; as objects they would cost the garbage collector time. */
const columnTypes = {
  /** Number of the token that it is quoted in now; below 0: -1 minus the index of its quote in `others`. */
  quotes: Int32Array,
  isCurrency0: Uint8Array,
  isCreator: Uint8Array,
  isImported: Uint8Array,
  launchedAt: Float64Array,
  hourPrice: Float64Array,
  lastRow: Int32Array,
} as const
type ColumnName = keyof typeof columnTypes
export type TokenColumns = { [N in ColumnName]: InstanceType<(typeof columnTypes)[N]> }

/** The tokens and owners active in the last 30 days, now and at each window start. Only this file changes it. */
export type ActiveMarket = {
  readonly states: WindowedRecords<typeof marketFields>
  readonly byAddress: Map<Address, number>
  /** Descriptions by number, as text; a token is parsed on request. Empty: the number is free. */
  readonly descriptions: string[]
  /** By number, as text: the price (USD × 1e36) an hour after the launch. Absent or empty: unknown, or not over. */
  readonly hourPrices: string[]
  /** Tokens launched in the log whose first hour is not over. */
  young: readonly Address[]
  /** Descriptions at each window start, for tokens whose description has changed. */
  readonly redescribed: Map<number, Windowed<string>>
  /** Index of every quote that is not a token here. */
  readonly others: Map<Address | null, number>
  readonly columns: TokenColumns
  readonly sums: WindowedRecords<typeof sumFields>
  readonly owners: Map<Address, ActiveOwner>
  /** Oldest creator tokens at each window start, for owners whose oldest creator token has changed. */
  readonly reowned: Map<Address, Windowed<Address | null>>
}

/** A market without tokens. */
export const emptyMarket = (): ActiveMarket => ({
  states: new WindowedRecords(marketFields),
  byAddress: new Map(),
  descriptions: [],
  hourPrices: [],
  young: [],
  redescribed: new Map(),
  others: new Map(),
  columns: columnsOf(0),
  sums: new WindowedRecords(sumFields),
  owners: new Map(),
  reowned: new Map(),
})

function columnsOf(length: number): TokenColumns {
  return Object.fromEntries(
    Object.entries(columnTypes).map(([name, Column]) => [name, new Column(length)]),
  ) as TokenColumns
}

/** Grows the columns to the count of numbers. */
export function growColumns(columns: TokenColumns, count: number): void {
  if (count <= columns.lastRow.length) return
  const larger = columnsOf(2 * count)
  for (const name of Object.keys(columnTypes) as ColumnName[]) larger[name].set(columns[name])
  Object.assign(columns, larger)
}

/**
 * Applies a minute: what it touched is as after it, now and at the first `moving` indexes, and as before it at the later
 * ones.
 */
export function takeIn(market: ActiveMarket, segment: SegmentStates, moving: number): void {
  const { minute } = segment
  const changes = descriptionChanges(segment)
  const coming = segment.rows.filter(({ token }) => !market.byAddress.has(token))
  enterAll(
    market,
    coming.map(({ token, description, before }) => [changes.get(token) ?? description, before]),
  )
  for (const row of segment.rows) {
    const described = changes.get(row.token)
    const number = market.byAddress.get(row.token) as number
    market.columns.lastRow[number] = minute
    if (described) redescribe(market, number, row.description, moving)
    market.states.change(number, row.after, moving)
  }
  for (const change of segment.owners) takeInOwner(market, change, { minute, moving })
}

/** Previous descriptions of the tokens whose description the minute changed. */
export const descriptionChanges = ({ tokens }: SegmentStates): ReadonlyMap<Address, Token> =>
  new Map(tokens.flatMap(({ before }) => (before ? [[before.address, before] as const] : [])))

/** Tokens that were inactive: the state before their row is their state at every window start. */
export function enterAll(market: ActiveMarket, tokens: readonly (readonly [Token, TokenState])[]): void {
  const { byAddress, states, columns, others } = market
  for (const [{ address }, state] of tokens) {
    const number = states.enter(state)
    byAddress.set(address, number)
    growColumns(columns, states.count)
    const index = others.get(address)
    if (index !== undefined) replaceQuote(columns.quotes, -1 - index, number)
  }
  for (const [token] of tokens) describe(market, byAddress.get(token.address) as number, token)
}

/** Others may have been quoted in it before it was a token here. */
function replaceQuote(quotes: Int32Array, before: number, after: number): void {
  for (let number = 0; number < quotes.length; number++) if (quotes[number] === before) quotes[number] = after
}

/**
 * How `columns.quotes` encodes a quote. A token's quote stays as long as the token: each row of a token comes with one
 * of its quote.
 */
export function quoteNumber({ byAddress, others }: ActiveMarket, quote: Address | null): number {
  const token = quote === null ? undefined : byAddress.get(quote)
  if (token !== undefined) return token
  const index = others.get(quote) ?? others.size
  others.set(quote, index)
  return -1 - index
}

function describe(market: ActiveMarket, number: number, token: Token): void {
  const { descriptions, columns } = market
  descriptions[number] = tokenLine.write(token)
  columns.quotes[number] = quoteNumber(market, token.quote)
  columns.isCurrency0[number] = Number(token.isCurrency0)
  columns.isCreator[number] = Number(token.kind === 'creator')
  columns.isImported[number] = Number(isImported(token))
  columns.launchedAt[number] = token.launchedAt.timestamp
}

function redescribe(market: ActiveMarket, number: number, token: Token, moving: number): void {
  const { descriptions, redescribed } = market
  const texts = redescribed.get(number) ?? sameAtAll(descriptions[number] as string)
  describe(market, number, token)
  changeWindowed(texts, descriptions[number] as string, moving)
  redescribed.set(number, texts)
}

const noSums: Omit<PostSums, 'quote'> = { counted: 0n, plain: 0n, count: 0, lastSwapMinute: 0 }

function takeInOwner(
  market: ActiveMarket,
  { owner, before, after }: OwnerChange,
  { minute, moving }: { readonly minute: Minute; readonly moving: number },
): void {
  const known = market.owners.get(owner) ?? enterOwner(market, owner, before)
  known.lastRow = minute
  for (const [number, sums] of sumsIn(market, known, after)) market.sums.change(number, sums, moving)
  if (known.oldestCreatorToken === after.oldestCreatorToken) return
  const oldest = market.reowned.get(owner) ?? sameAtAll(known.oldestCreatorToken)
  changeWindowed(oldest, after.oldestCreatorToken, moving)
  market.reowned.set(owner, oldest)
  known.oldestCreatorToken = after.oldestCreatorToken
}

/** Enters an owner whose sums were the same at every window start. */
function enterOwner(market: ActiveMarket, owner: Address, { oldestCreatorToken, posts }: PostOwner) {
  const sums = posts.map((each) => ({ quote: each.quote, number: market.sums.enter(each) }))
  const entered: ActiveOwner = { sums, oldestCreatorToken, lastRow: 0 }
  market.owners.set(owner, entered)
  return entered
}

/** All sums an owner ever had, by number, as after a minute. */
function sumsIn(market: ActiveMarket, { sums }: ActiveOwner, { posts }: PostOwner) {
  for (const { quote } of posts) {
    if (!sums.some((known) => known.quote === quote)) sums.push({ quote, number: market.sums.enter(noSums) })
  }
  return sums.map(
    ({ quote, number }) => [number, posts.find((each) => each.quote === quote) ?? noSums] as const,
  )
}

/** Moves a window start past a minute, whose changes then count there. */
export function pass(market: ActiveMarket, segment: SegmentStates, at: number): void {
  const changes = descriptionChanges(segment)
  for (const row of segment.rows) {
    const number = market.byAddress.get(row.token)
    if (number === undefined)
      throw new RangeError(
        `${row.token} has a row in minute ${segment.minute} and is not among the active tokens`,
      )
    if (changes.has(row.token)) passDescription(market, number, row.description, at)
    market.states.pass(number, row.after, at)
  }
  for (const { owner, after } of segment.owners) {
    const known = market.owners.get(owner)
    if (!known) continue
    for (const [number, sums] of sumsIn(market, known, after)) market.sums.pass(number, sums, at)
    const oldest = market.reowned.get(owner)
    if (!oldest) continue
    oldest[at] = after.oldestCreatorToken
    if (oldest.every((each) => each === known.oldestCreatorToken)) market.reowned.delete(owner)
  }
}

function passDescription(
  { redescribed, descriptions }: ActiveMarket,
  number: number,
  token: Token,
  at: number,
): void {
  const texts = redescribed.get(number)
  if (!texts) return
  texts[at] = tokenLine.write(token)
  if (texts.every((text) => text === descriptions[number])) redescribed.delete(number)
}

/** Removes everything whose last row the longest window has passed; tokens in `needed` stay. */
export function leave(
  market: ActiveMarket,
  { rows, owners, minute }: SegmentStates,
  needed: ReadonlySet<Address>,
): void {
  for (const { token } of rows) letGo(market, token, { minute, needed })
  for (const { owner } of owners) {
    const known = market.owners.get(owner)
    if (known && known.lastRow <= minute) leaveOwner(market, owner)
  }
}

/** Removes an owner, if there is one. */
function leaveOwner({ owners, reowned, sums }: ActiveMarket, owner: Address): void {
  for (const { number } of owners.get(owner)?.sums ?? []) sums.leave(number)
  owners.delete(owner)
  reowned.delete(owner)
}

/** Removes a token if its last row is of `minute` or earlier and nothing needs it. */
export function letGo(
  { byAddress, states, descriptions, hourPrices, redescribed, columns }: ActiveMarket,
  address: Address,
  { minute, needed }: { readonly minute: Minute; readonly needed: ReadonlySet<Address> },
): void {
  const number = byAddress.get(address)
  if (number === undefined || (columns.lastRow[number] as number) > minute || needed.has(address)) return
  byAddress.delete(address)
  states.leave(number)
  descriptions[number] = ''
  hourPrices[number] = ''
  redescribed.delete(number)
  for (const name of Object.keys(columnTypes) as ColumnName[]) columns[name][number] = 0
}

/**
 * Pool of Float64Arrays, one value per token, reused by every rebuild. If some hundred arrays were allocated per
 * rebuild, the garbage collector would walk the whole market every few of them.
 */
export class ArrayPool {
  readonly #all: Float64Array<ArrayBuffer>[] = []
  #given = 0

  /** Makes all arrays available again; the previous rebuild's values are no longer read. */
  reclaim(): void {
    this.#given = 0
  }

  /** Makes the arrays that are given within `use` available again after it. */
  within<V>(use: () => V): V {
    const given = this.#given
    const value = use()
    this.#given = given
    return value
  }

  /** An array with unspecified values. */
  next(count: number): Float64Array<ArrayBuffer> {
    const kept = this.#all[this.#given]
    // Slightly longer, since the market grows by a few tokens a minute.
    const column = kept && kept.length >= count ? kept : new Float64Array(Math.ceil(count * 1.02))
    this.#all[this.#given++] = column
    return column.subarray(0, count)
  }
}
