import { mkdir, readdir } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { DamagedFileError } from './damaged-file.ts'
import { type Emulator, listen } from './listening.ts'
import { element, textElement, WireError, xmlDocument } from './rest-wire.ts'
import { type BucketFiles, type ObjectRecord, openBucketFiles } from './s3-files.ts'

export type S3Options = {
  /** Folder of the objects; created if missing. */
  readonly dir: string
  /** Buckets whose objects anyone may GET and HEAD, standing for the CDN's access. */
  readonly anonymousRead?: readonly string[]
  /** Called with the reason of an answer of 500, such as a DamagedFileError. */
  readonly onDefect?: (error: unknown) => void
}

type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

type Buckets = Map<string, BucketFiles>

type Call = {
  readonly bucket: BucketFiles
  readonly key: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
/** S3 lists at most this many keys a page. */
const PAGE = 1000

/**
 * The operations that store/aws/bucket.ts uses besides CreateBucket. Anything else is 501: treating a sub-resource such as ?tagging
 * as the object would damage it.
 */
const operations: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {
  'GET list': listObjects,
  'GET object': getObject,
  'PUT object': putObject,
  'DELETE object': deleteObject,
}

/** S3 headers that are supported, or irrelevant to the object. Checksums and signatures are not verified. */
const knownHeaders =
  /^x-amz-(date|content-sha256|security-token|user-agent|sdk-checksum-algorithm|checksum-.+|meta-.+)$/

/** Codes and statuses of the S3 API reference, "Error responses". */
const statuses = {
  AccessDenied: 403,
  InternalError: 500,
  InvalidURI: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
} as const

const refusal = (code: keyof typeof statuses) => new WireError(statuses[code], code, code)

/** A local S3 over files. Throws DamagedFileError. */
export async function startS3(options: S3Options): Promise<Emulator> {
  const { dir, anonymousRead = [], onDefect = () => undefined } = options
  await mkdir(dir, { recursive: true })
  const buckets: Buckets = new Map()
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const folder = join(dir, entry.name)
    if (!entry.isDirectory()) throw new DamagedFileError(folder, 'not the folder of a bucket')
    buckets.set(entry.name, await openBucketFiles(folder))
  }
  const server = createServer((request, response) => {
    answerTo(request, { dir, anonymousRead, buckets })
      .catch((error: unknown) => {
        if (error instanceof WireError) return errorAnswer(error)
        onDefect(error)
        return errorAnswer(refusal('InternalError'))
      })
      .then((answer) => send(response, answer))
  })
  return listen('s3', server)
}

async function answerTo(
  request: IncomingMessage,
  { dir, anonymousRead, buckets }: Required<Omit<S3Options, 'onDefect'>> & { readonly buckets: Buckets },
): Promise<Answer> {
  const { bucketName, key, query } = addressOf(request.url ?? '/')
  const { method = '', headers } = request
  const isOpenRead = anonymousRead.includes(bucketName) && key !== '' && method === 'GET'
  if (headers.authorization === undefined && !isOpenRead) throw refusal('AccessDenied')
  const subject = key !== '' ? 'object' : query.has('list-type') ? 'list' : 'bucket'
  const isForeign = (name: string) => name.startsWith('x-amz-') && !knownHeaders.test(name)
  if (subject !== 'list' && query.size > 0) throw refusal('NotImplemented')
  if (method === 'PUT' && Object.keys(headers).some(isForeign)) throw refusal('NotImplemented')
  if (`${method} ${subject}` === 'PUT bucket') {
    // An existing bucket is left unchanged, as us-east-1 does for its owner.
    if (!buckets.has(bucketName)) buckets.set(bucketName, await openBucketFiles(join(dir, bucketName)))
    return { status: 200 }
  }
  const operation = operations[`${method} ${subject}`]
  if (!operation) throw refusal('NotImplemented')
  const bucket = buckets.get(bucketName)
  if (!bucket) throw refusal('NoSuchBucket')
  return operation({ bucket, key, query, headers, body: await buffer(request) })
}

/** Parses `/bucket/key?query`; `x-id` only names the operation. */
function addressOf(url: string) {
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  const query = new Map([...new URLSearchParams(search)].filter(([name]) => name !== 'x-id'))
  try {
    const [, bucketName = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(path)) ?? []
    return { bucketName, key, query }
  } catch {
    throw refusal('InvalidURI')
  }
}

/** PutObject, conditional with If-None-Match: * or If-Match. */
async function putObject(call: Call): Promise<Answer> {
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = call.headers
  const kept = /^(cache-control|content-(encoding|type)|x-amz-meta-.*)$/
  const headers = Object.entries(call.headers).filter(([name]) => kept.test(name))
  const guard = (existing: ObjectRecord | undefined) => {
    if (ifNoneMatch !== undefined && existing) throw refusal('PreconditionFailed')
    if (ifMatch === undefined) return
    if (!existing) throw refusal('NoSuchKey')
    if (ifMatch !== existing.etag) throw refusal('PreconditionFailed')
  }
  const object = {
    bytes: call.body,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
  }
  const { etag } = await call.bucket.put(call.key, object, guard)
  return { status: 200, headers: { etag } }
}

/** GetObject, conditional with If-None-Match. */
async function getObject({ bucket, key, headers: asked }: Call): Promise<Answer> {
  const object = await bucket.read(key)
  if (!object) throw refusal('NoSuchKey')
  const { record, bytes } = object
  // Without the object's metadata.
  if (asked['if-none-match'] === record.etag) return { status: 304, headers: { etag: record.etag } }
  const headers = {
    ...record.headers,
    etag: record.etag,
    'last-modified': new Date(record.modified).toUTCString(),
  }
  return { status: 200, headers, body: bytes }
}

/** DeleteObject; deleting an absent object succeeds. */
async function deleteObject({ bucket, key }: Call): Promise<Answer> {
  await bucket.remove(key)
  return { status: 204 }
}

/** ListObjectsV2 without delimiters. */
async function listObjects({ bucket, query }: Call): Promise<Answer> {
  const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
  const limit = Number(query.get('max-keys') ?? PAGE)
  const found = bucket.list(query.get('prefix') ?? '', after)
  const page = found.slice(0, limit)
  const next = found.length > limit ? page.slice(-1) : []
  const result = element('ListBucketResult', [
    ...next.map(({ key }) => textElement('NextContinuationToken', key)),
    ...page.map(({ key, size }) => element('Contents', [textElement('Key', key), textElement('Size', size)])),
  ])
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: xmlDocument(result, NAMESPACE) }
}

const errorAnswer = ({ status, code }: WireError): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${element('Error', [textElement('Code', code), textElement('Message', code)])}`,
})

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(body ?? '')
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(bytes.length) }
  response.writeHead(status, { ...headers, ...length }).end(bytes)
}
