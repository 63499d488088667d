import { StateUnavailableError } from '../../ingest/client/faults.ts'
import { inOrder, readLogs } from '../../ingest/client/logs.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import { poolLeftBy } from '../../ingest/decode/cold-events.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import type { OldTokens } from '../../ingest/decode/old-tokens.ts'
import { isImported } from '../../market/coverage.ts'
import type { SealedEntry } from '../../market/log.ts'
import type { PriorToken } from '../../market/prior.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import type { Address } from '../../market/segment.ts'
import type { LogStore } from '../../store/log/log.ts'

/**
 * Tokens older than the log as the chain had them or, where no endpoint keeps state that old, as the service's own log imported
 * them; `onRecorded` is called once for each of these.
 */
export function orAsRecorded(
  chainTokens: OldTokens,
  { rpc, log }: { readonly rpc: Rpc; readonly log: LogStore },
  onRecorded: (token: Address) => void,
): OldTokens {
  let recorded: Promise<ReadonlyMap<Address, Recorded>> | undefined
  const found = new Map<Address, PriorToken>()
  /** The token and its quote. */
  const findIn = async (
    all: ReadonlyMap<Address, Recorded>,
    address: Address,
  ): Promise<[Address, PriorToken][]> => {
    const token = all.get(address)
    if (!token) return []
    const known = found.get(address) ?? (await asImported(rpc, token))
    if (!found.has(address)) onRecorded(address)
    found.set(address, known)
    return [[address, known], ...(await findIn(all, known.token.quote))]
  }
  return {
    find: async (addresses, before) => {
      try {
        return await chainTokens.find(addresses, before)
      } catch (fault) {
        if (!(fault instanceof StateUnavailableError)) throw fault
        recorded ??= readRecorded(log)
        const all = await recorded
        const some = await Promise.all([...addresses].map((address) => findIn(all, address)))
        return new Map(some.flat())
      }
    },
  }
}

/** A token as it was after the minute that imported it, with its state before; `mayHaveMoved`: to another pool, in that minute. */
type Recorded = { readonly known: PriorToken; readonly entry: SealedEntry; readonly mayHaveMoved: boolean }

/** The older tokens that each minute of the log, rolled back or not, imported. */
async function readRecorded(log: LogStore): Promise<ReadonlyMap<Address, Recorded>> {
  const all = new Map<Address, Recorded>()
  for await (const entry of log.entriesAfter(0)) {
    if (entry.is !== 'sealed' || entry.rules !== FOLD_VERSION) continue
    const { tokens, rows } = await log.readSegment(entry.segment)
    for (const { before, after: token } of tokens) {
      const row = rows.find((one) => one.token === token.address)
      if (before || !row || !isImported(token)) continue
      const { before: state, rangesBefore: ranges, candle } = row
      const imported = { ...token, migrations: [] }
      const known = { token: imported, state, ranges, hour: 0, wallets: new Map(), isNew: true }
      all.set(token.address, { known, entry, mayHaveMoved: candle !== null })
    }
  }
  return all
}

/** The log does not have the pool that a token left in that minute; the chain's log of the move has. */
async function asImported(rpc: Rpc, { known, entry, mayHaveMoved }: Recorded): Promise<PriorToken> {
  if (!mayHaveMoved) return known
  const { token } = known
  const span = { from: entry.firstBlock, to: entry.last.number }
  const filter = { address: [token.address], topics: [[topicOf.liquidityMigrated]] }
  const [move] = inOrder(await readLogs(rpc, span, filter))
  return move ? { ...known, token: { ...token, ...poolLeftBy(move) } } : known
}
