import { describe, expect, it } from 'vitest'
import type { Swap } from '../../../market/segment.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import type { Item } from '../../../store/aws/table.ts'
import {
  itemOfSample,
  itemsOfHourRecords,
  readHolderSamples,
  readTokenHours,
  readWalletSwaps,
  voidedHourRecords,
} from '../../../store/items/hour-records.ts'
import { nthAddress, stateWith, swapWith } from '../../support/market/facts.ts'

const HOUR = 480_000
const [token, wallet] = [nthAddress(1), nthAddress(70)]

const swapsOf = (hour: number, count: number): Swap[] =>
  Array.from({ length: count }, (_, n) =>
    swapWith({ blockNumber: hour * 100 + n, timestamp: hour * 3_600 + n, trader: wallet }),
  )
function rowOf(before: number, after: number) {
  const state = (holders: number) => stateWith({ holders, cumEarnedMicroUsd: BigInt(holders) * 10n })
  return { token, before: state(before), after: state(after), rangesBefore: [], ranges: [], candle: null }
}

function openTestTable() {
  const table = openMemoryTable(() => HOUR * 3_600)
  return {
    table,
    put: async (items: readonly Item[], pos: number) => {
      for (const item of items) await table.put({ ...item, pos }, { olderThan: pos })
    },
    read: async (last: number) => {
      const swaps: Swap[] = []
      for await (const some of readWalletSwaps({ table, past: table }, wallet, last)) swaps.push(...some)
      return swaps
    },
  }
}

describe('swaps of a wallet by hours', () => {
  it('are read newest first, however many an hour has', async () => {
    const { put, read } = openTestTable()
    for (const [hour, count] of [
      [HOUR, 120],
      [HOUR + 1, 1],
      [HOUR + 7, 501],
    ] as const)
      await put(itemsOfHourRecords(hour, [{ rows: [], swaps: swapsOf(hour, count) }]), 1)
    const newest = (hour: number, count: number) => swapsOf(hour, count).toReversed()
    expect(await read(HOUR + 9)).toEqual([
      ...newest(HOUR + 7, 501),
      ...newest(HOUR + 1, 1),
      ...newest(HOUR, 120),
    ])
    expect(await read(HOUR + 6)).toEqual([...newest(HOUR + 1, 1), ...newest(HOUR, 120)])
    expect(await read(HOUR - 1)).toEqual([])
  })

  it('of an hour that was rolled back are none, and then those that replaced them', async () => {
    const { put, read } = openTestTable()
    await put(itemsOfHourRecords(HOUR, [{ rows: [], swaps: swapsOf(HOUR, 120) }]), 1)
    const tombs = voidedHourRecords({ minute: HOUR * 60 + 59, swaps: swapsOf(HOUR, 120) }, [])
    await put(
      tombs.map((item) => ({ ...item, tomb: true })),
      2,
    )
    expect(await read(HOUR)).toEqual([])
    await put(itemsOfHourRecords(HOUR, [{ rows: [], swaps: swapsOf(HOUR, 60) }]), 3)
    expect(await read(HOUR)).toEqual(swapsOf(HOUR, 60).toReversed())
  })
})

describe('hours of a token', () => {
  it('hold what was before and after, in which either changed', async () => {
    const { table, put } = openTestTable()
    await put(
      itemsOfHourRecords(HOUR, [
        { rows: [rowOf(3, 4)], swaps: [] },
        { rows: [rowOf(4, 9)], swaps: [] },
      ]),
      1,
    )
    await put(itemsOfHourRecords(HOUR + 1, [{ rows: [rowOf(9, 9)], swaps: [] }]), 2)
    expect(await readTokenHours(table, token, { first: HOUR - 5, last: HOUR + 5 })).toEqual([
      {
        hour: HOUR,
        holdersBefore: 3,
        holders: 9,
        earnedBefore: 30n,
        earned: 90n,
        postsEarnedBefore: 0n,
        postsEarned: 0n,
      },
    ])
  })

  it('have the share of the ten largest as last looked at, none of a later entry', async () => {
    const { table } = openTestTable()
    for (const [n, share] of [
      [5, 1_000n],
      [7, 2_000n],
    ] as const) {
      const sample = itemOfSample(token, { minute: (HOUR + n) * 60, n }, share)
      await table.put(sample, { olderThan: n })
    }
    const range = { first: HOUR, last: HOUR + 9 }
    expect(await readHolderSamples(table, token, { ...range, n: 6 })).toEqual([
      { hour: HOUR + 5, top10PercentE4: 1_000n },
    ])
    expect(await readHolderSamples(table, token, { ...range, n: 7 })).toHaveLength(2)
  })
})
