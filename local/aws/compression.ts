import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { OriginAnswer } from './cloudfront-origin.ts'

/** CloudFront compresses bodies of this many bytes only (Developer Guide, "Serve compressed files"). */
const SMALLEST = 1000
const LARGEST = 10_000_000

/** Part of CloudFront's list of types it compresses: those this system serves. An event stream is not among them. */
const compressible =
  /^(application\/(json|javascript|xml|manifest\+json)|text\/(html|css|plain|javascript)|image\/svg\+xml)\b/

/** Brotli's level for answers made on the fly: near gzip's time, smaller than its result. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Accept-Encoding in one of four spellings, best coding first: `br,gzip`, `br`, `gzip` or empty. */
export function normaliseAcceptEncoding(header: string): string {
  const accepted = new Map(
    header.split(',').map((part) => {
      const [coding = '', weight = ''] = part.split(/;\s*q=/)
      return [coding.trim().toLowerCase(), weight === '' ? 1 : Number(weight)]
    }),
  )
  return ['br', 'gzip'].filter((coding) => (accepted.get(coding) ?? accepted.get('*') ?? 0) > 0).join(',')
}

/**
 * The answer in the first coding of `accepted`, when CloudFront would compress it; else the answer as it is.
 * Other bytes are another representation, so its ETag becomes weak.
 */
export async function compressed(answer: OriginAnswer, accepted: string): Promise<OriginAnswer> {
  const { status, headers, body } = answer
  if (!compressible.test(headers['content-type'] ?? '')) return answer
  const vary = { ...headers, vary: 'Accept-Encoding' }
  const coding = accepted.split(',')[0] ?? ''
  const isSized = body.length >= SMALLEST && body.length <= LARGEST
  if (coding === '' || !isSized || ![200, 403, 404].includes(status) || headers['content-encoding']) {
    return { ...answer, headers: vary }
  }
  const etag = headers['etag']?.replace(/^(W\/)?/, 'W/')
  return {
    ...answer,
    body: coding === 'br' ? await promisify(brotliCompress)(body, brotli) : await promisify(gzip)(body),
    headers: { ...vary, 'content-encoding': coding, ...(etag === undefined ? {} : { etag }) },
  }
}
