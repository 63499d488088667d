import { expect, it } from 'vitest'
import { openFeedWriter } from '../../ingest/feed-writer.ts'
import type { FeedEntry } from '../../market/segment.ts'
import { collect } from '../support/collect.ts'
import { hash } from '../support/facts.ts'
import { currentSwaps } from '../support/from-zero.ts'
import { memoryStores } from '../support/ingest-stores.ts'
import { swapIn } from '../support/swap-feed.ts'

const blockAt = (number: number) => ({ number, hash: hash(number), timestamp: 12 * number })
const told = (number: number): FeedEntry => ({
  ...{ seq: number, is: 'block', block: blockAt(number) },
  swaps: [swapIn(blockAt(number), 1)],
})

it('what was told of blocks with logs left out is retracted, newest first, what another writer told meanwhile too, and told again whole', async () => {
  const { feed } = memoryStores()
  for (const number of [1, 2, 3, 4]) await feed.append(told(number))
  const writer = await openFeedWriter(feed)
  await feed.append(told(5))
  await writer.retractAbove(2)
  const retracted = [5, 4, 3].map((number, at) => ({ seq: 6 + at, is: 'retract', block: blockAt(number) }))
  expect(await collect(feed.after(5))).toEqual(retracted)

  const whole = [1, 2, 3, 4].map((number) => ({
    block: blockAt(number),
    swaps: [1, 2].slice(0, number > 2 ? 2 : 1).map((at) => swapIn(blockAt(number), at)),
  }))
  const seen = { last: blockAt(5), pendingFrom: 3, since: 0, stands: async () => true }
  await writer.bring({ ...seen, blocksFrom: async () => whole })
  expect(await collect(feed.after(8))).toEqual(
    whole.slice(2).map((one, at) => ({ seq: 9 + at, is: 'block', ...one })),
  )
})

it('what a writer left wrong before it ended is corrected, however many blocks it sealed meanwhile', async () => {
  const { feed } = memoryStores()
  const blocks = Array.from({ length: 150 }, (_, at) => at + 1)
  for (const number of blocks) await feed.append(told(number))
  const whole = blocks.map((number) => ({
    block: blockAt(number),
    swaps: [{ ...swapIn(blockAt(number), 1), volumeMicroUsd: 7n }],
  }))
  const writer = await openFeedWriter(feed)
  const seen = { last: blockAt(150), pendingFrom: 151, since: 0, stands: async () => true }
  await writer.bring({
    ...seen,
    blocksFrom: async (from) => whole.filter(({ block }) => block.number >= from),
  })
  const entries = await collect(feed.after(0))
  expect(currentSwaps(entries)).toEqual(whole.flatMap(({ swaps }) => swaps))
})
