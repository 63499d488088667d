import { describe, expect, it } from 'vitest'
import { openFeed } from '../../store/feed.ts'
import { FORMAT_VERSION } from '../../store/format.ts'
import { openLog } from '../../store/log.ts'
import { openMemoryTable } from '../../store/memory.ts'
import { itemsOfRewind } from '../../store/projection.ts'
import { rowsOf } from '../../store/rows.ts'
import { activityFrom, segmentBytes, segmentFrom } from '../../store/segment-bytes.ts'
import { openTokens } from '../../store/tokens.ts'
import { collect } from '../support/collect.ts'
import { address } from '../support/facts.ts'
import { segmentOf } from '../support/market-history.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import { itemsOfVersion2, segmentOfVersion2 } from '../support/version-2.ts'

const MINUTE = 26_000_013
/** A creator token, a post that is quoted in it, and one that is quoted in ZORA. */
const [CREATOR, POST, OTHER] = [address(0xa), address(0xb), address(0xc)]

async function ledgerOfVersion2() {
  const ledger = openMemoryTable()
  for (const item of itemsOfVersion2()) await ledger.put(item, 'absent')
  return ledger
}

describe('what version 2 wrote', () => {
  it('a segment is read; what its states lack is as before the first log', () => {
    const { rows, owners, swaps, balances, rules, ...segment } = segmentFrom(segmentOfVersion2())
    expect(segment).toMatchObject({ minute: MINUTE, tokens: [] })
    expect(rules).toBe(2)
    expect(rows.map(({ token }) => token)).toEqual([CREATOR, POST, OTHER])
    const added = { pooled: 0n, athMinute: 0, atlMinute: 0 }
    for (const { before, after } of rows)
      expect([before, after]).toMatchObject([
        { ...added, cumTrades: 0, lastSwapMinute: 0 },
        { ...added, cumTrades: 1, lastSwapMinute: MINUTE },
      ])
    expect([owners.length, swaps.length, balances.length]).toEqual([2, 3, 6])
    expect(activityFrom(segmentOfVersion2()).rows[0]?.after).toEqual(rows[0]?.after)
  })

  it('rows and states are read beside those of now', async () => {
    const ledger = await ledgerOfVersion2()
    const [row] = segmentFrom(segmentOfVersion2()).rows
    const stored = await collect(rowsOf(ledger, CREATOR, { from: MINUTE, to: MINUTE }))
    expect(stored).toMatchObject([{ minute: MINUTE, row: { before: row?.before } }])
    const known = await openTokens(ledger).known([CREATOR], MINUTE + 1)
    expect(known.get(CREATOR)?.state ?? row?.after).toEqual(row?.after)
  })

  it('entries of the log and of the feed are read', async () => {
    const ledger = await ledgerOfVersion2()
    expect(await openLog(ledger, memoryBucket()).tail()).toMatchObject({ n: 2, is: 'sealed', minute: MINUTE })
    expect(await openFeed(ledger, () => 0).read(7)).toMatchObject({
      seq: 7,
      swaps: [{ token: CREATOR }, { token: POST }, { token: OTHER }],
    })
  })

  it('a minute is rolled back out of the tables', async () => {
    const ledger = await ledgerOfVersion2()
    const segment = segmentFrom(segmentOfVersion2())
    const items = itemsOfRewind([segment])
    for (const item of items) await ledger.put({ ...item, pos: 3 }, { olderThan: 3 })
    expect(await collect(rowsOf(ledger, CREATOR, { from: MINUTE, to: MINUTE }))).toEqual([])
    const owners = await openTokens(ledger).owners(segment.owners.map(({ owner }) => owner))
    expect(owners).toEqual(new Map(segment.owners.map(({ owner, before }) => [owner, before])))
  })
})

describe('what version 1 wrote', () => {
  it('is refused', async () => {
    expect(() => segmentFrom(Buffer.from('{"minute":1}'))).toThrow('run the release before it')
    const ledger = openMemoryTable()
    for (const { v: _, ...item } of itemsOfVersion2()) await ledger.put(item, 'absent')
    await expect(openLog(ledger, memoryBucket()).tail()).rejects.toThrow('run the release before it')
  })
})

describe('what a newer version wrote', () => {
  it('is refused in segments, rows, the log and the feed', async () => {
    const newer = FORMAT_VERSION + 1
    const bytes = Buffer.from(segmentBytes(segmentOf(MINUTE)))
    bytes[0] = newer
    expect(() => segmentFrom(bytes)).toThrow('run a newer one')
    const ledger = openMemoryTable()
    for (const item of itemsOfVersion2()) await ledger.put({ ...item, v: newer }, 'absent')
    await expect(collect(rowsOf(ledger, CREATOR, { from: MINUTE, to: MINUTE }))).rejects.toThrow(
      'run a newer one',
    )
    await expect(openLog(ledger, memoryBucket()).tail()).rejects.toThrow('run a newer one')
    await expect(openFeed(ledger, () => 0).read(7)).rejects.toThrow('run a newer one')
  })
})
