import type { paths } from './wire.d.ts'

export type * from './wire.d.ts'

export type Path = keyof paths
type Get<P extends Path> = paths[P]['get']
type Query<P extends Path> = Get<P>['parameters']['query']
/** Parameters that change the shape of an answer: the client's types are those of the plain answer. */
type Shaping = 'envelope' | 'values' | 'include_changes'
/** The id and query of a request. */
export type Asked<P extends Path> = (Get<P>['parameters'] extends { readonly path: { readonly id: string } }
  ? { readonly id: string }
  : unknown) &
  (undefined extends Query<P>
    ? { readonly query?: Omit<NonNullable<Query<P>>, Shaping> }
    : { readonly query: Omit<Query<P>, Shaping> })
/** Optional where all of it is optional. */
type Request<P extends Path> = Record<never, never> extends Asked<P> ? [asked?: Asked<P>] : [asked: Asked<P>]

type Content<P extends Path> = Get<P>['responses'][200]['content']
/** What a path answers to a request for its plain form. */
export type BodyOf<P extends Path> = Content<P>[keyof Content<P>]

/** An answer, and from its headers: `total` rows of the list, and the snapshot and block of the figures. */
export type Answer<Body> = {
  readonly body: Body
  readonly total: number | null
  readonly snapshotId: string | null
  readonly dataBlock: number | null
  readonly headers: Headers
}

/** An error of the API, by `status`, `code` and `details`. Code NO_ANSWER: the body is not of the API. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | null
  /** Seconds to wait before the next attempt; null: unknown. */
  readonly retryAfterSeconds: number | null

  constructor(response: Response, text: string) {
    const { code, message, details, request_id: requestId } = errorIn(text)
    super(message ?? `The answer has status ${response.status}`)
    this.status = response.status
    this.code = code ?? 'NO_ANSWER'
    this.details = details ?? {}
    this.requestId = requestId ?? response.headers.get('x-request-id')
    const seconds = response.headers.get('retry-after')
    this.retryAfterSeconds = seconds === null ? null : Number(seconds)
  }
}

type ErrorDetails = {
  readonly code?: string
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly request_id?: string
}

/** The error in a body; empty where there is none: a proxy may answer HTML. */
function errorIn(text: string): ErrorDetails {
  try {
    return (JSON.parse(text) as { error?: ErrorDetails } | null)?.error ?? {}
  } catch {
    return {}
  }
}

export type ClientOptions = {
  /** `https://api.example.com`, without /v1. */
  readonly baseUrl: string
  /** Without it only operations that need no key are answered. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** Longest time that an answer may take, in seconds; then a TimeoutError is thrown. @default 30 */
  readonly timeoutSeconds?: number
}

export type Client = {
  /** Asks for one answer. Throws RefusedError, and what fetch throws. */
  get<P extends Path>(path: P, ...request: Request<P>): Promise<Answer<BodyOf<P>>>
}

/** A client of the API, typed by path. */
export const openClient = (options: ClientOptions): Client => ({
  get: (path, ...[asked]) => read(options.baseUrl.replace(/\/$/, '') + addressOf(path, asked), options),
})

type Loose = { readonly id?: string; readonly query?: Readonly<Record<string, unknown>> }

/** The path and query of a request. */
function addressOf(path: string, asked: Loose = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  return path.replace('{id}', encodeURIComponent(asked.id ?? '')) + (query.size > 0 ? `?${query}` : '')
}

async function read<Body>(
  url: string,
  { key, timeoutSeconds = 30, signal }: ClientOptions,
): Promise<Answer<Body>> {
  const limit = AbortSignal.timeout(timeoutSeconds * 1_000)
  const response = await fetch(url, {
    headers: { Accept: 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  })
  const text = await response.text()
  if (!response.ok) throw new RefusedError(response, text)
  return answerFrom(response, text)
}

function answerFrom<Body>({ headers }: Response, text: string): Answer<Body> {
  const numberIn = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null)
  const isJson = (headers.get('content-type') ?? '').includes('json')
  return {
    body: isJson ? JSON.parse(text) : text,
    total: numberIn('x-total-count'),
    snapshotId: headers.get('x-snapshot-id'),
    dataBlock: numberIn('x-data-block'),
    headers,
  }
}
