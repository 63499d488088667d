import type { Address, Token } from '../market/segment.ts'
import { type Now, nowFrom } from './rows.ts'
import type { Reads } from './table.ts'
import { addressOf, marketKeys } from './tables.ts'
import { tokenOfItem } from './tokens.ts'

/** A token and its newest state; null: there is none. */
export type Standing = { readonly token: Token | null; readonly now: Now | null }

/** Reads tokens and their newest states, in the order of the addresses: all that were not read before in one request. */
export function openStanding(
  table: Pick<Reads, 'readMany'>,
): (addresses: readonly Address[]) => Promise<readonly Standing[]> {
  const known = new Map<Address, Promise<Standing>>()
  return async (addresses) => {
    const missing = addresses.filter((address) => !known.has(address))
    const found = readStanding(table, missing)
    for (const address of missing)
      known.set(
        address,
        found.then((of) => of(address)),
      )
    return Promise.all(addresses.flatMap((address) => known.get(address) ?? []))
  }
}

async function readStanding(table: Pick<Reads, 'readMany'>, addresses: readonly Address[]) {
  const tokens = new Map<Address, Token>()
  const nows = new Map<Address, Now>()
  for (const item of await table.readMany(
    addresses.flatMap((of) => [marketKeys.token(of), marketKeys.now(of)]),
  )) {
    const address = addressOf(item.pk.slice(2))
    if (item.sk === marketKeys.token(address).sk) tokens.set(address, tokenOfItem(item))
    else nows.set(address, nowFrom(item))
  }
  return (address: Address): Standing => ({
    token: tokens.get(address) ?? null,
    now: nows.get(address) ?? null,
  })
}
