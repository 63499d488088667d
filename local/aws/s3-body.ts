import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { S3Error } from './s3-error.ts'

/** A verified body and the checksums its sender gave, by header name (`x-amz-checksum-…`). */
export type Body = { readonly bytes: Buffer; readonly checksums: Readonly<Record<string, string>> }

/** Bodies are held in memory; the largest object of this system is an engine image of a few MB. */
const BODY_LIMIT = 64 * 1024 * 1024

/** Base64 of the digest, by the header it is sent in; null: a checksum of S3 that is not computed here and so is refused. */
const checksumHeaders: Readonly<Record<string, ((bytes: Buffer) => string) | null>> = {
  'x-amz-checksum-crc32': (bytes) => {
    const digest = Buffer.alloc(4)
    digest.writeUInt32BE(crc32(bytes))
    return digest.toString('base64')
  },
  'x-amz-checksum-crc32c': null,
  'x-amz-checksum-crc64nvme': null,
  'x-amz-checksum-sha1': (bytes) => createHash('sha1').update(bytes).digest('base64'),
  'x-amz-checksum-sha256': (bytes) => createHash('sha256').update(bytes).digest('base64'),
}

/**
 * Reads the body of a request, plain or in `aws-chunked` framing with a trailer, and compares it with every digest sent along.
 * Throws BadDigest, XAmzContentSHA256Mismatch, IncompleteBody, EntityTooLarge, or NotImplemented for signed chunks and other checksums.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const raw = await readAll(request)
  const payload = String(request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD')
  const { bytes, trailer } = payload.startsWith('STREAMING-')
    ? unchunk(raw, payload, request.headers)
    : { bytes: raw, trailer: {} }

  if (/^[0-9a-f]{64}$/.test(payload) && createHash('sha256').update(bytes).digest('hex') !== payload) {
    throw new S3Error('XAmzContentSHA256Mismatch')
  }
  verifyMd5(request.headers['content-md5'], bytes)
  return { bytes, checksums: verifiedChecksums({ ...request.headers, ...trailer }, bytes) }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > BODY_LIMIT) throw new S3Error('EntityTooLarge')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

type Unchunked = { bytes: Buffer; trailer: Record<string, string> }

/** `<hex size>[;extension]\r\n<bytes>\r\n` … `0\r\n<trailer lines>\r\n` (S3 API reference, "Transferring payload in multiple chunks"). */
function unchunk(raw: Buffer, payload: string, headers: IncomingHttpHeaders): Unchunked {
  if (payload !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') throw new S3Error('NotImplemented')
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const end = raw.indexOf('\r\n', at)
    const size = Number.parseInt(raw.toString('latin1', at, Math.max(at, end)), 16)
    if (end < 0 || Number.isNaN(size) || end + 2 + size > raw.length) throw new S3Error('IncompleteBody')
    at = end + 2
    if (size === 0) break
    parts.push(raw.subarray(at, at + size))
    at += size + 2
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length !== Number(headers['x-amz-decoded-content-length'])) throw new S3Error('IncompleteBody')
  return { bytes, trailer: trailerOf(raw.toString('latin1', at)) }
}

function trailerOf(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'))
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

function verifyMd5(given: string | string[] | undefined, bytes: Buffer): void {
  if (given === undefined) return
  if (!/^[A-Za-z0-9+/]{22}==$/.test(String(given))) throw new S3Error('InvalidDigest')
  if (createHash('md5').update(bytes).digest('base64') !== given) throw new S3Error('BadDigest')
}

function verifiedChecksums(headers: IncomingHttpHeaders, bytes: Buffer): Record<string, string> {
  const checksums: Record<string, string> = {}
  for (const [name, digestOf] of Object.entries(checksumHeaders)) {
    const given = headers[name]
    if (given === undefined) continue
    if (digestOf === null) throw new S3Error('NotImplemented')
    if (digestOf(bytes) !== given) throw new S3Error('BadDigest')
    checksums[name] = given
  }
  return checksums
}
