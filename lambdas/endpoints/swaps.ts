import { minuteOfBlock } from '../../market/calendar.ts'
import type { TokenName } from '../../market/feed-entry.ts'
import { candleIntervals } from '../../market/interval.ts'
import type { Address, Minute, Swap } from '../../market/segment.ts'
import { foldText } from '../../market/text.ts'
import {
  currencyOf,
  type HasSymbol,
  type SwapCurrency,
  swapFields,
  swapFilters,
} from '../../schemas/records/swap.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type Before, cursorOf, isBefore, readBefore } from '../../schemas/values/swap-cursor.ts'
import { readSymbols, readTokenId } from '../../schemas/values/token-id.ts'
import { lookupPartitions } from '../../store/aws/tables.ts'
import { readApplied } from '../../store/log/applied-read.ts'
import {
  type ApiEndpoint,
  answerAt,
  type EndpointRequest,
  numberOf,
  type Page,
  rowsOfPage,
  rowsText,
} from '../api/endpoint.ts'
import { readerOf, readToken, type TokenReader } from './token.ts'

/** Limits of a search in one token's swaps: swaps, active minutes, and the time that minutes are kept. */
const TOKEN_SWAPS = 500
const ACTIVE_MINUTES = 400
const { keptMinutes: KEPT_MINUTES } = candleIntervals['1m']

const write = rowWriter(swapFields)

/** GET /v1/tokens/{id}/swaps: newest first, of the applied minutes. */
export const tokenSwaps: ApiEndpoint = swapsOfToken({ limit: TOKEN_SWAPS, rows: ACTIVE_MINUTES })

/** The newest of them, for a page of everything about a token: few minutes are searched. */
export const newestTokenSwaps: ApiEndpoint = swapsOfToken({ limit: 50, rows: 60 })

function swapsOfToken(most: { readonly limit: number; readonly rows: number }): ApiEndpoint {
  return async (asked, stores) => {
    const { at, value } = await readApplied(stores.log, async (now) => {
      const reader = readerOf(stores)
      const token = await readToken(reader, asked.id, now)
      const before = beforeIn(asked)
      const to = Math.min(now.minute, Math.ceil(before.seconds / 60) - 1)
      const span = { ...most, before, from: now.minute - KEPT_MINUTES, to }
      const { swaps, isCut, lookedTo } = await reader.history.newestSwaps(token.address, span)
      const facts = { applied: now.minute, hasSymbol: () => false, namesOf: reader.history.tokens }
      const lines = await linesOf(reader, asked, swaps, facts)
      if (!isCut) return lines
      // The last page of what was looked at goes on after it, whatever the filters admitted.
      const isLast = lines.offset + lines.rows.length >= lines.total
      const last = swaps.at(-1)
      const after = { before: last ? cursorOf(last) : isoTime(lookedTo * 60) }
      const isAscending = asked.query['sort_order'] === 'asc'
      return { ...lines, isCapped: true, ...(isLast && !isAscending ? { next: after } : {}) }
    })
    return answerAt(at, { page: value })
  }
}

/** Where a list of swaps begins: before this; without the parameter at the head. */
export const beforeIn = ({ query: { before } }: EndpointRequest): Before =>
  (before === undefined ? null : readBefore(before)) ?? { place: null, seconds: Number.POSITIVE_INFINITY }

/** GET /v1/market/recent-swaps: newest first, from the live feed; swaps after the applied minute are not confirmed. */
export const recentSwaps: ApiEndpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const { swaps, names } = await stores.recentSwaps.read()
    // The feed is ahead of the applied minute, and so are the tokens in it.
    const toBlock = Math.max(now.last.number, ...swaps.slice(0, 1).map(({ blockNumber }) => blockNumber))
    const hasSymbol = await readSymbol(reader, asked, toBlock)
    const isApplied = (swap: Swap) => minuteOfBlock(swap) <= now.minute
    const stored = new Set(swaps.filter(isApplied).map(({ token }) => token))
    // The feed has the name at the time of a swap: only for tokens that are not stored yet.
    const isNamed: HasSymbol = (token, folded) =>
      hasSymbol(token, folded) || (!stored.has(token) && foldText(names.get(token)?.symbol ?? '') === folded)
    const namesOf = async (addresses: readonly Address[]) =>
      new Map([...names, ...(await stores.names.read(addresses))])
    return linesOf(reader, asked, swaps, { applied: now.minute, hasSymbol: isNamed, namesOf })
  })
  return answerAt(at, { page: value })
}

/** The tokens with the requested symbol that were created up to a block, if one is given; costs one query. */
export async function readSymbol(
  { history }: TokenReader,
  { query: { token } }: EndpointRequest,
  toBlock: number,
): Promise<HasSymbol> {
  if (token === undefined || readTokenId(token)) return () => false
  const found = await Promise.all(
    readSymbols(token).map(async (symbol) => {
      const named = await history.lookup([lookupPartitions.symbol(symbol)], toBlock)
      return [symbol, new Set(named.map((each) => each.token))] as const
    }),
  )
  const tokens = new Map(found)
  return (each, symbol) => tokens.get(symbol)?.has(each) ?? false
}

/** Inputs of a row in addition to the swap. */
type Facts = {
  readonly applied: Minute
  readonly hasSymbol: HasSymbol
  /** Current names of tokens, as far as known. */
  readonly namesOf: (addresses: readonly Address[]) => Promise<ReadonlyMap<Address, TokenName>>
}

/** The requested page of the swaps that pass the filters. */
async function linesOf(
  reader: TokenReader,
  asked: EndpointRequest,
  newestFirst: readonly Swap[],
  { applied, hasSymbol, namesOf }: Facts,
) {
  const tests = filtersIn(asked)
  const before = beforeIn(asked)
  const passing = newestFirst.filter(
    (swap) => isBefore(swap, before) && tests.every((admits) => admits(swap, hasSymbol)),
  )
  const isAscending = asked.query['sort_order'] === 'asc'
  const page = rowsOfPage(isAscending ? passing.toReversed() : passing, asked)
  const list = rowsText(await textsOf(reader, page.rows, { applied, namesOf }))
  return { ...page, list, ...pinIn(asked, passing) }
}

/** The tests of the filters that a request names. */
export const filtersIn = ({ query }: EndpointRequest) =>
  swapFilters.flatMap(({ parameter, admits }) => {
    const value = query[parameter.names[0]]
    return value === undefined ? [] : [admits(value)]
  })

/** Swaps as JSON texts. */
async function textsOf(
  reader: TokenReader,
  swaps: readonly Swap[],
  { applied, namesOf }: Pick<Facts, 'applied' | 'namesOf'>,
): Promise<readonly string[]> {
  const currencies = await readCurrencies(reader, swaps, namesOf)
  return swaps.map((swap) =>
    write({
      swap,
      token: currencies(swap.token),
      quote: currencies(swap.quote),
      isConfirmed: minuteOfBlock(swap) <= applied,
    }),
  )
}

/** A page of swaps that goes on after the last one looked at; null: there are no more. */
export async function swapsPage(
  reader: TokenReader,
  asked: EndpointRequest,
  found: Pick<Facts, 'applied' | 'namesOf'> & {
    readonly rows: readonly Swap[]
    readonly lookedAt: Swap | null
  },
): Promise<Page> {
  const { rows, lookedAt } = found
  return {
    list: rowsText(await textsOf(reader, rows, found)),
    total: rows.length,
    isCapped: lookedAt !== null,
    offset: 0,
    limit: numberOf(asked, 'limit'),
    shown: Math.max(1, rows.length),
    onward: lookedAt && { before: cursorOf(lookedAt) },
  }
}

/** New swaps precede those of a page: its links pin the list at its newest swap. */
function pinIn({ query }: EndpointRequest, [newest]: readonly Swap[]) {
  const before = query['before'] ?? (newest && cursorOf({ ...newest, logIndex: newest.logIndex + 1 }))
  return before === undefined ? {} : { pinned: { before } }
}

/** Both sides of a page of swaps, by address. */
async function readCurrencies(
  { references }: TokenReader,
  swaps: readonly Swap[],
  namesOf: Facts['namesOf'],
) {
  const traded = new Set(swaps.flatMap(({ token, quote }) => [token, quote]))
  const names = await namesOf([...traded].filter((address) => !references.has(address)))
  return (address: Address): SwapCurrency =>
    references.get(address) ?? currencyOf(names.get(address) ?? { address, symbol: null, name: null })
}
