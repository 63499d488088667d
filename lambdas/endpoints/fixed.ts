import { llmsText } from '../../schemas/described/llms.ts'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import type { ApiEndpoint } from '../api/endpoint.ts'

/** A text that is built once for each address of the service, of which a deployment has one. */
function writtenOnce(write: (site: string) => string): ApiEndpoint {
  let written: { readonly site: string; readonly text: string } | undefined
  return async (_asked, _stores, { site }) => {
    if (written?.site !== site) written = { site, text: write(site) }
    return { at: null, text: written.text }
  }
}

/** GET /v1/openapi.json. */
export const openapi: ApiEndpoint = writtenOnce((site) => JSON.stringify(openapiDocument(site)))

/** GET /v1/llms.txt. */
export const llms: ApiEndpoint = writtenOnce(llmsText)
