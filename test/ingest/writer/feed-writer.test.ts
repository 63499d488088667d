import { describe, expect, it } from 'vitest'
import { type BlockSwaps, openFeedWriter, type SeenChain } from '../../../ingest/writer/feed-writer.ts'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { memoryStores } from '../../support/aws/ingest-stores.ts'
import { currentSwaps } from '../../support/from-zero.ts'
import { hash } from '../../support/market/facts.ts'
import { launchIn, swapIn } from '../../support/market/swap-feed.ts'

const HOUR = 3_600
const blockAt = (number: number) => ({ number, hash: hash(number), timestamp: 12 * number })
const blockWith = (number: number, swaps = 1) => ({
  block: blockAt(number),
  swaps: Array.from({ length: swaps }, (_, at) => swapIn(blockAt(number), at)),
})
const published = (seq: number, number = seq): FeedEntry => ({ seq, is: 'block', ...blockWith(number) })
const retraction = (seq: number, number: number): FeedEntry => ({
  seq,
  is: 'retract',
  block: blockAt(number),
})
/** A chain of these blocks, all of them sealed unless some are pending. */
function chainOf(blocks: readonly BlockSwaps[], pendingFrom?: number): SeenChain {
  const { block: last } = blocks.at(-1)!
  return {
    last,
    since: 0,
    pendingFrom: pendingFrom ?? last.number + 1,
    isCurrent: async () => true,
    blocksFrom: async (from) => blocks.filter(({ block }) => block.number >= from),
  }
}

it('the feed writer retracts incomplete blocks, newest first, also those of another writer, and publishes them again', async () => {
  const { feed } = memoryStores()
  for (const number of [1, 2, 3, 4]) await feed.append(published(number))
  const writer = await openFeedWriter(feed)
  await feed.append(published(5))
  await writer.retractAbove(2)
  expect(await allOf(feed.after(5))).toEqual([5, 4, 3].map((number, at) => retraction(6 + at, number)))

  const whole = [1, 2, 3, 4].map((number) => blockWith(number, number > 2 ? 2 : 1))
  await writer.bring(chainOf(whole, 3))
  expect(await allOf(feed.after(8))).toEqual(
    whole.slice(2).map((one, at) => ({ seq: 9 + at, is: 'block', ...one })),
  )
})

it('the feed writer leaves blocks as they are that are older than it remembers', async () => {
  const { feed } = memoryStores()
  const writer = await openFeedWriter(feed)
  const [old, later] = [1, 1_000]
  await writer.bring(chainOf([blockWith(old), blockWith(later)]))
  writer.markUnverified(old)
  await writer.bring(chainOf([blockWith(old, 2), blockWith(later)]))
  expect(await feed.tail()).toBe(2)
})

describe('sealed blocks that an earlier writer left', () => {
  const numbers = Array.from({ length: 150 }, (_, at) => at + 1)

  it.each<[string, readonly number[], number]>([
    ['wrong', numbers, 2],
    ['out at the beginning of the feed', numbers.slice(1), 1],
    ['out in the middle', numbers.filter((number) => number !== 7), 1],
  ])('%s are corrected, however many were sealed since', async (_what, left, swaps) => {
    const { feed } = memoryStores()
    for (const [at, number] of left.entries()) await feed.append(published(at + 1, number))
    const whole = numbers.map((number) => blockWith(number, swaps))
    await (await openFeedWriter(feed)).bring(chainOf(whole))
    expect(currentSwaps(await allOf(feed.after(0)))).toEqual(whole.flatMap((block) => block.swaps))
  })

  it('are published again if another writer retracted more than this one remembers', async () => {
    let now = 0
    const { feed } = memoryStores(() => now)
    for (const number of [1, 2, 3]) await feed.append(published(number))
    now = 20 * HOUR
    for (const number of [4, 5, 6]) await feed.append(published(number))
    now = 26 * HOUR
    const writer = await openFeedWriter(feed)
    for (const [at, number] of [6, 5, 4].entries()) await feed.append(retraction(7 + at, number))
    const whole = numbers.slice(0, 6).map((number) => blockWith(number))
    await writer.bring(chainOf(whole))
    expect(await allOf(feed.after(9))).toEqual(
      whole.slice(3).map((one, at) => ({ seq: 10 + at, is: 'block', ...one })),
    )
  })
})

const launched = (number: number, logIndex = 1) => ({
  block: blockAt(number),
  swaps: [],
  launches: [launchIn(blockAt(number), logIndex)],
})

it('a block with a launch and no swap is published, stays when it is sealed, and is retracted where its launch was another', async () => {
  const { feed } = memoryStores()
  const writer = await openFeedWriter(feed)
  await writer.bring(chainOf([blockWith(1), launched(2), blockWith(3)], 1))
  const published = [blockWith(1), launched(2), blockWith(3)].map((one, at) => ({
    seq: at + 1,
    is: 'block',
    ...one,
  }))
  expect(await allOf(feed.after(0))).toEqual(published)
  await (await openFeedWriter(feed)).bring(chainOf([blockWith(1), launched(2), blockWith(3)]))
  expect(await feed.tail()).toBe(3)
  await (await openFeedWriter(feed)).bring({
    ...chainOf([blockWith(1)]),
    blocksFrom: async () => 'reorged' as const,
  })
  expect(await feed.tail()).toBe(3)
  await (await openFeedWriter(feed)).bring(chainOf([blockWith(1), launched(2, 4), blockWith(3)]))
  expect((await allOf(feed.after(3))).map((entry) => [entry.is, entry.block.number])).toEqual([
    ['retract', 3],
    ['retract', 2],
    ['block', 2],
    ['block', 3],
  ])
})
