/** What is written into the functions' text when they are assembled (function-text.ts), and the modules CloudFront gives them. */

/** Operations by path; of parameters that name no document, only their defaults. */
declare const EDGE_TABLE: import('../../schemas/canonical.js').EdgeTable
/** Whether a key is asked for. */
declare const EDGE_HAS_KEYS: boolean
/** Beginning of the addresses of tokens' pages. */
declare const EDGE_TOKEN_PAGES: string
/** Operations that need no key. */
declare const EDGE_PUBLIC_PATHS: readonly string[]
/** Addresses outside /v1 and the operations they mean. */
declare const EDGE_ALIASES: Readonly<Record<string, string>>
/** Tiers whose documents come from the cache. */
declare const EDGE_CACHED_TIERS: readonly string[]
/** The tier of the pages' key, whose documents are not counted. */
declare const EDGE_SITE_TIER: string
declare const EDGE_VIEWER_HEADER: string
declare const EDGE_HOST_HEADER: string
/** Beginning of the API's path for an address outside its routes. */
declare const EDGE_ELSEWHERE: string
/** Milliseconds after which a document that is no longer confirmed is stale. */
declare const EDGE_STALE_MS: number
/** Answers in an hour, by the tiers that have a limit. */
declare const EDGE_LIMITS: Readonly<Record<string, number>>
/** Beginnings of the store's keys: of a key's entry, and of an exhausted account's. */
declare const EDGE_KEY: string
declare const EDGE_EXHAUSTED: string
/** What the edge refuses by itself. */
declare const EDGE_REFUSALS: Readonly<Record<EdgeRefusalName, EdgeRefusal>>
/** Stand in a refusal's body for the request's id, for what is particular to it, and for the hour's end. */
declare const EDGE_ID: string
declare const EDGE_FACT: string
declare const EDGE_RESET: string
/** Headers of a refusal, and of the answer to a preflight request. */
declare const EDGE_ANSWER_HEADERS: Readonly<Record<string, string>>
declare const EDGE_PREFLIGHT_HEADERS: Readonly<Record<string, string>>

type EdgeRefusalName = 'unauthorized' | 'suspended' | 'limit' | 'method' | 'headers'
type EdgeRefusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type EdgeHeader = { value: string; multiValue?: readonly { value: string }[] }
type EdgeRequest = {
  readonly method: string
  uri: string
  querystring: Record<string, EdgeHeader>
  headers: Record<string, EdgeHeader>
  readonly cookies?: Record<string, EdgeHeader>
}
type EdgeResponse = {
  readonly statusCode: number
  readonly headers: Record<string, EdgeHeader>
  readonly body?: string
}
type EdgeEvent = {
  readonly context: { readonly requestId: string }
  readonly viewer: { readonly ip: string }
  readonly request: EdgeRequest
}
type EdgeResponseEvent = EdgeEvent & { readonly response: EdgeResponse }

declare module 'cloudfront' {
  const cloudfront: {
    selectRequestOriginById(originId: string): void
    createRequestOriginGroup(group: {
      originIds: readonly { originId: string }[]
      failoverCriteria: { statusCodes: readonly number[] }
    }): void
    /** The store that the function is associated with; a key it lacks throws. */
    kvs(): { get(key: string): Promise<string> }
  }
  // biome-ignore lint/style/noDefaultExport: this is how CloudFront exports it
  export default cloudfront
}
