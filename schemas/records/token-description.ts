/** Who a token is: its names, its maker, its place on chain. */
import { isVerified } from '../../market/authorship.ts'
import type { TokenNow } from '../../market/board/row.ts'
import { coverageFrom, isImported } from '../../market/coverage.ts'
import type { Address, Token } from '../../market/segment.ts'
import { shortAddress } from '../values/address.ts'
import { type FieldTable, fieldsOf, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

type Named = { readonly address: Address; readonly symbol: string; readonly name: string }

/** A token's symbol; its short address where cleaning left nothing of it. */
export const shownSymbol = ({ symbol, address }: Named): string => symbol || shortAddress(address)

/** A token's name, likewise. */
export const shownName = ({ name, address }: Named): string => name || shortAddress(address)

/** What names a token. */
type Described = Pick<TokenNow, 'token' | 'creatorToken'>

/** The launcher of a post that names somebody else as its creator: it has nobody's name. */
const strangersLauncher = ({ token }: Described): Address | null =>
  token.kind === 'post' && isVerified(token) === false ? token.launchedBy : null

/** The creator token's symbol, else the creator's short address; null: the token is older than the log. */
export function handleOf(row: Described): string | null {
  const { creatorToken, token } = row
  const launcher = strangersLauncher(row)
  if (launcher) return shortAddress(launcher)
  return creatorToken?.symbol || (isImported(token) ? null : shortAddress(token.creator))
}

/** The creator token that a post is quoted in, whoever launched it; null: something else. */
const quotedIn = ({ token, creatorToken }: Described): Token | null =>
  token.kind === 'post' && creatorToken?.address === token.quote ? creatorToken : null

const quoteName = fieldsOf<Token>()
const quoteNameFields: FieldTable<Token> = {
  address: quoteName(kind.address, ({ address }) => address, 'Contract of the creator token'),
  symbol: quoteName(kind.text, shownSymbol, 'Its symbol; untrusted on-chain text'),
}

const described = fieldsOf<Described>()
/** Description of a creator's handle. */
export const handleDescription =
  'Symbol of the creator token, else a short address: the creator’s, or the launcher’s for a post whose creator_verified is false'

/** Fields of the token in every row. */
export const descriptions = {
  type: described(kind.choice(['creator', 'post']), (row) => row.token.kind, 'creator or post'),
  symbol: described(kind.text, (row) => shownSymbol(row.token), 'Ticker symbol; untrusted on-chain text'),
  name: described(kind.text, (row) => shownName(row.token), 'Token name or post title; untrusted text'),
  symbol_since: described(orNull(kind.time), ({ token }) => token.symbolSince, {
    description:
      'Time since which it has this symbol: of the creation block, or of the last rename; null: older than this service’s history',
  }),
  creator_handle: described(orNull(kind.text), handleOf, {
    description: `${handleDescription}; null where neither is known`,
  }),
  creator_name: described(
    orNull(kind.text),
    (row) => (row.creatorToken && !strangersLauncher(row) ? shownName(row.creatorToken) : null),
    {
      description:
        'Name of the creator token; null without one, and on a post whose creator_verified is false',
    },
  ),
  quoted_in: described(orNull(recordKind(quoteNameFields)), quotedIn, {
    description:
      'The creator token that a post is priced in, no matter who launched the post; null on creator tokens and where the quote is something else',
  }),
  creator_address: described(
    orNull(kind.address),
    ({ token }) => (isImported(token) ? null : token.creator),
    {
      description:
        'Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set',
    },
  ),
  creator_verified: described(orNull(kind.flag), ({ token }) => isVerified(token), {
    description:
      'Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read',
  }),
  launched_by: described(orNull(kind.address), ({ token }) => token.launchedBy, {
    description:
      'The caller of the factory; creator_address also where it called one of the platform’s pass-through contracts, which called the factory. null: the creation was not read',
  }),
  contract_address: described(kind.address, (row) => row.token.address, {
    description: 'Token contract',
    aliases: ['token_address'],
  }),
  pool_id: described(kind.hash, (row) => row.token.poolId, 'Primary Uniswap V4 pool'),
  created_at: described(
    orNull(kind.time),
    ({ token }) => (isImported(token) ? null : token.launchedAt.timestamp),
    { description: 'Time of the creation block; null if coverage_from is set' },
  ),
  coverage_from: described(orNull(kind.time), ({ token }) => coverageFrom(token), {
    description:
      'Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null',
  }),
}
