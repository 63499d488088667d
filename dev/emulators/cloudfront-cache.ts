import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { OriginAnswer } from './cloudfront-origin.ts'

/** An answer of the cache or its origin, not yet adapted to the reader's conditions; `age`: seconds in the cache. */
export type ViewerAnswer = OriginAnswer & { readonly cacheResult: string; readonly age?: number }

export type CacheOptions = {
  /** Seconds for which an error is cached, by status. */
  readonly errorTtlSeconds: Readonly<Record<number, number>>
  /** Maximum seconds for any answer. */
  readonly mostKeptSeconds: number
  /** Unix ms. */
  readonly now: () => number
}

type Entry = { readonly answer: OriginAnswer; readonly freshSeconds: number; readonly storedAt: number }

/** Asks the origin; with the ETag of the cached object, the origin may answer 304. */
type Fetch = (etag: string | undefined) => Promise<OriginAnswer>

/** Cache size in bytes of bodies; least recently used entries are evicted. */
const CACHE_BYTES = 64 * 1024 * 1024
/** Overhead of an entry: headers, key, bookkeeping. */
const ENTRY_BYTES = 2000

/** Answers from memory while an answer is fresh. Unlike CloudFront it does not outlive a failing origin (stale-if-error). */
export function openEdgeCache({ errorTtlSeconds, mostKeptSeconds, now }: CacheOptions) {
  const entries = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_BYTES,
  })
  /** Incremented by every invalidation: answers requested before one must not be cached after it. */
  let generation = 0
  const ageOf = ({ storedAt }: Entry) => (now() - storedAt) / 1000

  const keep = (key: string, answer: OriginAnswer) => {
    const freshSeconds =
      answer.status < 400
        ? Math.min(freshSecondsOf(answer.headers), mostKeptSeconds)
        : (errorTtlSeconds[answer.status] ?? 0)
    if (freshSeconds > 0) entries.set(key, { answer, freshSeconds, storedAt: now() })
    else entries.delete(key)
  }

  return {
    /**
     * The cached answer of this key, else that of `fetch`. An expired answer is revalidated: on a 304 it is fresh again
     * with the headers it was stored with, since S3 sends no metadata with a 304.
     */
    async answer(key: string, fetch: Fetch): Promise<ViewerAnswer> {
      const entry = entries.get(key)
      if (entry && ageOf(entry) < entry.freshSeconds) {
        return { ...entry.answer, cacheResult: resultOf(entry.answer, 'Hit'), age: Math.floor(ageOf(entry)) }
      }
      const asked = generation
      const known = entry && ageOf(entry) < mostKeptSeconds ? entry.answer : undefined
      const fetched = await fetch(known && originEtag(known))
      const answer = known && fetched.status === 304 ? known : fetched
      if (asked === generation) keep(key, answer)
      return { ...answer, cacheResult: resultOf(answer, answer === fetched ? 'Miss' : 'RefreshHit') }
    },
    /** Drops cached and pending answers under these keys. */
    invalidate(isNamed: (key: string) => boolean): void {
      generation += 1
      for (const key of [...entries.keys()].filter(isNamed)) entries.delete(key)
    },
  }
}

const resultOf = ({ status }: OriginAnswer, result: 'Hit' | 'Miss' | 'RefreshHit') =>
  status < 400 ? result : 'Error'

/** The ETag that the origin sent; the cache weakens those of compressed answers. */
const originEtag = ({ headers }: OriginAnswer): string | undefined => headers['etag']?.replace(/^W\//, '')

/** Cache time in seconds by Cache-Control, as in CloudFront (Developer Guide, "Manage how long content stays in the cache"). */
function freshSecondsOf(headers: Readonly<Record<string, string>>): number {
  const text = headers['cache-control'] ?? ''
  if (/(^|[\s,])(no-store|no-cache|private)\b/i.test(text)) return 0
  const seconds = (name: string) => new RegExp(`(?:^|[\\s,])${name}="?(\\d+)`, 'i').exec(text)?.[1]
  return Number(seconds('s-maxage') ?? seconds('max-age') ?? 0)
}

/** Sizes in bytes of bodies that CloudFront compresses (Developer Guide, "Serve compressed files"). */
const SMALLEST = 1000
const LARGEST = 10_000_000

/** The types on CloudFront's compression list that this system serves. Event streams are not among them. */
const compressible =
  /^(application\/(json|javascript|xml|manifest\+json)|text\/(html|css|plain|javascript)|image\/svg\+xml)\b/

/** Brotli level for dynamic compression: about gzip's time, with a smaller result. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Normalises Accept-Encoding to one of four values, best coding first: `br,gzip`, `br`, `gzip` or empty. */
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
 * The answer in the first coding of `accepted` if CloudFront would compress it, else unchanged. Compressed bytes are
 * another representation, so the ETag becomes weak.
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
