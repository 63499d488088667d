import { expect, it } from 'vitest'
import type { Address, Minute, Swap } from '../../../market/segment.ts'
import type { Before } from '../../../schemas/values/swap-cursor.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import type { Reads } from '../../../store/aws/table.ts'
import { rowItemsOf } from '../../../store/items/projection.ts'
import { openTokenHistory } from '../../../store/items/token-history.ts'
import { segmentOf, stateWith, swapWith, tokenAt } from '../../support/market/facts.ts'

const MINUTE = 29_000_000
const token = tokenAt(1, MINUTE)
const limit = 100

/** A token's swaps in the first two minutes: so many in each. */
async function tableWith(counts: readonly number[]): Promise<Reads> {
  const table = openMemoryTable()
  for (const [at, count] of counts.entries()) {
    const minute = MINUTE + at
    const swaps = Array.from({ length: count }, (_, logIndex) =>
      swapWith({ token: token.address, blockNumber: minute * 30, logIndex, timestamp: minute * 60 + 30 }),
    )
    const segment = segmentOf(minute, { born: [token], rows: [[token.address, stateWith({})]], swaps })
    for (const item of rowItemsOf(segment)) await table.put(item, 'absent')
  }
  return table
}

/** The swaps of all pages, each of which goes on after the last swap of the one before. */
async function pagesOf(table: Reads, address: Address, to: Minute, first: Before): Promise<readonly Swap[]> {
  const found: Swap[] = []
  for (let before = first; ; ) {
    const span = { from: MINUTE, to, limit, rows: 10, before }
    const { swaps, isCut } = await openTokenHistory(table).newestSwaps(address, span)
    found.push(...swaps)
    const last = swaps.at(-1)
    if (!isCut || !last) return found
    before = { place: last, seconds: last.timestamp + 1 }
  }
}

const newest: Before = { place: null, seconds: Number.POSITIVE_INFINITY }
const places = (swaps: readonly Swap[]) => swaps.map((swap) => `${swap.blockNumber}.${swap.logIndex}`)

it.each([[[350]], [[350, 3]], [[3, 350]], [[100, 100]], [[0, 200]]])(
  'pages of swaps go on to the first one, with %j of them in a minute',
  async (counts) => {
    const table = await tableWith(counts)
    for (const last of [MINUTE + 1, MINUTE + 60]) {
      const found = await pagesOf(table, token.address, last, newest)
      expect(new Set(places(found)).size).toBe(found.length)
      expect(found.length).toBe(counts.reduce((sum, count) => sum + count))
    }
    // From within the last minute on.
    const within = { place: null, seconds: (MINUTE + counts.length - 1) * 60 + 40 }
    expect(await pagesOf(table, token.address, MINUTE + 60, within)).toHaveLength(
      counts.reduce((sum, count) => sum + count),
    )
  },
)
