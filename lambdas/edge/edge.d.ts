/** Values inserted into the functions' text by function-text.ts, and CloudFront's built-in modules. */

declare const EDGE: import('./function-text.ts').EdgeValues

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
