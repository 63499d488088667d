import type { Address, Minute, Swap, Token } from '../../market/segment.ts'
import { rowWriter } from '../../schemas/field.ts'
import { currencyOf, type SwapCurrency, swapFields } from '../../schemas/swap.ts'
import { type ReadableMinute, readApplied } from '../../store/applied-read.ts'
import { lookupPartitions } from '../../store/tables.ts'
import { type Asked, answerAt, type Endpoint, listOf, pageOf } from './endpoint.ts'
import { readerOf } from './token.ts'
import { readToken, type TokenReader } from './token-facts.ts'

/** Swaps of one token that are looked through, and for how long they are kept. */
const TOKEN_SWAPS = 1_000
const KEPT_MINUTES = 8 * 1_440

const write = rowWriter(swapFields)

/** GET /v1/tokens/{id}/swaps: newest first, of the applied minutes. */
export const tokenSwaps: Endpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)()
    const token = await readToken(reader, asked.id, now)
    const span = { from: now.minute - KEPT_MINUTES, to: now.minute, limit: TOKEN_SWAPS }
    const swaps = await reader.history.newestSwaps(token.address, span)
    return linesOf(reader, asked, swaps, now.minute)
  })
  return answerAt(at, { page: value })
}

/** GET /v1/market/recent-swaps: newest first, from the live feed; swaps after the applied minute are not confirmed. */
export const recentSwaps: Endpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)()
    const [swaps, tokens] = await Promise.all([stores.recentSwaps.read(), readFilter(reader, asked, now)])
    const wanted = tokens ? swaps.filter(({ token }) => tokens.has(token)) : swaps
    return linesOf(reader, asked, wanted, now.minute)
  })
  return answerAt(at, { page: value })
}

/** The tokens of the filter: an address, or all of a symbol; null: every token. */
async function readFilter(
  { history }: TokenReader,
  { query: { token } }: Asked,
  at: ReadableMinute,
): Promise<ReadonlySet<Address> | null> {
  if (token === undefined) return null
  const text = token.trim().replace(/^[$@]/, '')
  if (/^0x[0-9a-f]{40}$/i.test(text)) return new Set([text.toLowerCase() as Address])
  const found = await history.lookup(lookupPartitions.symbol(text), at.last.number + UNSEALED_BLOCKS)
  return new Set(found.map((each) => each.token))
}

/** The feed runs ahead of what is applied; so do the tokens that it names. */
const UNSEALED_BLOCKS = 10_000

/** The page asked for, of the swaps that pass its filters. */
async function linesOf(reader: TokenReader, asked: Asked, newestFirst: readonly Swap[], applied: Minute) {
  const { type, min_value: least = '0', sort_order: order } = asked.query
  const passing = newestFirst.filter(
    (swap) => (type === 'all' || swap.isBuy === (type === 'buy')) && isAtLeast(swap.volumeMicroUsd, least),
  )
  const page = pageOf(order === 'asc' ? passing.toReversed() : passing, asked)
  const currencies = await readCurrencies(reader, page.rows)
  const rows = page.rows.map((swap) =>
    write({
      swap,
      token: currencies(swap.token),
      quote: currencies(swap.quote),
      isConfirmed: Math.floor(swap.timestamp / 60) <= applied,
    }),
  )
  return { ...page, list: listOf(rows) }
}

const MICRO_DIGITS = 6
const VALUE_DIGITS = 18

/** Compares micro-dollars with a decimal of dollars, exactly. */
function isAtLeast(microUsd: bigint, dollars: string): boolean {
  const [whole = '0', fraction = ''] = dollars.split('.')
  const value = BigInt(whole + fraction.padEnd(VALUE_DIGITS, '0'))
  return microUsd * 10n ** BigInt(VALUE_DIGITS - MICRO_DIGITS) >= value
}

/** Names of all that a page of swaps is paid in. */
async function readCurrencies({ history, references }: TokenReader, swaps: readonly Swap[]) {
  const named = new Set(swaps.flatMap(({ token, quote }) => [token, quote]))
  const tokens: ReadonlyMap<Address, Token> = await history.tokens(
    [...named].filter((each) => !references.has(each)),
  )
  return (address: Address): SwapCurrency =>
    references.get(address) ?? currencyOf(tokens.get(address) ?? { address, symbol: '', name: '' })
}
