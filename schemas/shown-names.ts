import type { TokenNow } from '../market/row.ts'
import type { Address } from '../market/segment.ts'
import { shortAddress } from './address.ts'

type Named = { readonly address: Address; readonly symbol: string; readonly name: string }

/** A token's symbol; its short address where cleaning left nothing of it. */
export const shownSymbol = ({ symbol, address }: Named): string => symbol || shortAddress(address)

/** A token's name, likewise. */
export const shownName = ({ name, address }: Named): string => name || shortAddress(address)

/** The creator token's symbol, else the creator's short address. */
export const handleOf = ({ creatorToken, token }: Pick<TokenNow, 'token' | 'creatorToken'>): string =>
  creatorToken?.symbol || shortAddress(token.creator)
