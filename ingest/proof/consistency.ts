/** Checks whether logs are consistent, as those of a complete reading are. Pure. */
import type { Fact, FactOf } from '../../market/fold/fact.ts'
import { sidesOf } from '../../market/fold/holders.ts'
import type { Address, BalanceChange, Hash, Segment } from '../../market/segment.ts'
import { balanceName, type HolderOf } from '../../store/items/holders.ts'
import type { PoolTransaction } from '../decode/decode-context.ts'

type Transfer = FactOf<'transferred'>

/** A transfer whose balance before it is not that after the previous one. */
export type BrokenBalance = HolderOf & {
  readonly fact: Transfer
  /** The holder's known balance, and that before the transfer. */
  readonly known: bigint
  readonly before: bigint
}

/** Every balance that a minute changed, including those of the pool manager, which are in its rows. */
export const balancesIn = (
  { balances, rows }: Pick<Segment, 'balances' | 'rows'>,
  poolManager: Address,
): readonly BalanceChange[] => [
  ...balances,
  ...rows.map(({ token, before, after }) => ({
    token,
    holder: poolManager,
    before: before.pooled,
    after: after.pooled,
  })),
]

/** The holders in the facts' transfers, each once. */
export function holdersIn(facts: readonly Fact[]): readonly HolderOf[] {
  const holders = new Map<string, HolderOf>()
  for (const fact of facts) {
    if (fact.is !== 'transferred') continue
    for (const { holder } of sidesOf(fact))
      holders.set(balanceName({ token: fact.token, holder }), { token: fact.token, holder })
  }
  return [...holders.values()]
}

/** Tokens with a holder who is not in `balances` but held something before his first transfer, as only those of tokens older than the log can. */
export function tokensOfUnknownHolders(
  facts: readonly Fact[],
  balances: ReadonlyMap<string, bigint>,
): readonly Address[] {
  const known = new Set(balances.keys())
  const tokens = new Set<Address>()
  for (const fact of facts) {
    if (fact.is !== 'transferred') continue
    for (const { holder, before } of sidesOf(fact)) {
      const name = balanceName({ token: fact.token, holder })
      if (before > 0n && !known.has(name)) tokens.add(fact.token)
      known.add(name)
    }
  }
  return [...tokens]
}

/**
 * The first transfer that does not continue the balances before the facts; null: all do. Holders without an entry in
 * `balances` hold nothing, since a token's transfers are read from its launch on, except of the tokens in `old`.
 */
export function findBrokenBalance(
  facts: readonly Fact[],
  balances: ReadonlyMap<string, bigint>,
  old: ReadonlySet<Address> = new Set(),
): BrokenBalance | null {
  const after = new Map(balances)
  for (const fact of facts) {
    if (fact.is !== 'transferred') continue
    for (const side of sidesOf(fact)) {
      const name = balanceName({ token: fact.token, holder: side.holder })
      const known = after.get(name) ?? (old.has(fact.token) ? side.before : 0n)
      if (known !== side.before) {
        return { token: fact.token, holder: side.holder, fact, known, before: side.before }
      }
      after.set(name, side.after)
    }
  }
  return null
}

/** A transaction that seems to lack logs. Its receipt decides, since there are regular ones like it. */
export type SuspectTransaction = {
  readonly transactionHash: Hash
  readonly blockNumber: number
  readonly missing: string
}

/** `tokens`: the platform's tokens among the quotes of the trades. `hooks`: their swaps are no trades. */
export type KnownAddresses = {
  readonly poolManager: Address
  readonly tokens: ReadonlySet<Address>
  readonly hooks: ReadonlySet<Address>
}

/** The transactions whose logs are inconsistent, in chain order. */
export function suspectTransactionsIn(
  facts: readonly Fact[],
  poolTransactions: readonly PoolTransaction[],
  known: KnownAddresses,
): readonly SuspectTransaction[] {
  const byTransaction = new Map<
    Hash,
    { blockNumber: number; facts: Fact[]; atPools: PoolTransaction | undefined }
  >()
  const transactionOf = (transactionHash: Hash, blockNumber: number) => {
    const one = byTransaction.get(transactionHash) ?? { blockNumber, facts: [], atPools: undefined }
    byTransaction.set(transactionHash, one)
    return one
  }
  for (const fact of facts) transactionOf(fact.transactionHash, fact.blockNumber).facts.push(fact)
  for (const one of poolTransactions) transactionOf(one.transactionHash, one.blockNumber).atPools = one
  const suspects: SuspectTransaction[] = []
  for (const [transactionHash, { blockNumber, facts: own, atPools }] of byTransaction) {
    const missing = missingIn(own, atPools, known)
    if (missing) suspects.push({ transactionHash, blockNumber, missing })
  }
  return suspects.sort((a, b) => a.blockNumber - b.blockNumber)
}

/** With this many trades in one transaction a missing one could go unnoticed, so its receipt is always read. Routes have two or three. */
const MANY_TRADES = 4

function missingIn(
  facts: readonly Fact[],
  atPools: PoolTransaction | undefined,
  { poolManager, tokens, hooks }: KnownAddresses,
): string | undefined {
  const swaps = facts.filter((fact) => fact.is === 'swapped').filter(({ sender }) => !hooks.has(sender))
  const launches = facts.filter((fact) => fact.is === 'launched')
  const transfers = facts.filter((fact) => fact.is === 'transferred')
  const isExplained =
    atPools?.hasPlatformLog ||
    facts.some(({ is }) => is === 'swapped' || is === 'launched' || is === 'migrated')
  const hasPoolLog = atPools || facts.some(({ is }) => is === 'moved' || is === 'provided')
  // The hook touches its positions in every trade, to collect their fees.
  if (swaps.length > 0 && !hasPoolLog) return 'logs of the pool manager for a trade'
  if (atPools?.hasUnreportedTrade) return 'a trade that the pool manager tells of'
  if (hasPoolLog && !isExplained) return 'a trade, a creation or a migration'
  const isPoolTransfer = ({ from, to }: Transfer) => from === poolManager || to === poolManager
  if (transfers.some(isPoolTransfer) && !hasPoolLog && !isExplained) return 'the trade of a transfer'
  for (const { coin } of launches) {
    const missing = missingOfLaunch(facts, coin.address, poolManager)
    if (missing) return missing
  }
  const moved = new Set(transfers.filter(isPoolTransfer).map(({ token }) => token))
  const isStill = (token: Address) => !moved.has(token)
  if (swaps.some(({ token }) => isStill(token) && !isBetween(token, swaps))) return 'the transfer of a trade'
  if (swaps.some(({ quote }) => tokens.has(quote) && isStill(quote) && !isBetween(quote, swaps)))
    return 'the transfer of what a trade was paid in'
  if (swaps.length >= MANY_TRADES) return 'one of many trades'
  return undefined
}

type Swapped = FactOf<'swapped'>

/** A token that a route takes out of one pool and puts into another needs no transfer. */
function isBetween(token: Address, swaps: readonly Swapped[]): boolean {
  const directions = swaps.flatMap((swap) =>
    swap.token === token ? [swap.isBuy] : swap.quote === token ? [!swap.isBuy] : [],
  )
  return directions.includes(true) && directions.includes(false)
}

/** A launch names the token, opens its pool, provides liquidity and transfers the token there. */
function missingOfLaunch(facts: readonly Fact[], token: Address, poolManager: Address): string | undefined {
  const own = facts.filter((fact) => 'token' in fact && fact.token === token)
  if (!own.some((fact) => fact.is === 'renamed')) return 'the name of a launch'
  if (!own.some((fact) => fact.is === 'initialized')) return 'the opening price of a launch'
  if (!own.some((fact) => fact.is === 'provided')) return 'the liquidity of a launch'
  if (!own.some((fact) => fact.is === 'transferred' && fact.to === poolManager))
    return 'a transfer of a launch'
  return undefined
}
