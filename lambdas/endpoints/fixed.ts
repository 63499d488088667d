import { llmsText, openapiDocument } from '../../schemas/openapi.ts'
import type { Endpoint } from './endpoint.ts'

/** An answer that is written once, when it is first asked for. */
function writtenOnce(write: () => string): Endpoint {
  let text: string | undefined
  return async () => {
    text ??= write()
    return { at: null, text }
  }
}

/** GET /v1/openapi.json. */
export const openapi: Endpoint = writtenOnce(() => JSON.stringify(openapiDocument()))

/** GET /v1/llms.txt. */
export const llms: Endpoint = writtenOnce(llmsText)
