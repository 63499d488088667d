import { type Call, callOf } from './call.ts'
import {
  type Answer,
  type Asked,
  addressOf,
  type BodyOf,
  type NeedsQuery,
  type Path,
  type QueryOf,
} from './paths.ts'
import type { RequestOptions } from './request.ts'
import { type Resources, resources } from './resources.ts'
import { openStream, type StreamEvent, type StreamOptions } from './stream.ts'

/** Options of one call, which prevail over those of the client. */
export type CallOptions = {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Longest time of one attempt, in seconds. @default 30 */
  readonly timeoutSeconds?: number
  /** Attempts after the first, when no answer comes or its status is 408, 429, 500, 502, 503 or 504. @default 2 */
  readonly maxRetries?: number
  /** Longest time to wait for further attempts, in seconds: a longer Retry-After ends the call. @default 60 */
  readonly maxWaitSeconds?: number
}

export type ClientOptions = CallOptions & {
  /** `https://api.example.com`, without /v1. */
  readonly baseUrl: string
  /** An API key; null: none, so only operations that need none are answered. @default the environment's Z100_API_KEY */
  readonly apiKey?: string | null
  /** The fetch to use. @default the global one */
  readonly fetch?: typeof fetch
}

type Ids<P extends Path> = P extends `${string}{${string}` ? [id: string] : []
type Rest<P extends Path> =
  NeedsQuery<P> extends true
    ? [query: QueryOf<P>, options?: CallOptions]
    : [query?: QueryOf<P>, options?: CallOptions]
/** A method of a resource: the id if its path has one, the query, options. */
export type Method<P extends Path> = (...asked: [...Ids<P>, ...Rest<P>]) => Call<BodyOf<P>>

type Methods<Paths extends Readonly<Record<string, Path>>> = {
  readonly [Name in keyof Paths]: Method<Paths[Name]>
}

type Request<P extends Path> =
  Record<never, never> extends Asked<P>
    ? [asked?: Asked<P>, options?: CallOptions]
    : [asked: Asked<P>, options?: CallOptions]

export type Client = { readonly [Name in keyof Resources]: Methods<Resources[Name]> } & {
  /** Requests one answer by path. Throws ApiError and ConnectionError. */
  get<P extends Path>(path: P, ...request: Request<P>): Promise<Answer<BodyOf<P>>>
  /** The live stream as an async iterator, which reconnects and resumes by itself. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent, void, undefined>
}

const DEFAULTS = { timeoutSeconds: 30, maxRetries: 2, maxWaitSeconds: 60 }

/** Creates a client of the API and its stream. The key is held in a closure: printing the client does not show it. */
export function createClient(options: ClientOptions): Client {
  const {
    baseUrl,
    apiKey = keyOfEnvironment(),
    fetch = globalThis.fetch.bind(globalThis),
    ...common
  } = options
  const origin = new URL(baseUrl).href.replace(/\/$/, '')
  const optionsOf = (own: CallOptions = {}): RequestOptions => ({
    ...DEFAULTS,
    signal: null,
    ...common,
    ...own,
    apiKey,
    fetch,
  })
  const methodOf = (path: Path) => {
    const [, parameter] = /\{(\w+)\}/.exec(path) ?? []
    return (...asked: readonly unknown[]) => {
      const id = parameter ? { [parameter]: asked[0] } : {}
      const [query, own] = (parameter ? asked.slice(1) : asked) as [Record<string, unknown>?, CallOptions?]
      return callOf(origin, addressOf(path, { ...id, ...(query ? { query } : {}) }), optionsOf(own))
    }
  }
  const methods = mapValues(resources, (paths) => mapValues(paths as Record<string, Path>, methodOf))
  const get = async (path: string, asked?: Record<string, unknown>, own?: CallOptions) =>
    callOf(origin, addressOf(path, asked), optionsOf(own))
  return {
    ...methods,
    get,
    stream: (choice: StreamOptions = {}) => openStream(origin, choice, fetch),
  } as unknown as Client
}

/** The key in the environment, where there is one: not in browsers. */
function keyOfEnvironment(): string | null {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }
  return process?.env?.['Z100_API_KEY'] || null
}

const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
