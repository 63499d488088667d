import type { Address } from '../market/segment.ts'
import { BoundedMap } from '../schemas/bounded-map.ts'
import type { Ledger, Reads } from './table.ts'
import { addressOf, marketKeys } from './tables.ts'

/** Which addresses have code of their own, as it was found when each was first looked at. */
export type AddressCodes = {
  /** Of those that were looked at: true for a contract. The others are left out. */
  known(addresses: readonly Address[]): Promise<ReadonlyMap<Address, boolean>>
}

// About 150 B each.
const KEPT = 50_000

/** Opens the codes of a Market table; what was read once is kept. */
export function openAddressCodes(table: Pick<Reads, 'readMany'>): AddressCodes {
  const kept = new BoundedMap<Address, boolean>(KEPT)
  return {
    async known(addresses) {
      const missing = addresses.filter((address) => kept.get(address) === undefined)
      for (const item of missing.length > 0 ? await table.readMany(missing.map(marketKeys.code)) : []) {
        kept.set(addressOf(item.pk.slice(2)), item['isContract'] === true)
      }
      const found = addresses.map((address) => [address, kept.get(address)] as const)
      return new Map(found.flatMap(([address, is]) => (is === undefined ? [] : [[address, is]])))
    },
  }
}

/** Stores what was found at an address, unless something was stored before. */
export async function putAddressCode(ledger: Ledger, address: Address, isContract: boolean): Promise<void> {
  await ledger.put({ ...marketKeys.code(address), isContract }, 'absent')
}
