import type { Block, Swap } from '../market/segment.ts'
import type { Feed } from '../store/feed.ts'

/** Blocks at the end of the feed that are remembered: deeper than any reorg that is met by a retraction. */
const REMEMBERED_BLOCKS = 2_000
/** Blocks at the end of the feed that are held against the log when a writer opens it: whoever died there left fewer in error. */
const DOUBTED_BLOCKS = 16

/** A block with its swaps. */
export type ToldBlock = { readonly block: Block; readonly swaps: readonly Swap[] }

/** The chain up to block `last`, as a writer has read it. */
export type SeenChain = {
  readonly last: Block
  /** The first block whose minute is not sealed. */
  readonly pendingFrom: number
  /** Blocks of this time (Unix seconds) or before are too old to enter the feed. */
  readonly since: number
  /** Every block with swaps from this number on, oldest first, those older than `since` left out or not. */
  blocksFrom(blockNumber: number): Promise<readonly ToldBlock[]>
}

/**
 * The live feed as one writer sees it. Several may write: an entry is put if absent, and who loses reads what won.
 *
 * Invariant: the blocks in force ascend by number. The feed is a stack: only the newest block in force is taken back, and
 * only a block above it is appended; where one is wrong or lacking, all above it are taken back and told again. Each entry
 * is decided on everything before it. So a writer that comes late does little harm: at most one entry each time it wakes
 * up, then it sees that the chain has left it. Whatever others wrote is held against what this writer has read or sealed,
 * so what was taken back in error is told again, whoever died.
 */
export type FeedWriter = {
  /** Makes the feed tell of the chain as it was seen, from the first block in doubt on; leaves it as it is where the chain has gone elsewhere since. */
  bring(seen: SeenChain): Promise<void>
  /** What was told of blocks from the number on is not sure any more. */
  doubtFrom(blockNumber: number): void
  /** Takes back every block above the number, newest first: what was told of them was not all. */
  retractAbove(blockNumber: number): Promise<void>
}

/** Opens the feed at its end. `isCanonical`: does the chain have this very block? */
export async function openFeedWriter(
  feed: Feed,
  isCanonical: (block: Block) => Promise<boolean>,
): Promise<FeedWriter> {
  let seq = await feed.tail()
  /** Oldest first. */
  let inForce = await blocksInForce(feed, seq)
  /** The newest block that is not remembered any more. */
  let forgotten = inForce.length < REMEMBERED_BLOCKS ? -1 : (inForce.shift()?.number ?? -1)
  let doubtedFrom = inForce.at(-DOUBTED_BLOCKS)?.number ?? 0

  const absorb = async () => {
    for await (const { is, block, ...entry } of feed.after(seq)) {
      seq = entry.seq
      doubtedFrom = Math.min(doubtedFrom, block.number)
      inForce = inForce.filter(({ hash }) => hash !== block.hash)
      if (is === 'block') inForce.push(block)
    }
    for (const { number } of inForce.splice(0, inForce.length - REMEMBERED_BLOCKS)) forgotten = number
  }

  /** What must be appended next, for the feed to tell of the wanted blocks and of no others where it is in doubt. */
  const nextEntry = (wanted: readonly ToldBlock[], { last, since }: SeenChain) => {
    const isInQuestion = ({ number, timestamp }: Block) =>
      number >= doubtedFrom && number > forgotten && number <= last.number && timestamp > since
    const told = inForce.filter(isInQuestion)
    const due = wanted.filter(({ block }) => isInQuestion(block))
    const same = due.findIndex(({ block }, at) => block.hash !== told[at]?.hash)
    const at = same < 0 ? due.length : same
    const [wrong, missing, newest] = [told[at], due[at], inForce.at(-1)]
    const isInTheWay = wrong || (missing && newest && newest.number >= missing.block.number)
    if (newest && isInTheWay) return { is: 'retract' as const, block: newest }
    return missing && { is: 'block' as const, ...missing }
  }

  return {
    async bring(seen) {
      doubtedFrom = Math.min(doubtedFrom, seen.pendingFrom)
      let [wanted, wantedFrom] = [await seen.blocksFrom(doubtedFrom), doubtedFrom]
      for (let isAlone = true; ; ) {
        await absorb()
        if (doubtedFrom < wantedFrom) {
          ;[wanted, wantedFrom] = [await seen.blocksFrom(doubtedFrom), doubtedFrom]
        }
        const entry = nextEntry(wanted, seen)
        if (!entry) break
        // Who contradicts others makes sure first that it is not he who is late.
        if ((entry.is === 'retract' || !isAlone) && !(await isCanonical(seen.last))) return
        isAlone = await feed.append({ seq: seq + 1, ...entry })
      }
      doubtedFrom = Number.POSITIVE_INFINITY
    },
    doubtFrom(blockNumber) {
      doubtedFrom = Math.min(doubtedFrom, blockNumber)
    },
    async retractAbove(blockNumber) {
      for (;;) {
        await absorb()
        const newest = inForce.at(-1)
        if (!newest || newest.number <= blockNumber) return
        await feed.append({ seq: seq + 1, is: 'retract', block: newest })
      }
    },
  }
}

/** Oldest first. */
async function blocksInForce(feed: Feed, tail: number): Promise<Block[]> {
  const retracted = new Set<string>()
  const blocks: Block[] = []
  for await (const entry of feed.before(tail + 1)) {
    if (entry.is === 'retract') retracted.add(entry.block.hash)
    // A block that was taken back and came again stands twice; its retraction lies between and cancels the older one.
    else if (!retracted.delete(entry.block.hash)) blocks.push(entry.block)
    if (blocks.length >= REMEMBERED_BLOCKS) break
  }
  return blocks.reverse()
}
