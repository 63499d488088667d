import { describe, expect, it } from 'vitest'
import { checkRows } from '../../admin/check-rows.ts'
import type { Item } from '../../store/table.ts'
import { openCandleMarket } from '../support/candle-market.ts'

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
  /** The table with another item, or none, in the place of one. */
  const forged = (item: Item, put: Item | undefined): Parameters<typeof checkRows>[0] => ({
    ...market.table,
    readMany: async (keys) =>
      (await market.table.readMany(keys)).flatMap((one) =>
        one.pk === item.pk && one.sk === item.sk ? (put ?? []) : one,
      ),
  })

  it('are what their minutes say', async () => {
    const { findings, checked } = await check()
    expect(findings).toEqual([])
    expect(checked).toBeGreaterThan(1_000)
  })

  it.each(kinds)('%s are compared: a wrong one and a missing one are found', async (_, isOfKind) => {
    const compared: Item[] = []
    await check({
      ...market.table,
      readMany: async (keys) => {
        const items = await market.table.readMany(keys)
        compared.push(...items)
        return items
      },
    })
    const own = compared.filter(isOfKind)
    const item = own[Math.floor(own.length / 2)]!
    const [name] = Object.keys(item).filter((one) => item[one] instanceof Uint8Array)
    const bytes = Uint8Array.from(item[name!] as Uint8Array)
    bytes[bytes.length - 1]! ^= 1
    const at = { is: 'different', subject: `row ${item.pk} ${item.sk}` }
    expect((await check(forged(item, { ...item, [name!]: bytes }))).findings).toMatchObject([at])
    expect((await check(forged(item, undefined))).findings).toMatchObject([
      { ...at, description: 'it is missing' },
    ])
  })
})
