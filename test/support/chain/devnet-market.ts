/** A devnet whose time and forks a test controls: it mines on demand, rolls blocks back, and goes on from there. */
import type { Anvil, AnvilCall } from '../../../dev/devnet/anvil.ts'
import { readBook } from '../../../dev/devnet/book.ts'
import { hookAddresses, lower, orderBookAddress } from '../../../dev/devnet/contracts.ts'
import { habits } from '../../../dev/devnet/habits.ts'
import { draftsOf, type HistoryPlan } from '../../../dev/devnet/market-history.ts'
import { type MinedBlock, openMiner } from '../../../dev/devnet/miner.ts'
import { type Random, randomFrom } from '../../../dev/devnet/random.ts'
import { randomTrade, type Wish } from '../../../dev/devnet/traders.ts'
import { logsOf } from './devnet-logs.ts'
import { rpcMany } from './json-rpc.ts'
import { noJournal, startQuietDevnet } from './quiet-devnet.ts'

export type DevnetMarket = {
  readonly rpcUrl: string
  readonly random: Random
  /** Mines a block so many seconds after the last, with this many random trades, or what is wished for. */
  mine(seconds: number, trades?: number | readonly Wish[]): Promise<MinedBlock>
  /** Mines blocks so many seconds apart until a new minute has begun. */
  mineMinute(seconds?: number): Promise<void>
  /** What `revert` goes back to, once. */
  snapshot(): Promise<string>
  revert(snapshot: string): Promise<void>
  /** Takes back the last blocks, no more than were mined here. */
  rollback(depth: number): Promise<void>
  /**
   * anvil's own reorg: in place of the last blocks come as many empty ones, all at the time of the one before them. The
   * state keeps what those blocks put where nothing was (anvil_rollback's, too), so nothing can be traded afterwards.
   */
  reorg(depth: number): Promise<void>
  /** The first block after the past. */
  readonly begin: number
  /** Where the chain's logs tell of a trade, from `begin` on. */
  trades(): Promise<readonly Place[]>
  stop(): Promise<void>
}

type Place = { readonly blockNumber: number; readonly logIndex: number }
type Past = Partial<
  Omit<HistoryPlan, 'hasOddities'> & {
    readonly days: number
    readonly isArchive: boolean
    readonly habits: keyof typeof habits
  }
>

/** Starts a devnet with a small past that ends at `now` (Unix ms); nothing else mines on it. The same seed and `now` give the same chain. */
export async function startDevnetMarket(
  seed: number,
  past: Past = {},
  now: () => number = Date.now,
): Promise<DevnetMarket> {
  const { habits: habit = 'odd', isArchive = false, ...plan } = past
  const devnet = await startQuietDevnet({
    seed,
    now,
    isArchive,
    habits: habit,
    history: { blocks: 16, days: 0.05, trades: 30, creators: 4, posts: 6, ...plan },
  })
  const { rpcUrl, wallets, creators } = devnet
  const anvil = anvilAt(rpcUrl)
  const begin = devnet.head().number + 1
  // A miner of our own, without a journal: what is mined and reverted here is never replayed.
  let [miner, book] = [await openMiner(anvil, noJournal), await readBook(anvil, wallets)]
  const random = randomFrom(seed, 1)
  const change = async (method: string, params: readonly unknown[]) => {
    await anvil.request(method, params)
    ;[miner, book] = [await openMiner(anvil, noJournal), await readBook(anvil, wallets)]
  }
  const snapshots: string[] = []
  const snapshot = async () => String(await anvil.request('evm_snapshot'))
  const mine = async (seconds: number, trades: number | readonly Wish[] = 0) => {
    snapshots.push(await snapshot())
    const timestamp = miner.head().timestamp + seconds
    const wishes = typeof trades === 'number' ? Array.from({ length: trades }, () => randomTrade) : trades
    const events = wishes.map((wish) => ({ at: timestamp, wish }))
    const { drafts } = await draftsOf(
      { anvil, book, random, wallets, creators, habits: habits[habit] },
      events,
    )
    const block = await miner.mine(timestamp, drafts)
    book.apply(block.logs)
    return block
  }
  return {
    rpcUrl,
    random,
    begin,
    mine,
    mineMinute: async (seconds = 20) => {
      const minute = minuteOf(miner.head())
      while (minuteOf(miner.head()) === minute) await mine(seconds, 1 + random.below(3))
    },
    snapshot,
    revert: (snapshot) => change('evm_revert', [snapshot]),
    rollback: async (depth) => {
      const [before] = snapshots.splice(-depth)
      if (before !== undefined) await change('evm_revert', [before])
    },
    reorg: (depth) => change('anvil_reorg', [depth, []]),
    trades: () => tradesSince(rpcUrl, begin),
    stop: devnet.stop,
  }
}

const minuteOf = ({ timestamp }: { readonly timestamp: number }) => Math.floor(timestamp / 60)

async function tradesSince(rpcUrl: string, block: number): Promise<readonly Place[]> {
  const hooks = hookAddresses()
  const internal = [...hooks, orderBookAddress]
  return (await logsOf(rpcUrl, ['Swapped']))
    .filter(({ address, blockNumber }) => hooks.includes(address) && Number(blockNumber) >= block)
    .filter(({ args }) => !internal.includes(lower(args.sender)))
    .map(({ blockNumber, logIndex }) => ({ blockNumber: Number(blockNumber), logIndex: Number(logIndex) }))
}

/** The chain of another process's anvil: to be spoken to, not to be stopped. */
export function anvilAt(rpcUrl: string): Anvil {
  const batch = (calls: readonly AnvilCall[]) =>
    rpcMany<unknown>(
      rpcUrl,
      calls.map(({ method, params }) => [method, ...params]),
    )
  const request = async (method: string, params: readonly unknown[] = []) =>
    (await batch([{ method, params }]))[0]
  const none = async () => {}
  return { rpcUrl, request, batch, renew: none, publish: none, stop: none }
}
