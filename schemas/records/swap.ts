import { decimalText } from '../../market/display.ts'
import { TOKEN_DECIMALS } from '../../market/rules.ts'
import type { Address, Swap } from '../../market/segment.ts'
import { shortAddress } from '../values/address.ts'
import { type FieldTable, fieldsOf, type Kind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { minValue, type Parameter, side as sideParameter, tokenFilter } from '../values/parameters.ts'
import { cursorOf } from '../values/swap-cursor.ts'
import { readSymbols, readTokenId } from '../values/token-id.ts'

/** What one side of a swap is paid in. Names are untrusted on-chain text, cleaned; null: of a currency that is not known. */
export type SwapCurrency = {
  readonly address: Address
  readonly symbol: string | null
  readonly name: string | null
  readonly decimals: number
}

/** A swap with both of its tokens; `isConfirmed` once its minute is applied. */
export type SwapLine = {
  readonly swap: Swap
  readonly token: SwapCurrency
  readonly quote: SwapCurrency
  readonly isConfirmed: boolean
}

type Amount = { readonly base: bigint; readonly decimals: number }
type Side = SwapCurrency & Amount

const PLACES = 6

/** Whole units of any currency, floored to 6 decimals. */
const amount: Kind<Amount> = {
  schema: { type: 'number', minimum: 0 },
  write: ({ base, decimals }) => {
    const excess = decimals - PLACES
    const floored = excess > 0 ? base / 10n ** BigInt(excess) : base
    return decimalText(floored, Math.min(decimals, PLACES), PLACES)
  },
}

/** US dollars of one swap, 6 decimals: so that dust differs from nothing. */
const swapUsd: Kind<bigint> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) => decimalText(value, 6, PLACES),
}

const side = fieldsOf<Side>()
const line = fieldsOf<SwapLine>()

/** One side of a swap. */
export const sideFields: FieldTable<Side> = {
  address: side(kind.address, (row) => row.address, 'Contract; zero for the chain’s own currency'),
  symbol: side(orNull(kind.text), (row) => row.symbol, {
    description: 'Ticker symbol; untrusted text; null for an unknown currency',
  }),
  name: side(orNull(kind.text), (row) => row.name, 'Name; untrusted text; null for an unknown currency'),
  decimals: side(kind.count, (row) => row.decimals, 'Decimals of the base unit'),
  amount: side(amount, (row) => row, 'Whole units, floored to 6 decimals'),
  amount_raw: side(kind.text, ({ base }) => String(base), 'Base units, exact'),
}

const tokenSide = ({ swap, token }: SwapLine): Side => ({ base: swap.amountToken, ...token })
const quoteSide = ({ swap, quote }: SwapLine): Side => ({ base: swap.amountQuote, ...quote })
const sideIn = (row: SwapLine): Side => (row.swap.isBuy ? quoteSide(row) : tokenSide(row))
const sideOut = (row: SwapLine): Side => (row.swap.isBuy ? tokenSide(row) : quoteSide(row))

/** A swap: in recent swaps, swaps of a token, and the stream. */
export const swapFields: FieldTable<SwapLine> = {
  transaction_hash: line(kind.hash, ({ swap }) => swap.transactionHash, {
    description: 'Transaction',
    aliases: ['tx_hash'],
  }),
  block_number: line(kind.count, ({ swap }) => swap.blockNumber, 'Block'),
  block_hash: line(kind.hash, ({ swap }) => swap.blockHash, 'Its hash'),
  log_index: line(kind.count, ({ swap }) => swap.logIndex, 'Index of the log in the block'),
  cursor: line(kind.text, ({ swap }) => cursorOf(swap), 'Its place, opaque: `before` takes it'),
  timestamp: line(kind.count, ({ swap }) => swap.timestamp, 'Time of the block, Unix seconds'),
  timestamp_ms: line(orNull(kind.count), ({ swap }) => swap.timestampMs, {
    description:
      'Time of the block, Unix milliseconds; null where it is not proven. Several blocks share a second: the order of swaps is (block_number, log_index)',
  }),
  datetime: line(kind.time, ({ swap }) => swap.timestamp, 'The same as text'),
  pool_id: line(kind.hash, ({ swap }) => swap.poolId, {
    description: 'Uniswap V4 pool',
    aliases: ['pool_address'],
  }),
  token_symbol: line(kind.text, ({ token }) => token.symbol ?? shortAddress(token.address), {
    description: 'Ticker symbol of the pool’s token; untrusted text',
  }),
  token_address: line(kind.address, ({ token }) => token.address, 'The pool’s token'),
  is_buy: line(kind.flag, ({ swap }) => swap.isBuy, 'The token was bought'),
  type: line(kind.choice(['buy', 'sell']), ({ swap }) => (swap.isBuy ? 'buy' : 'sell'), {
    description: 'Whether the token was bought or sold',
  }),
  from_address: line(orNull(kind.address), ({ swap }) => swap.from, {
    description: 'Sender of the token’s last transfer in the transaction; null without such a transfer',
  }),
  to_address: line(orNull(kind.address), ({ swap }) => swap.to, 'Recipient of that transfer'),
  trader: line(kind.address, ({ swap }) => swap.trader, {
    description:
      'The trader: as named by a trusted router; if it names none, the counterparty of that transfer; else the sender of the transaction',
  }),
  amount_in: line(amount, sideIn, 'What went into the pool, whole units of token_in'),
  amount_out: line(amount, sideOut, 'What came out, whole units of token_out'),
  amount: line(amount, tokenSide, 'Whole tokens, bought or sold'),
  price_per_token: line(orNull(kind.price), ({ swap }) => swap.paidUsdE36 || null, {
    description: 'US dollars per whole token, fees included; null without a route to USD',
  }),
  volume_usd: line(swapUsd, ({ swap }) => swap.volumeMicroUsd, {
    description: 'Value of the quote side, US dollars to 6 decimals',
    aliases: ['usd_value'],
  }),
  token_in: line(recordKind(sideFields), sideIn, 'What went into the pool'),
  token_out: line(recordKind(sideFields), sideOut, 'What came out'),
  confirmed: line(kind.flag, (row) => row.isConfirmed, {
    description: 'Its minute is sealed; before that a reorganisation of the chain may retract it',
  }),
}

/** Both sides' facts for a token of the platform. */
export const currencyOf = (token: Omit<SwapCurrency, 'decimals'>): SwapCurrency => ({
  address: token.address,
  symbol: token.symbol === '' ? shortAddress(token.address) : token.symbol,
  name: token.name === '' ? shortAddress(token.address) : token.name,
  decimals: TOKEN_DECIMALS,
})

/** Whether a token has a symbol, which is given folded. */
export type HasSymbol = (token: Address, folded: string) => boolean

/** A filter of swaps: its parameter, and the test for a valid value of it. */
export type SwapFilter = {
  readonly parameter: Parameter
  readonly admits: (value: string) => (swap: Swap, hasSymbol: HasSymbol) => boolean
}

/** The filters of the stream and of recent swaps; of one token's swaps all but `tokenFilter`. */
export const swapFilters: readonly SwapFilter[] = [
  { parameter: sideParameter, admits: (type) => (swap) => type === 'all' || swap.isBuy === (type === 'buy') },
  {
    parameter: minValue,
    admits: (dollars) => {
      const least = atto(dollars)
      return ({ volumeMicroUsd }) => volumeMicroUsd * ATTO_PER_MICRO >= least
    },
  },
  { parameter: tokenFilter, admits: isOfToken },
]

/** Whether something is of the token that a value of `tokenFilter` names. */
export function isOfToken(
  value: string,
): (swap: Pick<Swap, 'token' | 'poolId'>, hasSymbol: HasSymbol) => boolean {
  const id = readTokenId(value)
  if (id) return ({ token, poolId }) => token === id.address || poolId === id.pool
  const symbols = readSymbols(value)
  return ({ token }, hasSymbol) => symbols.some((symbol) => hasSymbol(token, symbol))
}

const ATTO_DIGITS = 18
const ATTO_PER_MICRO = 10n ** 12n

/** A decimal of dollars with at most 18 places, × 1e18: what swaps are compared with, exactly. */
function atto(dollars: string): bigint {
  const [whole = '0', fraction = ''] = dollars.split('.')
  return BigInt(whole + fraction.padEnd(ATTO_DIGITS, '0'))
}
