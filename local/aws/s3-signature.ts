import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { decodeUri } from './s3-address.ts'
import { S3Error } from './s3-error.ts'

/** The one key pair a stand-in knows. */
export type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string }

/** A signed request is taken for 15 minutes around its `x-amz-date` (S3 API reference, RequestTimeTooSkewed). */
const ALLOWED_SKEW_MS = 15 * 60 * 1000

type Authorization = {
  readonly accessKeyId: string
  /** `20261121/us-east-1/s3/aws4_request` */
  readonly scope: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

/**
 * Verifies the Authorization header of `request` by Signature Version 4 (AWS General Reference, "Create a signed request").
 * The payload's own digest is only taken from `x-amz-content-sha256`; the body's reader compares it with the bytes.
 * Throws AccessDenied, InvalidAccessKeyId, RequestTimeTooSkewed or SignatureDoesNotMatch.
 */
export function verifySignature(
  request: IncomingMessage,
  credentials: Credentials,
  nowMs = Date.now(),
): void {
  const authorization = parseAuthorization(request.headers.authorization)
  if (authorization.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId')
  const date = String(request.headers['x-amz-date'] ?? '')
  if (!(Math.abs(timeOf(date) - nowMs) <= ALLOWED_SKEW_MS)) throw new S3Error('RequestTimeTooSkewed')
  if (!authorization.signedHeaders.includes('host')) throw new S3Error('SignatureDoesNotMatch')

  const canonical = canonicalRequest(request, authorization.signedHeaders)
  const text = ['AWS4-HMAC-SHA256', date, authorization.scope, sha256(canonical)].join('\n')
  const expected = hmac(signingKey(credentials.secretAccessKey, authorization.scope), text)
  const given = Buffer.from(authorization.signature, 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Error('SignatureDoesNotMatch')
  }
}

function parseAuthorization(header: string | undefined): Authorization {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header ?? '',
    )
  if (!match) throw new S3Error('AccessDenied')
  const [, accessKeyId = '', scope = '', headers = '', signature = ''] = match
  return { accessKeyId, scope, signedHeaders: headers.split(';'), signature }
}

/** Unix ms of `20261121T120000Z`; NaN for anything else, so that no comparison with it holds. */
function timeOf(date: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  return match ? Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')) : Number.NaN
}

function canonicalRequest(request: IncomingMessage, signedHeaders: readonly string[]): string {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s)
  const headers = signedHeaders.map((name) => `${name}:${headerText(request, name)}\n`)
  return [
    request.method,
    path.split('/').map(reencode).join('/'),
    canonicalQuery(query),
    headers.join(''),
    signedHeaders.join(';'),
    String(request.headers['x-amz-content-sha256'] ?? ''),
  ].join('\n')
}

function headerText(request: IncomingMessage, name: string): string {
  const value = request.headers[name] ?? ''
  return (Array.isArray(value) ? value.join(',') : value).trim().replace(/ +/g, ' ')
}

function canonicalQuery(query: string): string {
  const pairs = query.split('&').filter((pair) => pair !== '')
  const encoded = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return `${reencode(name)}=${reencode(value)}`
  })
  return encoded.sort().join('&')
}

/** One spelling of a part of an address: every byte outside the unreserved characters of RFC 3986 as %XX. */
function reencode(part: string): string {
  return encodeURIComponent(decodeUri(part)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function signingKey(secret: string, scope: string): Buffer {
  return scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
