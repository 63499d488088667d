import { createHash } from 'node:crypto'
import type { FeedEntry } from '../../market/feed-entry.ts'
import type { Block, Swap, Token } from '../../market/segment.ts'
import { swapsText } from '../../store/bytes/codec.ts'
import type { Feed } from '../../store/log/feed.ts'

/** The end of the feed that can be corrected, in seconds of the chain: more than two hours may await sealing behind a gap. */
const REMEMBERED_SECONDS = 8_000

/** A block with its swaps and launches, and names as in the feed's entries. */
export type BlockSwaps = Pick<
  Extract<FeedEntry, { readonly is: 'block' }>,
  'block' | 'swaps' | 'launches' | 'names'
>

/** The chain up to block `last`, as a writer has read it. */
export type SeenChain = {
  readonly last: Block
  /** The first block whose minute the writer has not seen sealed. */
  readonly pendingFrom: number
  /** Blocks up to this time (Unix seconds) are too old for the feed. */
  readonly since: number
  /** Every block with swaps or launches from this number on, and some earlier ones, oldest first. 'reorged': the chain is another. */
  blocksFrom(blockNumber: number): Promise<readonly BlockSwaps[] | 'reorged'>
  /** Whether this is still the canonical chain, and the log unchanged. */
  isCurrent(): Promise<boolean>
}

/**
 * The live feed as one writer sees it. Several writers may run: an entry is put if absent, and the loser reads the
 * winner's. Invariant: blocks ascend by number. The feed is a stack: only the newest block can be retracted, and only a
 * later one appended. If a block is wrong or missing, all later blocks are retracted and published again. A writer that
 * wakes up late adds at most one wrong entry before it notices that the chain or the log has moved on. Every writer
 * compares the entries of others with what it has read and with what was sealed, so errors are repaired even if their
 * author died.
 */
export type FeedWriter = {
  /** Publishes the chain as read, from the first unverified block on. Blocks stay unverified if that is no longer the chain. */
  bring(seen: SeenChain): Promise<void>
  /** Marks the published blocks from this number on as unverified. */
  markUnverified(blockNumber: number): void
  /** Whether any published block before the number has not been compared with the sealed minutes. */
  isUnverifiedBefore(blockNumber: number): boolean
  /** Retracts every block above the number, newest first, because they were incomplete. */
  retractAbove(blockNumber: number): Promise<void>
}

/** A published block; equal digests mean the same swaps and launches. */
type Published = { readonly block: Block; readonly digest: string }
type Wanted = Published & { readonly entry: BlockSwaps }

/** Opens the feed at its end. Published blocks before `verifiedBefore` are never compared. */
export async function openFeedWriter(feed: Feed, verifiedBefore = 0): Promise<FeedWriter> {
  let seq = await feed.tail()
  /** Oldest first. */
  let { inForce, isWhole } = await blocksInForce(feed, seq)
  /** The newest block no longer in memory. */
  let forgotten = isWhole ? -1 : (inForce.shift()?.block.number ?? -1)
  // A writer that crashed may have sealed any later block without comparing it.
  let unverifiedFrom = Math.max(verifiedBefore, forgotten + 1)

  const take = (entry: FeedEntry) => {
    seq = entry.seq
    unverifiedFrom = Math.min(unverifiedFrom, entry.block.number)
    if (entry.is === 'retract') forgotten = Math.min(forgotten, entry.block.number - 1)
    inForce = inForce.filter(({ block }) => block.hash !== entry.block.hash)
    if (entry.is === 'block') inForce.push(publishedAs(entry))
    for (const { block } of inForce.splice(0, countOld(inForce, entry.block))) forgotten = block.number
  }
  const absorb = async () => {
    for await (const entry of feed.after(seq)) take(entry)
  }
  /** false: another writer was faster. */
  const append = async (entry: FeedEntry) => {
    const isOurs = await feed.append(entry)
    await (isOurs ? take(entry) : absorb())
    return isOurs
  }

  /** The next entry to append so that the unverified part of the feed becomes the wanted blocks. */
  const nextEntry = (wanted: readonly Wanted[], { last, since, pendingFrom }: SeenChain) => {
    const isCompared = ({ block: { number, timestamp } }: Published) =>
      number >= unverifiedFrom && number > forgotten && number <= last.number && timestamp > since
    const [published, due] = [inForce.filter(isCompared), wanted.filter(isCompared)]
    const same = due.findIndex((one, at) => !isPublishedAs(one, published[at], pendingFrom))
    const at = same < 0 ? due.length : same
    const [wrong, lacking, newest] = [published[at], due[at], inForce.at(-1)]
    const isInTheWay = wrong || (lacking && newest && newest.block.number >= lacking.block.number)
    if (newest && isInTheWay) return { is: 'retract' as const, block: newest.block }
    return lacking && { is: 'block' as const, ...lacking.entry }
  }

  return {
    async bring(seen) {
      let [wanted, wantedFrom]: [readonly Wanted[], number] = [[], Number.POSITIVE_INFINITY]
      unverifiedFrom = Math.min(unverifiedFrom, seen.pendingFrom)
      // F2
      await absorb()
      for (let isAlone = true; ; ) {
        if (unverifiedFrom < wantedFrom) {
          const found = await seen.blocksFrom(unverifiedFrom)
          if (found === 'reorged') return
          ;[wanted, wantedFrom] = [found.map(wantedAs), unverifiedFrom]
        }
        const entry = nextEntry(wanted, seen)
        if (!entry) break
        // Before retracting another writer's entry, re-check that our own view of the chain is current.
        if ((entry.is === 'retract' || !isAlone) && !(await seen.isCurrent())) return
        isAlone = await append({ seq: seq + 1, ...entry })
      }
      // Again when they are sealed.
      unverifiedFrom = seen.pendingFrom
    },
    markUnverified(blockNumber) {
      unverifiedFrom = Math.min(unverifiedFrom, blockNumber)
    },
    isUnverifiedBefore: (blockNumber) => unverifiedFrom < blockNumber,
    async retractAbove(blockNumber) {
      await absorb()
      const newest = () => inForce.at(-1)?.block
      for (let block = newest(); block && block.number > blockNumber; block = newest())
        await append({ seq: seq + 1, is: 'retract', block })
    },
  }
}

const wantedAs = (entry: BlockSwaps): Wanted => ({ ...publishedAs(entry), entry })

/** Two writers may have read different swaps of a pending block; the entry stays until the minute is sealed. */
const isPublishedAs = (
  { block, digest }: Published,
  found: Published | undefined,
  pendingFrom: number,
): boolean => block.hash === found?.block.hash && (digest === found.digest || block.number >= pendingFrom)

/** How many of the oldest blocks need not be remembered at the time of this one. */
const countOld = (inForce: readonly Published[], { timestamp }: Block): number =>
  Math.max(
    0,
    inForce.findIndex(({ block }) => block.timestamp >= timestamp - REMEMBERED_SECONDS),
  )

/** Milliseconds may be proven later: a block is not retracted for them. */
const untimed = (swap: Swap): Swap => ({ ...swap, timestampMs: null })

const publishedAs = ({ block, swaps, launches = [] }: BlockSwaps): Published => ({
  block,
  digest: digestOf(swaps, launches),
})

/** What makes a launch another one: a block is not retracted for a token's new name. */
const launchText = ({ address, launchedAt: { transactionHash, logIndex } }: Token): string =>
  `${address} ${transactionHash} ${logIndex}`

/** SHA-256 of swaps without their milliseconds, and of launches: equal for equal ones. */
export const digestOf = (swaps: readonly Swap[], launches: readonly Token[] = []): string =>
  createHash('sha256')
    .update([swapsText.write(swaps.map(untimed)), ...launches.map(launchText)].join('\n'))
    .digest('base64')

/** F3: blocks up to an entry that were not retracted, oldest first. `isWhole`: these are all of the feed, from its first entry on. */
async function blocksInForce(feed: Feed, tail: number) {
  const retracted = new Set<string>()
  const blocks: Published[] = []
  let first = tail + 1
  for await (const entry of feed.before(tail + 1)) {
    first = entry.seq
    if (entry.is === 'retract') retracted.add(entry.block.hash)
    // A block that was retracted and published again occurs twice; the retraction between them cancels the older one.
    else if (!retracted.delete(entry.block.hash)) blocks.push(publishedAs(entry))
    const [newest] = blocks
    if (newest && newest.block.timestamp - entry.block.timestamp > REMEMBERED_SECONDS) break
  }
  return { inForce: blocks.reverse(), isWhole: first === 1 }
}
