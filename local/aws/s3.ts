import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Emulator, listen } from './listening.ts'
import { element, textElement, xmlDocument } from './rest-wire.ts'
import { type BucketFiles, type ObjectFiles, type ObjectRecord, openStorage } from './s3-files.ts'

export type S3Options = {
  /** Folder of the objects; created if missing. */
  readonly dir: string
  /** Buckets whose objects anyone may GET and HEAD, standing for the CDN's access. */
  readonly anonymousRead?: readonly string[]
}

type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

type Call = {
  readonly storage: ObjectFiles
  readonly bucketName: string
  /** Empty for a bucket operation. */
  readonly key: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

type Operation = {
  /** Supported query names; a request with any other is a different operation. */
  readonly query: readonly string[]
  readonly answer: (call: Call) => Promise<Answer>
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
/** S3 lists at most this many keys a page. */
const PAGE = 1000

/**
 * The operations that store/bucket.ts uses. Anything else is 501: treating a sub-resource such as ?tagging as the object
 * would damage it.
 */
const operations: Readonly<Record<string, Operation>> = {
  'GET bucket': {
    query: ['list-type', 'prefix', 'start-after', 'continuation-token', 'max-keys'],
    answer: listObjects,
  },
  'PUT bucket': { query: [], answer: createBucket },
  'GET object': { query: [], answer: getObject },
  'PUT object': { query: [], answer: putObject },
  'DELETE object': { query: [], answer: deleteObject },
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

/** An error of S3, answered as XML. */
class S3Error extends Error {
  readonly code: keyof typeof statuses
  constructor(code: keyof typeof statuses) {
    super(code)
    this.code = code
  }
}

/** A local S3 over files. */
export async function startS3(options: S3Options): Promise<Emulator> {
  const storage = await openStorage(options.dir)
  const server = createServer((request, response) => {
    answerTo(request, storage, options.anonymousRead ?? [])
      .catch((error: unknown) => errorAnswer(error instanceof S3Error ? error : new S3Error('InternalError')))
      .then((answer) => send(response, answer))
  })
  return listen('s3', server)
}

async function answerTo(
  request: IncomingMessage,
  storage: ObjectFiles,
  anonymousRead: readonly string[],
): Promise<Answer> {
  const { bucketName, key, query } = addressOf(request.url ?? '/')
  const { method = '', headers } = request
  const isOpenRead = anonymousRead.includes(bucketName) && key !== '' && method === 'GET'
  if (headers.authorization === undefined && !isOpenRead) throw new S3Error('AccessDenied')
  const operation = operations[`${method} ${key === '' ? 'bucket' : 'object'}`]
  const isKnown = [...query.keys()].every((name) => operation?.query.includes(name))
  const isForeign = (name: string) => name.startsWith('x-amz-') && !knownHeaders.test(name)
  if (!operation || !isKnown || (method === 'PUT' && Object.keys(headers).some(isForeign)))
    throw new S3Error('NotImplemented')
  return operation.answer({ storage, bucketName, key, query, headers, body: await buffer(request) })
}

/** Parses `/bucket/key?query`; `x-id` only names the operation. */
function addressOf(url: string) {
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  const query = new Map([...new URLSearchParams(search)].filter(([name]) => name !== 'x-id'))
  try {
    const [, bucketName = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(path)) ?? []
    return { bucketName, key, query }
  } catch {
    throw new S3Error('InvalidURI')
  }
}

/** An existing bucket is left unchanged, as us-east-1 does for its owner. */
async function createBucket({ storage, bucketName }: Call): Promise<Answer> {
  await storage.create(bucketName)
  return { status: 200, headers: { location: `/${bucketName}` } }
}

/** PutObject, conditional with If-None-Match: * or If-Match. */
async function putObject(call: Call): Promise<Answer> {
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = call.headers
  const kept = /^(cache-control|content-(encoding|type)|x-amz-meta-.*)$/
  const headers = Object.entries(call.headers).filter(([name]) => kept.test(name))
  const guard = (existing: ObjectRecord | undefined) => {
    if (ifNoneMatch !== undefined && existing) throw new S3Error('PreconditionFailed')
    if (ifMatch === undefined) return
    if (!existing) throw new S3Error('NoSuchKey')
    if (ifMatch !== existing.etag) throw new S3Error('PreconditionFailed')
  }
  const object = {
    bytes: call.body,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
  }
  const { etag } = await bucketOf(call).put(call.key, object, guard)
  return { status: 200, headers: { etag } }
}

/** GetObject. */
async function getObject(call: Call): Promise<Answer> {
  const object = await bucketOf(call).read(call.key)
  if (!object) throw new S3Error('NoSuchKey')
  const { record, bytes } = object
  const headers = {
    ...record.headers,
    etag: record.etag,
    'last-modified': new Date(record.modified).toUTCString(),
  }
  return { status: 200, headers, body: bytes }
}

/** DeleteObject; deleting an absent object succeeds. */
async function deleteObject(call: Call): Promise<Answer> {
  await bucketOf(call).remove(call.key)
  return { status: 204 }
}

/** ListObjectsV2 without delimiters. */
async function listObjects(call: Call): Promise<Answer> {
  const token = call.query.get('continuation-token')
  const after = token ? Buffer.from(token, 'base64url').toString() : (call.query.get('start-after') ?? '')
  const limit = Math.min(PAGE, Number(call.query.get('max-keys') ?? PAGE))
  const found = bucketOf(call).list(call.query.get('prefix') ?? '', after)
  const page = found.slice(0, limit)
  const next = found.length > limit ? [Buffer.from(page.at(-1)?.key ?? '').toString('base64url')] : []
  const result = element('ListBucketResult', [
    textElement('KeyCount', page.length),
    textElement('IsTruncated', String(next.length > 0)),
    ...next.map((text) => textElement('NextContinuationToken', text)),
    ...page.map(({ key, etag, size }) =>
      element('Contents', [textElement('Key', key), textElement('ETag', etag), textElement('Size', size)]),
    ),
  ])
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: xmlDocument(result, NAMESPACE),
  }
}

function bucketOf({ storage, bucketName }: Call): BucketFiles {
  const bucket = storage.bucket(bucketName)
  if (!bucket) throw new S3Error('NoSuchBucket')
  return bucket
}

const errorAnswer = ({ code }: S3Error): Answer => ({
  status: statuses[code],
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${element('Error', [textElement('Code', code), textElement('Message', code)])}`,
})

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(body ?? '')
  const length = status === 204 ? {} : { 'content-length': String(bytes.length) }
  response.writeHead(status, { ...headers, ...length, 'x-amz-request-id': randomUUID() }).end(bytes)
}
