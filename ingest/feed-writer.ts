import type { Block, Swap } from '../market/segment.ts'
import type { Feed } from '../store/feed.ts'

/** Blocks at the end of the feed that are remembered: deeper than any reorg that is met by a retraction. */
const REMEMBERED_BLOCKS = 2_000

/** The live feed as one writer sees it. Several may write: an entry is put if absent, and who loses reads what won. */
export type FeedWriter = {
  /** Appends a block's swaps, unless the feed has the block; blocks of another fork at its height or above go first. */
  publish(block: Block, swaps: readonly Swap[]): Promise<void>
  /** Takes back, newest first, every block above the ancestor that the chain no longer has. */
  retractAbove(ancestor: number, isCanonical: (block: Block) => Promise<boolean>): Promise<void>
}

/** Opens the feed at its end. `blocks` are those in force there, oldest first. */
export async function openFeedWriter(feed: Feed): Promise<FeedWriter> {
  let seq = await feed.tail()
  let blocks = await blocksInForce(feed, seq)

  const absorb = async () => {
    for await (const entry of feed.after(seq)) {
      seq = entry.seq
      if (entry.is === 'block') blocks.push(entry.block)
      else blocks = blocks.filter((block) => block.hash !== entry.block.hash)
    }
    blocks = blocks.slice(-REMEMBERED_BLOCKS)
  }

  /** True when the entry is ours; else the feed has moved on and has been read again. */
  const append = async (
    entry: { is: 'block'; block: Block; swaps: readonly Swap[] } | { is: 'retract'; block: Block },
  ) => {
    const isOurs = await feed.append({ seq: seq + 1, ...entry })
    await absorb()
    return isOurs
  }

  return {
    async publish(block, swaps) {
      for (;;) {
        if (blocks.some((known) => known.hash === block.hash)) return
        const top = blocks.at(-1)
        if (top && top.number >= block.number) await append({ is: 'retract', block: top })
        else if (await append({ is: 'block', block, swaps })) return
      }
    },
    async retractAbove(ancestor, isCanonical) {
      for (;;) {
        const top = blocks.at(-1)
        if (!top || top.number <= ancestor || (await isCanonical(top))) return
        await append({ is: 'retract', block: top })
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
