import { LRUCache } from 'lru-cache'
import type { Balance, Distribution } from '../market/holders.ts'
import type { Address } from '../market/segment.ts'
import { MovedOnError, type ReadableMinute } from './applied-read.ts'
import { blockShape, deflated } from './codec.ts'
import { nowFrom } from './rows.ts'
import { integer, listOf, plain, recordOf, tupleOf } from './shape.ts'
import type { Item, Ledger, Reads } from './table.ts'
import { addressOf, marketKeys } from './tables.ts'

/** Balances of a token, in no order of size. `everHeld`: how many addresses ever held it, those that hold nothing now among them. */
export type Balances = { readonly balances: readonly Balance[]; readonly everHeld: number }

/**
 * Every balance of a token as of log entry `n`; null when there are more than `most` who ever held it: each costs the same to read.
 * Balances have no past: throws MovedOnError when a later entry has put one, or taken one away.
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

/** The name of a balance in a map of balances. */
export const balanceName = ({ token, holder }: HolderOf): string => token + holder

/** The balances of these holders, each once, as of the last materialized entry, by name; who holds nothing is left out. The pool manager's stand with the tokens' states. */
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

/** Tokens that more addresses than this ever held have a view; balances of the others are read as they are. */
export const VIEW_FROM_BALANCES = 1_000

/** One of the largest holders. */
type TopHolder = { readonly holder: Address; readonly amount: bigint; readonly isContract: boolean }

/** How a token's supply lay with its holders after an entry of the log: of all of them, and the largest 100 by name. */
export type HolderView = {
  readonly at: ReadableMinute
  readonly distribution: Distribution
  readonly top: readonly TopHolder[]
}

const viewBytes = deflated(
  recordOf<HolderView>({
    at: recordOf<ReadableMinute>({
      n: plain(),
      minute: plain(),
      last: blockShape,
    }),
    distribution: recordOf<Distribution>({
      holders: plain(),
      giniE4: integer,
      top10PercentE4: integer,
      top25PercentE4: integer,
      top50PercentE4: integer,
      top100PercentE4: integer,
      whaleCount: plain(),
      whalePercentE4: integer,
    }),
    top: listOf(tupleOf<TopHolder>({ holder: plain(), amount: integer, isContract: plain() })),
  }),
)

/**
 * Puts a token's view, or (null) that it has none any more, as of entry `n`. One of a later entry stays, and so does a rewind
 * of the entry: what it says was rolled back.
 */
export function putHolderView(
  ledger: Ledger,
  token: Address,
  { n, view }: { readonly n: number; readonly view: HolderView | null },
): Promise<boolean> {
  const own: Partial<Item> = view ? { view: viewBytes.write(view) } : { tomb: true }
  return ledger.put({ ...marketKeys.holderView(token), ...own, pos: n }, { olderThan: n })
}

/** A token's view; undefined: it has none. */
export async function readHolderView(
  table: Pick<Reads, 'read'>,
  token: Address,
): Promise<HolderView | undefined> {
  const item = await table.read(marketKeys.holderView(token))
  return item && viewBytes.read(item['view'] as Uint8Array)
}

/** Which addresses have code of their own, as it was found when each was first looked at. */
export type AddressCodes = {
  /** Of those that were looked at: true for a contract. The others are left out. */
  known(addresses: readonly Address[]): Promise<ReadonlyMap<Address, boolean>>
}

// About 150 B each.
const KEPT = 50_000

/** Opens the codes of a Market table; what was read once is kept. */
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

/** Stores what was found at an address, unless something was stored before. */
export async function putAddressCode(ledger: Ledger, address: Address, isContract: boolean): Promise<void> {
  await ledger.put({ ...marketKeys.code(address), isContract }, 'absent')
}
