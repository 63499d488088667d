import { hourOfMinute, minuteOfBlock } from '../../market/calendar.ts'
import type { BlockFacts } from '../../market/fold/fact.ts'
import { fold } from '../../market/fold/fold.ts'
import { ownersBeside, RELATED_STEPS, relatedTokensOf } from '../../market/fold/post-owners.ts'
import { grouped } from '../../market/grouped.ts'
import type { PriorState, PriorToken } from '../../market/prior.ts'
import type {
  Address,
  Block,
  Coin,
  Minute,
  PostOwner,
  References,
  Segment,
  Swap,
} from '../../market/segment.ts'
import type { TokenStore } from '../../store/items/tokens.ts'
import type { OldTokens } from '../decode/old-tokens.ts'
import { openTailCache, type TailCache } from './tail-cache.ts'
import type { TailState } from './tail-state.ts'

/** A minute that is read but not sealed, folded so far. */
export type PendingMinute = {
  readonly minute: Minute
  readonly firstBlock: number
  readonly blocks: readonly BlockFacts[]
  readonly last: Block
  readonly segment: Segment
  readonly after: PriorState
}

/**
 * The minutes read: committed ones that the tables may not have yet, those being committed, and those not verified yet.
 * Each is folded over the previous one, the first over the tail state. Invariant: consecutive, oldest first, and only
 * the newest of `minutes` may still grow.
 */
export type Pending = {
  minutes(): readonly PendingMinute[]
  /** The last block read: of the newest minute or, with none pending, the base. */
  last(): Block | null
  /** The last block before `minutes`. */
  base(): Block | null
  /** Reference rates after the base block. */
  references(): References
  /** The first block after the log's tail. */
  firstBlock(): number
  /** Adds blocks in chain order and folds them; returns the minutes that changed. */
  add(blocks: readonly BlockFacts[]): Promise<readonly PendingMinute[]>
  /** Gives swaps without milliseconds those that several readings together prove of their blocks. */
  setTimes(blocks: readonly BlockFacts[]): void
  /** Drops every block above the number and refolds the minute that the rest ends in. */
  dropAbove(blockNumber: number): Promise<void>
  /** Marks the oldest minutes as being committed: the base moves behind them. */
  seal(count: number): void
  /** Minutes being committed. */
  sealing(): readonly PendingMinute[]
  /** The oldest of these is committed. */
  committedFirst(): void
  /** All minutes before the base that the tables may not have yet. */
  unmaterialized(): readonly PendingMinute[]
  /** The tables have all minutes up to this one. */
  materialized(minute: Minute): void
}

/** Pending minutes after a tail state. `firstBlockOfLog`: the first block to read if the log is empty. */
export function openPending(
  store: TokenStore,
  tailState: TailState,
  firstBlockOfLog: number,
  oldTokens: OldTokens,
): Pending {
  let base = tailState
  let minutes: readonly PendingMinute[] = []
  const { begin, newest, ...sealed } = openSealed()
  const known = openTailCache(store, tailState)

  const priorTo = (before: readonly PendingMinute[], minute: Minute, blocks: readonly BlockFacts[]) => {
    const span = { minute, firstBlock: firstAfter(before), blocks }
    return priorOf({ known, oldTokens, base, sealed: newest, before }, span)
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
      // Loads the inputs of all the minutes at once.
      if (first) await priorTo(before, minuteOfBlock(first.block), added)
      await refold(before, byMinute(added))
      return minutes.slice(before.length)
    },
    setTimes(blocks) {
      minutes = timedBy(blocks, minutes)
    },
    async dropAbove(blockNumber) {
      const whole = minutes.filter(({ last }) => last.number <= blockNumber)
      const cut = minutes[whole.length]?.blocks.filter(({ block }) => block.number <= blockNumber) ?? []
      await refold(whole, byMinute(cut))
    },
    seal(count) {
      for (const minute of minutes.slice(0, count)) {
        known.settle(minute.after, hourOfMinute(minute.minute))
        const { tokens: _stored, owners: _owners, ...market } = minute.after
        base = { last: minute.last, ...market }
        begin(minute)
      }
      minutes = minutes.slice(count)
    },
    ...sealed,
  }
}

/** Minutes whose swaps without milliseconds have those of these blocks. */
function timedBy(blocks: readonly BlockFacts[], minutes: readonly PendingMinute[]): readonly PendingMinute[] {
  const times = new Map(blocks.map(({ block, timestampMs = null }) => [block.number, timestampMs]))
  const timed = (swap: Swap): Swap => {
    const timestampMs = swap.timestampMs ?? times.get(swap.blockNumber) ?? null
    return timestampMs === swap.timestampMs ? swap : { ...swap, timestampMs }
  }
  return minutes.map(({ segment, ...minute }) => ({
    ...minute,
    segment: { ...segment, swaps: segment.swaps.map(timed) },
  }))
}

/** Minutes on their way into the log, and from there into the tables. */
function openSealed() {
  let sealing: readonly PendingMinute[] = []
  let committed: readonly PendingMinute[] = []
  const newest = { tokens: openNewest<PriorToken>(), owners: openNewest<PostOwner>() }
  return {
    begin(minute: PendingMinute) {
      sealing = [...sealing, minute]
      newest.tokens.add(minute.minute, minute.after.tokens)
      newest.owners.add(minute.minute, minute.after.owners)
    },
    /** What these minutes leave, by address. */
    newest,
    sealing: () => sealing,
    committedFirst() {
      committed = [...committed, ...sealing.slice(0, 1)]
      sealing = sealing.slice(1)
    },
    unmaterialized: () => [...committed, ...sealing],
    materialized(minute: Minute) {
      committed = committed.filter((one) => one.minute > minute)
      for (const states of [newest.tokens, newest.owners]) states.dropTo(minute)
    },
  }
}

/** The newest value of each address, of minutes that are added in order and dropped oldest first. */
type Newest<V> = {
  add(minute: Minute, values: ReadonlyMap<Address, V>): void
  dropTo(minute: Minute): void
  get(address: Address): V | undefined
}

function openNewest<V>(): Newest<V> {
  const newest = new Map<Address, { readonly value: V; readonly minute: Minute }>()
  return {
    add(minute, values) {
      for (const [address, value] of values) newest.set(address, { value, minute })
    },
    dropTo(minute) {
      for (const [address, one] of newest) if (one.minute <= minute) newest.delete(address)
    },
    get: (address) => newest.get(address)?.value,
  }
}

/** Where the prior of a minute comes from: the pending minutes before it, else sealed ones that the tables lack, else the tail state. */
type Ground = {
  readonly known: TailCache
  readonly oldTokens: OldTokens
  readonly base: TailState
  /** What minutes leave that the tables may not have yet. */
  readonly sealed: { readonly tokens: Newest<PriorToken>; readonly owners: Newest<PostOwner> }
  readonly before: readonly PendingMinute[]
}

/** Loads the tokens that the minute touches, their related tokens step by step, and the owners of all of these. */
async function priorOf(
  ground: Ground,
  { minute, firstBlock, blocks }: Pick<PendingMinute, 'minute' | 'firstBlock' | 'blocks'>,
): Promise<PriorState> {
  const { references, closes, poolManager, uncounted, totals } = ground.before.at(-1)?.after ?? ground.base
  const tokens = new Map<Address, PriorToken>()
  const owners = new Map<Address, PostOwner>()
  let coins: readonly Coin[] = launchedIn(blocks)
  // Tokens launched in these blocks are not stored yet.
  const launched = new Set(coins.map(({ address }) => address))
  const unknownOf = (addresses: Iterable<Address>): readonly Address[] =>
    [...new Set(addresses)].filter((address) => !tokens.has(address) && !launched.has(address))
  let wanted = unknownOf(touchedBy(blocks))
  for (let step = 0; step <= RELATED_STEPS; step++) {
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
    wanted = unknownOf(coins.flatMap((coin) => relatedTokensOf(coin, owners, references)))
    coins = []
    if (wanted.length === 0) break
  }
  return { references, closes, poolManager, uncounted, tokens, owners, totals }
}

/** An address's state is in the newest pending minute that has it, else in the store. */
async function lookUp({ known, sealed, before }: Ground, minute: Minute, wanted: readonly Address[]) {
  const { found, settled } = pendingOf({ before, sealed: sealed.tokens }, wanted, ({ tokens }) => tokens)
  return new Map([...found, ...(await known.tokens(settled, before[0]?.minute ?? minute))])
}

async function lookUpOwners({ known, sealed, before }: Ground, wanted: readonly Address[]) {
  const { found, settled } = pendingOf({ before, sealed: sealed.owners }, wanted, ({ owners }) => owners)
  return new Map([...found, ...(await known.owners(settled))])
}

function pendingOf<V>(
  { before, sealed }: Pick<Ground, 'before'> & { readonly sealed: Newest<V> },
  wanted: readonly Address[],
  mapIn: (after: PriorState) => ReadonlyMap<Address, V>,
) {
  const found = new Map<Address, V>()
  for (const address of wanted) {
    const newest = before.findLast(({ after }) => mapIn(after).has(address))
    const value = newest ? mapIn(newest.after).get(address) : sealed.get(address)
    if (value) found.set(address, value)
  }
  return { found, settled: wanted.filter((address) => !found.has(address)) }
}

const launchedIn = (blocks: readonly BlockFacts[]): readonly Coin[] =>
  blocks.flatMap(({ facts }) => facts.flatMap((fact) => (fact.is === 'launched' ? [fact.coin] : [])))

/** Tokens of the facts, and the quotes that they migrate to. */
const touchedBy = (blocks: readonly BlockFacts[]): readonly Address[] =>
  blocks.flatMap(({ facts }) =>
    facts.flatMap((fact) => {
      if (fact.is === 'launched' || fact.is === 'rated') return []
      return fact.is === 'migrated' ? [fact.token, fact.quote] : [fact.token]
    }),
  )

/** There is no minute without a block. */
type BlocksOfMinute = readonly [BlockFacts, ...BlockFacts[]]

const byMinute = (blocks: readonly BlockFacts[]): Iterable<BlocksOfMinute> =>
  grouped(blocks, ({ block }) => minuteOfBlock(block)).values()
