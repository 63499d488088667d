// Whole form only.
import { beforeAll, expect, test } from 'vitest'
import { readPublished } from '../../admin/proof/check-documents.ts'
import { hourOfMinute } from '../../market/calendar.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { keepHour } from '../../snapshot/publish/keep.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { zip } from '../../store/bytes/format.ts'
import { openKeptStore } from '../../store/published/kept.ts'
import { usePublishedHistory } from './published-history.ts'

const { history, run, verify } = usePublishedHistory(23)
const BOARD = 'v1/z100/creators/24h'

beforeAll(async () => {
  const { segments, published: bucket, documents } = history()
  await keepHour(openKeptStore(segments), { bucket, documents, manifest: newest() })
})

const newest = () => history().kept.at(-1)!
const hourAt = (hour: number) => isoTime((hourOfMinute(newest().minute) + hour) * 3_600)

test('the snapshot of a past time is recomputed from the chain, and its kept documents are equal', async () => {
  for (const time of [hourAt(1), hourAt(30)]) {
    const { code, verdict } = await verify('--as-of', time)
    expect([code, verdict.result, verdict.findings]).toEqual([0, 'equal', []])
    const [snapshot] = verdict.snapshots
    expect([snapshot!.id, snapshot!.findings]).toEqual([newest().snapshot_id, []])
    expect(snapshot!.documents).toBe(Object.keys(newest().documents).length)
  }
})

test('a kept document that was changed since is found', async () => {
  const digest = newest().documents[BOARD]!.sha256
  const key = `kept/documents/${digest}`
  const { bytes } = (await history().segments.read(key))!
  await history().segments.put(key, await zip(Buffer.from('[]')))
  try {
    const { code, verdict } = await verify('--as-of', hourAt(1))
    const subject = `kept document ${BOARD} of ${newest().snapshot_id}`
    expect([code, verdict.findings]).toMatchObject([1, [{ is: 'different', subject }]])
  } finally {
    await history().segments.put(key, bytes)
  }
})

test('documents are read again while the next snapshot is being published, whose manifest comes last', async () => {
  const { manifests, published } = history()
  const { position } = (await published.read(BOARD))!.metadata
  let isUnderWay = true
  const read: Bucket['read'] = async (key) => {
    const object = (await published.read(key))!
    if (key !== BOARD || !isUnderWay) return object
    isUnderWay = false
    return { ...object, bytes: Buffer.from('[]'), metadata: { position: String(Number(position) + 1) } }
  }
  const found = await readPublished({ manifests, published: { ...published, read } })
  expect(found.documents.get(BOARD)?.sha256).toBe(newest().documents[BOARD]?.sha256)
})

test('before the first kept hour there is nothing to verify', async () => {
  const { code, err } = await run('verify', '--json', '--as-of', hourAt(0))
  expect(code).not.toBe(0)
  expect(err).toContain('no snapshot is kept')
})

test('a time and ids of other snapshots are refused together: the ids would not be verified', async () => {
  const { code, err } = await run('verify', newest().snapshot_id, '--as-of', hourAt(1))
  expect([code, err]).toEqual([2, expect.stringContaining('--as-of')])
})
