/**
 * Holder views: figures of a token's holders that are too expensive to compute per request: which of the largest 100 are
 * contracts and, for tokens with many holders, the distribution of the supply. Recomputed while the writer is idle, for
 * tokens whose balances changed, at most every REFRESH_MINUTES each. If this fails, readers get no view, or an older one
 * that states its time.
 */
import { LRUCache } from 'lru-cache'
import { hourOfMinute } from '../../market/calendar.ts'
import { type Balance, distributionOf, isCounted, largestFirst } from '../../market/fold/holders.ts'
import type { LogEntry } from '../../market/log.ts'
import { memoized } from '../../market/memoized.ts'
import { COUNTED_HOLDERS_MAX, TOP_HOLDERS } from '../../market/rules.ts'
import type { Address, Minute, Segment } from '../../market/segment.ts'
import { chunked } from '../../store/aws/parallel.ts'
import type { Table } from '../../store/aws/table.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import {
  openAddressCodes,
  putAddressCode,
  putHolderView,
  readBalances,
  readHolderView,
  VIEW_FROM_BALANCES,
} from '../../store/items/holders.ts'
import { itemOfSample } from '../../store/items/hour-records.ts'
import { nowFrom } from '../../store/items/rows.ts'
import { openTokens } from '../../store/items/tokens.ts'
import { MovedOnError, type ReadableMinute } from '../../store/log/applied-read.ts'
import type { LogStore } from '../../store/log/log.ts'
import type { Chain } from '../client/chains.ts'
import { IngestError, MalformedCodeError } from '../client/faults.ts'
import type { Rpc } from '../client/rpc.ts'

/** Minimum minutes between two refreshes of a token's holders. */
export const REFRESH_MINUTES = 10
/** Tokens refreshed in one step; new blocks wait for less than a second. */
const TOKENS_AT_ONCE = 20
/** Pause after a fault, in minutes of log time. */
const PATIENCE_MINUTES = 1
/** Tokens whose last refresh is remembered. */
const REMEMBERED = 100_000

export type HolderDeps = {
  readonly table: Table
  readonly log: LogStore
  readonly rpc: Rpc
  readonly chain: Pick<Chain, 'poolManager'>
  /** Number of addresses that ever held a token, above which it has a view. @default VIEW_FROM_BALANCES */
  readonly viewFrom?: number
  /** The same, above which the view has no distribution and no contract flags. @default COUNTED_HOLDERS_MAX */
  readonly viewMax?: number
}

/** Keeps the holder views up to date. */
export type HolderViews = {
  /** A minute was sealed. */
  note(segment: Segment): void
  /** The noted minutes may have been rolled back, or others may have sealed: read the end of the log again. */
  reread(): void
  /** Refreshes some of the due tokens as of the log's tail; null: none. `fault`: the chain could not be read. */
  refresh(tail: LogEntry): Promise<{ readonly tokens: number; readonly fault: IngestError | null } | null>
}

/** No holder views are computed. */
export const noHolderViews: HolderViews = { note: () => {}, reread: () => {}, refresh: async () => null }

/** Opens the views; the tokens of the log's last minutes are due at first. */
export function openHolderViews(deps: HolderDeps): HolderViews {
  const changed = new Set<Address>()
  const lookedAt = new LRUCache<Address, Minute>({ max: REMEMBERED })
  /** The last share stored of a token's ten largest, with its hour. */
  const sampled = new LRUCache<Address, string>({ max: REMEMBERED })
  let isKnown = false
  let patientUntil: Minute = 0

  const note = ({ balances }: Segment) => {
    for (const { token } of balances) changed.add(token)
  }
  return {
    note,
    reread: () => {
      isKnown = false
      // A rollback voids what was stored of its hours.
      sampled.clear()
    },
    async refresh(tail) {
      if (tail.minute === null) return null
      const now = tail.minute
      if (!isKnown) for await (const segment of newestSegments(deps.log, tail.n, now)) note(segment)
      isKnown = true
      if (now < patientUntil) return null
      const isDue = (token: Address) => now - (lookedAt.get(token) ?? 0) >= REFRESH_MINUTES
      const due = [...changed].filter(isDue).slice(0, TOKENS_AT_ONCE)
      if (due.length === 0) return null
      let tokens = 0
      try {
        const look = await openLook(deps, sampled)
        for (const token of due) {
          if (!(await look(token, tail.n))) continue
          tokens += 1
          changed.delete(token)
          lookedAt.set(token, now)
        }
      } catch (fault) {
        if (!(fault instanceof IngestError)) throw fault
        patientUntil = now + PATIENCE_MINUTES
        return { tokens, fault }
      }
      return tokens > 0 ? { tokens, fault: null } : null
    },
  }
}

/** Segments of the last minutes of the log, including rolled back ones. */
async function* newestSegments(log: LogStore, n: number, now: Minute): AsyncGenerator<Segment> {
  for await (const entry of log.entriesBefore(n + 1)) {
    if (entry.is === 'sealed' && entry.minute < now - REFRESH_MINUTES) return
    const references = entry.is === 'sealed' ? [entry.segment] : entry.orphaned
    for (const reference of references) yield log.readSegment(reference)
  }
}

/**
 * Refreshes tokens one by one as of entry `n`; false: another process is putting a later entry, so the token is retried
 * later.
 */
async function openLook(deps: HolderDeps, sampled: LRUCache<Address, string>) {
  const { table, log, rpc, chain, viewFrom = VIEW_FROM_BALANCES, viewMax = COUNTED_HOLDERS_MAX } = deps
  const codes = openAddressCodes(table)
  const uncounted = new Set([...(await openTokens(table).hooks()), chain.poolManager])
  const sealedOnce = memoized((n: number) => sealedAt(log, n))
  const contractsAmong = async (top: readonly Balance[]): Promise<ReadonlyMap<Address, boolean>> => {
    const holders = top.map(({ holder }) => holder)
    const known = await codes.known(holders)
    const found = await hasContract(
      rpc,
      holders.filter((holder) => !known.has(holder)),
    )
    for (const [holder, isContract] of found) await putAddressCode(log.ledger, holder, isContract)
    return new Map([...known, ...found])
  }
  return async (token: Address, n: number): Promise<boolean> => {
    const [item, read] = await Promise.all([
      table.read(marketKeys.now(token)),
      readBalances(table, token, { n, most: viewMax }).catch(orMovedOn),
    ])
    if (read === 'moved on' || Number(item?.['pos'] ?? 0) > n) return false
    if (!item) return true
    const { balances, everHeld } = read ?? { balances: [], everHeld: viewMax + 1 }
    const counted = balances.filter(({ holder }) => isCounted(holder, token, uncounted)).sort(largestFirst)
    const top = counted.slice(0, TOP_HOLDERS)
    const contracts = await contractsAmong(top)
    const at = await sealedOnce(Number(item['pos']))
    if (!at) return true
    const amounts = counted.map(({ amount }) => amount)
    const distribution = read && distributionOf(amounts, nowFrom(item).state.supply)
    if (distribution) await putSample(log, { token, at, share: distribution.top10PercentE4 }, sampled)
    const named = top.map((each) => ({ ...each, isContract: contracts.get(each.holder) === true }))
    const view = everHeld > viewFrom ? { at, distribution, top: named } : null
    if (view || (await readHolderView(table, token)))
      await putHolderView(log.ledger, token, { n: at.n, view })
    return true
  }
}

/** Stores the share of a token's ten largest holders, unless it is what was stored of the hour before. */
async function putSample(
  { ledger }: LogStore,
  { token, at, share }: { readonly token: Address; readonly at: ReadableMinute; readonly share: bigint },
  sampled: LRUCache<Address, string>,
): Promise<void> {
  const text = `${hourOfMinute(at.minute)} ${share}`
  if (sampled.get(token) === text) return
  await ledger.put(itemOfSample(token, at, share), { olderThan: at.n })
  sampled.set(token, text)
}

function orMovedOn(error: unknown): 'moved on' {
  if (error instanceof MovedOnError) return 'moved on'
  throw error
}

/**
 * The minute of a sealed entry; null for a rewind. It restored the token, but the block that it restored may itself be
 * rolled back without touching the token, so no view is stored as of it: until the token changes again, its balances are
 * read directly.
 */
async function sealedAt(log: LogStore, n: number): Promise<ReadableMinute | null> {
  for await (const entry of log.entriesAfter(n - 1)) {
    return entry.is === 'sealed' ? { n, minute: entry.minute, last: entry.last } : null
  }
  return null
}

/** Calls in one batch: code is up to 24 KB an address. */
const BATCH = 50
/** Code that delegates to another address (EIP-7702): the account still belongs to its owner. */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/
const CODE = /^0x([0-9a-f]{2})*$/

/**
 * Whether each address has code of its own at the head. Throws IngestError: MalformedCodeError for an answer that is not
 * code.
 */
async function hasContract(rpc: Rpc, addresses: readonly Address[]): Promise<ReadonlyMap<Address, boolean>> {
  const found = new Map<Address, boolean>()
  for (const batch of chunked(addresses, BATCH)) {
    const answers = await rpc.batch(
      batch.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
    )
    for (const [index, address] of batch.entries()) found.set(address, isContract(answers[index]))
  }
  return found
}

function isContract(answer: unknown): boolean {
  const code = String(answer).toLowerCase()
  if (!CODE.test(code)) throw new MalformedCodeError()
  return code !== '0x' && !DELEGATION.test(code)
}
