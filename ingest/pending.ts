import type { BlockFacts } from '../market/fact.ts'
import { fold } from '../market/fold.ts'
import { grouped } from '../market/grouped.ts'
import { COMPANION_STEPS, companionsOf, ownersBeside, type PostOwner } from '../market/post-owners.ts'
import type {
  Address,
  Block,
  Coin,
  Known,
  Minute,
  Prior,
  References,
  Segment,
  WalletHour,
} from '../market/segment.ts'
import { hourOfMinute } from '../market/window.ts'
import type { TokenStore } from '../store/tokens.ts'
import { type KnownAtTail, openKnown } from './known-tokens.ts'
import { noOldTokens, type OldTokens } from './old-tokens.ts'

/** A minute that has been read and not yet sealed, folded as far as it goes. */
export type PendingMinute = {
  readonly minute: Minute
  readonly firstBlock: number
  readonly blocks: readonly BlockFacts[]
  readonly last: Block
  readonly segment: Segment
  readonly after: Prior
}

/** What is known as of the log's tail. */
export type Checkpoint = Omit<Prior, 'tokens' | 'owners'> & {
  readonly last: Block | null
  /** What wallets have come to in the hour of `last`, by token; absent: nothing was traded. No table keeps it as long as a log may go back. */
  readonly wallets?: {
    readonly hour: number
    readonly ofToken: ReadonlyMap<Address, ReadonlyMap<Address, WalletHour>>
  }
}

/**
 * The minutes that were read: those that are committed and that the tables may not have yet, those that are being committed,
 * and those that are not verified yet. Each is folded over the one before it, the first over the checkpoint.
 * Invariant: all are consecutive, oldest first, and only the newest of `minutes` may still grow.
 */
export type Pending = {
  minutes(): readonly PendingMinute[]
  /** The last block read: of the newest minute or, with none pending, the base. */
  last(): Block | null
  /** The last block before `minutes`. */
  base(): Block | null
  /** Reference rates as of the base. */
  references(): References
  /** The first block after the log's tail. */
  firstBlock(): number
  /** Adds blocks in chain order and folds what they touch; gives the minutes that changed. */
  add(blocks: readonly BlockFacts[]): Promise<readonly PendingMinute[]>
  /** Drops every block above the number, and folds the minute it ends in again. */
  dropAbove(blockNumber: number): Promise<void>
  /** The oldest minutes, so many, are verified and now to be committed: the base moves behind them. */
  seal(count: number): void
  /** Minutes that are being committed. */
  sealing(): readonly PendingMinute[]
  /** The oldest of these has been committed. */
  committedFirst(): void
  /** All before the base that the tables may not have yet. */
  unmaterialized(): readonly PendingMinute[]
  /** The tables have what is committed up to this minute. */
  materialized(minute: Minute): void
}

/** Minutes pending after a checkpoint. `firstBlockOfLog`: the chain's first block to read when the log is empty. */
export function openPending(
  store: TokenStore,
  checkpoint: Checkpoint,
  firstBlockOfLog: number,
  oldTokens: OldTokens = noOldTokens,
): Pending {
  let base = checkpoint
  let minutes: readonly PendingMinute[] = []
  const { begin, ...sealed } = openSealed()
  const { unmaterialized } = sealed
  const known = openKnown(store, checkpoint)

  const priorTo = (before: readonly PendingMinute[], minute: Minute, blocks: readonly BlockFacts[]) => {
    const span = { minute, firstBlock: firstAfter(before), blocks }
    return priorOf({ known, oldTokens, base, unmaterialized: unmaterialized(), before }, span)
  }
  const firstAfter = (before: readonly PendingMinute[]): number => {
    const previous = before.at(-1)?.last ?? base.last
    return previous ? previous.number + 1 : firstBlockOfLog
  }
  const folded = async (before: readonly PendingMinute[], blocks: BlocksOfMinute): Promise<PendingMinute> => {
    const { block: last } = blocks.at(-1) ?? blocks[0]
    const span = { minute: minuteOfBlock(last), firstBlock: firstAfter(before), blocks, last }
    const { segment, after } = fold(await priorTo(before, span.minute, blocks), span)
    return { ...span, segment, after }
  }

  const refold = async (unchanged: readonly PendingMinute[], groups: Iterable<BlocksOfMinute>) => {
    const next = [...unchanged]
    for (const blocks of groups) next.push(await folded(next, blocks))
    minutes = next
  }

  return {
    minutes: () => minutes,
    last: () => minutes.at(-1)?.last ?? base.last,
    base: () => base.last,
    references: () => base.references,
    firstBlock: () => sealed.sealing()[0]?.firstBlock ?? firstAfter([]),
    async add(blocks) {
      const open = minutes.at(-1)
      const first = blocks[0]
      const continues = open && first && minuteOfBlock(first.block) === open.minute
      const before = continues ? minutes.slice(0, -1) : minutes
      const added = continues ? [...open.blocks, ...blocks] : blocks
      // All that the minutes need at once, instead of minute by minute.
      if (first) await priorTo(before, minuteOfBlock(first.block), added)
      await refold(before, byMinute(added))
      return minutes.slice(before.length)
    },
    async dropAbove(blockNumber) {
      const whole = minutes.filter(({ last }) => last.number <= blockNumber)
      const cut = minutes[whole.length]?.blocks.filter(({ block }) => block.number <= blockNumber) ?? []
      await refold(whole, byMinute(cut))
    },
    seal(count) {
      for (const minute of minutes.slice(0, count)) {
        known.settle(minute.after, hourOfMinute(minute.minute))
        const { references, poolManager, uncounted, totals } = minute.after
        base = { last: minute.last, references, poolManager, uncounted, totals }
        begin(minute)
      }
      minutes = minutes.slice(count)
    },
    ...sealed,
  }
}

/** Minutes on their way from memory into the log, and from there into the tables. */
function openSealed() {
  let sealing: readonly PendingMinute[] = []
  let committed: readonly PendingMinute[] = []
  return {
    begin(minute: PendingMinute) {
      sealing = [...sealing, minute]
    },
    sealing: () => sealing,
    committedFirst() {
      committed = [...committed, ...sealing.slice(0, 1)]
      sealing = sealing.slice(1)
    },
    unmaterialized: () => [...committed, ...sealing],
    materialized(minute: Minute) {
      committed = committed.filter((one) => one.minute > minute)
    },
  }
}

/** What a minute is folded over: the minutes pending before it, else the checkpoint; where the tables are behind, what they lack. */
type Ground = {
  readonly known: KnownAtTail
  readonly oldTokens: OldTokens
  readonly base: Checkpoint
  readonly unmaterialized: readonly PendingMinute[]
  readonly before: readonly PendingMinute[]
}

/** Loads what the minute touches, step by step what stands beside it, and the owners beside all of these. */
async function priorOf(
  ground: Ground,
  { minute, firstBlock, blocks }: Pick<PendingMinute, 'minute' | 'firstBlock' | 'blocks'>,
): Promise<Prior> {
  const { references, poolManager, uncounted, totals } = ground.before.at(-1)?.after ?? ground.base
  const tokens = new Map<Address, Known>()
  const owners = new Map<Address, PostOwner>()
  let coins: readonly Coin[] = launchedIn(blocks)
  // What is launched in these blocks is in no store.
  const launched = new Set(coins.map(({ address }) => address))
  const unknownOf = (addresses: Iterable<Address>): readonly Address[] =>
    [...new Set(addresses)].filter((address) => !tokens.has(address) && !launched.has(address))
  let wanted = unknownOf(touchedBy(blocks))
  for (let step = 0; step <= COMPANION_STEPS; step++) {
    const found = await lookUp(ground, minute, wanted)
    const missing = wanted.filter((address) => !found.has(address))
    const old = await ground.oldTokens.find(missing, firstBlock - 1)
    for (const address of missing) {
      const known = old.get(address)
      if (known) found.set(address, known)
    }
    for (const [address, known] of found) tokens.set(address, known)
    coins = [...coins, ...[...found.values()].map(({ token }) => token)]
    const beside = new Set(coins.flatMap(ownersBeside))
    for (const [address, owner] of await lookUpOwners(ground, [...beside])) owners.set(address, owner)
    wanted = unknownOf(coins.flatMap((coin) => companionsOf(coin, owners, references)))
    coins = []
    if (wanted.length === 0) break
  }
  return { references, poolManager, uncounted, tokens, owners, totals }
}

/** Of the pending minutes the newest that knows it says what is known of an address; else the store does. */
async function lookUp(ground: Ground, minute: Minute, wanted: readonly Address[]) {
  const { known, unmaterialized, before } = ground
  const { found, settled } = pendingOf([...unmaterialized, ...before], wanted, ({ tokens }) => tokens)
  return new Map([...found, ...(await known.tokens(settled, before[0]?.minute ?? minute))])
}

async function lookUpOwners({ known, unmaterialized, before }: Ground, wanted: readonly Address[]) {
  const { found, settled } = pendingOf([...unmaterialized, ...before], wanted, ({ owners }) => owners)
  return new Map([...found, ...(await known.owners(settled))])
}

function pendingOf<V>(
  before: readonly PendingMinute[],
  wanted: readonly Address[],
  mapIn: (after: Prior) => ReadonlyMap<Address, V>,
) {
  const found = new Map<Address, V>()
  for (const address of wanted) {
    const newest = before.findLast(({ after }) => mapIn(after).has(address))
    const value = newest && mapIn(newest.after).get(address)
    if (value) found.set(address, value)
  }
  return { found, settled: wanted.filter((address) => !found.has(address)) }
}

/** UTC minute of a block. */
export const minuteOfBlock = (block: Block): Minute => Math.floor(block.timestamp / 60)

const launchedIn = (blocks: readonly BlockFacts[]): readonly Coin[] =>
  blocks.flatMap(({ facts }) => facts.flatMap((fact) => (fact.is === 'launched' ? [fact.coin] : [])))

/** Tokens of the facts, and what they migrate to. */
const touchedBy = (blocks: readonly BlockFacts[]): readonly Address[] =>
  blocks.flatMap(({ facts }) =>
    facts.flatMap((fact) => {
      if (fact.is === 'launched' || fact.is === 'rated') return []
      return fact.is === 'migrated' ? [fact.token, fact.quote] : [fact.token]
    }),
  )

/** A minute without a block does not exist. */
type BlocksOfMinute = readonly [BlockFacts, ...BlockFacts[]]

const byMinute = (blocks: readonly BlockFacts[]): Iterable<BlocksOfMinute> =>
  grouped(blocks, ({ block }) => minuteOfBlock(block)).values()
