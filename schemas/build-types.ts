/** `npm run build:types`: writes the types of the API's answers and requests from its OpenAPI document, for the client. */
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypes, { astToString } from 'openapi-typescript'
import { openapiDocument } from './openapi.ts'

const file = new URL('../client/wire.ts', import.meta.url)

const nodes = await openapiTypes(JSON.stringify(openapiDocument()), {
  immutable: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // A parameter with a default may be absent.
  defaultNonNullable: false,
})
const text = astToString(nodes)

// The compiler checks again what is newer than its last run.
if (text !== written()) writeFileSync(file, text)

function written(): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
