import { describe, expect, it } from 'vitest'
import { joinedTraders, type TraderSums, traderOfSwap } from '../../../market/board/traders.ts'
import type { Swap } from '../../../market/segment.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import type { Item } from '../../../store/aws/table.ts'
import { itemsOfHourRecords, voidedHourRecords } from '../../../store/items/hour-records.ts'
import { readHourTraders } from '../../../store/items/hour-traders.ts'
import { nthAddress, swapWith } from '../../support/market/facts.ts'

const HOUR = 480_000
const token = nthAddress(1)

/** Swaps of an hour by so many traders, a third of which swap twice. */
const swapsOf = (hour: number, traders: number): Swap[] =>
  Array.from({ length: Math.floor(traders * 1.3) }, (_, n) =>
    swapWith({
      token,
      trader: nthAddress(100 + (n % traders)),
      isBuy: n % 2 === 0,
      volumeMicroUsd: BigInt(n * 7_919) ** 2n,
      timestamp: hour * 3_600 + (n % 3_600),
    }),
  )
const byTrader = (sums: Iterable<TraderSums>) =>
  [...joinedTraders(sums).values()].sort((a, b) => (a.trader < b.trader ? -1 : 1))
const sumsOf = (swaps: readonly Swap[]) => byTrader(swaps.map(traderOfSwap))
const itemsOf = (hour: number, swaps: readonly Swap[]) => itemsOfHourRecords(hour, [{ rows: [], swaps }])

async function openTestTable(items: readonly Item[]) {
  const table = openMemoryTable(() => HOUR * 3_600)
  const put = async (some: readonly Item[], pos: number) => {
    for (const item of some) await table.put({ ...item, pos }, { olderThan: pos })
  }
  await put(items, 1)
  const read = async (first: number, last: number) => {
    const found: TraderSums[] = []
    const reached: number[] = []
    for await (const round of readHourTraders({ table, past: table }, token, { first, last })) {
      found.push(...round.traders)
      reached.push(round.from)
    }
    return { found: byTrader(found), reached }
  }
  return { put, read }
}

describe('traders of a token by hours', () => {
  it('are those of the swaps, however many an hour has and however many hours there are', async () => {
    const hours = [
      swapsOf(HOUR - 60, 1),
      swapsOf(HOUR - 40, 2_400),
      ...Array.from({ length: 30 }, (_, at) => swapsOf(HOUR - 30 + at, 3 + at)),
      swapsOf(HOUR, 181),
    ]
    const at = (swaps: readonly Swap[]) => Math.floor((swaps[0]?.timestamp ?? 0) / 3_600)
    const { read } = await openTestTable(hours.flatMap((swaps) => itemsOf(at(swaps), swaps)))
    const { found, reached } = await read(HOUR - 168, HOUR)
    expect(found).toEqual(sumsOf(hours.flat()))
    expect(reached.at(-1)).toBe(HOUR - 168)
    expect(reached).toEqual(reached.toSorted((a, b) => b - a))
    expect((await read(HOUR - 40, HOUR - 40)).found).toEqual(sumsOf(hours[1]!))
    expect((await read(HOUR - 59, HOUR - 41)).found).toEqual([])
  })

  it('of an hour that was rolled back are none, and then those that replaced them', async () => {
    const { put, read } = await openTestTable(itemsOf(HOUR, swapsOf(HOUR, 200)))
    const tombs = voidedHourRecords({ minute: HOUR * 60 + 59, swaps: [] }, [token])
    await put(
      tombs.map((item) => ({ ...item, tomb: true })),
      2,
    )
    expect((await read(HOUR, HOUR)).found).toEqual([])
    await put(itemsOf(HOUR, swapsOf(HOUR, 100)), 3)
    expect((await read(HOUR, HOUR)).found).toEqual(sumsOf(swapsOf(HOUR, 100)))
  })

  it('take at most 4 KB an item', () => {
    const volumes = swapsOf(HOUR, 500).map((swap) => ({
      ...swap,
      trader: `0xff${swap.trader.slice(4)}` as const,
      volumeMicroUsd: 10n ** 15n + swap.volumeMicroUsd,
    }))
    const sizes = itemsOf(HOUR, volumes).flatMap(
      ({ traders }) => (traders as Uint8Array | undefined)?.length ?? [],
    )
    expect(sizes).toHaveLength(6)
    expect(Math.max(...sizes)).toBeLessThan(3_900)
  })
})
