import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Verdict } from '../../admin/verdict.ts'
import { hourOfMinute } from '../../market/calendar.ts'
import { isoTime } from '../../schemas/kinds.ts'
import { keepHour } from '../../snapshot/keep.ts'
import { zip } from '../../store/format.ts'
import { openKeptStore } from '../../store/kept.ts'
import { admin, readyDir } from '../support/admin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { startPublishedHistory } from './published-history.ts'

let history: Awaited<ReturnType<typeof startPublishedHistory>>
const dir = tempDir()
const BOARD = 'v1/z100/creators/24h'

beforeAll(async () => {
  history = await startPublishedHistory(23)
  readyDir(dir, history.env)
  const { segments, published: bucket, documents } = history
  await keepHour(openKeptStore(segments), { bucket, documents, manifest: newest() })
})
afterAll(() => history?.stop())

const newest = () => history.kept.at(-1)!
const hourAt = (hour: number) => isoTime((hourOfMinute(newest().minute) + hour) * 3_600)

async function verify(asOf: string) {
  const { code, out, err } = await admin('verify', '--json', '--as-of', asOf, '--data-dir', dir)
  const verdict = out === '' ? null : (JSON.parse(out) as Verdict & { result: string })
  return { code, err, verdict }
}

test('the snapshot of a past time is recomputed from the chain, and its kept documents are equal', async () => {
  for (const time of [hourAt(1), hourAt(30)]) {
    const { code, verdict } = await verify(time)
    expect([code, verdict?.result, verdict?.findings]).toEqual([0, 'equal', []])
    const [snapshot] = verdict!.snapshots
    expect([snapshot!.id, snapshot!.findings]).toEqual([newest().snapshot_id, []])
    expect(snapshot!.documents).toBe(Object.keys(newest().documents).length)
  }
})

test('a kept document that was changed since is found', async () => {
  const digest = newest().documents[BOARD]!.sha256
  const key = `kept/documents/${digest}`
  const { bytes } = (await history.segments.read(key))!
  await history.segments.put(key, await zip(Buffer.from('[]')))
  try {
    const { code, verdict } = await verify(hourAt(1))
    const subject = `kept document ${BOARD} of ${newest().snapshot_id}`
    expect([code, verdict?.findings]).toMatchObject([1, [{ is: 'different', subject }]])
  } finally {
    await history.segments.put(key, bytes)
  }
})

test('before the first kept hour there is nothing to verify', async () => {
  const { code, err } = await verify(hourAt(0))
  expect(code).not.toBe(0)
  expect(err).toContain('no snapshot is kept')
})
