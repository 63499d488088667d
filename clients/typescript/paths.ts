import { ApiError } from './errors.ts'
import { type RateLimit, rateLimitIn } from './rate-limit.ts'
import type { paths } from './wire.ts'

/** Every path of the API. */
export type Path = keyof paths
type Get<P extends Path> = paths[P]['get']
type PathParameters<P extends Path> = Get<P>['parameters'] extends { readonly path: infer Parameters }
  ? Parameters
  : Record<never, never>
type Query<P extends Path> = Get<P>['parameters']['query']
/** Parameters that change the shape of an answer: the types are those of the plain answer. */
type Shaping = 'envelope' | 'values' | 'include_changes'

/** The query parameters of a path. */
export type QueryOf<P extends Path> = Omit<NonNullable<Query<P>>, Shaping>
/** Whether a path needs a query, such as the text of a search. */
export type NeedsQuery<P extends Path> = undefined extends Query<P> ? false : true

/** The path parameters and query of a request. */
export type Asked<P extends Path> = PathParameters<P> &
  (NeedsQuery<P> extends true ? { readonly query: QueryOf<P> } : { readonly query?: QueryOf<P> })

type Content<P extends Path> = Get<P>['responses'][200]['content']
/** The body of a path's answer in its plain form. */
export type BodyOf<P extends Path> = Content<P>[keyof Content<P>]

/** An answer. The figures beside `body` come from its headers. */
export type Answer<Body> = {
  readonly body: Body
  /** The body as it was received. */
  readonly text: string
  /** Rows of the whole list; null: not a list. */
  readonly total: number | null
  /** The snapshot that the figures are of. */
  readonly snapshotId: string | null
  /** The last block that the figures include. */
  readonly dataBlock: number | null
  /** Path and query of the next page; null: this is the last one. */
  readonly next: string | null
  /** What is left of this hour's limit; null: the answer does not state it. */
  readonly rateLimit: RateLimit | null
  readonly headers: Headers
}

type Loose = Readonly<Record<string, unknown>> & { readonly query?: Readonly<Record<string, unknown>> }

/** The path and query of a request. Parameters that are undefined are left out; a list becomes a comma-separated value. */
export function addressOf(path: string, asked: Loose = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(asked[name] ?? '')),
  )
  return filled + (String(query) && `?${query}`)
}

/** The answer in a response with its body. Throws ApiError for a body that is not JSON. */
export function answerFrom<Body>(response: Response, text: string): Answer<Body> {
  const { headers } = response
  const numberIn = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null)
  return {
    body: bodyIn<Body>(response, text),
    text,
    total: numberIn('x-total-count'),
    snapshotId: headers.get('x-snapshot-id'),
    dataBlock: numberIn('x-data-block'),
    next: nextIn(headers.get('link')),
    rateLimit: rateLimitIn(headers),
    headers,
  }
}

function bodyIn<Body>(response: Response, text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    throw new ApiError(response, text)
  }
}

/** The address with `rel="next"` in a Link header (RFC 8288); null: none. */
function nextIn(link: string | null): string | null {
  for (const [, address, parameters] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/.test(parameters ?? '')) return address ?? null
  }
  return null
}
