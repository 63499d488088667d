import type { Address, Minute, Swap, Token, TokenName } from '../../market/segment.ts'
import { foldText } from '../../market/text.ts'
import { rowWriter } from '../../schemas/field.ts'
import {
  currencyOf,
  type HasSymbol,
  type SwapCurrency,
  swapFields,
  swapFilters,
  tokenIn,
} from '../../schemas/swap.ts'
import { readApplied } from '../../store/applied-read.ts'
import { lookupPartitions } from '../../store/tables.ts'
import {
  type ApiEndpoint,
  answerAt,
  type EndpointRequest,
  rowsOfPage,
  rowsText,
  timeMsOf,
} from './endpoint.ts'
import { readerOf, readToken, type TokenReader } from './token.ts'

/** Maximum swaps of one token to search, in at most so many of its active minutes, and how long they are kept. */
const TOKEN_SWAPS = 500
const ACTIVE_MINUTES = 400
const KEPT_MINUTES = 8 * 1_440

const write = rowWriter(swapFields)

/** GET /v1/tokens/{id}/swaps: newest first, of the applied minutes. */
export const tokenSwaps: ApiEndpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const token = await readToken(reader, asked.id, now)
    const end = secondsOf(asked.query['before']) ?? Number.POSITIVE_INFINITY
    const to = Math.min(now.minute, Math.ceil(end / 60) - 1)
    const from = now.minute - KEPT_MINUTES
    const bounds = { limit: TOKEN_SWAPS, rows: ACTIVE_MINUTES, before: end }
    const { swaps, isCut } = await reader.history.newestSwaps(token.address, { from, to, ...bounds })
    const facts = { applied: now.minute, hasSymbol: () => false, names: new Map() }
    return { ...(await linesOf(reader, asked, swaps, facts)), isCapped: isCut }
  })
  return answerAt(at, { page: value })
}

/** A validated time in Unix seconds; a date alone means its start. */
function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : timeMsOf(time, '00:00') / 1_000
}

/** GET /v1/market/recent-swaps: newest first, from the live feed; swaps after the applied minute are not confirmed. */
export const recentSwaps: ApiEndpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const { swaps, names } = await stores.recentSwaps.read()
    // The feed is ahead of the applied minute, and so are the tokens in it.
    const toBlock = Math.max(now.last.number, ...swaps.slice(0, 1).map(({ blockNumber }) => blockNumber))
    const hasSymbol = await readSymbol(reader, asked, toBlock)
    const isNamed: HasSymbol = (token, folded) =>
      hasSymbol(token, folded) || foldText(names.get(token)?.symbol ?? '') === folded
    return linesOf(reader, asked, swaps, { applied: now.minute, hasSymbol: isNamed, names })
  })
  return answerAt(at, { page: value })
}

/** The tokens with the requested symbol that were created up to a block, if one is given; costs one query. */
async function readSymbol(
  { history }: TokenReader,
  { query: { token } }: EndpointRequest,
  toBlock: number,
): Promise<HasSymbol> {
  const wanted = tokenIn(token ?? '')
  if (token === undefined || wanted.address !== null) return () => false
  const found = await history.lookup(lookupPartitions.symbol(wanted.symbol), toBlock)
  const tokens = new Set(found.map((each) => each.token))
  return (each) => tokens.has(each)
}

/** Data besides the swaps. */
type Facts = {
  readonly applied: Minute
  readonly hasSymbol: HasSymbol
  readonly names: ReadonlyMap<Address, TokenName>
}

/** The requested page of the swaps that pass the filters. */
async function linesOf(
  reader: TokenReader,
  asked: EndpointRequest,
  newestFirst: readonly Swap[],
  { applied, hasSymbol, names }: Facts,
) {
  const tests = swapFilters.flatMap(({ parameter, admits }) => {
    const value = asked.query[parameter.names[0]]
    return value === undefined ? [] : [admits(value)]
  })
  const passing = newestFirst.filter((swap) => tests.every((admits) => admits(swap, hasSymbol)))
  const page = rowsOfPage(asked.query['sort_order'] === 'asc' ? passing.toReversed() : passing, asked)
  const currencies = await readCurrencies(reader, page.rows, names)
  const rows = page.rows.map((swap) =>
    write({
      swap,
      token: currencies(swap.token),
      quote: currencies(swap.quote),
      isConfirmed: Math.floor(swap.timestamp / 60) <= applied,
    }),
  )
  return { ...page, list: rowsText(rows) }
}

/** Names of the quotes of a page of swaps. */
async function readCurrencies(
  { history, references }: TokenReader,
  swaps: readonly Swap[],
  names: ReadonlyMap<Address, TokenName>,
) {
  const named = new Set(swaps.flatMap(({ token, quote }) => [token, quote]))
  const missing = [...named].filter((each) => !references.has(each) && !names.has(each))
  const tokens = missing.length > 0 ? await history.tokens(missing) : new Map<Address, Token>()
  return (address: Address): SwapCurrency =>
    references.get(address) ??
    currencyOf(names.get(address) ?? tokens.get(address) ?? { address, symbol: null, name: null })
}
