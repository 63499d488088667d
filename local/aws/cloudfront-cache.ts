import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { OriginAnswer } from './cloudfront-origin.ts'

/** An answer, and whether it came from the origin or the cache. */
export type CacheAnswer = {
  readonly answer: OriginAnswer
  readonly result: 'Miss' | 'Hit' | 'Error'
  readonly ageSeconds: number
}

/** A request; `fetch` asks the origin. */
export type CacheRequest = {
  readonly key: string
  readonly fetch: () => Promise<OriginAnswer>
}

/** Seconds for which an answer may be served: while fresh, and while the origin fails. */
type Lifetime = { readonly fresh: number; readonly ifError: number }

type Entry = {
  readonly answer: OriginAnswer
  readonly lifetime: Lifetime
  /** Unix ms. After a failed renewal the origin is not asked until `retryAt`. */
  readonly storedAt: number
  readonly retryAt: number
}

/** Cache size in bytes of bodies; least recently used entries are evicted. */
const CACHE_BYTES = 64 * 1024 * 1024
/** Overhead of an entry: headers, key, bookkeeping. */
const ENTRY_BYTES = 2000

/** Answers from memory if allowed, for at most `mostSeconds`; other requests go to their origin. `now`: Unix ms. */
export function openEdgeCache(
  {
    errorTtlSeconds,
    mostSeconds,
  }: { readonly errorTtlSeconds: Readonly<Record<number, number>>; readonly mostSeconds: number },
  now: () => number,
) {
  const entries = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_BYTES,
  })
  /** Incremented by every invalidation: answers requested before one must not be cached after it. */
  let generation = 0
  const ageOf = ({ storedAt }: Entry) => (now() - storedAt) / 1000
  const errorTtl = (status: number) => errorTtlSeconds[status] ?? 0
  const hit = (entry: Entry) => answerFrom(entry.answer, 'Hit', ageOf(entry))

  const keep = ({ key }: CacheRequest, answer: OriginAnswer) => {
    const lifetime =
      answer.status < 400
        ? lifetimeOf(answer.headers, mostSeconds)
        : { fresh: errorTtl(answer.status), ifError: 0 }
    if (lifetime.fresh > 0) entries.set(key, { answer, lifetime, storedAt: now(), retryAt: 0 })
    else entries.delete(key)
  }

  return {
    async answer(request: CacheRequest): Promise<CacheAnswer> {
      const old = entries.get(request.key)
      if (old && (ageOf(old) < old.lifetime.fresh || now() < old.retryAt)) return hit(old)
      const asked = generation
      const answer = await request.fetch()
      const isCurrent = asked === generation
      const canBridge =
        old && old.answer.status < 400 && ageOf(old) < old.lifetime.fresh + old.lifetime.ifError
      if (canBridge && isCurrent && answer.status >= 500) {
        entries.set(request.key, { ...old, retryAt: now() + 1000 * errorTtl(answer.status) })
        return hit(old)
      }
      if (isCurrent) keep(request, answer)
      return answerFrom(answer, 'Miss', 0)
    },
    /** Drops cached and pending answers under these keys. */
    invalidate(isNamed: (key: string) => boolean): void {
      generation += 1
      for (const key of [...entries.keys()].filter(isNamed)) entries.delete(key)
    },
  }
}

const answerFrom = (
  answer: OriginAnswer,
  result: CacheAnswer['result'],
  ageSeconds: number,
): CacheAnswer => ({ answer, result: answer.status < 400 ? result : 'Error', ageSeconds })

/**
 * The lifetime of an answer by its Cache-Control, as in CloudFront (Developer Guide, "Manage how long content stays in
 * the cache"). stale-while-revalidate is not used: such answers are renewed first here.
 */
function lifetimeOf(headers: Readonly<Record<string, string>>, most: number): Lifetime {
  const text = headers['cache-control'] ?? ''
  const seconds = (name: string) => {
    const value = new RegExp(`(?:^|[\\s,])${name}="?(\\d+)`, 'i').exec(text)?.[1]
    return value === undefined ? undefined : Number(value)
  }
  const isPrivate = /(^|[\s,])(no-store|no-cache|private)\b/i.test(text)
  const asked = isPrivate ? 0 : (seconds('s-maxage') ?? seconds('max-age') ?? 0)
  return { fresh: Math.min(asked, most), ifError: Math.min(seconds('stale-if-error') ?? most, most) }
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
