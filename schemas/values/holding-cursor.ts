import type { Address } from '../../market/segment.ts'
import type { Syntax } from './parameter-syntax.ts'

/**
 * Where a list of holdings goes on: in the group of tokens that begins at `group` (hex digits), after a token and its value
 * in cents, at the prices of a snapshot. Null: at the beginning of the group.
 */
export type HoldingCursor = {
  readonly snapshot: string
  readonly group: string
  readonly after: HoldingPlace | null
}

/** A holding's place in its group: tokens with `tier` 0 come first, then by value. */
export type HoldingPlace = { readonly tier: number; readonly cents: bigint; readonly token: Address }

const CURSOR = /^([\w-]{1,100})~([0-9a-f]{0,40})(?:~([012])~(\d{1,40})~(0x[0-9a-f]{40}))?$/

/** A cursor as text: opaque to readers. */
export const holdingCursorOf = ({ snapshot, group, after }: HoldingCursor): string =>
  [snapshot, group, ...(after ? [after.tier, after.cents, after.token] : [])].join('~')

/** Reads a cursor; null: it is none. */
export function readHoldingCursor(text: string): HoldingCursor | null {
  const [, snapshot, group, tier, cents, token] = CURSOR.exec(text.trim()) ?? []
  if (snapshot === undefined || group === undefined) return null
  const after = token ? { tier: Number(tier), cents: BigInt(cents ?? 0), token: token as Address } : null
  return { snapshot, group, after }
}

/** The cursor of a list of holdings. */
export const holdingCursorSyntax: Syntax = {
  schema: { type: 'string', pattern: CURSOR.source },
  allowed: 'the next_cursor of the page before',
}
