/** What is written into the functions' text when they are assembled (distribution.ts), and the modules CloudFront gives them. */

declare const EDGE_TABLE: import('./canonical.js').EdgeTable
declare const EDGE_ERRORS: Readonly<Record<string, { readonly status: number; readonly message: string }>>
declare const EDGE_ALLOWED_METHODS: string
declare const EDGE_RESPONSE_HEADERS: Readonly<Record<string, string>>

type EdgeHeaders = Record<string, { value: string }>
type EdgeRequest = {
  readonly method: string
  uri: string
  querystring: Record<string, { value: string; multiValue?: readonly { value: string }[] }>
  headers: EdgeHeaders
}
type EdgeResponse = { statusCode: number; headers: EdgeHeaders; body?: string }
type EdgeEvent = { readonly context: { readonly requestId: string }; readonly request: EdgeRequest }
type EdgeResponseEvent = EdgeEvent & { readonly response: EdgeResponse }

declare module 'cloudfront' {
  const cloudfront: {
    selectRequestOriginById(originId: string): void
    createRequestOriginGroup(group: {
      originIds: readonly { originId: string }[]
      failoverCriteria: { statusCodes: readonly number[] }
    }): void
  }
  // biome-ignore lint/style/noDefaultExport: this is how CloudFront exports it
  export default cloudfront
}
