import type { Balance } from '../market/holders.ts'
import type { Address } from '../market/segment.ts'
import { MovedOnError } from './applied-read.ts'
import type { Reads } from './table.ts'
import { addressOf, marketKeys } from './tables.ts'

/**
 * Every balance of a token as of log entry `n`, in no order of size; null when there are more than `most`. Balances have no
 * past: throws MovedOnError when a later entry has put one, or taken one away.
 */
export async function readBalances(
  table: Reads,
  token: Address,
  { n, most }: { readonly n: number; readonly most: number },
): Promise<readonly Balance[] | null> {
  const { pk } = marketKeys.balance(token, token)
  const balances: Balance[] = []
  for await (const item of table.query({ pk, withTombs: true })) {
    if (Number(item['pos'] ?? 0) > n) throw new MovedOnError()
    if (item['tomb'] === true) continue
    if (balances.length === most) return null
    balances.push({ holder: addressOf(item.sk), amount: BigInt(String(item['balance'])) })
  }
  return balances
}
