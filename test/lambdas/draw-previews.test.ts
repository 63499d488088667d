import { afterAll, describe, expect, it, vi } from 'vitest'
import { startCloudfront } from '../../dev/emulators/cloudfront.ts'
import { handler } from '../../lambdas/draw-previews.ts'
import { distribution } from '../../lambdas/edge/distribution.ts'
import { InvalidEnvError } from '../../schemas/deployment/env.ts'
import { PREVIEW_CACHE } from '../../schemas/pages/previews.ts'
import { builders, snapshotOf } from '../../snapshot/publish/documents.ts'
import { publish } from '../../snapshot/publish/publish.ts'
import { ensureBucket, openBucket } from '../../store/aws/bucket.ts'
import { startS3OnDisk } from '../support/aws/emulators.ts'
import { memoryLog } from '../support/aws/memory-stores.ts'
import { segmentOf, stateWith, tokenAt } from '../support/market/facts.ts'
import { engineOf, seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000

const s3 = await startS3OnDisk(['published'])
await ensureBucket('published')
const published = openBucket('published')
const edge = await startCloudfront({ ...distribution(), origins: { published: `${s3.url}/published` } })

describe('draw-previews', () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const lastLine = () => JSON.parse(String(lines.mock.calls.at(-1)?.[0]))

  afterAll(() => {
    lines.mockRestore()
    return Promise.all([edge.stop(), s3.stop()])
  })

  it('names the variable that is missing, and draws nothing before there is a snapshot', async () => {
    delete process.env['PUBLISHED_BUCKET']
    await expect(handler()).rejects.toThrow(InvalidEnvError)
    process.env['PUBLISHED_BUCKET'] = 'published'
    await handler()
    expect(lastLine()).toMatchObject({ service: 'draw-previews', message: 'nothing to draw', failures: [] })
  })

  it('draws what is published, which the edge serves as pictures', async () => {
    const log = memoryLog()
    const token = tokenAt(1, MINUTE)
    const state = stateWith({ sqrtPriceX96: 2n ** 96n, supply: 10n ** 24n, cumTrades: 1 })
    await seal(log, segmentOf(MINUTE, { born: [token], rows: [[token.address, state]] }))
    const snapshot = snapshotOf(await engineOf(log, 1), { chain: 'devnet', codeVersion: 'abc' })
    await publish(snapshot, { bucket: published }, builders)
    await handler()
    expect(lastLine()).toMatchObject({ message: 'drawn', snapshot: snapshot.id, failures: [] })
    for (const [name, bytes] of Object.entries(lastLine().bytes as Record<string, number>)) {
      const answer = await fetch(`${edge.url}/previews/${name}.png`)
      expect([
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('cache-control'),
      ]).toEqual([200, 'image/png', PREVIEW_CACHE])
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
    }
  })

  it('fails loudly where one is not drawn; the pictures before stay', async () => {
    const before = await published.read('previews/posts.png')
    await published.remove('v1/z100/posts/24h')
    await expect(handler()).rejects.toThrow('Not every preview was drawn')
    expect(lastLine().failures).toEqual([expect.stringContaining('posts is not drawn')])
    expect((await published.read('previews/posts.png'))?.bytes).toEqual(before?.bytes)
  })
})
