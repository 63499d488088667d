import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bucket, ensureBucket, openBucket } from '../../store/aws/bucket.ts'
import { openMemoryBucket } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { type Running, startMoto, startS3OnDisk } from '../support/aws/emulators.ts'
import { casesOf, isLong } from '../support/rounds.ts'

const starts = [
  ['this machine', startS3OnDisk],
  ['moto', startMoto],
] as const
const inMemory = ['in memory', undefined] as const
const bytes = (text: string) => Buffer.from(text)

describe.each([inMemory, ...casesOf(starts, 1)])('a bucket: %s', (name, start) => {
  let running: Running | undefined
  let bucket: Bucket

  beforeAll(async () => {
    bucket = openMemoryBucket()
    if (!start) return
    running = await start()
    if (!running) return
    await ensureBucket('objects')
    await ensureBucket('objects')
    bucket = openBucket('objects')
  })
  afterAll(() => running?.stop())

  const fact = (name: string, run: () => Promise<void>) =>
    it(name, async (context) => {
      if (start && !running) context.skip()
      await run()
    })

  fact('gives back bytes, content type, metadata and an etag', async () => {
    const every = Uint8Array.from({ length: 256 }, (_, at) => at)
    await bucket.put('v1/all bytes', every, {
      contentType: 'application/json',
      cacheControl: 'max-age=20',
      metadata: { 'snapshot-id': '7' },
    })
    const object = await bucket.read('v1/all bytes')
    expect(Buffer.compare(object?.bytes ?? bytes(''), every)).toBe(0)
    expect(object).toMatchObject({ contentType: 'application/json', metadata: { 'snapshot-id': '7' } })
    expect(object?.etag).toMatch(/^".+"$/)
    expect(await bucket.read('v1/absent')).toBeUndefined()
  })

  fact('puts under a condition, and says when it does not hold', async () => {
    const put = (text: string, condition: object) => bucket.put('manifest', bytes(text), condition)
    expect(await put('0', { ifMatch: '"none"' })).toBe('conflict')
    expect(await put('1', { ifNoneMatch: '*' })).toBe('stored')
    expect(await put('2', { ifNoneMatch: '*' })).toBe('conflict')
    const first = await bucket.read('manifest')
    expect(await put('3', { ifMatch: first?.etag })).toBe('stored')
    expect(await put('4', { ifMatch: first?.etag })).toBe('conflict')
    expect(Buffer.from((await bucket.read('manifest'))?.bytes ?? []).toString()).toBe('3')
  })

  fact('lists a prefix in order and removes', async () => {
    // More than one answer lists; moto takes 20 s for as many puts.
    const count = name === 'moto' && !isLong ? 30 : 1_030
    const keys = Array.from({ length: count }, (_, at) => `list/${String(at).padStart(4, '0')}`)
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => bucket.put(key, bytes('x'))))
    }
    await bucket.put('listing', bytes('beside'))
    expect((await allOf(bucket.list('list/'))).map(({ key }) => key)).toEqual(keys)
    const [before, last] = [keys.at(-2), keys.at(-1)!]
    expect(await allOf(bucket.list('list/', before))).toEqual([{ key: last, size: 1 }])
    await bucket.remove(last)
    await bucket.remove(last)
    expect(await allOf(bucket.list(last.slice(0, -1)))).toHaveLength(9)
  })

  if (start)
    fact('lets no condition hide that the bucket is absent', async () => {
      await expect(openBucket('absent').put('a', bytes('a'), { ifMatch: '"1"' })).rejects.toThrow()
    })
})
