/** Prints the OpenAPI document as it is served. */
import { openapiDocument } from '../../schemas/described/openapi.ts'

process.stdout.write(`${JSON.stringify(openapiDocument(), null, 2)}\n`)
