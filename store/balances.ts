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

/** One holder of one token. */
export type HolderOf = { readonly token: Address; readonly holder: Address }

/** The name of a balance in a map of balances. */
export const balanceName = ({ token, holder }: HolderOf): string => token + holder

/** The balances of these holders as of the last materialized entry, by name; who holds nothing is left out. */
export async function readBalancesOf(
  table: Reads,
  holders: readonly HolderOf[],
): Promise<ReadonlyMap<string, bigint>> {
  const keys = new Map(
    holders.map(({ token, holder }) => [balanceName({ token, holder }), marketKeys.balance(token, holder)]),
  )
  const items = await table.readMany([...keys.values()])
  return new Map(
    items.map(({ pk, sk, balance }) => [
      balanceName({ token: addressOf(pk.slice(2)), holder: addressOf(sk) }),
      BigInt(String(balance)),
    ]),
  )
}
