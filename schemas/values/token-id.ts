import type { Address, Hash } from '../../market/segment.ts'
import { foldText, soughtText } from '../../market/text.ts'
import { type Syntax, soughtFor } from './parameter-syntax.ts'

/** The chain in the ids of other services: its name, its number, and its CAIP-2 and CAIP-19 forms. */
const CHAIN = '(?:base[_:]|(?:eip155:)?8453(?::|/erc20:))?'
const ID = new RegExp(`^${CHAIN}(?:0x)?([0-9a-f]{40}|[0-9a-f]{64})(?::8453)?$`, 'i')
const ADDRESS_DIGITS = 40

/** A token by its contract's address, or by its pool. */
export type TokenId =
  | { readonly address: Address; readonly pool: null }
  | { readonly address: null; readonly pool: Hash }

/**
 * Reads a token's id: 40 hex digits (an address) or 64 (a pool), in any case, with or without 0x, also as `base_0x…`,
 * `0x…:8453`, `eip155:8453:0x…` or `eip155:8453/erc20:0x…`. Null: none of these.
 */
export function readTokenId(text: string): TokenId | null {
  const digits = ID.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return null
  return digits.length === ADDRESS_DIGITS
    ? { address: `0x${digits}`, pool: null }
    : { address: null, pool: `0x${digits}` }
}

/** Reads an address in any of these forms; null: it is none. */
export const readAddress = (text: string): Address | null => readTokenId(text)?.address ?? null

/** What can only be meant as an id: a prefix, hex digits after 0x, many of them, or an address with anything around it. */
const MEANT_AS_ID = /^(?:base_|eip155:|0x[0-9a-f]+$|0x.{20,}|.*:8453$|[0-9a-f]{32,}$|.*0x[0-9a-f]{40})/is

/** Whether a text looks like an id and is none, such as an address with a digit too few. */
export const isBrokenId = (text: string): boolean =>
  MEANT_AS_ID.test(text.trim()) && readTokenId(text) === null

/** The normalised symbols that a text may mean: as it is, and without a leading `$`, `@` or `#`. */
export function readSymbols(text: string): readonly string[] {
  return [...new Set([foldText(text), soughtText(text)])].filter((symbol) => symbol !== '')
}

/** The beginning of an address, which a search takes. */
const PREFIX = /^0x[0-9a-f]{0,39}$/i

/** A search text: part of a name, or an id. */
export const searchSyntax: Syntax = {
  ...soughtFor(2, 100),
  isRead: (text) => PREFIX.test(text.trim()) || !isBrokenId(text),
}

const ID_ALLOWED = 'an address (0x and 40 hex digits) or a pool id (0x and 64)'

/** A token's id, or a symbol. */
export const tokenSyntax: Syntax = {
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  allowed: `a symbol, ${ID_ALLOWED}`,
  description:
    'A leading `$` or `@` of a symbol is ignored; an address may also be written `base_0x…` or `0x…:8453`',
  normal: soughtText,
  isRead: (text) => !isBrokenId(text),
}
