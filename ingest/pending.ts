import { LRUCache } from 'lru-cache'
import type { BlockFacts } from '../market/fact.ts'
import { fold } from '../market/fold.ts'
import type { Address, Block, Known, Minute, Prior, References, Segment } from '../market/segment.ts'
import type { TokenStore } from '../store/tokens.ts'

/** Tokens kept in memory as of the log's tail; others are read again when a log names them. */
const KEPT_TOKENS = 20_000

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
export type Checkpoint = {
  readonly last: Block | null
  readonly references: References
  readonly uncounted: ReadonlySet<Address>
}

/**
 * The minutes after the log's tail. Each is folded over the one before it, the first over the checkpoint.
 * Invariant: `minutes` are consecutive, oldest first, and only the newest may still grow.
 */
export type Pending = {
  minutes(): readonly PendingMinute[]
  /** The last block read: of the newest minute or, with none pending, of the checkpoint. */
  last(): Block | null
  /** The first block after the log's tail. */
  firstBlock(): number
  /** Adds blocks in chain order and folds what they touch; gives the minutes that changed. */
  add(blocks: readonly BlockFacts[]): Promise<readonly PendingMinute[]>
  /** Drops every block above the number, and folds the minute it ends in again. */
  dropAbove(blockNumber: number): Promise<void>
  /** The oldest minute has been committed: it becomes the checkpoint. */
  settleFirst(): void
}

/** Minutes pending after a checkpoint. `firstBlock`: the chain's first block to read when the log is empty. */
export function openPending(store: TokenStore, checkpoint: Checkpoint, firstBlock: number): Pending {
  let base = checkpoint
  let minutes: readonly PendingMinute[] = []
  const known = openKnownTokens(store)

  const folded = async (
    before: readonly PendingMinute[],
    blocks: readonly BlockFacts[],
  ): Promise<PendingMinute> => {
    const last = lastOf(blocks)
    const minute = minuteOf(last)
    const previous = before.at(-1)?.last ?? base.last
    const span = { minute, firstBlock: previous ? previous.number + 1 : firstBlock, blocks, last }
    const prior = await priorOf({ known, base, before }, minute, blocks)
    const { segment, after } = fold(prior, span)
    return { ...span, segment, after }
  }

  const refold = async (unchanged: readonly PendingMinute[], groups: Iterable<readonly BlockFacts[]>) => {
    const next = [...unchanged]
    for (const blocks of groups) next.push(await folded(next, blocks))
    minutes = next
  }

  return {
    minutes: () => minutes,
    last: () => minutes.at(-1)?.last ?? base.last,
    firstBlock: () => (base.last ? base.last.number + 1 : firstBlock),
    async add(blocks) {
      const open = minutes.at(-1)
      const first = blocks[0]
      const continues = open && first && minuteOf(first.block) === open.minute
      const before = continues ? minutes.slice(0, -1) : minutes
      await refold(before, byMinute(continues ? [...open.blocks, ...blocks] : blocks))
      return minutes.slice(before.length)
    },
    async dropAbove(blockNumber) {
      const whole = minutes.filter(({ last }) => last.number <= blockNumber)
      const cut = minutes[whole.length]?.blocks.filter(({ block }) => block.number <= blockNumber) ?? []
      await refold(whole, byMinute(cut))
    },
    settleFirst() {
      const [first, ...rest] = minutes
      if (!first) return
      known.settle(first.after.tokens)
      base = { last: first.last, references: first.after.references, uncounted: first.after.uncounted }
      minutes = rest
    },
  }
}

/** What a minute is folded over: the minutes pending before it, else the checkpoint. */
type Ground = {
  readonly known: KnownTokens
  readonly base: Checkpoint
  readonly before: readonly PendingMinute[]
}

async function priorOf(ground: Ground, minute: Minute, blocks: readonly BlockFacts[]): Promise<Prior> {
  const { references, uncounted } = ground.before.at(-1)?.after ?? ground.base
  const tokens = new Map<Address, Known>()
  let wanted = touchedBy(blocks)
  while (wanted.length > 0) {
    const found = await lookUp(ground, minute, wanted)
    for (const [address, known] of found) tokens.set(address, known)
    // A touched token is priced in its quote, so the quote must be known too.
    const quotes = new Set([...found.values()].map(({ token }) => token.quote))
    wanted = [...quotes].filter((quote) => !tokens.has(quote) && !references.has(quote))
  }
  return { references, uncounted, tokens }
}

async function lookUp(
  { known, before }: Ground,
  minute: Minute,
  wanted: readonly Address[],
): Promise<Map<Address, Known>> {
  const pending = new Map<Address, Known>()
  for (const address of wanted) {
    const found = before.findLast(({ after }) => after.tokens.has(address))?.after.tokens.get(address)
    if (found) pending.set(address, found)
  }
  const settled = wanted.filter((address) => !pending.has(address))
  return new Map([...pending, ...(await known.read(settled, before[0]?.minute ?? minute))])
}

/** Tokens as of the checkpoint: a bounded memory in front of the store. */
type KnownTokens = {
  read(addresses: readonly Address[], minute: Minute): Promise<ReadonlyMap<Address, Known>>
  settle(tokens: ReadonlyMap<Address, Known>): void
}

function openKnownTokens(store: TokenStore): KnownTokens {
  const kept = new LRUCache<Address, Known>({ maxSize: KEPT_TOKENS, sizeCalculation: () => 1 })
  const settle = (tokens: ReadonlyMap<Address, Known>) => {
    for (const [address, known] of tokens) kept.set(address, known)
  }
  return {
    async read(addresses, minute) {
      const missing = addresses.filter((address) => !kept.has(address))
      if (missing.length > 0) settle(await store.known(missing, minute))
      return new Map(addresses.flatMap((address) => entryOf(address, kept.get(address))))
    },
    settle,
  }
}

const entryOf = (address: Address, known: Known | undefined): [Address, Known][] =>
  known ? [[address, known]] : []

/** UTC minute of a block. */
export const minuteOf = (block: Block): Minute => Math.floor(block.timestamp / 60)

function touchedBy(blocks: readonly BlockFacts[]): Address[] {
  const touched = new Set<Address>()
  for (const { facts } of blocks) {
    for (const fact of facts) {
      if (fact.is === 'launched') touched.add(fact.coin.quote)
      if (fact.is !== 'launched' && fact.is !== 'rated') touched.add(fact.token)
    }
  }
  return [...touched]
}

function byMinute(blocks: readonly BlockFacts[]): Iterable<readonly BlockFacts[]> {
  const groups = new Map<Minute, BlockFacts[]>()
  for (const entry of blocks) {
    const group = groups.get(minuteOf(entry.block))
    if (group) group.push(entry)
    else groups.set(minuteOf(entry.block), [entry])
  }
  return groups.values()
}

function lastOf(blocks: readonly BlockFacts[]): Block {
  const last = blocks.at(-1)
  if (!last) throw new EmptyMinuteError()
  return last.block
}

/** A minute without a block does not exist; folding one is a defect of the caller. */
export class EmptyMinuteError extends Error {
  override readonly name = 'EmptyMinuteError'
}
