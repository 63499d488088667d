import { beforeEach, describe, expect, it } from 'vitest'
import { PINNED_MINUTES } from '../../schemas/api/service.ts'
import { ensureTables, openTable, type Table } from '../../store/aws/table.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { type DocumentStore, openDocuments, type SnapshotInfo } from '../../store/published/documents.ts'
import { countedClient } from '../support/aws/counted-client.ts'
import { useDynalite } from '../support/aws/dynalite.ts'
import { hash } from '../support/market/facts.ts'

const MINUTE = 29_000_000
const NAME = 'v1/z100/creators/24h'

const infoAt = (n: number, minute = MINUTE + n): SnapshotInfo => ({
  id: `snapshot ${n}`,
  n,
  minute,
  blockNumber: n * 30,
  blockHash: hash(n),
})

await useDynalite()

describe('documents in the Market table', () => {
  let table: Table
  let documents: DocumentStore
  let units: { kind: string; units: number }[]
  let count = 0

  beforeEach(async () => {
    count += 1
    units = []
    await ensureTables([`documents${count}`])
    const client = countedClient((used, kind) => units.push({ kind, units: used }))
    table = openTable(`documents${count}`, { client })
    documents = openDocuments(table)
  })

  const put = async (snapshot: SnapshotInfo, text: string) => {
    const isPut = await documents.putDocument({ name: NAME, snapshot, text })
    return isPut && documents.putNewest(snapshot)
  }

  it('are read as they were put, by the newest or by minute', async () => {
    expect(await documents.readDocument(NAME)).toBeUndefined()
    await put(infoAt(1), '["ä"]')
    await put(infoAt(2), '["b"]')
    expect(await documents.newest()).toEqual(infoAt(2))
    expect(await documents.readDocument(NAME)).toEqual({ name: NAME, snapshot: infoAt(2), text: '["b"]' })
    expect(await documents.readDocument(NAME, MINUTE + 1)).toMatchObject({
      snapshot: infoAt(1),
      text: '["ä"]',
    })
    expect(await documents.readDocument('v1/z100/posts/24h')).toBeUndefined()
  })

  it('of another format are absent', async () => {
    await put(infoAt(1), '["ours"]')
    for (const { pk, sk } of [marketKeys.document(NAME, (MINUTE + 2) % 16), marketKeys.snapshot])
      await table.put(
        { ...infoAt(2), pk: pk.replace('DOC#3#', 'DOC#2#'), sk: sk.replace('#3', '#2'), pos: 2, name: NAME },
        'absent',
      )
    expect(await documents.newest()).toEqual(infoAt(1))
    expect(await documents.readDocument(NAME)).toMatchObject({ text: '["ours"]' })
  })

  it('stay readable for 15 minutes, and no item is left behind', async () => {
    for (let n = 1; n <= 40; n++) await put(infoAt(n), `${n}`)
    const read = async (n: number) => (await documents.readDocument(NAME, MINUTE + n))?.text
    for (let n = 40 - PINNED_MINUTES; n <= 40; n++) expect(await read(n)).toBe(`${n}`)
    expect(await read(40 - PINNED_MINUTES - 1)).toBeUndefined()
    expect(await read(41)).toBeUndefined()
    const items: unknown[] = []
    for await (const item of table.query({ pk: marketKeys.document(NAME, 0).pk })) items.push(item)
    expect(items).toHaveLength(PINNED_MINUTES + 1)
  })

  it('expire after 15 minutes, except the newest', async () => {
    await put(infoAt(1), 'old')
    await put(infoAt(2, MINUTE + 5_000), 'new')
    expect(await documents.readDocument(NAME, MINUTE + 1)).toBeUndefined()
    expect((await documents.readDocument(NAME))?.text).toBe('new')
  })

  it('are not replaced by those of a late builder', async () => {
    await put(infoAt(5, MINUTE), 'later')
    expect(await put(infoAt(4, MINUTE), 'earlier')).toBe(false)
    expect(await documents.putNewest(infoAt(4, MINUTE))).toBe(false)
    expect((await documents.readDocument(NAME))?.text).toBe('later')
  })

  it('of rolled back minutes are absent', async () => {
    for (let n = 1; n <= 5; n++) await put(infoAt(n), `${n}`)
    await put(infoAt(7, MINUTE + 3), 'again')
    expect((await documents.readDocument(NAME))?.text).toBe('again')
    expect((await documents.readDocument(NAME, MINUTE + 3))?.text).toBe('again')
    expect(await documents.readDocument(NAME, MINUTE + 4)).toBeUndefined()
    expect((await documents.readDocument(NAME, MINUTE + 2))?.text).toBe('2')
  })

  it('are the last good ones when the newest snapshot has none', async () => {
    for (let n = 1; n <= 3; n++) await put(infoAt(n), `${n}`)
    await documents.putNewest(infoAt(4))
    expect(await documents.readDocument(NAME)).toMatchObject({ snapshot: infoAt(3), text: '3' })
    expect(await documents.readDocument(NAME, MINUTE + 4)).toBeUndefined()
  })

  it('cost a write unit a packed kilobyte, and reading one costs the newest snapshot and the document', async () => {
    await put(infoAt(1), JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ at, half: at / 2 }))))
    const written = units.filter(({ kind }) => kind === 'write').map(({ units: used }) => used)
    expect(written).toHaveLength(2)
    expect(written[0]).toBeLessThan(15)
    expect(written[1]).toBe(1)
    units.length = 0
    await documents.readDocument(NAME)
    expect(units).toHaveLength(2)
  })
})
