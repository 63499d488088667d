import { describe, expect, it } from 'vitest'
import { emptyState } from '../../market/segment.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { FORMAT_VERSION } from '../../store/aws/tables.ts'
import { segmentBytes, segmentFrom } from '../../store/bytes/segment-bytes.ts'
import { itemsOfRow, rowsOf } from '../../store/items/rows.ts'
import { openFeed } from '../../store/log/feed.ts'
import { openLog } from '../../store/log/log.ts'
import { memoryBucket, sealSegment } from '../support/aws/memory-stores.ts'
import { lastBlockOf, nthAddress, segmentOf } from '../support/market/facts.ts'

const MINUTE = 26_000_013
const REFUSED = `this release reads format ${FORMAT_VERSION} only`

describe.each([
  ['a newer', FORMAT_VERSION + 1],
  ['an older', FORMAT_VERSION - 1],
  ['no', undefined],
])('data with %s format version', (_, version) => {
  /** A table in which every item that is put gets this version. */
  const tableOf = () => {
    const table = openMemoryTable()
    const put: typeof table.put = (item, condition) =>
      table.put('v' in item ? { ...item, v: version } : item, condition)
    return { ...table, put }
  }

  it('is refused in a segment', () => {
    const bytes = Buffer.from(segmentBytes(segmentOf(MINUTE)))
    expect(segmentFrom(bytes)).toMatchObject({ minute: MINUTE })
    bytes[0] = version ?? '{'.charCodeAt(0)
    expect(() => segmentFrom(bytes)).toThrow(REFUSED)
  })

  it('is refused in a row', async () => {
    const table = tableOf()
    const state = { before: emptyState, after: emptyState, rangesBefore: [], ranges: [], candle: null }
    for (const item of itemsOfRow({ token: nthAddress(1), ...state }, MINUTE, []))
      await table.put(item, 'absent')
    const rows = rowsOf(table, nthAddress(1), { from: MINUTE, to: MINUTE })
    await expect(allOf(rows)).rejects.toThrow(REFUSED)
  })

  it('is refused in an entry of the log', async () => {
    const log = openLog(tableOf(), memoryBucket())
    await expect(sealSegment(log, segmentOf(MINUTE)).then(() => log.tail())).rejects.toThrow(REFUSED)
  })

  it('is refused in an entry of the feed', async () => {
    const feed = openFeed(tableOf(), () => 0)
    await feed.append({ seq: 1, is: 'retract', block: lastBlockOf(MINUTE) })
    await expect(feed.read(1)).rejects.toThrow(REFUSED)
  })
})
