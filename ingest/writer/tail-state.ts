import { hourOfMinute } from '../../market/calendar.ts'
import { stepWallet } from '../../market/fold/engagement.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import type { SegmentReference } from '../../market/log.ts'
import type { PriorState, WalletHour } from '../../market/prior.ts'
import type { Address, Block, Swap } from '../../market/segment.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import type { TokenStore } from '../../store/items/tokens.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'
import type { Chain } from '../client/chains.ts'
import type { Rpc } from '../client/rpc.ts'
import { isAfterCreations } from '../decode/old-tokens.ts'
import { startingRates } from '../proof/pool-prices.ts'

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

/** Segments of the hour read in parallel. */
const PARALLEL_READS = 16

/** The state as of the newest effective minute before entry `n` of the log. */
export async function tailStateBefore(
  { rpc, log, tokens, chain, start }: TailStateDeps,
  n: number,
): Promise<TailState> {
  const { poolManager } = chain
  const uncounted = new Set([poolManager, ...(await tokens.hooks())])
  const ofHour: SegmentReference[] = []
  let end: { readonly last: Block; readonly hour: number } | undefined
  for await (const { minute, last, segment } of effectiveBackwards(log, n)) {
    const hour = hourOfMinute(minute)
    end ??= { last, hour }
    if (hour !== end.hour) break
    ofHour.push(segment)
  }
  const [newest, ...older] = await mapParallel(ofHour, PARALLEL_READS, log.readSegment)
  if (end && newest) {
    const { references, totals } = newest
    const swaps = [...older.reverse(), newest].flatMap((segment) => segment.swaps)
    const wallets = { hour: end.hour, ofToken: walletsAfter(swaps) }
    return { last: end.last, references, poolManager, uncounted, totals: totals.after, wallets }
  }
  const references = await startingRates(rpc, chain, start)
  const coverageFrom = isAfterCreations(start, chain) ? start.timestamp : null
  return { last: start, references, poolManager, uncounted, totals: { ...noTotals, coverageFrom } }
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
