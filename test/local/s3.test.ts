import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectTaggingCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startS3 } from '../../dev/emulators/s3.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { type Running, startMoto } from '../support/aws/emulators.ts'
import { tempDir } from '../support/temp-dir.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' }
const Bucket = 'market-segments'

const clientOf = (endpoint: string): S3Client =>
  new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1, credentials })

const childSource = (dir: string) => `
  import { startS3 } from ${JSON.stringify(new URL('../../dev/emulators/s3.ts', import.meta.url).href)}
  console.log((await startS3(${JSON.stringify({ dir })})).url)`

const md5 = (bytes: string | Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`

const RACING = 20

/** Status and code of a refused call. */
async function refusalOf(call: Promise<unknown>): Promise<{ status: number; code: string }> {
  try {
    await call
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata: { httpStatusCode: number } }
    return { status: $metadata.httpStatusCode, code: name }
  }
  return { status: 200, code: 'none' }
}

/** The behaviour that store/aws/bucket.ts relies on, of our S3 and of moto; `atOnce` puts race for a key. */
function behavesLikeS3(clientFrom: () => S3Client, atOnce: number): void {
  const put = (input: Omit<PutObjectCommandInput, 'Bucket'>) =>
    clientFrom().send(new PutObjectCommand({ Bucket, ...input }))
  const get = (Key: string) => clientFrom().send(new GetObjectCommand({ Bucket, Key }))
  const text = async (Key: string) => (await get(Key)).Body!.transformToString()

  it('stores bytes, headers and user metadata, with the md5 as ETag', async () => {
    await clientFrom().send(new CreateBucketCommand({ Bucket }))
    const bytes = Buffer.from('{"rank":1}')
    const kept = {
      CacheControl: 'public, max-age=20',
      ContentType: 'application/json',
      ContentEncoding: 'gzip',
      Metadata: { block: '123', 'block-hash': '0xab' },
    }
    expect((await put({ Key: 'plain', Body: bytes, ...kept })).ETag).toBe(md5(bytes))
    expect(await get('plain')).toMatchObject({ ...kept, ETag: md5(bytes), ContentLength: bytes.length })
    expect(await text('plain')).toBe('{"rank":1}')
    await put({ Key: 'empty', Body: Buffer.alloc(0) })
    expect(await text('empty')).toBe('')
  })

  it(`accepts one of many If-None-Match: * puts, ${atOnce} at once`, async () => {
    const all = Array.from({ length: RACING }, (_, by) => by)
    const answers = await mapParallel(all, atOnce, (by) =>
      refusalOf(put({ Key: 'race', Body: `${by}`, IfNoneMatch: '*' })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(RACING - 1)
  })

  it('replaces with If-Match only the object of that ETag', async () => {
    const { ETag } = await put({ Key: 'cas', Body: 'a' })
    const { ETag: next } = await put({ Key: 'cas', Body: 'b', IfMatch: ETag! })
    expect(await refusalOf(put({ Key: 'cas', Body: 'c', IfMatch: ETag! }))).toMatchObject({ status: 412 })
    expect(await refusalOf(put({ Key: 'never', Body: 'c', IfMatch: next! }))).toMatchObject({ status: 404 })
    expect(await text('cas')).toBe('b')
  })

  it('answers NoSuchKey and NoSuchBucket', async () => {
    expect(await refusalOf(get('nowhere'))).toEqual({ status: 404, code: 'NoSuchKey' })
    const elsewhere = new GetObjectCommand({ Bucket: 'no-such-bucket', Key: 'a' })
    expect(await refusalOf(clientFrom().send(elsewhere))).toEqual({ status: 404, code: 'NoSuchBucket' })
  })

  it('lists by prefix in key order, in pages, and after a key', async () => {
    const keys = ['list/a', 'list/b/1', 'list/b/2', 'list/c', 'list/d', 'list/é']
    for (const Key of [...keys].reverse()) await put({ Key, Body: Key })
    const listed: string[] = []
    let token: string | undefined
    do {
      const page = await clientFrom().send(
        new ListObjectsV2Command({ Bucket, Prefix: 'list/', MaxKeys: 2, ContinuationToken: token }),
      )
      expect(page.Contents).toHaveLength(2)
      listed.push(...page.Contents!.map((content) => content.Key!))
      token = page.NextContinuationToken
    } while (token)
    expect(listed).toEqual(keys)
    const after = await clientFrom().send(
      new ListObjectsV2Command({ Bucket, Prefix: 'list/', StartAfter: 'list/b/1', MaxKeys: 1 }),
    )
    expect(after.Contents!.map((content) => [content.Key, content.Size])).toEqual([['list/b/2', 8]])
  })

  it('distinguishes unusual keys, and deletes existing and absent objects', async () => {
    const keys = ['odd', 'odd/inside', 'odd//twice', 'odd/ +&<>"\'%41', 'odd/../up', 'odd/ü😀']
    for (const Key of keys) await put({ Key, Body: Key })
    for (const Key of keys) expect(await text(Key)).toBe(Key)
    for (const _ of [1, 2]) await clientFrom().send(new DeleteObjectCommand({ Bucket, Key: 'odd/inside' }))
    const left = await clientFrom().send(new ListObjectsV2Command({ Bucket, Prefix: 'odd' }))
    expect(left.Contents).toHaveLength(keys.length - 1)
  })
}

describe('the local S3', () => {
  const dir = tempDir()
  let server: Awaited<ReturnType<typeof startS3>>
  const client = () => clientOf(server.url)
  const start = () => startS3({ dir, anonymousRead: [Bucket] })

  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  behavesLikeS3(client, RACING)

  it('lets anyone read objects of an open bucket, and nothing else', async () => {
    const { status, headers } = await fetch(`${server.url}/${Bucket}/plain`)
    expect([status, headers.get('x-amz-meta-block')]).toEqual([200, '123'])
    // The edge then asks the next origin.
    expect((await fetch(`${server.url}/${Bucket}/%zz`)).status).toBe(400)
    for (const [path, method] of [
      [`/${Bucket}/open`, 'PUT'],
      [`/${Bucket}?list-type=2`, 'GET'],
      ['/closed/plain', 'GET'],
    ]) {
      expect((await fetch(server.url + path, { method: method! })).status).toBe(403)
    }
  })

  it('answers 501 to sub-resources and leaves the object unchanged', async () => {
    await client().send(new PutObjectCommand({ Bucket, Key: 'whole', Body: 'whole' }))
    const tagging = new PutObjectTaggingCommand({ Bucket, Key: 'whole', Tagging: { TagSet: [] } })
    expect(await refusalOf(client().send(tagging))).toEqual({ status: 501, code: 'NotImplemented' })
    const part = new UploadPartCommand({ Bucket, Key: 'whole', PartNumber: 1, UploadId: 'u', Body: 'part' })
    expect(await refusalOf(client().send(part))).toMatchObject({ status: 501 })
    const acl = new PutObjectCommand({ Bucket, Key: 'whole', Body: 'open', ACL: 'public-read' })
    expect(await refusalOf(client().send(acl))).toMatchObject({ status: 501 })
    const read = await client().send(new GetObjectCommand({ Bucket, Key: 'whole' }))
    expect(await read.Body!.transformToString()).toBe('whole')
  })

  it('has all objects after a restart, and removes incomplete files of a crash', async () => {
    const leftover = join(dir, Bucket, '.new-1-1')
    await server.stop()
    await writeFile(leftover, 'half')
    server = await start()
    const read = await client().send(new GetObjectCommand({ Bucket, Key: 'plain' }))
    expect(read).toMatchObject({ CacheControl: 'public, max-age=20', Metadata: { block: '123' } })
    expect(await readdir(join(dir, Bucket))).not.toContain('.new-1-1')
  })

  it('answers 500 for an object whose file was changed, names the file, and has it again once it is put', async () => {
    const damaged = tempDir()
    const defects: string[] = []
    const onDefect = (error: unknown) => defects.push(String(error))
    const own = await startS3({ dir: damaged, onDefect })
    const writer = clientOf(own.url)
    await writer.send(new CreateBucketCommand({ Bucket }))
    await writer.send(new PutObjectCommand({ Bucket, Key: 'rank', Body: '{"rank":1}' }))
    const [name] = await readdir(join(damaged, Bucket))
    const path = join(damaged, Bucket, name!)
    const whole = await readFile(path, 'utf8')
    const read = () => refusalOf(writer.send(new GetObjectCommand({ Bucket, Key: 'rank' })))
    for (const text of [whole.replace('"rank":1', '"rank":2'), whole.slice(0, -1), whole.slice(0, 9), '']) {
      await writeFile(path, text)
      expect(await read()).toEqual({ status: 500, code: 'InternalError' })
      expect(defects.pop()).toMatch(
        new RegExp(`^DamagedFile: ${path} is .*; remove it, or start with --reset$`),
      )
    }
    await writer.send(new PutObjectCommand({ Bucket, Key: 'rank', Body: '{"rank":1}' }))
    expect([await read(), defects]).toEqual([{ status: 200, code: 'none' }, []])
    await own.stop()
  })

  it('is not started on files that are not its own, which it names', async () => {
    const cases = ['x', `${Bucket}/.DS_Store`, `${Bucket}/${'0'.repeat(64)}`]
    for (const name of cases) {
      for (const text of ['', 'not a record', '{"key":"other","etag":"","size":0}\n']) {
        const foreign = tempDir()
        await mkdir(join(foreign, Bucket), { recursive: true })
        await writeFile(join(foreign, name), text)
        await expect(startS3({ dir: foreign })).rejects.toThrow(
          new RegExp(`^${join(foreign, name)} is not .*; remove it, or start with --reset$`),
        )
      }
    }
  })

  it('has every acknowledged object complete after SIGKILL during writes', async () => {
    const killed = tempDir()
    const source = ['--import', 'tsx', '--input-type=module', '-e', childSource(killed)]
    const child = spawn(process.execPath, source)
    const [line] = await once(child.stdout, 'data')
    const writer = clientOf(String(line).trim())
    await writer.send(new CreateBucketCommand({ Bucket }))
    const stored = new Set<string>()
    const writes = Array.from({ length: 8 }, async (_, w) => {
      for (let i = 0; ; i += 1) {
        const put = { Bucket, Key: `${w}/${i % 3}`, Body: Buffer.alloc(200_000, `${w}.${i} `) }
        await writer.send(new PutObjectCommand(put))
        stored.add(put.Key)
      }
    })
    await vi.waitFor(() => expect(stored.size).toBe(24), { timeout: 60_000 })
    child.kill('SIGKILL')
    await Promise.allSettled(writes)

    const again = await startS3({ dir: killed })
    for (const Key of stored) {
      const { ETag, Body } = await clientOf(again.url).send(new GetObjectCommand({ Bucket, Key }))
      expect(ETag).toBe(md5(await Body!.transformToByteArray()))
    }
    await again.stop()
  })

  it('answers 500 to a write that the disk has no room for, keeps the object there was, and goes on', async () => {
    const full = tempDir()
    // A file may have 200 blocks of 512 or 1,024 bytes; more is refused as on a full disk.
    const script = 'trap "" XFSZ; ulimit -f 200; exec "$0" --import tsx --input-type=module -e "$1"'
    const child = spawn('sh', ['-c', script, process.execPath, childSource(full)])
    const [line] = await once(child.stdout, 'data')
    const writer = clientOf(String(line).trim())
    await writer.send(new CreateBucketCommand({ Bucket }))
    const put = (bytes: number) =>
      writer.send(new PutObjectCommand({ Bucket, Key: 'a', Body: Buffer.alloc(bytes, String(bytes)) }))
    const read = async () => {
      const { Body } = await writer.send(new GetObjectCommand({ Bucket, Key: 'a' }))
      return (await Body!.transformToByteArray()).length
    }
    await put(1_000)
    await expect(put(1_000_000)).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } })
    expect(await read()).toBe(1_000)
    await put(2_000)
    expect(await read()).toBe(2_000)
    child.kill()
    await once(child, 'exit')
  })

  it('never mixes two writes of a key', async () => {
    const bodies = ['a'.repeat(50_000), 'b'.repeat(70_000)]
    const write = async (Body: string) => {
      for (let i = 0; i < 20; i += 1) await client().send(new PutObjectCommand({ Bucket, Key: 'both', Body }))
    }
    await write(bodies[0]!)
    const writing = Promise.all(bodies.map(write))
    for (let i = 0; i < 40; i += 1) {
      const response = await fetch(`${server.url}/${Bucket}/both`)
      const body = await response.text()
      expect(bodies).toContain(body)
      expect(response.headers.get('etag')).toBe(md5(body))
    }
    await writing
  })
})

const moto: Running | undefined = await startMoto()
afterAll(() => moto?.stop())

describe.runIf(moto)('moto, the second opinion', () => {
  // moto looks whether a key is there in one thread while another one puts it: there they come one after the other.
  behavesLikeS3(() => clientOf(moto!.url), 1)
})
