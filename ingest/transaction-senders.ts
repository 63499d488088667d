/** Who sent a transaction, for the few swaps that nothing else tells the trader of. */
import type { Fact } from '../market/fact.ts'
import type { Address, Hash } from '../market/segment.ts'
import type { FactOf } from './cold-events.ts'
import { RangeChangedError } from './faults.ts'
import type { Rpc } from './rpc.ts'

/** The same facts, with `transactionFrom` on each swap whose hook named no sender and whose transaction moved none of its token. Throws RangeChangedError for a transaction that is gone. */
export const withSenders = async (rpc: Rpc, facts: readonly Fact[]): Promise<readonly Fact[]> => {
  const moved = new Set<string>()
  for (const fact of facts) if (fact.is === 'transferred') moved.add(fact.transactionHash + fact.token)
  const isUntold = (fact: Fact): fact is FactOf<'swapped'> =>
    fact.is === 'swapped' && fact.swapSender === null && !moved.has(fact.transactionHash + fact.token)

  const untold = [...new Set(facts.filter(isUntold).map((fact) => fact.transactionHash))]
  if (untold.length === 0) return facts
  const senders = await readSenders(rpc, untold)
  return facts.map((fact) => {
    const transactionFrom = isUntold(fact) ? senders.get(fact.transactionHash) : undefined
    return transactionFrom ? { ...fact, transactionFrom } : fact
  })
}

const readSenders = async (rpc: Rpc, hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Address>> => {
  const answers = await rpc.batch(
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  )
  return new Map(
    hashes.map((hash, at) => {
      const from = (answers[at] as { readonly from?: unknown } | null)?.from
      if (typeof from !== 'string') throw new RangeChangedError(`transaction ${hash} is gone`)
      return [hash, from.toLowerCase() as Address]
    }),
  )
}
