/** `npm run build:types`: writes the types of the API's answers and requests from its OpenAPI document, for the client. */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  type ApiSchema,
  apiDocument,
  refName,
  resolvedIn,
} from './api-document.ts'

const file = new URL('../../clients/typescript/wire.ts', import.meta.url)

const PLAIN: Readonly<Record<string, string>> = {
  integer: 'number',
  object: 'Readonly<Record<string, unknown>>',
  array: 'readonly unknown[]',
}

/** A schema as a type. */
function typeText(schema: ApiSchema): string {
  if (schema.$ref) return refName(schema)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' | ')
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  const types = [schema.type ?? []].flat()
  return types.map((type) => plainText(type, schema)).join(' | ') || 'unknown'
}

function plainText(type: string, { items, properties, required, additionalProperties }: ApiSchema): string {
  if (type === 'array' && items) return `readonly ${typeText(items).replace(/^.* \| .*$/s, '($&)')}[]`
  if (type === 'object' && properties)
    return recordText(
      Object.entries(properties).map(([name, schema]) => ({
        name,
        schema,
        required: required?.includes(name) ?? false,
      })),
    )
  if (type === 'object' && typeof additionalProperties === 'object')
    return `{ readonly [key: string]: ${typeText(additionalProperties)} }`
  return PLAIN[type] ?? type
}

const recordText = (members: readonly Omit<ApiParameter, 'in'>[]): string =>
  `{${members
    .map(
      ({ name, schema, required, deprecated, description = schema.description }) =>
        `${comment(deprecated ? `${description} @deprecated` : description)}\n  readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${typeText(schema)}`,
    )
    .join('')}\n}`

const comment = (text: string | undefined): string =>
  text ? `\n  /** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */` : ''

/** An operation's parameters and answers, in the form that openapi-fetch and its kind read. */
function operationText({ components }: ApiDocument, path: string, operation: ApiOperation): string {
  const { summary, parameters = [], responses } = operation
  const named = parameters.map((each) => resolvedIn(components.parameters, each))
  const groups = ['path', 'query'].map((group) => [group, named.filter((each) => each.in === group)] as const)
  const asked = groups.map(([group, members]) => {
    if (members.length === 0) return `readonly ${group}?: never`
    return `readonly ${group}${members.some((each) => each.required) ? '' : '?'}: ${recordText(members)}`
  })
  const answers = Object.entries(responses).map(
    ([status, each]) => `readonly ${status}: ${each.$ref ? `Response${refName(each)}` : answerText(each)}`,
  )
  return `${comment(summary)}
  readonly ${JSON.stringify(path)}: { readonly get: {
    readonly parameters: { ${asked.join('; ')} }
    readonly responses: { ${answers.join('; ')} }
  } }`
}

function answerText({ content }: ApiResponse): string {
  const types = Object.entries(content ?? {}).map(
    ([type, { schema }]) => `readonly ${JSON.stringify(type)}: ${typeText(schema)}`,
  )
  return `{ readonly content${types.length > 0 ? `: { ${types.join('; ')} }` : '?: never'} }`
}

const document = apiDocument()
const text = `/** Generated from the API's OpenAPI document: do not edit. */

/** The version of the API that this client was made for, and its own. */
export const VERSION = '${document.info.version}'
${Object.entries(document.components.schemas)
  .map(([name, schema]) => `${comment(schema.description)}\nexport type ${name} = ${typeText(schema)}`)
  .join('\n')}
${Object.entries(document.components.responses)
  .map(
    ([name, response]) =>
      `${comment(response.description)}\nexport type Response${name} = ${answerText(response)}`,
  )
  .join('\n')}

/** Every path, with what it is asked with and what it answers. */
export type paths = {${Object.entries(document.paths)
  .map(([path, { get }]) => operationText(document, path, get))
  .join('')}
}
`

// The compiler checks again what is newer than its last run.
if (text !== written()) writeFileSync(file, text)

function written(): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
