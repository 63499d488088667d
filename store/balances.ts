import type { Address } from '../market/segment.ts'
import { MovedOnError } from './applied-read.ts'
import type { Reads } from './table.ts'
import { addressOf, marketKeys } from './tables.ts'

/** A holder's balance, in base units. */
export type Balance = { readonly holder: Address; readonly amount: bigint }

/** Balances read for one answer: 32 of them cost what one small item does. */
export const BALANCES_MAX = 50_000

/**
 * Every balance of a token as of log entry `n`, in no order of size; null when there are more than BALANCES_MAX. Balances
 * have no past: throws MovedOnError when one was put by a later entry.
 */
export async function readBalances(
  table: Reads,
  token: Address,
  n: number,
): Promise<readonly Balance[] | null> {
  const { pk } = marketKeys.balance(token, token)
  const balances: Balance[] = []
  for await (const item of table.query({ pk })) {
    if (Number(item['pos'] ?? 0) > n) throw new MovedOnError()
    if (balances.length === BALANCES_MAX) return null
    balances.push({ holder: addressOf(item.sk), amount: BigInt(String(item['balance'])) })
  }
  return balances
}
