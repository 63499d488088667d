import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { PutObjectCommandInput } from '@aws-sdk/client-s3'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startS3 } from '../../local/aws/s3.ts'
import { freePort } from '../../local/stand-in.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' }
const Bucket = 'market-segments'

function clientOf(url: string, secretAccessKey = credentials.secretAccessKey): S3Client {
  const endpoint = url
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { ...credentials, secretAccessKey },
  })
}

const childSource = (dir: string) => `
  import { startS3 } from ${JSON.stringify(new URL('../../local/aws/s3.ts', import.meta.url).href)}
  console.log((await startS3(${JSON.stringify({ dir, credentials })})).url)`

/** Status and code of what a call was refused with. */
async function refusalOf(call: Promise<unknown>): Promise<{ status: number; code: string }> {
  try {
    await call
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata: { httpStatusCode: number } }
    return { status: $metadata.httpStatusCode, code: name }
  }
  return { status: 200, code: 'none' }
}

/** What every S3 answers, ours and the second opinion. */
function behavesLikeS3(clientFrom: () => S3Client): void {
  const put = (input: Omit<PutObjectCommandInput, 'Bucket'>) =>
    clientFrom().send(new PutObjectCommand({ Bucket, ...input }))
  const get = (Key: string) => clientFrom().send(new GetObjectCommand({ Bucket, Key }))
  const text = async (Key: string) => (await get(Key)).Body!.transformToString()

  it('makes a bucket and knows it', async () => {
    expect(await refusalOf(clientFrom().send(new HeadBucketCommand({ Bucket })))).toMatchObject({
      status: 404,
    })
    await clientFrom().send(new CreateBucketCommand({ Bucket }))
    await clientFrom().send(new HeadBucketCommand({ Bucket }))
  })

  it('keeps bytes, answering their md5 as ETag and the checksum it was sent', async () => {
    const bytes = Buffer.from('{"rank":1}')
    const { ETag, ChecksumCRC32 } = await put({ Key: 'plain', Body: bytes })
    expect(ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`)
    expect(Buffer.from(ChecksumCRC32!, 'base64').readUInt32BE()).toBe(crc32(bytes))
    expect(await text('plain')).toBe('{"rank":1}')
  })

  it('keeps headers and user metadata', async () => {
    const Expires = new Date('2030-01-01T00:00:00Z')
    const kept = {
      CacheControl: 'public, max-age=20',
      ContentType: 'application/json',
      ContentEncoding: 'gzip',
      ContentDisposition: 'inline',
      Metadata: { block: '123', 'block-hash': '0xab' },
    }
    await put({ Key: 'headers', Body: 'x', Expires, ...kept })
    const read = await clientFrom().send(new HeadObjectCommand({ Bucket, Key: 'headers' }))
    expect(read).toMatchObject({ ...kept, ExpiresString: Expires.toUTCString(), ContentLength: 1 })
  })

  it('takes a stream in aws-chunked framing and stores only its bytes', async () => {
    const bytes = Buffer.alloc(300_000, 'z100 ')
    const Body = Readable.from([bytes.subarray(0, 100_001), bytes.subarray(100_001)])
    await put({ Key: 'stream', Body, ContentLength: bytes.length, ContentEncoding: 'gzip' })
    const read = await get('stream')
    expect(Buffer.from(await read.Body!.transformToByteArray()).equals(bytes)).toBe(true)
    expect(read.ContentEncoding).toBe('gzip')
  })

  it('keeps an empty object', async () => {
    await put({ Key: 'empty', Body: Buffer.alloc(0) })
    expect(await text('empty')).toBe('')
  })

  it('refuses a second If-None-Match: * put', async () => {
    await put({ Key: 'once', Body: 'first', IfNoneMatch: '*' })
    expect(await refusalOf(put({ Key: 'once', Body: 'second', IfNoneMatch: '*' }))).toEqual({
      status: 412,
      code: 'PreconditionFailed',
    })
    expect(await text('once')).toBe('first')
  })

  it('lets one of many concurrent If-None-Match: * puts through', async () => {
    const all = Array.from({ length: 20 }, (_, i) =>
      refusalOf(put({ Key: 'race', Body: `${i}`, IfNoneMatch: '*' })),
    )
    const statuses = (await Promise.all(all)).map((one) => one.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(19)
  })

  it('replaces under If-Match only what the writer has seen', async () => {
    const { ETag } = await put({ Key: 'cas', Body: 'a' })
    const { ETag: next } = await put({ Key: 'cas', Body: 'b', IfMatch: ETag! })
    expect(await refusalOf(put({ Key: 'cas', Body: 'c', IfMatch: ETag! }))).toMatchObject({ status: 412 })
    expect(await refusalOf(put({ Key: 'never', Body: 'c', IfMatch: next! }))).toMatchObject({ status: 404 })
    expect(await text('cas')).toBe('b')
  })

  it('answers 304 and 412 to conditional reads', async () => {
    const { ETag } = await put({ Key: 'read', Body: 'a' })
    const read = (input: object) =>
      refusalOf(clientFrom().send(new GetObjectCommand({ Bucket, Key: 'read', ...input })))
    expect(await read({ IfNoneMatch: ETag })).toMatchObject({ status: 304 })
    expect(await read({ IfModifiedSince: new Date(Date.now() + 5000) })).toMatchObject({ status: 304 })
    expect(await read({ IfMatch: '"other"' })).toMatchObject({ status: 412 })
    expect(await read({ IfNoneMatch: '"other"' })).toMatchObject({ status: 200 })
  })

  it('answers ranges', async () => {
    await put({ Key: 'range', Body: '0123456789' })
    const read = async (Range: string) => {
      const answer = await clientFrom().send(new GetObjectCommand({ Bucket, Key: 'range', Range }))
      return [await answer.Body!.transformToString(), answer.ContentRange]
    }
    expect(await read('bytes=2-4')).toEqual(['234', 'bytes 2-4/10'])
    expect(await read('bytes=7-')).toEqual(['789', 'bytes 7-9/10'])
    expect(await read('bytes=-2')).toEqual(['89', 'bytes 8-9/10'])
    expect(await refusalOf(read('bytes=10-'))).toMatchObject({ status: 416, code: 'InvalidRange' })
  })

  it('says NoSuchKey and NoSuchBucket', async () => {
    expect(await refusalOf(get('nowhere'))).toEqual({ status: 404, code: 'NoSuchKey' })
    const elsewhere = new GetObjectCommand({ Bucket: 'no-such-bucket', Key: 'a' })
    expect(await refusalOf(clientFrom().send(elsewhere))).toEqual({ status: 404, code: 'NoSuchBucket' })
  })

  it('lists by prefix in byte order, in pages', async () => {
    const keys = ['list/a', 'list/b/1', 'list/b/2', 'list/é', 'list/\u{ff5e}', 'list/\u{1f600}']
    for (const Key of [...keys].reverse()) await put({ Key, Body: Key })
    const listed: string[] = []
    let token: string | undefined
    do {
      const page = await clientFrom().send(
        new ListObjectsV2Command({ Bucket, Prefix: 'list/', MaxKeys: 2, ContinuationToken: token }),
      )
      expect(page.KeyCount).toBe(2)
      listed.push(...page.Contents!.map((content) => content.Key!))
      token = page.NextContinuationToken
    } while (token)
    expect(listed).toEqual(keys)
  })

  it('lists behind a key, and rolls up at a delimiter', async () => {
    const after = await clientFrom().send(
      new ListObjectsV2Command({ Bucket, Prefix: 'list/', StartAfter: 'list/b/1', MaxKeys: 1 }),
    )
    expect(after.Contents!.map((content) => [content.Key, content.Size])).toEqual([['list/b/2', 8]])
    const rolled = await clientFrom().send(
      new ListObjectsV2Command({ Bucket, Prefix: 'list/', Delimiter: '/' }),
    )
    expect(rolled.CommonPrefixes).toEqual([{ Prefix: 'list/b/' }])
    expect(rolled.Contents).toHaveLength(4)
  })

  it('keeps odd keys apart', async () => {
    const keys = [
      'odd',
      'odd/inside',
      'odd//twice',
      'odd/ +&<>"\'%41',
      'odd/../up',
      'odd/ü😀',
      `odd/${'k'.repeat(900)}`,
    ]
    for (const Key of keys) await put({ Key, Body: Key })
    for (const Key of keys) expect(await text(Key)).toBe(Key)
  })

  it('copies with its headers or with new ones', async () => {
    await put({ Key: 'from', Body: 'copied', ContentType: 'text/plain', Metadata: { a: '1' } })
    const copy = (input: object) =>
      clientFrom().send(new CopyObjectCommand({ Bucket, Key: 'to', CopySource: `${Bucket}/from`, ...input }))
    await copy({})
    expect(await get('to')).toMatchObject({ ContentType: 'text/plain', Metadata: { a: '1' } })
    await copy({ MetadataDirective: 'REPLACE', ContentType: 'text/html', Metadata: { b: '2' } })
    expect(await get('to')).toMatchObject({ ContentType: 'text/html', Metadata: { b: '2' } })
    expect(await text('to')).toBe('copied')
  })

  it('deletes one, what is not there, and many', async () => {
    for (const Key of ['gone/1', 'gone/2', 'gone/<&>']) await put({ Key, Body: 'x' })
    await clientFrom().send(new DeleteObjectCommand({ Bucket, Key: 'gone/1' }))
    await clientFrom().send(new DeleteObjectCommand({ Bucket, Key: 'gone/1' }))
    const Objects = [{ Key: 'gone/2' }, { Key: 'gone/<&>' }]
    const { Deleted } = await clientFrom().send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(Deleted).toHaveLength(2)
    const left = await clientFrom().send(new ListObjectsV2Command({ Bucket, Prefix: 'gone/' }))
    expect(left.KeyCount).toBe(0)
  })
}

describe('the S3 handler', () => {
  let dir: string
  let server: Awaited<ReturnType<typeof startS3>>
  const client = () => clientOf(server.url)
  const start = () => startS3({ dir, credentials, anonymousRead: [Bucket] })

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 's3-'))
    server = await start()
  })
  afterAll(async () => {
    await server.stop()
    await rm(dir, { recursive: true })
  })

  behavesLikeS3(client)

  it.each([
    ['ContentMD5', createHash('md5').update('else').digest('base64')],
    ['ChecksumCRC32', 'AAAAAA=='],
    ['ChecksumSHA1', createHash('sha1').update('else').digest('base64')],
    ['ChecksumSHA256', createHash('sha256').update('else').digest('base64')],
  ])('refuses a wrong %s', async (name, value) => {
    const call = client().send(new PutObjectCommand({ Bucket, Key: 'sum', Body: 'x', [name]: value }))
    expect(await refusalOf(call)).toEqual({ status: 400, code: 'BadDigest' })
  })

  it('echoes a checksum to who asks for it', async () => {
    await client().send(new PutObjectCommand({ Bucket, Key: 'sha', Body: 'x', ChecksumAlgorithm: 'SHA256' }))
    const read = await client().send(new GetObjectCommand({ Bucket, Key: 'sha', ChecksumMode: 'ENABLED' }))
    expect(read.ChecksumSHA256).toBe(createHash('sha256').update('x').digest('base64'))
  })

  it('refuses a wrong secret, an unknown key and an unsigned write', async () => {
    const put = new PutObjectCommand({ Bucket, Key: 'sum', Body: 'x' })
    expect(await refusalOf(clientOf(server.url, 'wrong').send(put))).toEqual({
      status: 403,
      code: 'SignatureDoesNotMatch',
    })
    expect((await fetch(`${server.url}/${Bucket}/open`, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(`${server.url}/${Bucket}?list-type=2`)).status).toBe(403)
    expect((await fetch(`${server.url}/closed/plain`)).status).toBe(403)
  })

  it('lets anyone read an object of an open bucket', async () => {
    const response = await fetch(`${server.url}/${Bucket}/headers`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-amz-meta-block')).toBe('123')
  })

  it('answers 501 to sub-resources and leaves the object alone', async () => {
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

  it('keeps everything over a restart and drops what a crash left half written', async () => {
    const leftover = join(dir, Bucket, '.new-1-1')
    await server.stop()
    await writeFile(leftover, 'half')
    server = await start()
    const read = await client().send(new GetObjectCommand({ Bucket, Key: 'headers' }))
    expect(read).toMatchObject({ CacheControl: 'public, max-age=20', Metadata: { block: '123' } })
    expect(await readdir(join(dir, Bucket))).not.toContain('.new-1-1')
  })

  it('keeps whole what it has answered for when it is killed in the middle of writes', async () => {
    const killed = await mkdtemp(join(tmpdir(), 's3-killed-'))
    const child = spawn(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      childSource(killed),
    ])
    const [line] = await once(child.stdout, 'data')
    const writer = clientOf(String(line).trim())
    await writer.send(new CreateBucketCommand({ Bucket }))
    const stored = new Map<string, string | undefined>()
    const writes = Array.from({ length: 8 }, async (_, w) => {
      for (let i = 0; ; i += 1) {
        const put = { Bucket, Key: `${w}/${i % 3}`, Body: Buffer.alloc(200_000, `${w}.${i} `) }
        stored.set(put.Key, (await writer.send(new PutObjectCommand(put))).ETag)
      }
    })
    await vi.waitFor(() => expect(stored.size).toBe(24), { timeout: 60_000 })
    child.kill('SIGKILL')
    await Promise.allSettled(writes)

    const again = await startS3({ dir: killed, credentials })
    for (const Key of stored.keys()) {
      const { ETag, Body } = await clientOf(again.url).send(new GetObjectCommand({ Bucket, Key }))
      expect(ETag).toBe(
        `"${createHash('md5')
          .update(await Body!.transformToByteArray())
          .digest('hex')}"`,
      )
    }
    await again.stop()
    await rm(killed, { recursive: true })
  })

  it('never mixes two writes of one key', async () => {
    const bodies = ['a'.repeat(50_000), 'b'.repeat(70_000)]
    const write = async (Body: string) => {
      for (let i = 0; i < 20; i += 1) await client().send(new PutObjectCommand({ Bucket, Key: 'both', Body }))
    }
    await client().send(new PutObjectCommand({ Bucket, Key: 'both', Body: bodies[0]! }))
    const writing = Promise.all(bodies.map(write))
    for (let i = 0; i < 40; i += 1) {
      const response = await fetch(`${server.url}/${Bucket}/both`)
      const body = await response.text()
      expect(bodies).toContain(body)
      expect(response.headers.get('etag')).toBe(`"${createHash('md5').update(body).digest('hex')}"`)
    }
    await writing
  })
})

const hasMoto = (() => {
  try {
    execFileSync('moto_server', ['--help'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write('moto_server is not on PATH: the second opinion on S3 is left out\n')
    return false
  }
})()

describe.runIf(hasMoto)('moto, the second opinion', () => {
  let child: ReturnType<typeof spawn>
  let url: string

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    child = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    await vi.waitFor(() => fetch(url), { timeout: 60_000, interval: 100 })
  })
  afterAll(() => {
    child.kill('SIGKILL')
  })

  behavesLikeS3(() => clientOf(url))
})
