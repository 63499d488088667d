import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { handler } from '../../lambdas/rebuild-snapshots.ts'
import { InvalidEnvError } from '../../schemas/env.ts'
import { type Bucket, ensureBucket, openBucket } from '../../store/bucket.ts'
import { orderOf } from '../../store/documents.ts'
import { type LogStore, openLog } from '../../store/log.ts'
import { OWN_RULES, openLogs } from '../../store/logs.ts'
import { ensureTables, openTable } from '../../store/table.ts'
import { type Running, startDynalite, startS3OnDisk } from '../support/emulators.ts'
import { launchOf, segmentOf, tokenAt, tradedState } from '../support/facts.ts'
import { seal } from '../support/market-history.ts'

const MINUTE = 29_000_000
const names = { MARKET_TABLE: 'market', SEGMENT_BUCKET: 'segments', PUBLISHED_BUCKET: 'published' }

describe('rebuild-snapshots', () => {
  const running: Running[] = []
  let log: LogStore
  let published: Bucket
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)

  beforeAll(async () => {
    running.push(await startS3OnDisk())
    Object.assign(process.env, { AWS_ENDPOINT_URL_S3: process.env['AWS_ENDPOINT_URL'] })
    running.push(await startDynalite())
    await ensureTables(['market'])
    await ensureBucket('segments')
    await ensureBucket('published')
    log = openLog(openTable('market'), openBucket('segments'))
    published = openBucket('published')
  })

  afterAll(async () => {
    lines.mockRestore()
    delete process.env['AWS_ENDPOINT_URL_S3']
    for (const each of running) await each.stop()
  })

  it('names the variable that is missing', async () => {
    await expect(handler()).rejects.toThrow(InvalidEnvError)
  })

  it('publishes each applied minute and writes a line of JSON', async () => {
    Object.assign(process.env, names, { CHAIN: 'devnet', CODE_VERSION: 'abc' })
    await handler()
    expect(await published.read('manifest.json')).toBeUndefined()
    // As ingest does when it begins.
    await openLogs(openTable('market')).register({ rules: OWN_RULES, log: '', copiedTo: null, since: 0 })
    const token = tokenAt(1, MINUTE)
    await seal(log, launchOf(token))
    await handler()
    await seal(log, segmentOf(MINUTE + 1, { rows: [[token.address, tradedState({ holders: 9 })]] }))
    await handler()
    const object = await published.read('v1/z100/creators/1h')
    expect(JSON.parse(Buffer.from(object!.bytes).toString())).toMatchObject([{ rank: 1, unique_holders: 9 }])
    expect(object?.metadata).toMatchObject({
      total: '1',
      position: String(orderOf({ switches: 1, n: 2 })),
      'block-hash': expect.stringMatching(/^0x/),
    })
    const written = lines.mock.calls.map(([line]) => JSON.parse(String(line)))
    expect(written.map(({ message, n }) => [message, n])).toEqual([
      ['nothing to publish', undefined],
      ['published', 1],
      ['published', 2],
    ])
  })
})
