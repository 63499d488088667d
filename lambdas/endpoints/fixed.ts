import { llmsText, openapiDocument } from '../../schemas/openapi.ts'
import type { ApiEndpoint } from './endpoint.ts'

/** An answer that is built once, on the first request. */
function writtenOnce(write: () => string): ApiEndpoint {
  let text: string | undefined
  return async () => {
    text ??= write()
    return { at: null, text }
  }
}

/** GET /v1/openapi.json. */
export const openapi: ApiEndpoint = writtenOnce(() => JSON.stringify(openapiDocument()))

/** GET /v1/llms.txt. */
export const llms: ApiEndpoint = writtenOnce(llmsText)
