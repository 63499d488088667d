import { describe, expect, it } from 'vitest'
import { openFeed } from '../../store/feed.ts'
import { FORMAT_VERSION, NewerFormatError } from '../../store/format.ts'
import { openLog } from '../../store/log.ts'
import { openMemoryTable } from '../../store/memory.ts'
import { itemsOfRewind } from '../../store/projection.ts'
import { rowsOf } from '../../store/rows.ts'
import { contentFrom, OlderSegmentError, segmentBytes, segmentFrom } from '../../store/segment-bytes.ts'
import { openTokens } from '../../store/tokens.ts'
import { collect } from '../support/collect.ts'
import { segmentOf } from '../support/market-history.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import { itemsOfVersion1, segmentOfVersion1 } from '../support/version-1.ts'

const MINUTE = 26_000_013
const TOKEN = '0x5985e1752c7ca6cae56d5d1ef2d8412b28b0768e'

async function ledgerOfVersion1() {
  const ledger = openMemoryTable()
  for (const item of itemsOfVersion1()) await ledger.put(item, 'absent')
  return ledger
}

describe('what version 1 wrote', () => {
  it('a segment gives what the tables hold of it, and nothing to go on from', () => {
    const content = contentFrom(segmentOfVersion1())
    expect(content).toMatchObject({ minute: MINUTE, owners: [] })
    expect(content.rows).toMatchObject([
      {
        token: TOKEN,
        before: { cumTrades: 1, lastSwapMinute: 0, supply: 5n },
        after: { cumTrades: 2, supply: 5n },
      },
    ])
    expect(content.swaps).toHaveLength(1)
    expect(content.tokens).toHaveLength(1)
    expect(() => segmentFrom(segmentOfVersion1())).toThrow(OlderSegmentError)
  })

  it('rows and states are read beside those of now', async () => {
    const ledger = await ledgerOfVersion1()
    const { rows } = contentFrom(segmentOfVersion1())
    const stored = await collect(rowsOf(ledger, TOKEN, { from: MINUTE, to: MINUTE }))
    expect(stored).toEqual([{ minute: MINUTE, swapsCount: 1, row: rows[0] }])
    const known = await openTokens(ledger).known([TOKEN], MINUTE + 1)
    expect(known.get(TOKEN)?.state).toEqual(rows[0]?.after)
  })

  it('entries of the log and of the feed are read', async () => {
    const ledger = await ledgerOfVersion1()
    expect(await openLog(ledger, memoryBucket()).tail()).toMatchObject({ n: 2, is: 'sealed', minute: MINUTE })
    expect(await openFeed(ledger, () => 0).read(7)).toMatchObject({ seq: 7, swaps: [{ token: TOKEN }] })
  })

  it('a minute is taken back out of the tables', async () => {
    const ledger = await ledgerOfVersion1()
    const items = itemsOfRewind([contentFrom(segmentOfVersion1())])
    for (const item of items) await ledger.put({ ...item, pos: 3 }, { olderThan: 3 })
    expect(await collect(rowsOf(ledger, TOKEN, { from: MINUTE, to: MINUTE }))).toEqual([])
    const known = await openTokens(ledger).known([TOKEN], MINUTE + 1)
    expect(known.get(TOKEN)?.state).toEqual(contentFrom(segmentOfVersion1()).rows[0]?.before)
  })
})

describe('what a newer version wrote', () => {
  it('is refused, wherever it stands', async () => {
    const newer = FORMAT_VERSION + 1
    const bytes = Buffer.from(segmentBytes(segmentOf(MINUTE, {})))
    bytes[0] = newer
    expect(() => segmentFrom(bytes)).toThrow(NewerFormatError)
    expect(() => contentFrom(bytes)).toThrow(NewerFormatError)
    const ledger = openMemoryTable()
    for (const item of itemsOfVersion1()) await ledger.put({ ...item, v: newer }, 'absent')
    await expect(collect(rowsOf(ledger, TOKEN, { from: MINUTE, to: MINUTE }))).rejects.toThrow(
      NewerFormatError,
    )
    await expect(openLog(ledger, memoryBucket()).tail()).rejects.toThrow(NewerFormatError)
    await expect(openFeed(ledger, () => 0).read(7)).rejects.toThrow(NewerFormatError)
  })
})
