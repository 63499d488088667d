import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type KeyValueStore, startKeyValueStore } from '../../dev/emulators/keyvaluestore.ts'
import { openEdgeStore } from '../../store/aws/edge.ts'
import { tempDir } from '../support/temp-dir.ts'

const ARN = 'arn:aws:cloudfront::000000000000:key-value-store/0f1e'
const dir = tempDir()
let store: KeyValueStore | undefined

async function start(options: { file?: string } = {}) {
  await store?.stop()
  store = await startKeyValueStore(options)
  process.env['AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE'] = store.url
  process.env['AWS_REGION'] = 'us-east-1'
  process.env['AWS_ACCESS_KEY_ID'] = 'local'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'local'
  return store
}
beforeEach(() => start())
afterAll(() => store?.stop())

async function all(edge: ReturnType<typeof openEdgeStore>) {
  const entries: (readonly [string, string])[] = []
  for await (const entry of edge.entries()) entries.push(entry)
  return Object.fromEntries(entries)
}

describe('the KeyValueStore', () => {
  it('holds what was written, and tells functions and clients the same', async () => {
    const edge = openEdgeStore(ARN)
    const puts = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`k:a/b+${at}=`, `v${at}`]))
    await edge.write({ puts })
    expect(await all(edge)).toEqual(puts)
    expect(await edge.read('k:a/b+7=')).toBe('v7')
    expect(store?.get('k:a/b+7=')).toBe('v7')
    await edge.write({ puts: { x: '1' }, deletes: ['k:a/b+7='] })
    expect(await edge.read('k:a/b+7=')).toBeUndefined()
    expect(store?.get('k:a/b+7=')).toBeUndefined()
  })

  it('takes the writes of concurrent writers', async () => {
    const writers = Array.from({ length: 4 }, () => openEdgeStore(ARN))
    await Promise.all(
      writers.map(async (writer, at) => {
        for (let n = 0; n < 3; n++) await writer.write({ puts: { [`w${at}-${n}`]: 'x' } })
      }),
    )
    expect(Object.keys(await all(openEdgeStore(ARN)))).toHaveLength(12)
  })

  it('refuses an update with a value that is too long, as a whole', async () => {
    const edge = openEdgeStore(ARN)
    await expect(edge.write({ puts: { a: 'x', b: 'x'.repeat(1_025) } })).rejects.toThrow()
    expect(await all(edge)).toEqual({})
  })

  it('keeps its entries over a restart', async () => {
    const file = join(dir, 'kvs.json')
    await start({ file })
    await openEdgeStore(ARN).write({ puts: { 'k:1': 'one' } })
    const again = await start({ file })
    expect(again.get('k:1')).toBe('one')
    expect(await openEdgeStore(ARN).read('k:1')).toBe('one')
  })
})
