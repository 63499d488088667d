import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isUnmodifiedSince, namesEntity } from './entity-tag.ts'
import { parseAddress } from './s3-address.ts'
import type { Body } from './s3-body.ts'
import { S3Error } from './s3-error.ts'
import type { BucketFiles, Guard, ObjectRecord, Storage } from './s3-files.ts'
import { listingXml } from './s3-listing.ts'
import { contentsOf, document, element, escapeXml, unescapeXml } from './s3-xml.ts'

/** A request that is understood, allowed and read. `key` is empty for a request about the bucket. */
export type Call = {
  readonly storage: Storage
  readonly bucketName: string
  readonly key: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: IncomingMessage['headers']
  readonly body: Body
}

export type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

/** Request headers that are kept with an object and echoed with it; user metadata beside them. */
const keptHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]
const METADATA_PREFIX = 'x-amz-meta-'
const XML = { 'content-type': 'application/xml' }

/** S3's limit on a key, in bytes of UTF-8. */
const KEY_LIMIT = 1024
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** CreateBucket; a bucket that exists is left as it is, as us-east-1 answers its owner. */
export async function createBucket(call: Call): Promise<Answer> {
  if (!BUCKET_NAME.test(call.bucketName)) throw new S3Error('InvalidBucketName')
  await call.storage.create(call.bucketName)
  return { status: 200, headers: { location: `/${call.bucketName}` } }
}

/** HeadBucket. */
export async function headBucket(call: Call): Promise<Answer> {
  bucketOf(call)
  return { status: 200 }
}

/** ListObjectsV2. */
export async function listObjects(call: Call): Promise<Answer> {
  const xml = document(listingXml(call.bucketName, bucketOf(call), call.query))
  return { status: 200, headers: XML, body: xml }
}

/** PutObject, conditional when If-None-Match: * or If-Match is sent. */
export async function putObject(call: Call): Promise<Answer> {
  if (Buffer.byteLength(call.key) > KEY_LIMIT) throw new S3Error('KeyTooLongError')
  const object = { ...call.body, headers: keptOf(call.headers) }
  const record = await bucketOf(call).put(call.key, object, writeGuard(call.headers))
  return { status: 200, headers: { etag: record.etag, ...record.checksums } }
}

/** CopyObject within this store; headers and metadata are copied unless the directive says REPLACE. */
export async function copyObject(call: Call): Promise<Answer> {
  const from = String(call.headers['x-amz-copy-source']).replace(/^\/?/, '/')
  const { bucketName: name, key, query } = parseAddress(from)
  if (query.size > 0) throw new S3Error('NotImplemented')
  const source = await bucketOf({ ...call, bucketName: name }).read(key)
  if (!source) throw new S3Error('NoSuchKey')
  const isReplacing = call.headers['x-amz-metadata-directive'] === 'REPLACE'
  if (!isReplacing && name === call.bucketName && key === call.key) throw new S3Error('InvalidRequest')
  const headers = isReplacing ? keptOf(call.headers) : source.record.headers
  const object = { bytes: source.bytes, headers, checksums: source.record.checksums }
  const record = await bucketOf(call).put(call.key, object, writeGuard(call.headers))
  const result = [element('ETag', [escapeXml(record.etag)]), element('LastModified', [isoTime(record)])]
  return { status: 200, headers: XML, body: document(element('CopyObjectResult', result)) }
}

/** GetObject and HeadObject: conditions, then at most one range. */
export async function getObject(call: Call): Promise<Answer> {
  const object = await bucketOf(call).read(call.key)
  if (!object) throw new S3Error('NoSuchKey')
  const headers = headersOf(object.record, call.headers)
  if (isUnchanged(call.headers, object.record)) return { status: 304, headers }
  const range = rangeOf(call.headers.range, object.bytes.length)
  if (!range) return { status: 200, headers, body: object.bytes }
  const [from, to] = range
  const contentRange = `bytes ${from}-${to}/${object.bytes.length}`
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body: object.bytes.subarray(from, to + 1),
  }
}

/** DeleteObject; deleting what is not there succeeds. */
export async function deleteObject(call: Call): Promise<Answer> {
  await bucketOf(call).remove(call.key, writeGuard(call.headers))
  return { status: 204 }
}

/** DeleteObjects: up to 1,000 keys in one document. */
export async function deleteObjects(call: Call): Promise<Answer> {
  const bucket = bucketOf(call)
  const text = call.body.bytes.toString()
  const objects = contentsOf(text, 'Object')
  if (objects.length === 0 || objects.length > 1000) throw new S3Error('MalformedXML')
  if (objects.some((object) => /<(VersionId|ETag|Size|LastModifiedTime)>/.test(object))) {
    throw new S3Error('NotImplemented')
  }
  const deleted: string[] = []
  for (const object of objects) {
    const [key] = contentsOf(object, 'Key')
    if (key === undefined) throw new S3Error('MalformedXML')
    await bucket.remove(unescapeXml(key), () => undefined)
    deleted.push(element('Deleted', [element('Key', [key])]))
  }
  const isQuiet = contentsOf(text, 'Quiet')[0] === 'true'
  return { status: 200, headers: XML, body: document(element('DeleteResult', isQuiet ? [] : deleted)) }
}

function bucketOf(call: Call): BucketFiles {
  const bucket = call.storage.bucket(call.bucketName)
  if (!bucket) throw new S3Error('NoSuchBucket')
  return bucket
}

function keptOf(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': 'binary/octet-stream' }
  for (const [name, value] of Object.entries(headers)) {
    if (keptHeaders.includes(name) || name.startsWith(METADATA_PREFIX)) kept[name] = String(value)
  }
  // The framing of the upload is not part of the object.
  const codings = (kept['content-encoding'] ?? '').split(',').map((coding) => coding.trim())
  const stored = codings.filter((coding) => coding !== 'aws-chunked').join(', ')
  if (stored === '') delete kept['content-encoding']
  else kept['content-encoding'] = stored
  return kept
}

function writeGuard(headers: IncomingHttpHeaders): Guard {
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = headers
  return (existing) => {
    if (ifNoneMatch !== undefined && ifNoneMatch !== '*') throw new S3Error('NotImplemented')
    if (ifNoneMatch !== undefined && existing) throw new S3Error('PreconditionFailed')
    if (ifMatch === undefined) return
    if (!existing) throw new S3Error('NoSuchKey')
    if (!namesEntity(ifMatch, existing.etag)) throw new S3Error('PreconditionFailed')
  }
}

function headersOf(record: ObjectRecord, asked: IncomingHttpHeaders): Record<string, string> {
  return {
    ...record.headers,
    ...(asked['x-amz-checksum-mode'] === 'ENABLED' && !asked.range ? record.checksums : {}),
    etag: record.etag,
    'last-modified': new Date(record.modified).toUTCString(),
    'accept-ranges': 'bytes',
  }
}

/** RFC 9110 §13.2.2: entity tags outweigh dates. Throws PreconditionFailed for If-Match and If-Unmodified-Since. */
function isUnchanged(headers: IncomingHttpHeaders, record: ObjectRecord): boolean {
  const modified = new Date(record.modified).toUTCString()
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  if (ifMatch !== undefined) {
    if (!namesEntity(ifMatch, record.etag)) throw new S3Error('PreconditionFailed')
  } else if (headers['if-unmodified-since'] !== undefined) {
    if (!isUnmodifiedSince(headers['if-unmodified-since'], modified)) throw new S3Error('PreconditionFailed')
  }
  if (ifNoneMatch !== undefined) return namesEntity(ifNoneMatch, record.etag)
  const since = headers['if-modified-since']
  return since !== undefined && isUnmodifiedSince(since, modified)
}

/** First and last byte asked for; undefined for the whole (no range, several, or one that cannot be read). Throws InvalidRange. */
function rangeOf(header: string | undefined, size: number): [number, number] | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (from >= size || from > to) throw new S3Error('InvalidRange')
  return [from, to]
}

function isoTime(record: ObjectRecord): string {
  return new Date(record.modified).toISOString()
}
