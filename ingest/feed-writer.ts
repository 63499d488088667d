import type { Block, Swap } from '../market/segment.ts'
import type { Feed } from '../store/feed.ts'

/** Blocks at the end of the feed that are remembered: deeper than any reorg that is met by a retraction. */
const REMEMBERED_BLOCKS = 2_000
/** Blocks at the end of the feed that are looked up on the chain when a writer opens it. */
const DOUBTED_BLOCKS = 100

/** The chain after block `after` up to block `to`, as a writer has read it: every block with swaps, oldest first. */
export type SeenBlocks = {
  readonly after: number
  readonly to: number
  readonly blocks: readonly { readonly block: Block; readonly swaps: readonly Swap[] }[]
  /** Blocks of this time (Unix seconds) or before are too old to enter the feed. */
  readonly since: number
}

/**
 * The live feed as one writer sees it. Several may write: an entry is put if absent, and who loses reads what won. A reorg
 * takes back only a block that is looked up and found replaced, so a writer that comes late does no harm: what it adds in
 * error is not what the others have read, and they take it back.
 */
export type FeedWriter = {
  /** Takes back the blocks that the chain has replaced, appends those that the feed lacks, and reads what others appended. */
  bring(seen: SeenBlocks): Promise<void>
  /** What was told of blocks above the number is not sure any more: it is looked up, even if it is never read again. */
  doubtAbove(blockNumber: number): void
  /** Takes back every block above the number, newest first: what was told of them was not all. */
  retractAbove(blockNumber: number): Promise<void>
}

/** Opens the feed at its end. `isCanonical`: does the chain have this very block? */
export async function openFeedWriter(
  feed: Feed,
  isCanonical: (block: Block) => Promise<boolean>,
): Promise<FeedWriter> {
  let seq = await feed.tail()
  const inForce = new Map((await blocksInForce(feed, seq)).map((block) => [block.hash, block]))
  const doubted = new Set([...inForce.keys()].slice(-DOUBTED_BLOCKS))

  const absorb = async () => {
    for await (const { is, block, ...entry } of feed.after(seq)) {
      seq = entry.seq
      inForce.delete(block.hash)
      doubted.delete(block.hash)
      if (is === 'retract') continue
      inForce.set(block.hash, block)
      doubted.add(block.hash)
    }
    for (const hash of [...inForce.keys()].slice(0, -REMEMBERED_BLOCKS)) inForce.delete(hash)
  }

  /** Appends until the feed has the block or, retracted, has it no more; what others append meanwhile is read. */
  const append = async (
    entry: { is: 'block'; block: Block; swaps: readonly Swap[] } | { is: 'retract'; block: Block },
  ) => {
    while (inForce.has(entry.block.hash) !== (entry.is === 'block')) {
      await feed.append({ seq: seq + 1, ...entry })
      await absorb()
    }
  }

  const newestFirst = () => [...inForce.values()].reverse()

  return {
    async bring({ after, to, blocks, since }) {
      const seen = new Set(blocks.map(({ block }) => block.hash))
      for (const hash of seen) doubted.delete(hash)
      for (const block of newestFirst()) {
        const isDoubted = !seen.has(block.hash) && (block.number > after || doubted.has(block.hash))
        if (!isDoubted || block.number > to) continue
        if (await isCanonical(block)) doubted.delete(block.hash)
        else await append({ is: 'retract', block })
      }
      for (const { block, swaps } of blocks) {
        if (block.timestamp > since) await append({ is: 'block', block, swaps })
      }
      await absorb()
    },
    doubtAbove(blockNumber) {
      for (const { hash, number } of inForce.values()) if (number > blockNumber) doubted.add(hash)
    },
    async retractAbove(blockNumber) {
      await absorb()
      for (const block of newestFirst()) {
        if (block.number > blockNumber) await append({ is: 'retract', block })
      }
    },
  }
}

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
