import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Segment } from '../../../market/segment.ts'
import { openMemoryTable, overlaid } from '../../../store/aws/memory.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import type { Item, Reads, Table } from '../../../store/aws/table.ts'
import { itemsOf, itemsOfRewind } from '../../../store/items/projection.ts'
import { noWorld, sealed, steps } from '../../support/market/ledger-history.ts'

async function put(table: Table, items: readonly Item[], n: number) {
  for (const item of items) await table.put({ ...item, pos: n }, { olderThan: n })
}
const withoutPos = (items: readonly Item[]) =>
  items.map(({ pos: _, ...item }) => item).sort((a, b) => (a.pk + a.sk < b.pk + b.sk ? -1 : 1))

/** Every item and every partition, in both orders, in spans and cut short. */
async function seen(table: Reads, keys: readonly Item[]) {
  const partitions = [...new Set(keys.map(({ pk }) => pk))].sort()
  const middle = keys[Math.floor(keys.length / 2)]?.sk ?? ''
  const spans = partitions.flatMap((pk) => [
    { pk },
    { pk, isDescending: true },
    { pk, from: middle },
    { pk, to: middle, limit: 1 },
  ])
  return {
    many: withoutPos(await table.readMany(keys)),
    one: await Promise.all(keys.slice(0, 5).map(async (key) => (await table.read(key)) !== undefined)),
    queries: await Promise.all(
      spans.map(async (span) => (await allOf(table.query(span))).map(({ pos: _, ...item }) => item)),
    ),
  }
}

it('a table that is overlaid with a rewind reads as it would after it, and is not changed', () =>
  fc.assert(
    fc.asyncProperty(steps, fc.nat(4), async (history, depth) => {
      const table = openMemoryTable()
      const segments: Segment[] = []
      let world = noWorld
      for (const step of history) {
        if (step.is === 'rewind') continue
        const next = sealed(world, step)
        world = next.world
        segments.push(next.segment)
        await put(table, itemsOf(next.segment), segments.length)
      }
      const rewind = itemsOfRewind(segments.slice(segments.length - depth).reverse())
      const keys = [...table.items.values()]
      const view = await seen(overlaid(table, rewind), keys)
      expect([...table.items.values()]).toEqual(keys)
      await put(table, rewind, segments.length + 1)
      expect(view).toEqual(await seen(table, keys))
    }),
    { numRuns: 60 },
  ))
