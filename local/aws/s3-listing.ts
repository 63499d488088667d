import { S3Error } from './s3-error.ts'
import type { BucketFiles } from './s3-files.ts'
import { placeOf } from './s3-files.ts'
import { element, escapeXml } from './s3-xml.ts'

/** S3 lists at most this many keys and prefixes a page. */
const PAGE = 1000

/** The query names ListObjectsV2 knows here. */
export const listingQuery = [
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'start-after',
  'continuation-token',
  'encoding-type',
  'fetch-owner',
]

type Page = {
  readonly contents: readonly string[]
  readonly prefixes: readonly string[]
  /** Where the next page goes on, when there is one. */
  readonly next: string | undefined
}

/** The ListBucketResult document of one page. Throws InvalidArgument for a bad max-keys. */
export function listingXml(name: string, bucket: BucketFiles, query: ReadonlyMap<string, string>): string {
  const limit = maxKeys(query.get('max-keys'))
  const page = readPage(bucket.keys, query, limit)
  const write = query.get('encoding-type') === 'url' ? encodeURIComponent : escapeXml
  const echoed = ['prefix', 'delimiter', 'start-after', 'continuation-token', 'encoding-type'] as const
  return element('ListBucketResult', [
    element('Name', [name]),
    ...echoed.flatMap((key) => (query.has(key) ? [element(pascal(key), [write(query.get(key) ?? '')])] : [])),
    element('MaxKeys', [String(limit)]),
    element('KeyCount', [String(page.contents.length + page.prefixes.length)]),
    element('IsTruncated', [String(page.next !== undefined)]),
    page.next === undefined ? '' : element('NextContinuationToken', [tokenOf(page.next)]),
    ...page.contents.map((key) => contentsXml(bucket, key, write)),
    ...page.prefixes.map((prefix) => element('CommonPrefixes', [element('Prefix', [write(prefix)])])),
  ])
}

function readPage(keys: readonly string[], query: ReadonlyMap<string, string>, limit: number): Page {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const token = query.get('continuation-token')
  const after =
    token === undefined ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString()
  const contents: string[] = []
  const prefixes: string[] = []
  let last = after
  for (let at = Math.max(placeOf(keys, prefix), placeOf(keys, after)); at < keys.length; at += 1) {
    const key = keys[at] ?? ''
    if (!key.startsWith(prefix)) break
    const group = groupOf(key, prefix, delimiter)
    if (key === after || (group !== undefined && (group === last || group === after))) continue
    if (contents.length + prefixes.length === limit) {
      return { contents, prefixes, next: limit === 0 ? undefined : last }
    }
    if (group === undefined) contents.push(key)
    else prefixes.push(group)
    last = group ?? key
  }
  return { contents, prefixes, next: undefined }
}

/** The common prefix `key` is rolled up in: up to and with the first delimiter behind `prefix`. */
function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined
  const at = key.indexOf(delimiter, prefix.length)
  return at < 0 ? undefined : key.slice(0, at + delimiter.length)
}

function contentsXml(bucket: BucketFiles, key: string, write: (text: string) => string): string {
  const record = bucket.record(key)
  return element('Contents', [
    element('Key', [write(key)]),
    element('LastModified', [new Date(record?.modified ?? 0).toISOString()]),
    element('ETag', [escapeXml(record?.etag ?? '')]),
    element('Size', [String(record?.size ?? 0)]),
    element('StorageClass', ['STANDARD']),
  ])
}

function maxKeys(text: string | undefined): number {
  if (text === undefined) return PAGE
  if (!/^\d{1,9}$/.test(text)) throw new S3Error('InvalidArgument')
  return Math.min(Number(text), PAGE)
}

function tokenOf(key: string): string {
  return Buffer.from(key).toString('base64url')
}

/** `start-after` → `StartAfter` */
function pascal(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
