/**
 * Publishes pushed blocks to the live feed before a poll has read them. They are added to the pending minutes only until
 * the next poll and are never sealed: the poll reads the same blocks from an HTTP endpoint, and what was published of
 * others, or with other swaps, is retracted.
 */
import { minuteOfBlock } from '../../market/calendar.ts'
import { grouped } from '../../market/grouped.ts'
import type { Block, Hash } from '../../market/segment.ts'
import { openChainClock } from '../client/chain-clock.ts'
import { openTraits } from '../client/endpoint-traits.ts'
import { IngestError } from '../client/faults.ts'
import { type PushedSpan, rpcOfSpan } from '../read/pushed-blocks.ts'
import { openRanges } from '../read/range.ts'
import { digestOf } from './feed-writer.ts'
import type { Pending } from './pending.ts'
import type { Writer } from './writer-state.ts'

/** A block that no poll confirms for so long (ms) does not exist. */
const CONFIRMED_WITHIN_MS = 15_000
const traits = openTraits('socket')

export type PushedFeed = {
  /** Whether pushed blocks are in the pending minutes. */
  hasAdded(): boolean
  /** Adds the blocks pushed after the last block read; returns the last one, undefined if there is none. */
  add(): Promise<Block | undefined>
  /** Takes pushed blocks out of the pending minutes; in the feed they stay. */
  drop(): Promise<void>
  /** Compares the blocks that a poll has read with the pushed ones; retracts differing blocks from the feed. */
  confirm(): Promise<void>
}

/** A block that was published with swaps. `digest`: of these. `since`: Unix ms. */
type Unconfirmed = { readonly block: Block; readonly digest: string; readonly since: number }

/** Opens the publication of pushed blocks for a writer. */
export function openPushedFeed(writer: Writer): PushedFeed {
  const { deps, feed } = writer
  /** The last polled block, if blocks after it are in these minutes; the writer may have others since. */
  let added: { readonly pending: Pending; readonly base: Block } | undefined
  const unconfirmed = new Map<Hash, Unconfirmed>()
  const hasAdded = () => added?.pending === writer.pending

  return {
    hasAdded,
    async add() {
      const { pending } = writer
      const last = pending.last()
      const span = last && spanAfter(writer, last)
      if (!span) return undefined
      try {
        const range = await rangesOf(writer, span).read(last, span.to)
        if (range === 'reorged') return undefined
        if (!hasAdded()) added = { pending, base: last }
        await pending.add(range.blocks)
        for (const [hash, swaps] of swapsAfter(pending, last)) {
          const { blockNumber: number, timestamp } = swaps[0]
          const digest = digestOf(swaps)
          unconfirmed.set(hash, { block: { number, hash, timestamp }, digest, since: Date.now() })
        }
        return range.last
      } catch (fault) {
        if (!(fault instanceof IngestError)) throw fault
        deps.pushes.refuse(span.pushed, fault.message)
        return undefined
      }
    },
    async drop() {
      const base = hasAdded() ? added?.base : undefined
      added = undefined
      if (!base) return
      await writer.pending.dropAbove(base.number)
      deps.registry.abandon(base.number + 1)
    },
    async confirm() {
      const last = writer.pending.last()
      if (!last) return
      deps.pushes.polled(last)
      if (unconfirmed.size === 0) return
      await writer.finish()
      const least = Math.min(...[...unconfirmed.values()].map(({ block }) => block.number))
      const read = swapsAfter(writer.pending, { number: least - 1 })
      let wrongFrom = Number.POSITIVE_INFINITY
      for (const [hash, { block, digest, since }] of unconfirmed) {
        const isRead = block.number <= last.number
        if (!isRead && Date.now() - since < CONFIRMED_WITHIN_MS) continue
        unconfirmed.delete(hash)
        const swaps = isRead && read.get(hash)
        if (!swaps || digestOf(swaps) !== digest) wrongFrom = Math.min(wrongFrom, block.number)
      }
      if (wrongFrom === Number.POSITIVE_INFINITY) return
      deps.pushes.refuse(undefined, `it pushed block ${wrongFrom} otherwise than it is`)
      await feed.retractAbove(wrongFrom - 1)
    },
  }
}

/** The blocks pushed after a block, up to block `to`; undefined: no usable ones. */
function spanAfter({ deps, tail }: Writer, last: Block) {
  const pushed = deps.pushes.after(last)
  const [first, end] = [pushed?.headers[0], pushed?.headers.at(-1)]
  if (!pushed || !first || !end) return undefined
  // Behind a sealed minute there are blocks of later minutes only, unless the chain was reorganised: a poll shows it.
  if (minuteOfBlock(first) <= (tail?.minute ?? -1)) return undefined
  return { pushed, to: end.number }
}

/** Reads pushed blocks as an endpoint's: every header was pushed, so no schedule has to guess a time, and none is proven by a socket. */
const rangesOf = ({ deps }: Writer, { pushed }: { readonly pushed: PushedSpan }) =>
  openRanges({
    rpc: rpcOfSpan(pushed, deps.rpc, traits),
    chain: deps.chain,
    registry: { ...deps.registry, complete: () => {} },
    clock: openChainClock([]),
  })

const swapsAfter = (pending: Pending, { number }: Pick<Block, 'number'>) =>
  grouped(
    pending
      .minutes()
      .flatMap(({ segment }) => segment.swaps)
      .filter(({ blockNumber }) => blockNumber > number),
    ({ blockHash }) => blockHash,
  )
