import { StateUnavailableError } from '../ingest/faults.ts'
import type { OldTokens } from '../ingest/old-tokens.ts'
import { isAdopted } from '../market/adoption.ts'
import { FOLD_VERSION } from '../market/rules.ts'
import type { Address, Known } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'

/**
 * Tokens older than the log as the chain had them, or, where no endpoint keeps state that old, as the service's own log took
 * them in: `onRecorded` is told of those, each once.
 */
export function orAsRecorded(
  chainTokens: OldTokens,
  log: LogStore,
  onRecorded: (token: Address) => void,
): OldTokens {
  let recorded: Promise<ReadonlyMap<Address, Known>> | undefined
  const told = new Set<Address>()
  return {
    find: async (addresses, before) => {
      try {
        return await chainTokens.find(addresses, before)
      } catch (fault) {
        if (!(fault instanceof StateUnavailableError)) throw fault
        recorded ??= readRecorded(log)
        const all = await recorded
        const found = new Map([...addresses].flatMap((address) => withQuotes(all, address)))
        for (const address of found.keys()) {
          if (!told.has(address)) onRecorded(address)
          told.add(address)
        }
        return found
      }
    },
  }
}

function withQuotes(all: ReadonlyMap<Address, Known>, address: Address): (readonly [Address, Known])[] {
  const known = all.get(address)
  return known ? [[address, known], ...withQuotes(all, known.token.quote)] : []
}

/** What each minute of the log, rolled back or not, took in of older tokens. Of one that moved to another pool in that very minute the log does not say which it came from. */
async function readRecorded(log: LogStore): Promise<ReadonlyMap<Address, Known>> {
  const all = new Map<Address, Known>()
  for await (const entry of log.entriesAfter(0)) {
    if (entry.is !== 'sealed' || entry.rules !== FOLD_VERSION) continue
    const { tokens, rows } = await log.readSegment(entry.segment)
    for (const { before, after: token } of tokens) {
      const row = rows.find((one) => one.token === token.address)
      if (before || !row || !isAdopted(token)) continue
      const { before: state, rangesBefore: ranges } = row
      all.set(token.address, { token, state, ranges, hour: 0, wallets: new Map(), isNew: true })
    }
  }
  return all
}
