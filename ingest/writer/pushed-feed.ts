/**
 * Publishes pushed blocks to the live feed before a poll has read them. They are added to the pending minutes only until
 * the next poll and are never sealed: the poll reads the same blocks from an HTTP endpoint, and what was published of
 * others, or with other swaps, is retracted.
 */
import { grouped } from '../../market/grouped.ts'
import type { Block } from '../../market/segment.ts'
import { openChainClock } from '../client/chain-clock.ts'
import { openTraits } from '../client/endpoint-traits.ts'
import { IngestError } from '../client/faults.ts'
import { minuteOfBlock } from '../client/headers.ts'
import { rpcOfSpan } from '../read/pushed-blocks.ts'
import { openRanges } from '../read/range.ts'
import { digestOf } from './feed-writer.ts'
import { finish, type Writer } from './writer-state.ts'

/** A block that no poll confirms for so long (ms) does not exist. */
const CONFIRMED_WITHIN_MS = 15_000
const traits = openTraits('socket')

/** Adds what was pushed after the last block read; returns the last block of it, undefined: nothing was. */
export async function addPushed(writer: Writer): Promise<Block | undefined> {
  const { deps, pending, tail, unconfirmed } = writer
  const last = pending.last()
  const span = last && deps.pushes?.after(last)
  const [first] = span?.headers ?? []
  const end = span?.headers.at(-1)
  if (!last || !span || !first || !end) return undefined
  // Behind a sealed minute there are blocks of later minutes only, unless the chain was reorganised: a poll shows it.
  if (minuteOfBlock(first) <= (tail?.minute ?? -1)) return undefined
  const registry = { ...deps.registry, complete: () => {} }
  // Every header was pushed, so no schedule has to guess a time, and none is proven by what a socket says.
  const clock = openChainClock([])
  const ranges = openRanges({ rpc: rpcOfSpan(span, deps.rpc, traits), chain: deps.chain, registry, clock })
  try {
    const range = await ranges.read(last, end.number)
    if (range === 'reorged') return undefined
    unconfirmed.base ??= last
    await pending.add(range.blocks)
    for (const [hash, swaps] of swapsAfter(writer, last)) {
      const { blockNumber: number, timestamp } = swaps[0]
      const digest = digestOf(swaps)
      unconfirmed.published.set(hash, { block: { number, hash, timestamp }, digest, since: Date.now() })
    }
    return range.last
  } catch (fault) {
    if (!(fault instanceof IngestError)) throw fault
    deps.pushes?.refuse(span, fault.message)
    return undefined
  }
}

/** Takes pushed blocks out of the pending minutes; in the feed they stay. */
export async function dropPushed({ pending, deps, unconfirmed }: Writer): Promise<void> {
  const { base } = unconfirmed
  if (!base) return
  unconfirmed.base = undefined
  await pending.dropAbove(base.number)
  deps.registry.abandon(base.number + 1)
}

/** Compares the blocks that a poll has read with what was pushed of them; retracts from the feed what differs. */
export async function confirm(writer: Writer): Promise<void> {
  const { pending, feed, deps, unconfirmed } = writer
  const { published } = unconfirmed
  const last = pending.last()
  if (!last) return
  deps.pushes?.polled(last)
  if (published.size === 0) return
  await finish(writer)
  const least = Math.min(...[...published.values()].map(({ block }) => block.number))
  const read = swapsAfter(writer, { number: least - 1 })
  let wrongFrom = Number.POSITIVE_INFINITY
  for (const [hash, { block, digest, since }] of published) {
    const isRead = block.number <= last.number
    if (!isRead && Date.now() - since < CONFIRMED_WITHIN_MS) continue
    published.delete(hash)
    const swaps = isRead && read.get(hash)
    if (!swaps || digestOf(swaps) !== digest) wrongFrom = Math.min(wrongFrom, block.number)
  }
  if (wrongFrom === Number.POSITIVE_INFINITY) return
  deps.pushes?.refuse(undefined, `it pushed block ${wrongFrom} otherwise than it is`)
  await feed.retractAbove(wrongFrom - 1)
}

const swapsAfter = ({ pending }: Writer, { number }: Pick<Block, 'number'>) =>
  grouped(
    pending
      .minutes()
      .flatMap(({ segment }) => segment.swaps)
      .filter(({ blockNumber }) => blockNumber > number),
    ({ blockHash }) => blockHash,
  )
