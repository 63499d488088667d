// Whole form only.
import { describe, expect, it } from 'vitest'
import { checkRows } from '../../admin/proof/check-tables.ts'
import type { Item } from '../../store/aws/table.ts'
import { openCandleMarket } from '../support/market/candle-market.ts'

/** The kinds of rows, by what their keys look like. */
const kinds: readonly (readonly [string, (item: Item) => boolean])[] = [
  ['of a minute', ({ sk }) => sk.startsWith('C#')],
  ['of an hour’s prices', ({ pk, sk }) => pk.startsWith('T#') && sk.startsWith('H')],
  ['of a day’s prices', ({ pk, sk }) => pk.startsWith('T#') && sk.startsWith('D')],
  ['of a reference currency', ({ pk, sk }) => pk.startsWith('R#') && sk.startsWith('H')],
  ['of an hour’s holders and earnings', ({ sk }) => sk.startsWith('Q')],
  ['of a wallet’s swaps', ({ pk }) => pk.startsWith('W#')],
]

describe('the rows of a market of three days with reorgs', async () => {
  const market = openCandleMarket(4)
  await market.grow(3, 4)
  const minutes = await market.minutes()
  const now = market.last() * 60
  const check = (table: Parameters<typeof checkRows>[0] = market.table) => checkRows(table, minutes, now)
  /** What is found if other items, or none, stand in the place of some. */
  const findingsWith = async (items: readonly Item[], forge: (item: Item) => Item | undefined) => {
    const forged = new Map(items.map((item) => [`${item.pk} ${item.sk}`, forge(item)]))
    const readMany = async (keys: Parameters<typeof market.table.readMany>[0]) =>
      (await market.table.readMany(keys)).flatMap((one) => {
        const name = `${one.pk} ${one.sk}`
        return forged.has(name) ? (forged.get(name) ?? []) : one
      })
    return (await check({ ...market.table, readMany })).findings.toSorted(bySubject)
  }
  const compared: Item[] = []

  it('are what their minutes say', async () => {
    const { findings, checked } = await check({
      ...market.table,
      readMany: async (keys) => {
        const items = await market.table.readMany(keys)
        compared.push(...items)
        return items
      },
    })
    expect(findings).toEqual([])
    expect(checked).toBeGreaterThan(1_000)
  })

  it('are compared: of each kind a wrong one and a missing one are found', async () => {
    const items = kinds.map(([kind, isOfKind]) => {
      const own = compared.filter(isOfKind)
      expect(own.length, kind).toBeGreaterThan(0)
      return own[Math.floor(own.length / 2)]!
    })
    const found = items
      .map(({ pk, sk }) => ({ is: 'different', subject: `row ${pk} ${sk}` }))
      .toSorted(bySubject)
    expect(await findingsWith(items, withOtherByte)).toMatchObject(found)
    expect(await findingsWith(items, () => undefined)).toMatchObject(
      found.map((each) => ({ ...each, description: 'it is missing' })),
    )
  })
})

type Subject = { readonly subject: string }
const bySubject = (a: Subject, b: Subject) => (a.subject < b.subject ? -1 : 1)

/** The item with its last byte changed. */
function withOtherByte(item: Item): Item {
  const name = Object.keys(item).find((one) => item[one] instanceof Uint8Array)!
  const bytes = Uint8Array.from(item[name] as Uint8Array)
  bytes[bytes.length - 1]! ^= 1
  return { ...item, [name]: bytes }
}
