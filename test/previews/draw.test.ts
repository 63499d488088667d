import { describe, expect, it } from 'vitest'
import { drawnPreviews, PREVIEW_BYTES_MAX, PREVIEW_CACHE, previewKey } from '../../schemas/pages/previews.ts'
import { drawPreviews } from '../../snapshot/previews/draw.ts'
import { pictures } from '../../snapshot/previews/pictures.ts'
import { builders, snapshotOf } from '../../snapshot/publish/documents.ts'
import { publish } from '../../snapshot/publish/publish.ts'
import { manifestKey } from '../../store/aws/tables.ts'
import { type MemoryBucket, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { segmentOf, stateWith, tokenAt } from '../support/market/facts.ts'
import { engineOf, seal } from '../support/market/market-history.ts'
import { differ, pixelsOf } from './png-pixels.ts'

const MINUTE = 29_000_000

/** A bucket with the snapshot of a market in which a token has traded, and a way to publish one in which it has another supply. */
async function openPublished() {
  const bucket = memoryBucket()
  const log = memoryLog()
  const token = tokenAt(1, MINUTE, { kind: 'post' })
  let minute = MINUTE
  async function trade(supply: bigint, born = [] as (typeof token)[]): Promise<void> {
    const state = stateWith({ sqrtPriceX96: 2n ** 96n, supply, cumTrades: 1 })
    await seal(log, segmentOf(minute, { born, rows: [[token.address, state]] }))
    const snapshot = snapshotOf(await engineOf(log, minute - MINUTE + 1), {
      chain: 'devnet',
      codeVersion: 'abc',
    })
    await publish(snapshot, { bucket }, builders)
    minute++
  }
  await trade(10n ** 24n, [token])
  return { bucket, trade }
}

const contents = ({ objects }: MemoryBucket, isWanted: (key: string) => boolean) =>
  new Map(
    [...objects]
      .filter(([key]) => isWanted(key))
      .map(([key, { bytes }]) => [key, Buffer.from(bytes).toString('base64')]),
  )
const isPreview = (key: string): boolean => key.startsWith('previews/')
const whole = { left: 0, right: 1_200, top: 140, bottom: 630 }

describe('drawing previews', () => {
  it('does nothing before there is a snapshot', async () => {
    const bucket = memoryBucket()
    expect(await drawPreviews(bucket)).toBeNull()
    expect(bucket.puts).toEqual([])
  })

  it('puts a picture of each beside the documents, to be kept for minutes, and leaves those as they are', async () => {
    const { bucket, trade } = await openPublished()
    const documents = contents(bucket, () => true)
    const run = await drawPreviews(bucket)
    expect(run).toMatchObject({
      failures: [],
      snapshot: JSON.parse(Buffer.from(bucket.objects.get(manifestKey)!.bytes).toString()).snapshot_id,
    })
    expect(bucket.puts.slice(-3)).toEqual(drawnPreviews.map(previewKey))
    expect(contents(bucket, (key) => !isPreview(key))).toEqual(documents)
    for (const name of drawnPreviews) {
      const { bytes, contentType, cacheControl } = bucket.objects.get(previewKey(name))!
      expect({ bytes: bytes.length, contentType, cacheControl }).toEqual({
        bytes: run!.bytes[name],
        contentType: 'image/png',
        cacheControl: PREVIEW_CACHE,
      })
    }
    const before = pixelsOf(bucket.objects.get(previewKey('posts'))!.bytes)
    await trade(10n ** 25n)
    await drawPreviews(bucket)
    expect(differ(before, pixelsOf(bucket.objects.get(previewKey('posts'))!.bytes), whole)).toBe(true)
  })

  it('leaves the former picture and all documents where one fails or is too large, and draws the others', async () => {
    const { bucket, trade } = await openPublished()
    await drawPreviews(bucket)
    await trade(10n ** 25n)
    const [former, documents] = [contents(bucket, isPreview), contents(bucket, (key) => !isPreview(key))]
    function fail(): never {
      throw new TypeError('a bug')
    }
    const { creators, posts, index } = pictures
    const run = await drawPreviews(bucket, {
      creators: { ...creators, draw: fail },
      index: { ...index, draw: noise },
      posts,
    })
    expect(run?.failures.map(String)).toEqual([
      expect.stringContaining('creators is not drawn: TypeError: a bug'),
      expect.stringMatching(/index is not drawn: it has \d+ bytes/),
    ])
    expect(contents(bucket, (key) => !isPreview(key))).toEqual(documents)
    const changed = [...contents(bucket, isPreview)].filter(([key, bytes]) => former.get(key) !== bytes)
    expect(changed.map(([key]) => key)).toEqual([previewKey('posts')])
  })

  it('draws nothing of a document that is not there', async () => {
    const { bucket } = await openPublished()
    bucket.objects.delete('v1/z100/index/hours')
    const { failures } = (await drawPreviews(bucket))!
    expect(failures.map(String)).toEqual([
      expect.stringContaining('index is not drawn: Error: a document of it'),
    ])
    expect([...contents(bucket, isPreview).keys()].sort()).toEqual([
      'previews/creators.png',
      'previews/posts.png',
    ])
  })
})

/** Pixels that cannot be compressed below the bound. */
function noise() {
  let state = 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state & 255
  }
  const palette = Array.from({ length: 256 }, (_, at) => [at, at, at] as const)
  const pixels = Uint8Array.from({ length: 1_200 * 630 }, next)
  expect(pixels.length).toBeGreaterThan(PREVIEW_BYTES_MAX)
  return { pixels, palette }
}
