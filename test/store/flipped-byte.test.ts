import { expect, it } from 'vitest'
import { emptyEngine } from '../../snapshot/engine/engine.ts'
import { listRecords, readRecord, recordOfEngine, saveRecord } from '../../snapshot/engine/index-record.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { zip } from '../../store/bytes/format.ts'
import { segmentBytes } from '../../store/bytes/segment-bytes.ts'
import { segmentIn } from '../../store/log/log.ts'
import { openKeptStore } from '../../store/published/kept.ts'
import { ARCHIVED_FROM, openArchivedMarket } from '../archive/archived-market.ts'
import { type MemoryBucket, memoryBucket } from '../support/aws/memory-stores.ts'

/** Every kind of file that has to be what was written: one changed byte is noticed, wherever it is. */

const TEXT = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ at, name: `token ${at}` })))

/** Puts a file of a kind, and reads it. */
type Kind = {
  readonly put: (bucket: MemoryBucket) => Promise<unknown>
  readonly read: (bucket: MemoryBucket) => Promise<unknown>
}

const record = recordOfEngine(emptyEngine(), null)
const kept = (bucket: Bucket) => openKeptStore(bucket)
const kinds: Readonly<Record<string, Kind>> = {
  'a kept document': {
    put: (bucket) => kept(bucket).putDocument(TEXT),
    read: async (bucket) => kept(bucket).document((await kept(memoryBucket()).putDocument(TEXT)) ?? ''),
  },
  'a kept hour': {
    put: (bucket) => kept(bucket).putHour({ hour: 7, manifest: {} as never, documents: { a: TEXT } }),
    read: (bucket) => kept(bucket).hour(7),
  },
  'a recap': { put: (bucket) => kept(bucket).putRecap(7, TEXT), read: (bucket) => kept(bucket).recap(7) },
  'an index record': {
    put: (bucket) => saveRecord(record, bucket),
    read: async (bucket) => {
      const [name] = await listRecords(bucket, record.n)
      return name && readRecord(name, bucket)
    },
  },
}

/** Reads a kind with each of some bytes changed: what came, or the fault's name and message. */
async function readFlipped(bucket: MemoryBucket, read: () => Promise<unknown>): Promise<readonly unknown[]> {
  const [entry] = bucket.objects
  const [key, object] = entry ?? expect.fail('nothing was put')
  const found: unknown[] = []
  for (let at = 0; at < object.bytes.length; at += Math.ceil(object.bytes.length / 40)) {
    const bytes = Buffer.from(object.bytes)
    bytes[at] = (bytes[at] ?? 0) ^ 0x10
    bucket.objects.set(key, { ...object, bytes })
    found.push(await read().catch((error: Error) => `${error.name}: ${error.message}`))
  }
  bucket.objects.set(key, object)
  return found
}

it.each(Object.entries(kinds))(
  '%s with one changed byte is named, or is as good as none',
  async (_, kind) => {
    const bucket = memoryBucket()
    await kind.put(bucket)
    const whole = await kind.read(bucket)
    expect(whole).toBeDefined()
    for (const found of await readFlipped(bucket, () => kind.read(bucket))) {
      // Bytes of the gzip header that mean nothing may change.
      if (typeof found === 'string' && found !== whole)
        expect(found).toMatch(/^DamagedDocumentError: \S+ is damaged/)
      else expect([undefined, whole]).toContainEqual(found)
    }
  },
)

it('a segment with one changed byte is named', async () => {
  const market = await openArchivedMarket(ARCHIVED_FROM)
  await market.trade(ARCHIVED_FROM)
  const bucket = memoryBucket()
  const [entry] = await allOf(market.log.entriesAfter(0))
  if (entry?.is !== 'sealed') throw new Error('nothing was sealed')

  await bucket.put('segment', await zip(segmentBytes(await market.log.readSegment(entry.segment))))
  const whole = await market.log.readSegment(entry.segment)
  const read = () => segmentIn(entry.segment, bucket.objects.get('segment')?.bytes ?? new Uint8Array())
  for (const found of await readFlipped(bucket, read)) {
    if (typeof found === 'string') expect(found).toMatch(/^SegmentDigestError: /)
    else expect(found).toEqual(whole)
  }
})
