import type { Syntax } from './parameter-syntax.ts'

/** A token's place in the order of launches. */
export type TokenPlace = {
  readonly blockNumber: number
  readonly logIndex: number
  /** Without 0x. */
  readonly address: string
}

/** Where a list goes on: after a token, which was its row of this number, from 1. */
export type TokenCursor = TokenPlace & { readonly row: number }

/** Cursors of before had no number: their next row is numbered 1. */
const CURSOR = /^(\d{1,12})\.(\d{1,8})\.([0-9a-f]{40})(?:\.(\d{1,9}))?$/

/** A cursor as text: opaque to readers. */
export const tokenCursorOf = ({ blockNumber, logIndex, address, row }: TokenCursor): string =>
  `${blockNumber}.${logIndex}.${address}.${row}`

/** Reads a cursor; null: it is none. */
export function readTokenCursor(text: string): TokenCursor | null {
  const [, block, index, address, row = '0'] = CURSOR.exec(text.trim()) ?? []
  if (block === undefined || index === undefined || address === undefined) return null
  return { blockNumber: Number(block), logIndex: Number(index), address, row: Number(row) }
}

/** The cursor of a list of all tokens. */
export const tokenCursorSyntax: Syntax = {
  schema: { type: 'string', pattern: CURSOR.source },
  allowed: 'the cursor of the link to the next page',
}
