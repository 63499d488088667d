import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { archiveManifestKey } from '../../archive/span.ts'
import { type Taking, takeArchive } from '../../archive/take.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Block, Hash, Minute } from '../../market/segment.ts'
import type { ArchivedSpan } from '../../schemas/records/archive.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { segmentBytes, segmentFrom } from '../../store/bytes/segment-bytes.ts'
import { memoryBucket } from '../support/aws/memory-stores.ts'
import { hash } from '../support/market/facts.ts'
import { ARCHIVED_FROM, openArchivedMarket } from './archived-market.ts'

const DAY = 1_440
const minutes = [0, 5, 64, DAY + 1, DAY + 70, DAY + 130]

/** An archive of two days' minutes. */
async function archived() {
  const market = await openArchivedMarket(ARCHIVED_FROM)
  for (const minute of minutes) await market.trade(ARCHIVED_FROM + minute)
  const bucket = memoryBucket()
  await market.archive(bucket)
  const reader = { read: async (path: string) => (await bucket.read(path))?.bytes }
  const text = () => Buffer.from(bucket.objects.get(archiveManifestKey)?.bytes ?? []).toString()
  const put = (path: string, bytes: Uint8Array) => bucket.put(path, bytes)
  /** Changes the manifest. */
  const change = (
    edit: (manifest: { chain: string; days: ArchivedSpan[]; hours: ArchivedSpan[] }) => void,
  ) => {
    const manifest = JSON.parse(text())
    edit(manifest)
    return put(archiveManifestKey, Buffer.from(JSON.stringify(manifest)))
  }
  /** Replaces a file, and what the manifest says of it. */
  const forge = async (set: string, span: string, edit: (bytes: Buffer) => Uint8Array) => {
    let path = ''
    await change(({ days, hours }) => {
      const file = [...days, ...hours].find((one) => one.span === span)?.files.find((one) => one.set === set)
      path = file?.path ?? expect.fail(`no ${set} of ${span}`)
      const bytes = edit(Buffer.from(bucket.objects.get(path)?.bytes ?? []))
      Object.assign(file ?? {}, { bytes: bytes.length, sha256: sha256Of(bytes) })
      bucket.objects.set(path, { ...bucket.objects.get(path)!, bytes })
    })
  }
  return { market, bucket, reader, put, change, forge }
}

const hashes = new Map(
  minutes.map((minute) => [(ARCHIVED_FROM + minute) * 30 + 29, hash(ARCHIVED_FROM + minute)]),
)
const taking: Taking = {
  chain: 'devnet',
  after: null,
  hashesOf: async (blocks) =>
    new Map(blocks.flatMap((block) => [[block, hashes.get(block) as Hash] as const])),
}
/** The last block of a minute. */
const lastOf = (minute: Minute): Block => ({
  number: minute * 30 + 29,
  hash: hash(minute),
  timestamp: minute * 60 + 58,
})
const DATE = 'date=2025-02-20'
const HOUR = 'hour=2025-02-21T00'

type Archived = Awaited<ReturnType<typeof archived>>
const take = async ({ reader }: Archived, own: Partial<Taking> = {}) =>
  (await allOf(takeArchive(reader, { ...taking, ...own }))).flatMap((span) => span.minutes)

/** Changes one line of a log. */
const line = (at: number, edit: (line: Record<string, unknown>) => void) => (bytes: Buffer) => {
  const lines = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text))
  edit(lines[at])
  return Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

type Forge = Archived['forge']

async function linesOf(forge: Forge): Promise<readonly { readonly bytes: number }[]> {
  let text = ''
  await forge('log', DATE, (bytes) => {
    text = bytes.toString()
    return bytes
  })
  return text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one))
}

/** Leaves a minute out of the first day. */
async function leaveOut({ forge }: Archived, at: number): Promise<void> {
  const lengths = (await linesOf(forge)).map(({ bytes }) => bytes)
  const start = lengths.slice(0, at).reduce((sum, one) => sum + one, 0)
  await forge('log', DATE, (bytes) => Buffer.from(bytes.toString().split('\n').toSpliced(at, 1).join('\n')))
  await forge('segments', DATE, (bytes) =>
    Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + lengths[at]!)]),
  )
}

describe('an archive that is taken over', () => {
  it('gives every sealed hour, in the bytes of the log, or what is after a minute', async () => {
    const archive = await archived()
    const entries = effectiveEntries(await allOf(archive.market.log.entriesAfter(0)))
    const taken = await take(archive)
    // The last minute is of an hour that is not over.
    expect(taken.map(({ sha256 }) => sha256)).toEqual(
      entries.slice(0, -1).map(({ segment }) => segment.sha256),
    )
    expect(taken.map(({ segment }) => sha256Of(segmentBytes(segment)))).toEqual(
      taken.map(({ sha256 }) => sha256),
    )
    const { minute, last } = entries[1]!
    const later = await take(archive, { after: { minute, last } })
    expect(later.map(({ segment }) => segment.minute - ARCHIVED_FROM)).toEqual([64, DAY + 1, DAY + 70])
  })

  const refusals: Record<
    string,
    readonly [string, (archive: Archived) => Promise<unknown>, Partial<Taking>?]
  > = {
    'no archive': ['MissingArchiveError', async ({ bucket }) => bucket.remove(archiveManifestKey)],
    'a manifest that is none': [
      'ArchiveManifestError',
      ({ put }) => put(archiveManifestKey, Buffer.from('<html>')),
    ],
    'a path out of the archive': [
      'ArchiveManifestError',
      ({ change }) =>
        change(({ days }) => Object.assign(days[0]?.files[0] ?? {}, { path: 'archive/v1/../key' })),
    ],
    'another chain': ['OtherChainError', async () => undefined, { chain: 'base' }],
    'a day that is missing': [
      'ArchiveGapError',
      ({ change }) =>
        change(({ days, hours }) => {
          days.push({ ...days[0]!, span: 'date=2025-02-22' })
          hours.pop()
        }),
    ],
    'one changed byte': [
      'ArchiveDigestError',
      async ({ bucket }) => {
        const [key, object] = [...bucket.objects].find(([name]) => name.includes(`/segments/${DATE}`))!
        const bytes = Buffer.from(object.bytes)
        bytes[40]! ^= 1
        bucket.objects.set(key, { ...object, bytes })
      },
    ],
    'one changed byte that the manifest names': [
      'ArchiveSegmentError',
      ({ forge }) =>
        forge('segments', DATE, (bytes) => {
          bytes[40]! ^= 1
          return bytes
        }),
    ],
    'a file that is missing': [
      'ArchiveFileMissingError',
      async ({ bucket }) => {
        const [key] = [...bucket.objects].find(([name]) => name.includes(`/log/${HOUR}`))!
        bucket.objects.delete(key)
      },
    ],
    'a missing segment': [
      'ArchiveSegmentMissingError',
      ({ forge }) => forge('segments', DATE, (bytes) => bytes.subarray(0, bytes.length - 60)),
    ],
    'an entry whose blocks are not its segment’s': [
      'ArchiveEntryError',
      ({ forge }) =>
        forge(
          'log',
          DATE,
          line(1, (one) => Object.assign(one, { first_block: 7 })),
        ),
    ],
    'an entry that is left out': ['ArchiveEntryError', (archive) => leaveOut(archive, 1)],
    'a log without its beginning': ['ArchiveGapError', (archive) => leaveOut(archive, 0)],
    'an entry of other rules': [
      'OtherRulesError',
      ({ forge }) =>
        forge(
          'log',
          DATE,
          line(0, (one) => Object.assign(one, { rules: 99 })),
        ),
    ],
    'a forged minute with digests of its own': [
      'ArchiveEntryError',
      async ({ forge }) => {
        const [before, own] = (await linesOf(forge)).map(({ bytes }) => bytes)
        let forged = {}
        await forge('segments', DATE, (bytes) => {
          const end = before! + own!
          const segment = segmentFrom(gunzipSync(bytes.subarray(before, end)))
          const rows = segment.rows.map((row) => ({
            ...row,
            after: { ...row.after, cumVolumeMicroUsd: 10n ** 12n },
          }))
          const content = segmentBytes({ ...segment, rows })
          const object = gzipSync(content)
          forged = { sha256: sha256Of(content), bytes: object.length }
          return Buffer.concat([bytes.subarray(0, before), object, bytes.subarray(end)])
        })
        await forge(
          'log',
          DATE,
          line(1, (one) => Object.assign(one, forged)),
        )
      },
    ],
    'an older fork': [
      'ArchiveForkError',
      async () => undefined,
      {
        hashesOf: async (blocks) =>
          new Map(
            blocks.map((block) => [block, block < (ARCHIVED_FROM + DAY) * 30 ? hashes.get(block)! : hash(1)]),
          ),
      },
    ],
    'blocks that the endpoints do not have': [
      'ArchiveForkError',
      async () => undefined,
      { hashesOf: async () => new Map() },
    ],
    'a beginning after the end of the own log': [
      'ArchiveGapError',
      ({ change }) => change(({ days }) => days.shift()),
      { after: { minute: ARCHIVED_FROM, last: lastOf(ARCHIVED_FROM) } },
    ],
    'a minute of the own log that it lacks': [
      'ArchiveGapError',
      async () => undefined,
      { after: { minute: ARCHIVED_FROM + 6, last: lastOf(ARCHIVED_FROM + 6) } },
    ],
    'another fork than the own log’s': [
      'ArchiveForkError',
      async () => undefined,
      { after: { minute: ARCHIVED_FROM + 5, last: { ...lastOf(ARCHIVED_FROM + 5), hash: hash(1) } } },
    ],
  }
  it.each(Object.entries(refusals))('is refused by name: %s', async (_, [name, spoil, own]) => {
    const archive = await archived()
    await spoil(archive)
    await expect(take(archive, own)).rejects.toMatchObject({ name })
  })
})
