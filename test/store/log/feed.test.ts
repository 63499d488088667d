import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { openTable } from '../../../store/aws/table.ts'
import { marketKeys } from '../../../store/aws/tables.ts'
import { openFeed, openRecentSwaps } from '../../../store/log/feed.ts'
import { useDynalite } from '../../support/aws/dynalite.ts'
import * as arbitrary from '../segments.ts'

const DAY = 86_400
const entry = (seq: number): FeedEntry => ({
  seq,
  is: 'retract',
  block: { number: seq, hash: `0x${seq}`, timestamp: seq },
})
const seqs = (entries: readonly FeedEntry[]) => entries.map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

await useDynalite('feed')

describe('the live feed on dynalite', () => {
  it('gives back what was appended, blocks of thousands of swaps too', async () => {
    const feed = openFeed(openTable('feed'))
    expect(await feed.tail()).toBe(0)
    // 3,000 distinct swaps deflate to more than the 400 KB that an item holds.
    const swaps = fc.sample(arbitrary.swap, { numRuns: 3_000, seed: 1 }).map((swap) => ({
      ...swap,
      // As on a chain: one block, a few pools and quotes, amounts of tokens and money.
      blockHash: `0x${'b'.repeat(64)}` as const,
      poolId: `0x${'c'.repeat(64)}` as const,
      quote: `0x${'d'.repeat(40)}` as const,
      token: `0x${'e'.repeat(40)}` as const,
      amountToken: swap.amountToken >> 45n,
      amountQuote: swap.amountQuote >> 60n,
      volumeMicroUsd: swap.volumeMicroUsd >> 90n,
      paidUsdE36: swap.paidUsdE36 >> 150n,
      from: swap.trader,
      to: swap.trader,
    }))
    const block: FeedEntry = { seq: 1, is: 'block', block: entry(1).block, swaps }
    expect(await feed.append(block)).toBe(true)
    expect(await allOf(feed.after(0))).toEqual([block])
    expect(await feed.append(entry(2))).toBe(true)
    expect(seqs(await allOf(feed.after(1)))).toEqual([2])
    expect(seqs(await allOf(feed.before(3)))).toEqual([2, 1])
    expect(await feed.tail()).toBe(2)
  })
})

describe('recent swaps', () => {
  const NOW = 30 * DAY
  const [swap] = fc.sample(arbitrary.swap, { numRuns: 1, seed: 1 })
  const block = (number: number, timestamp: number, swaps: number) => {
    const block = { number, hash: `0x${number}` as const, timestamp }
    const own = { ...swap!, blockNumber: number, blockHash: block.hash, timestamp }
    return { block: block, swaps: range(1, swaps).map((logIndex) => ({ ...own, logIndex })) }
  }

  it('reach back as far as documented, whether followed or read for the first time', async () => {
    const feed = openFeed(openMemoryTable(), () => NOW)
    const clock = { now: NOW }
    const warm = openRecentSwaps(feed, () => clock.now)
    let seq = 0
    const append = async (is: 'block' | 'retract', told: ReturnType<typeof block>) => {
      seq += 1
      const entry: FeedEntry = is === 'block' ? { seq, is, ...told } : { seq, is, block: told.block }
      expect(await feed.append(entry)).toBe(true)
      return read()
    }
    const read = async () => {
      const cold = openRecentSwaps(feed, () => clock.now)
      const [told, first] = await Promise.all([warm.read(), cold.read()])
      expect(first).toEqual(told)
      return told.swaps.length
    }
    expect(await append('block', block(1, NOW - DAY - 1, 5))).toBe(0)
    expect(await append('block', block(2, NOW - DAY + 60, 5))).toBe(5)
    for (const number of range(3, 5)) await append('block', block(number, NOW - 50 + number, 3_000))
    // A block that was retracted leaves room for older ones.
    expect(await append('block', block(6, NOW - 10, 3_000))).toBe(10_000)
    expect(await append('retract', block(6, NOW - 10, 3_000))).toBe(9_005)
    clock.now += 61
    expect(await read()).toBe(9_000)
  })
})

describe('the live feed', () => {
  it('takes one entry a number; appending the same again succeeds', async () => {
    const feed = openFeed(openMemoryTable())
    expect(await feed.append(entry(1))).toBe(true)
    expect(await feed.append(entry(1))).toBe(true)
    expect(await feed.append({ ...entry(1), block: entry(7).block })).toBe(false)
    expect(await allOf(feed.after(0))).toEqual([entry(1)])
  })

  it('is read over its partitions in both directions, from any place', async () => {
    const feed = openFeed(openMemoryTable())
    for (const seq of range(1, 2_100)) await feed.append(entry(seq))
    expect(await feed.tail()).toBe(2_100)
    for (const seq of [0, 1, 998, 999, 1_000, 1_001, 1_999, 2_100, 2_500]) {
      expect(seqs(await allOf(feed.after(seq)))).toEqual(range(seq + 1, 2_100))
      expect(seqs(await allOf(feed.before(seq)))).toEqual(range(1, Math.min(seq - 1, 2_100)).reverse())
    }
  })

  it('finds its tail though a writer ended before it moved the hint', async () => {
    const table = openMemoryTable()
    const feed = openFeed(table)
    for (const seq of range(1, 990)) await feed.append(entry(seq))
    const lost = openFeed({
      ...table,
      put: (item, condition) =>
        item.sk === marketKeys.feedTail.sk ? Promise.resolve(false) : table.put(item, condition),
    })
    for (const seq of range(991, 1_004)) await lost.append(entry(seq))
    expect(await feed.tail()).toBe(1_004)
    expect(seqs(await allOf(feed.after(998)))).toEqual(range(999, 1_004))
  })

  it('goes on after a long pause, though a writer ended before it moved the hint', async () => {
    let now = 0
    const table = openMemoryTable(() => now)
    const first = openFeed(table, () => now)
    for (const seq of range(1, 10)) await first.append(entry(seq))
    const put: typeof table.put = async (item, condition) =>
      item.sk !== marketKeys.feedTail.sk && table.put(item, condition)
    const ended = openFeed({ ...table, put }, () => now)
    await ended.append(entry(11))
    const next = openFeed(table, () => now)
    for (let seq = (await next.tail()) + 1; seq <= 15; seq += 1) await next.append(entry(seq))
    now = 7 * DAY
    const last = openFeed(table, () => now)
    const seq = (await last.tail()) + 1
    expect(await last.append(entry(seq))).toBe(true)
    expect(seqs(await allOf(last.after(0)))).toEqual([seq])
  })

  it('gives no number twice after everything in it has expired', async () => {
    let now = 0
    const table = openMemoryTable(() => now)
    const feed = openFeed(table, () => now)
    for (const seq of range(1, 1_496)) await feed.append(entry(seq))
    now = 7 * DAY
    expect(await feed.tail()).toBe(1_500)
    expect(await allOf(feed.after(0))).toEqual([])
    for (const seq of range(1_501, 2_002)) await feed.append(entry(seq))
    expect(seqs(await allOf(feed.after(0)))).toEqual(range(1_501, 2_002))
    expect(seqs(await allOf(feed.before(2_003)))).toEqual(range(1_501, 2_002).reverse())
  })
})
