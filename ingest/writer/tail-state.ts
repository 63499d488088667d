import { hourOfMinute } from '../../market/calendar.ts'
import { stepWallet } from '../../market/fold/engagement.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import type { SegmentReference } from '../../market/log.ts'
import type { PriorState, WalletHour } from '../../market/prior.ts'
import { REFERENCE_DRIFT_MINUTES } from '../../market/rules.ts'
import type { Address, Block, Minute, Swap } from '../../market/segment.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import type { TokenStore } from '../../store/items/tokens.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'
import type { Chain } from '../client/chains.ts'
import type { Rpc } from '../client/rpc.ts'
import { isAfterCreations } from '../decode/old-tokens.ts'
import { startingRates } from '../proof/starting-rates.ts'

/**
 * Sources of a tail state. `rpc`: only used before the log's first minute. `tokens` as of the tail state; `start`: the
 * block before the first one to read.
 */
export type TailStateDeps = {
  readonly rpc: Rpc
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly chain: Chain
  readonly start: Block | null
}

/** Segments of an hour read in parallel. */
const PARALLEL_READS = 16

/** The state as of the newest effective minute before entry `n` of the log. */
export async function tailStateBefore(
  { rpc, log, tokens, chain, start }: TailStateDeps,
  n: number,
): Promise<TailState> {
  const { poolManager } = chain
  const uncounted = new Set([poolManager, ...(await tokens.hooks())])
  const recent: SegmentReference[] = []
  let newestMinute: Minute | undefined
  for await (const { minute, segment } of effectiveBackwards(log, n)) {
    recent.push(segment)
    newestMinute ??= minute
    // The last close before the hour that ends with the next minute.
    if (minute <= newestMinute + 1 - REFERENCE_DRIFT_MINUTES) break
  }
  const segments = (await mapParallel(recent, PARALLEL_READS, log.readSegment)).reverse()
  const newest = segments.at(-1)
  if (newest) {
    const { last, references, totals } = newest
    const hour = hourOfMinute(newest.minute)
    const swaps = segments.flatMap(({ minute, swaps }) => (hourOfMinute(minute) === hour ? swaps : []))
    const closes = segments.map(({ minute, references }) => ({ minute, references }))
    const wallets = { hour, ofToken: walletsAfter(swaps) }
    return { last, references, closes, poolManager, uncounted, totals: totals.after, wallets }
  }
  const references = await startingRates(rpc, chain, start)
  const coverageFrom = isAfterCreations(start, chain) ? start.timestamp : null
  const totals = { ...noTotals, coverageFrom }
  return { last: start, references, closes: [], poolManager, uncounted, totals }
}

/** Wallet hours by token after the swaps of an hour. */
function walletsAfter(swaps: readonly Swap[]): ReadonlyMap<Address, ReadonlyMap<Address, WalletHour>> {
  const ofToken = new Map<Address, Map<Address, WalletHour>>()
  for (const swap of swaps) {
    const wallets = ofToken.get(swap.token) ?? new Map<Address, WalletHour>()
    ofToken.set(swap.token, wallets)
    wallets.set(swap.trader, stepWallet(wallets.get(swap.trader), swap).wallet)
  }
  return ofToken
}

/** State as of the log's tail. */
export type TailState = Omit<PriorState, 'tokens' | 'owners'> & {
  readonly last: Block | null
  /** Wallet hours of the hour of `last`, by token; absent: no trades. No table keeps them as long as the log may reach back. */
  readonly wallets?: {
    readonly hour: number
    readonly ofToken: ReadonlyMap<Address, ReadonlyMap<Address, WalletHour>>
  }
}
