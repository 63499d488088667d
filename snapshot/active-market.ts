import { isAdopted } from '../market/adoption.ts'
import { marketFields } from '../market/market-at.ts'
import type { OwnerChange, PostOwner, PostSums } from '../market/post-owners.ts'
import type { Address, Minute, Token, TokenState } from '../market/segment.ts'
import { tokenLine } from '../store/codec.ts'
import type { Activity } from '../store/segment-bytes.ts'
import { changeWindowed, sameAtAll, type Windowed, WindowedRecords } from './windowed.ts'

/** What is kept of the posts of one owner in one quote: PostSums as a record. That of zeros stands for no posts. */
export const sumFields = { counted: 'u256', plain: 'u256', count: 'u32', lastSwapMinute: 'u32' } as const

/** Owner of posts with a row in the last 30 days. */
export type ActiveOwner = {
  /** Numbers of its sums, and what each is of. */
  readonly sums: { readonly quote: Address | null; readonly number: number }[]
  oldestCreatorToken: Address | null
  lastRow: Minute
}

/** Attributes of tokens by number, an array each: as objects they would cost the garbage collector time. */
const columnTypes = {
  /** Number of the token that a token is quoted in now; below 0: -1 less the index of its quote among `others`. */
  quotes: Int32Array,
  isCurrency0: Uint8Array,
  isCreator: Uint8Array,
  isAdopted: Uint8Array,
  launchedAt: Float64Array,
  launchPrice: Float64Array,
  lastRow: Int32Array,
} as const
type ColumnName = keyof typeof columnTypes
export type TokenColumns = { [N in ColumnName]: InstanceType<(typeof columnTypes)[N]> }

/** The tokens and owners that were active in the last 30 days, now and at each window start. Changed by the functions of this file alone. */
export type ActiveMarket = {
  readonly states: WindowedRecords<typeof marketFields>
  readonly byAddress: Map<Address, number>
  /** By number, as text: a token is read when it is asked for. Empty: no token has the number. */
  readonly descriptions: string[]
  /** Of the tokens that were ever described otherwise: at each window start. */
  readonly redescribed: Map<number, Windowed<string>>
  /** What tokens were ever quoted in that was no token here, and the index of each. */
  readonly others: Map<Address | null, number>
  readonly columns: TokenColumns
  readonly sums: WindowedRecords<typeof sumFields>
  readonly owners: Map<Address, ActiveOwner>
  /** Of the owners whose oldest creator token was ever another: at each window start. */
  readonly reowned: Map<Address, Windowed<Address | null>>
}

/** No token yet. */
export const emptyMarket = (): ActiveMarket => ({
  states: new WindowedRecords(marketFields),
  byAddress: new Map(),
  descriptions: [],
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

/** Makes the columns as long as the numbers need. */
export function growColumns(columns: TokenColumns, count: number): void {
  if (count <= columns.lastRow.length) return
  const larger = columnsOf(2 * count)
  for (const name of Object.keys(columnTypes) as ColumnName[]) larger[name].set(columns[name])
  Object.assign(columns, larger)
}

/** Takes in a minute: what it touched is as it left it now and at the first `moving` indexes, and stays as it found it at those before it. */
export function takeIn(market: ActiveMarket, segment: Activity, moving: number): void {
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

/** The descriptions before the minute of those tokens that it described otherwise. */
const descriptionChanges = ({ tokens }: Activity): ReadonlyMap<Address, Token> =>
  new Map(tokens.flatMap(({ before }) => (before ? [[before.address, before] as const] : [])))

/** Tokens that were not active: the state of each before its row is its state at every window start. */
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

/** What others were quoted in before it was a token itself. */
function replaceQuote(quotes: Int32Array, before: number, after: number): void {
  for (let number = 0; number < quotes.length; number++) if (quotes[number] === before) quotes[number] = after
}

/** How `columns.quotes` names a quote. The token that a token is quoted in stays as long as this one: each row of a token stands beside one of its quote. */
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
  columns.isAdopted[number] = Number(isAdopted(token))
  columns.launchedAt[number] = token.launchedAt.timestamp
  columns.launchPrice[number] = Number(token.launch.priceUsdE36 ?? 0n) / 1e36
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

function enterOwner(market: ActiveMarket, owner: Address, { oldestCreatorToken, posts }: PostOwner) {
  const sums = posts.map((each) => ({ quote: each.quote, number: market.sums.enter(each) }))
  const entered: ActiveOwner = { sums, oldestCreatorToken, lastRow: 0 }
  market.owners.set(owner, entered)
  return entered
}

/** All sums of an owner that there ever were, by number, as a minute left them. */
function sumsIn(market: ActiveMarket, { sums }: ActiveOwner, { posts }: PostOwner) {
  for (const { quote } of posts) {
    if (!sums.some((known) => known.quote === quote)) sums.push({ quote, number: market.sums.enter(noSums) })
  }
  return sums.map(
    ({ quote, number }) => [number, posts.find((each) => each.quote === quote) ?? noSums] as const,
  )
}

/** Moves a window start past a minute: what the minute touched is there as the minute left it. */
export function pass(market: ActiveMarket, segment: Activity, at: number): void {
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

/** Lets go of what had its last row in a minute that the longest window has passed, or before; tokens in `needed` stay. */
export function leave(
  market: ActiveMarket,
  { rows, owners, minute }: Activity,
  needed: ReadonlySet<Address>,
): void {
  for (const { token } of rows) letGo(market, token, { minute, needed })
  for (const { owner } of owners) {
    const known = market.owners.get(owner)
    if (!known || known.lastRow > minute) continue
    for (const { number } of known.sums) market.sums.leave(number)
    market.owners.delete(owner)
    market.reowned.delete(owner)
  }
}

/** Lets go of a token if its last row is of `minute` or before and nobody needs it. */
export function letGo(
  { byAddress, states, descriptions, redescribed, columns }: ActiveMarket,
  address: Address,
  { minute, needed }: { readonly minute: Minute; readonly needed: ReadonlySet<Address> },
): void {
  const number = byAddress.get(address)
  if (number === undefined || (columns.lastRow[number] as number) > minute || needed.has(address)) return
  byAddress.delete(address)
  states.leave(number)
  descriptions[number] = ''
  redescribed.delete(number)
  for (const name of Object.keys(columnTypes) as ColumnName[]) columns[name][number] = 0
}

/**
 * Arrays of doubles, one value a token, that a process uses again in every rebuild. With arrays made anew, some hundred a
 * rebuild, the garbage collector walks the whole market every few of them.
 */
export class Columns {
  readonly #all: Float64Array<ArrayBuffer>[] = []
  #given = 0

  /** All arrays may be given again: nobody reads what the last rebuild had. */
  reclaim(): void {
    this.#given = 0
  }

  /** An array of any values. */
  next(count: number): Float64Array<ArrayBuffer> {
    const kept = this.#all[this.#given]
    // Longer than asked: the market grows by a few tokens a minute.
    const column = kept && kept.length >= count ? kept : new Float64Array(Math.ceil(count * 1.02))
    this.#all[this.#given++] = column
    return column.subarray(0, count)
  }
}
