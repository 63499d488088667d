import type { Address, Minute, Swap, TokenName } from '../../market/segment.ts'
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
import { type ReadableMinute, readApplied } from '../../store/applied-read.ts'
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
    const facts = { applied: now.minute, hasSymbol: () => false, namesOf: reader.history.tokens }
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
    const [{ swaps, names }, hasSymbol] = await Promise.all([
      stores.recentSwaps.read(),
      readSymbol(reader, asked, now),
    ])
    const isApplied = ({ timestamp }: Swap) => Math.floor(timestamp / 60) <= now.minute
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

/** The tokens with the requested symbol, if one is given; costs one query. */
async function readSymbol(
  { history }: TokenReader,
  { query: { token } }: EndpointRequest,
  at: ReadableMinute,
): Promise<HasSymbol> {
  const wanted = tokenIn(token ?? '')
  if (token === undefined || wanted.address !== null) return () => false
  const found = await history.lookup(
    [lookupPartitions.symbol(wanted.symbol)],
    at.last.number + UNSEALED_BLOCKS,
  )
  const tokens = new Set(found.map((each) => each.token))
  return (each) => tokens.has(each)
}

/** The feed is ahead of the applied minute, and so are the tokens in it. */
const UNSEALED_BLOCKS = 10_000

/** Data besides the swaps. */
type Facts = {
  readonly applied: Minute
  readonly hasSymbol: HasSymbol
  /** What tokens are called now, as far as it is known. */
  readonly namesOf: (addresses: readonly Address[]) => Promise<ReadonlyMap<Address, TokenName>>
}

/** The requested page of the swaps that pass the filters. */
async function linesOf(
  reader: TokenReader,
  asked: EndpointRequest,
  newestFirst: readonly Swap[],
  { applied, hasSymbol, namesOf }: Facts,
) {
  const tests = swapFilters.flatMap(({ parameter, admits }) => {
    const value = asked.query[parameter.names[0]]
    return value === undefined ? [] : [admits(value)]
  })
  const passing = newestFirst.filter((swap) => tests.every((admits) => admits(swap, hasSymbol)))
  const page = rowsOfPage(asked.query['sort_order'] === 'asc' ? passing.toReversed() : passing, asked)
  const currencies = await readCurrencies(reader, page.rows, namesOf)
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
