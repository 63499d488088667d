import type { Syntax } from './parameter-syntax.ts'

/** A token's place in the order of launches. */
export type TokenPlace = {
  readonly blockNumber: number
  readonly logIndex: number
  /** Without 0x. */
  readonly address: string
}

const CURSOR = /^(\d{1,12})\.(\d{1,8})\.([0-9a-f]{40})$/

/** A token's place as text: opaque to readers. */
export const tokenCursorOf = ({ blockNumber, logIndex, address }: TokenPlace): string =>
  `${blockNumber}.${logIndex}.${address}`

/** Reads a cursor; null: it is none. */
export function readTokenCursor(text: string): TokenPlace | null {
  const [, block, index, address] = CURSOR.exec(text.trim()) ?? []
  if (block === undefined || index === undefined || address === undefined) return null
  return { blockNumber: Number(block), logIndex: Number(index), address }
}

/** The cursor of a list of all tokens. */
export const tokenCursorSyntax: Syntax = {
  schema: { type: 'string', pattern: CURSOR.source },
  allowed: 'the cursor of the link to the next page',
}
