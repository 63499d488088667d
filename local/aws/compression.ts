import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Coding = 'br' | 'gzip'

/** CloudFront compresses bodies of this many bytes only (Developer Guide, "Serve compressed files"). */
const SMALLEST = 1000
const LARGEST = 10_000_000

/** Part of CloudFront's list of types it compresses: those this system serves. An event stream is not among them. */
const compressible =
  /^(application\/(json|javascript|xml)|text\/(html|css|plain|javascript)|image\/svg\+xml)\b/

/** Brotli's level for answers made on the fly: near gzip's time, smaller than its result. */
const BROTLI_QUALITY = 5

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
}

/** Accept-Encoding in one of four spellings, best coding first: `br,gzip`, `br`, `gzip` or empty. */
export function normaliseAcceptEncoding(header: string): string {
  if (header === '') return ''
  const accepted = new Map(
    header.split(',').map((part) => {
      const [coding = '', weight = ''] = part.split(/;\s*q=/)
      return [coding.trim().toLowerCase(), weight === '' ? 1 : Number(weight)]
    }),
  )
  const isAccepted = (coding: Coding) => (accepted.get(coding) ?? accepted.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).filter(isAccepted).join(',')
}

type Compressible = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * The answer in the first coding of `accepted`, when CloudFront would compress it; else the answer as it is.
 * Other bytes are another representation, so its ETag becomes weak.
 */
export async function compressed<A extends Compressible>(answer: A, accepted: string): Promise<A> {
  const { status, headers, body } = answer
  if (!compressible.test(headers['content-type'] ?? '')) return answer
  const vary = { ...headers, vary: 'Accept-Encoding' }
  const coding = accepted.split(',')[0] as Coding | ''
  const isSized = body.length >= SMALLEST && body.length <= LARGEST
  if (coding === '' || !isSized || ![200, 403, 404].includes(status) || headers['content-encoding']) {
    return { ...answer, headers: vary }
  }
  const etag = headers['etag']
  return {
    ...answer,
    body: await compressors[coding](body),
    headers: {
      ...vary,
      'content-encoding': coding,
      ...(etag === undefined ? {} : { etag: etag.replace(/^(W\/)?/, 'W/') }),
    },
  }
}
