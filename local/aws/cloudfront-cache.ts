import { LRUCache } from 'lru-cache'
import type { Lifetime, LifetimeBounds } from './cache-control.ts'
import { lifetimeOf } from './cache-control.ts'
import type { OriginAnswer } from './cloudfront-origin.ts'
import { OriginUnreachableError } from './cloudfront-origin.ts'

/** An answer and how it came: from the origin, from the cache, or from the cache after the origin said that it still holds. */
export type CacheAnswer = {
  readonly answer: OriginAnswer
  readonly result: 'Miss' | 'Hit' | 'RefreshHit' | 'Error'
  readonly ageSeconds: number
}

/** What one request wants: `fetch` asks the origin, with the ETag of the copy there is. */
export type CacheRequest = {
  readonly key: string
  readonly bounds: LifetimeBounds
  readonly fetch: (etag: string | undefined) => Promise<OriginAnswer>
}

export type CacheOptions = {
  /** Bytes of bodies kept; the least recently used go first. */
  readonly maxBytes: number
  readonly errorTtlSeconds: Readonly<Record<number, number>>
  /** Unix ms. */
  readonly now: () => number
}

type Entry = {
  readonly answer: OriginAnswer
  readonly lifetime: Lifetime
  readonly storedAt: number
  /** After a failed renewal the origin is left alone until then. */
  readonly retryAt: number
}

/** What an entry costs beside its body: headers, key, bookkeeping. */
const ENTRY_BYTES = 2000

/**
 * Answers from memory what may be answered so; every other request goes to its origin, equal ones at the same time as one.
 * Invariant: at most one renewal of a key is under way, and what it brings is shared only when it may be kept.
 */
export class EdgeCache {
  readonly #options: CacheOptions
  readonly #entries: LRUCache<string, Entry>
  readonly #renewals = new Map<string, Promise<CacheAnswer>>()
  /** Grows with every invalidation: what was asked for before one may not be kept after it. */
  #generation = 0

  constructor(options: CacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: (entry) => entry.answer.body.length + ENTRY_BYTES,
    })
  }

  /** What is kept and holds for now: nobody need be asked. */
  fresh(key: string): CacheAnswer | undefined {
    const entry = this.#entries.get(key)
    const isFresh =
      entry && (this.#ageOf(entry) < entry.lifetime.freshSeconds || this.#options.now() < entry.retryAt)
    return isFresh ? this.#hit(entry) : undefined
  }

  async answer(request: CacheRequest): Promise<CacheAnswer> {
    const fresh = this.fresh(request.key)
    if (fresh) return fresh
    const entry = this.#entries.peek(request.key)
    if (!entry) return this.#renew(request)
    const { freshSeconds, whileRevalidateSeconds } = entry.lifetime
    const age = this.#ageOf(entry)
    if (age >= freshSeconds + whileRevalidateSeconds) return this.#renew(request)
    // The reader is served already; a defect shows when the copy has expired and the next one waits for its renewal.
    if (!this.#renewals.has(request.key)) this.#renew(request).catch(() => undefined)
    return this.#hit(entry)
  }

  /** Drops what is kept under these keys, and what is on its way there; how many answers that were. */
  invalidate(isNamed: (key: string) => boolean): number {
    this.#generation += 1
    const named = [...this.#entries.keys()].filter(isNamed)
    for (const key of named) this.#entries.delete(key)
    return named.length
  }

  /** Followers of an answer that may not be kept ask for themselves: it was made for its asker alone. */
  async #renew(request: CacheRequest): Promise<CacheAnswer> {
    const running = this.#renewals.get(request.key)
    if (running) {
      const shared = await running
      return this.#entries.has(request.key) ? shared : this.#ask(request)
    }
    const renewal = this.#ask(request).finally(() => this.#renewals.delete(request.key))
    this.#renewals.set(request.key, renewal)
    return renewal
  }

  async #ask(request: CacheRequest): Promise<CacheAnswer> {
    const old = this.#entries.peek(request.key)
    const generation = this.#generation
    const answer = await request.fetch(old?.answer.headers['etag']).catch(failureOf)
    const isLate = generation !== this.#generation
    if (old && !isLate && answer.status >= 500 && this.#canBridge(old)) {
      const retryAt = this.#options.now() + 1000 * (this.#options.errorTtlSeconds[answer.status] ?? 0)
      this.#entries.set(request.key, { ...old, retryAt })
      return this.#hit(old)
    }
    if (old && answer.status === 304) {
      const renewed = refreshed(old.answer, answer)
      if (!isLate) this.#keep(request, renewed)
      return { answer: renewed, result: 'RefreshHit', ageSeconds: 0 }
    }
    if (!isLate) this.#keep(request, answer)
    return fresh(answer)
  }

  #keep(request: CacheRequest, answer: OriginAnswer): void {
    const storedAt = this.#options.now()
    const lifetime =
      answer.status < 400
        ? lifetimeOf(answer.headers, request.bounds, storedAt)
        : errorLifetime(this.#options.errorTtlSeconds[answer.status] ?? 0)
    if (lifetime) this.#entries.set(request.key, { answer, lifetime, storedAt, retryAt: 0 })
    else this.#entries.delete(request.key)
  }

  #hit(entry: Entry): CacheAnswer {
    const result = entry.answer.status < 400 ? 'Hit' : 'Error'
    return { answer: entry.answer, result, ageSeconds: this.#ageOf(entry) }
  }

  #ageOf(entry: Entry): number {
    return (this.#options.now() - entry.storedAt) / 1000
  }

  #canBridge(old: Entry): boolean {
    const { freshSeconds, ifErrorSeconds } = old.lifetime
    return old.answer.status < 400 && this.#ageOf(old) < freshSeconds + ifErrorSeconds
  }
}

const fresh = (answer: OriginAnswer): CacheAnswer => ({
  answer,
  result: answer.status < 400 ? 'Miss' : 'Error',
  ageSeconds: 0,
})

/** The copy with the headers of a 304; the copy may be compressed, so what describes its bytes stays. */
function refreshed(copy: OriginAnswer, news: OriginAnswer): OriginAnswer {
  const { etag: _etag, 'content-length': _length, vary: _vary, ...headers } = news.headers
  return { ...copy, headers: { ...copy.headers, ...headers } }
}

function errorLifetime(freshSeconds: number): Lifetime | null {
  return freshSeconds > 0 ? { freshSeconds, whileRevalidateSeconds: 0, ifErrorSeconds: 0 } : null
}

/** CloudFront answers 502 when it cannot reach the origin; what else is thrown is a defect and stays one. */
function failureOf(error: unknown): OriginAnswer {
  if (!(error instanceof OriginUnreachableError)) throw error
  return { status: 502, headers: {}, body: Buffer.alloc(0), failure: '' }
}
