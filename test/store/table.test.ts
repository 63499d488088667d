import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf, mapParallel } from '../../store/aws/parallel.ts'
import {
  type Condition,
  deleteExpired,
  ensureTables,
  type Item,
  openTable,
  type Table,
} from '../../store/aws/table.ts'
import { type Running, startDynalite, startMoto } from '../support/aws/emulators.ts'
import { casesOf } from '../support/rounds.ts'

/** The second one is independent, and slow to begin. */
const starts = [
  ['dynalite', startDynalite],
  ['moto', startMoto],
] as const

describe.each(casesOf(starts, 1))('a table on %s', (kind, start) => {
  let running: Running | undefined
  let table: Table
  let now = 1_000

  beforeAll(async () => {
    running = await start()
    if (!running) return
    for (const _ of [1, 2]) await ensureTables(['market'])
    table = openTable('market', { clock: () => now })
    await table.read({ pk: 'warm', sk: 'up' })
  })
  afterAll(() => running?.stop())

  const fact = (name: string, run: () => Promise<void>) =>
    it(name, async (context) => {
      if (!running) context.skip()
      await run()
    })

  fact('keeps every kind of attribute, and integers of 38 digits exactly', async () => {
    const item: Item = {
      pk: 'kinds',
      sk: '1',
      text: 'Z\u0000100 🧿',
      small: 42,
      negative: -7,
      half: 6.5,
      large: 10n ** 37n + 1n,
      yes: true,
      no: false,
      bytes: Uint8Array.of(0, 255, 7),
      pos: 3,
      nothing: undefined,
    }
    expect(await table.put(item, 'absent')).toBe(true)
    const { bytes, nothing, ...rest } = item
    const { bytes: read, ...others } = (await table.read({ pk: 'kinds', sk: '1' })) as Item
    expect(nothing).toBeUndefined()
    expect(others).toEqual(rest)
    expect(Buffer.from(read as Uint8Array)).toEqual(Buffer.from(bytes as Uint8Array))
  })

  fact('has nothing in a span that ends before it begins, as memory', async () => {
    for (const each of [table, openMemoryTable()]) {
      await each.put({ pk: 'empty span', sk: 'b' }, 'absent')
      expect(await allOf(each.query({ pk: 'empty span', from: 'c', to: 'a' }))).toEqual([])
      expect(await allOf(each.query({ pk: 'empty span', from: 'b', to: 'b' }))).toHaveLength(1)
    }
  })

  fact('has an item until the second in which it expires, as memory', async () => {
    for (const each of [table, openMemoryTable(() => now)]) {
      await each.put({ pk: 'expiring', sk: 'now', ttl: now }, 'absent')
      await each.put({ pk: 'expiring', sk: 'later', ttl: now + 1 }, 'absent')
      expect((await allOf(each.query({ pk: 'expiring' }))).map(({ sk }) => sk)).toEqual(['later'])
    }
  })

  fact('decides both conditions as memory does', async () => {
    let run = 0
    const condition = fc.oneof(
      fc.constant<Condition>('absent'),
      fc.double({ min: 0, max: 5, noNaN: true }).map((n) => ({ olderThan: Math.round(n * 2) / 2 })),
    )
    const put = fc.record({
      sk: fc.constantFrom('a', 'b'),
      pos: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      tomb: fc.constantFrom(true, undefined),
      ttl: fc.constantFrom(500, 2_000, undefined),
      condition,
    })
    const property = fc.asyncProperty(fc.array(put, { minLength: 1, maxLength: 12 }), async (puts) => {
      const pk = `conditions#${run++}`
      const memory = openMemoryTable(() => now)
      for (const { condition, ...item } of puts) {
        const expected = await memory.put({ pk, ...item }, condition)
        expect(await table.put({ pk, ...item }, condition)).toBe(expected)
        expect(await table.read({ pk, sk: item.sk })).toEqual(await memory.read({ pk, sk: item.sk }))
      }
      for (const span of [{ pk }, { pk, withTombs: true as const }])
        expect(await allOf(table.query(span))).toEqual(await allOf(memory.query(span)))
    })
    await fc.assert(property, { numRuns: 25 })
  })

  fact('lets one of many puts at an absent key win', async () => {
    // moto looks at the condition in one thread while another one puts: there they come one after the other.
    const isMoto = kind === 'moto'
    const all = Array.from({ length: 32 }, (_, by) => by)
    const won = await mapParallel(all, isMoto ? 1 : all.length, (by) =>
      table.put({ pk: 'race', sk: '1', by }, 'absent'),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
  })

  fact('gives a span in both directions, over pages, past tombstones and expired items', async () => {
    const filler = new Uint8Array(90_000)
    const sorts = Array.from({ length: 40 }, (_, at) => String(at).padStart(2, '0'))
    await Promise.all(
      sorts.map((sk, at) =>
        table.put(
          { pk: 'span', sk, filler, tomb: at % 5 === 0 || undefined, ttl: at % 7 === 0 ? 1_500 : undefined },
          'absent',
        ),
      ),
    )
    now = 1_500
    const standing = sorts.filter((_, at) => at % 5 !== 0 && at % 7 !== 0)
    const sortsOf = async (span: object) =>
      (await allOf(table.query({ pk: 'span', ...span }))).map(({ sk }) => sk)
    expect(await sortsOf({})).toEqual(standing)
    expect(await sortsOf({ isDescending: true })).toEqual(standing.toReversed())
    expect(await sortsOf({ from: '11', to: '23' })).toEqual(standing.filter((sk) => sk >= '11' && sk <= '23'))
    expect(await sortsOf({ from: '38' })).toEqual(['38', '39'])
    expect(await sortsOf({ to: '02' })).toEqual(['01', '02'])
    expect(await sortsOf({ limit: 9 })).toEqual(standing.slice(0, 9))
    expect(await sortsOf({ isDescending: true, to: '35', limit: 1 })).toEqual(['34'])
    expect(await sortsOf({ from: '50' })).toEqual([])
  })

  fact('reads many keys at once, each once, absent ones left out', async () => {
    const keys = Array.from({ length: 250 }, (_, at) => ({ pk: `many#${at % 3}`, sk: `k${at}` }))
    await Promise.all(keys.slice(0, 230).map((key) => table.put({ ...key, v: 1 }, 'absent')))
    const items = await table.readMany([...keys, ...keys.slice(0, 50)])
    expect(items.map(({ sk }) => sk).sort()).toEqual(
      keys
        .slice(0, 230)
        .map(({ sk }) => sk)
        .sort(),
    )
    expect(await table.readMany([])).toEqual([])
  })

  fact('deletes what has expired, tombstones too, and nothing else', async () => {
    await table.put({ pk: 'expiry', sk: 'past', ttl: 90_000 }, 'absent')
    await table.put({ pk: 'expiry', sk: 'tomb', ttl: 90_000, tomb: true, pos: 4 }, 'absent')
    await table.put({ pk: 'expiry', sk: 'coming', ttl: 90_001 }, 'absent')
    await table.put({ pk: 'expiry', sk: 'lasting' }, 'absent')
    await deleteExpired('market', 89_999)
    expect(await deleteExpired('market', 90_000)).toBe(2)
    expect((await allOf(table.query({ pk: 'expiry' }))).map(({ sk }) => sk)).toEqual(['coming', 'lasting'])
    expect(await table.put({ pk: 'expiry', sk: 'tomb', pos: 1 }, { olderThan: 1 })).toBe(true)
  })
})
