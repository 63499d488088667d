import { LRUCache } from 'lru-cache'
import type { Balance, Distribution } from '../../market/fold/holders.ts'
import type { Address } from '../../market/segment.ts'
import type { Item, Ledger, Reads } from '../aws/table.ts'
import { addressOf, marketKeys } from '../aws/tables.ts'
import { blockShape, deflated } from '../bytes/codec.ts'
import { integer, listOf, nullable, plain, recordOf, tupleOf } from '../bytes/shape.ts'
import { MovedOnError, type ReadableMinute } from '../log/applied-read.ts'
import { nowFrom } from './rows.ts'

/** Balances of a token, unordered. `everHeld`: number of addresses that ever held it, including those with no balance now. */
export type Balances = { readonly balances: readonly Balance[]; readonly everHeld: number }

/**
 * Every balance of a token as of log entry `n`; null if more than `most` addresses ever held it, since reading each
 * costs the same. Balances have no history: throws MovedOnError if a later entry has changed one.
 */
export async function readBalances(
  table: Reads,
  token: Address,
  { n, most }: { readonly n: number; readonly most: number },
): Promise<Balances | null> {
  const { pk } = marketKeys.balance(token, token)
  const balances: Balance[] = []
  let everHeld = 0
  for await (const item of table.query({ pk, withTombs: true, limit: most + 1 })) {
    if (Number(item['pos'] ?? 0) > n) throw new MovedOnError()
    everHeld += 1
    if (everHeld > most) return null
    if (item['tomb'] === true) continue
    balances.push({ holder: addressOf(item.sk), amount: BigInt(String(item['balance'])) })
  }
  return { balances, everHeld }
}

export type HolderOf = { readonly token: Address; readonly holder: Address }

/** Key of a balance in a map. */
export const balanceName = ({ token, holder }: HolderOf): string => token + holder

/**
 * The balances of these holders as of the last materialized entry, by key; holders without a balance are left out. The
 * pool manager's balances are in the tokens' states.
 */
export async function readBalancesOf(
  table: Reads,
  holders: readonly HolderOf[],
  poolManager: Address,
): Promise<ReadonlyMap<string, bigint>> {
  const items = await table.readMany(
    holders.map(({ token, holder }) =>
      holder === poolManager ? marketKeys.now(token) : marketKeys.balance(token, holder),
    ),
  )
  return new Map(
    items.map((item) => {
      const token = addressOf(item.pk.slice(2))
      return item.sk === marketKeys.now(token).sk
        ? [balanceName({ token, holder: poolManager }), nowFrom(item).state.pooled]
        : [balanceName({ token, holder: addressOf(item.sk) }), BigInt(String(item['balance']))]
    }),
  )
}

/** Tokens with more holders ever than this have a view; the balances of others are read directly. */
export const VIEW_FROM_BALANCES = 1_000

/** One of the largest holders. */
type TopHolder = { readonly holder: Address; readonly amount: bigint; readonly isContract: boolean }

/**
 * Distribution of a token's supply after an entry of the log, over all holders, and the largest 100 by name; null and
 * none for a token that more than COUNTED_HOLDERS_MAX have held.
 */
export type HolderView = {
  readonly at: ReadableMinute
  readonly distribution: Distribution | null
  readonly top: readonly TopHolder[]
}

const viewBytes = deflated(
  recordOf<HolderView>({
    at: recordOf<ReadableMinute>({ n: plain(), minute: plain(), last: blockShape }),
    distribution: nullable(
      recordOf<Distribution>({
        holders: plain(),
        giniE4: integer,
        top10PercentE4: integer,
        top25PercentE4: integer,
        top50PercentE4: integer,
        top100PercentE4: integer,
        whaleCount: plain(),
        whalePercentE4: integer,
      }),
    ),
    top: listOf(tupleOf<TopHolder>({ holder: plain(), amount: integer, isContract: plain() })),
  }),
)

/**
 * Puts a token's view as of entry `n`; null: it has none any more. A view of a later entry stays, and so does a rewind
 * of this entry, which invalidates it.
 */
export function putHolderView(
  ledger: Ledger,
  token: Address,
  { n, view }: { readonly n: number; readonly view: HolderView | null },
): Promise<boolean> {
  const own: Partial<Item> = view ? { view: viewBytes.write(view) } : { tomb: true }
  return ledger.put({ ...marketKeys.holderView(token), ...own, pos: n }, { olderThan: n })
}

/** A token's view; undefined: none. */
export async function readHolderView(
  table: Pick<Reads, 'read'>,
  token: Address,
): Promise<HolderView | undefined> {
  const item = await table.read(marketKeys.holderView(token))
  return item && viewBytes.read(item['view'] as Uint8Array)
}

/** Which addresses have code of their own, as found when each was first checked. */
export type AddressCodes = {
  /** True for a contract. Addresses not checked yet are left out. */
  known(addresses: readonly Address[]): Promise<ReadonlyMap<Address, boolean>>
}

// About 150 B each.
const KEPT = 50_000

/** Opens the address kinds in a Market table; results are cached. */
export function openAddressCodes(table: Pick<Reads, 'readMany'>): AddressCodes {
  const kept = new LRUCache<Address, boolean>({ max: KEPT })
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

/** Stores whether an address has code, unless that is stored already. */
export async function putAddressCode(ledger: Ledger, address: Address, isContract: boolean): Promise<void> {
  await ledger.put({ ...marketKeys.code(address), isContract }, 'absent')
}
