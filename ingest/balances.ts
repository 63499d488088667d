/**
 * Balance continuity: each transfer says both balances after it, so what a balance was before a transfer must be what the
 * transfer before it left. Where it is not, an endpoint has left out a transfer. Known without a read of any store: the last
 * balances are kept in memory, as many as fit. One seen for the first time (after a start, or after it was forgotten) is
 * taken as it is; what such a gap hides, the re-scan finds.
 */
import { LRUCache } from 'lru-cache'
import type { Fact } from '../market/fact.ts'
import type { Address } from '../market/segment.ts'
import { MissingTransferError } from './faults.ts'

/** The last balances that were read, of all addresses but the zero address. */
export type Balances = {
  /**
   * Ties the transfers of blocks from `fromBlock` on, all that were read of them, to the balances before; what was known of
   * these blocks is forgotten first. Throws MissingTransferError, and then nothing of the facts is kept.
   */
  tie(facts: readonly Fact[], fromBlock: number): void
}

type Seen = { readonly balance: bigint; readonly blockNumber: number }
type Transfer = Extract<Fact, { readonly is: 'transferred' }>

// About 250 B each: 15 MB.
const KEPT_BALANCES = 60_000

/** The zero address mints and burns without a balance. */
const nobody: Address = '0x0000000000000000000000000000000000000000'

/** Opens an empty memory of balances. */
export function openBalances(): Balances {
  const kept = new LRUCache<string, Seen>({ max: KEPT_BALANCES })
  let newest = -1

  const forgetFrom = (blockNumber: number) => {
    if (newest < blockNumber) return
    for (const [key, seen] of kept) if (seen.blockNumber >= blockNumber) kept.delete(key)
    newest = blockNumber - 1
  }

  return {
    tie(facts, fromBlock) {
      forgetFrom(fromBlock)
      const read = new Map<string, Seen>()
      for (const fact of facts) {
        if (fact.is !== 'transferred') continue
        for (const { holder, before, after } of sidesOf(fact)) {
          const key = fact.token + holder
          const seen = read.get(key) ?? kept.get(key)
          if (seen && seen.balance !== before) {
            const whose = `${holder} had ${seen.balance} of ${fact.token}, then ${before}`
            throw new MissingTransferError(whose, seen.blockNumber, fact.blockNumber)
          }
          read.set(key, { balance: after, blockNumber: fact.blockNumber })
        }
      }
      for (const [key, seen] of read) {
        kept.set(key, seen)
        newest = Math.max(newest, seen.blockNumber)
      }
    },
  }
}

/** What a transfer says of those who took part in it. */
function sidesOf({ from, to, amount, fromBalance, toBalance }: Transfer) {
  const sides =
    from === to
      ? [{ holder: to, before: toBalance, after: toBalance }]
      : [
          { holder: from, before: fromBalance + amount, after: fromBalance },
          { holder: to, before: toBalance - amount, after: toBalance },
        ]
  return sides.filter(({ holder }) => holder !== nobody)
}
