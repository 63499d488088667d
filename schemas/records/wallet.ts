/** What a wallet holds, as printed. */
import type { Address, MicroUsd, Token } from '../../market/segment.ts'
import { type FieldTable, fieldsOf, listKind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { creatorTokenFields } from './creator.ts'
import { shownName, shownSymbol } from './token-description.ts'

/** A token that a wallet holds. */
export type Holding = {
  readonly position: number
  readonly token: Token
  readonly balance: bigint
  /** Of the total supply, × 1e4. */
  readonly percentE4: bigint
  /** Null: no price is known. */
  readonly value: MicroUsd | null
  readonly isThin: boolean | null
}

/** A page of a wallet's holdings. Times are Unix seconds. */
export type WalletPage = {
  readonly wallet: Address
  readonly holdings: readonly Holding[]
  /** Null: the wallet holds more tokens than one answer reads. */
  readonly count: number | null
  readonly value: MicroUsd | null
  /** Null: this is the last page. */
  readonly next: string | null
  readonly creatorToken: Token | null
  readonly pricesAt: number
  readonly coverageFrom: number | null
  readonly asOf: number
}

const holding = fieldsOf<Holding>()
const page = fieldsOf<WalletPage>()

/** Rows of holdings. */
export const holdingFields: FieldTable<Holding> = {
  position: holding(kind.count, (row) => row.position, 'Place in this answer'),
  contract_address: holding(kind.address, ({ token }) => token.address, 'Token contract'),
  symbol: holding(kind.text, ({ token }) => shownSymbol(token), 'Ticker symbol; untrusted on-chain text'),
  name: holding(kind.text, ({ token }) => shownName(token), 'Name; untrusted on-chain text'),
  type: holding(kind.choice(['creator', 'post']), ({ token }) => token.kind, 'Creator token or post'),
  balance: holding(kind.amount, (row) => row.balance, 'Whole tokens, floored to 6 decimals'),
  balance_raw: holding(kind.text, (row) => String(row.balance), 'Base units, exact'),
  percentage: holding(kind.fourPlaces, (row) => row.percentE4, 'Share of the total supply, percent'),
  value_usd: holding(orNull(kind.usd), (row) => row.value, {
    description:
      'At the pool price of prices_as_of, USD; null for a token without a price or without activity in 30 days',
  }),
  thin_liquidity: holding(orNull(kind.flag), (row) => row.isThin, {
    description:
      'The token’s market cap exceeds 25 × its liquidity: hardly anyone could sell at this price. Such holdings come after the others, and are not in value_usd of the wallet',
  }),
}

/** A wallet. */
export const walletFields: FieldTable<WalletPage> = {
  address: page(kind.address, ({ wallet }) => wallet, 'The wallet'),
  tokens_count: page(orNull(kind.count), ({ count }) => count, {
    description: 'Tokens that it holds; null if they are more than one answer reads',
  }),
  value_usd: page(orNull(kind.usd), ({ value }) => value, {
    description: 'What they are worth, USD, without those with thin_liquidity; null with tokens_count',
  }),
  holdings: page(listKind(holdingFields), (row) => row.holdings, {
    description:
      'A page of them, largest value first; those with thin_liquidity, then those without a value come last. A wallet with more tokens than one answer reads is listed in groups of 2,000 by contract, each in this order',
  }),
  next_cursor: page(orNull(kind.text), ({ next }) => next, {
    description:
      '`cursor` of the next page, good for 15 minutes, at the same prices; null: this is the last. A balance that changes meanwhile may move its holding to a page before or after',
  }),
  creator_token: page(
    orNull(recordKind(creatorTokenFields)),
    ({ creatorToken }) => creatorToken && { token: creatorToken, creatorToken },
    { description: 'The first creator token that the address launched as its own; null without one' },
  ),
  prices_as_of: page(kind.time, ({ pricesAt }) => pricesAt, 'The time of the prices'),
  coverage_from: page(orNull(kind.time), ({ coverageFrom }) => coverageFrom, {
    description:
      'Set if this service’s history begins later than the platform: balances unchanged since then are not known',
  }),
  last_updated: page(kind.time, ({ asOf }) => asOf, 'The time of the balances'),
}
