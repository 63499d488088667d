/** What is written into the functions' text when they are assembled (function-text.ts), and the modules CloudFront gives them. */

declare const EDGE_TABLE: import('./packed-table.js').PackedTable
/** Whether a key is asked for. */
declare const EDGE_HAS_KEYS: boolean
/** Operations that need no key. */
declare const EDGE_PUBLIC_PATHS: readonly string[]
/** Addresses outside /v1 and the operations they mean. */
declare const EDGE_ALIASES: Readonly<Record<string, string>>
/** Tiers whose documents come from the cache. */
declare const EDGE_CACHED_TIERS: readonly string[]
/** Beginnings of the store's keys: of a key's entry, and of an exhausted account's. */
declare const EDGE_KEY: string
declare const EDGE_EXHAUSTED: string
/** What the edge refuses: a key that is not valid, because it is missing, and one that is suspended. */
declare const EDGE_REFUSALS: Readonly<Record<0 | 1, EdgeRefusal>>
/** Stands in a refusal's body for the request's id. */
declare const EDGE_ID: string
/** Headers of a refusal, and of the answer to a preflight request. */
declare const EDGE_ANSWER_HEADERS: Readonly<Record<string, string>>
declare const EDGE_PREFLIGHT_HEADERS: Readonly<Record<string, string>>

type EdgeRefusal = {
  readonly status: number
  readonly body: string
}

type EdgeHeader = { value: string; multiValue?: readonly { value: string }[] }
type EdgeRequest = {
  readonly method: string
  uri: string
  querystring: Record<string, EdgeHeader>
  headers: Record<string, EdgeHeader>
}
type EdgeResponse = {
  readonly statusCode: number
  readonly headers: Record<string, EdgeHeader>
  readonly body?: string
}
type EdgeEvent = { readonly context: { readonly requestId: string }; readonly request: EdgeRequest }
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
