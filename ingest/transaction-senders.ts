/** Who sent a transaction, for the swaps whose trader nothing else names: one eth_getTransactionByHash each transaction, in batches. */
import type { Fact } from '../market/fact.ts'
import type { Address, Hash } from '../market/segment.ts'
import type { FactOf } from './cold-events.ts'
import { RangeChangedError } from './faults.ts'
import type { Rpc } from './rpc.ts'

/** The same facts, with `transactionFrom` on each swap of an untrusted router, and of a router that names nobody where the transaction moved none of the token. Throws RangeChangedError for a transaction that is gone. */
export const withSenders = async (rpc: Rpc, facts: readonly Fact[]): Promise<readonly Fact[]> => {
  const moved = new Set<string>()
  for (const fact of facts) if (fact.is === 'transferred') moved.add(fact.transactionHash + fact.token)
  const isUnnamed = (fact: Fact): fact is FactOf<'swapped'> => {
    if (fact.is !== 'swapped') return false
    if (fact.swapSender === null) return !moved.has(fact.transactionHash + fact.token)
    return fact.swapSender === 'untrusted'
  }

  const unnamed = [...new Set(facts.filter(isUnnamed).map((fact) => fact.transactionHash))]
  if (unnamed.length === 0) return facts
  const senders = await readSenders(rpc, unnamed)
  return facts.map((fact) => {
    const transactionFrom = isUnnamed(fact) ? senders.get(fact.transactionHash) : undefined
    return transactionFrom ? { ...fact, transactionFrom } : fact
  })
}

const readSenders = async (
  rpc: Rpc,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Address | undefined>> => {
  // A hash stands for its transaction, sender included, on every fork: blocks that are read again do not ask again.
  const known = rpc.endpoint.senders
  const senders = new Map(hashes.map((hash) => [hash, known.get(hash)]))
  const unknown = hashes.filter((hash) => !senders.get(hash))
  const answers =
    unknown.length === 0
      ? []
      : await rpc.batch(unknown.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })))
  for (const [at, hash] of unknown.entries()) {
    const from = (answers[at] as { readonly from?: unknown } | null)?.from
    if (typeof from !== 'string') throw new RangeChangedError(`transaction ${hash} is gone`)
    known.set(hash, from.toLowerCase() as Address)
    senders.set(hash, known.get(hash))
  }
  return senders
}
