/** Pages generated from the OpenAPI document: every operation, and every error. */

import { answerHeaders } from '../../schemas/headers.ts'
import { openapiDocument } from '../../schemas/openapi.ts'
import { refusals } from '../../schemas/openapi-refusals.ts'
import { componentName } from '../../schemas/openapi-schemas.ts'
import { escaped, WRITTEN_ORIGIN } from '../../schemas/site.ts'
import { codeHtml, lineHtml, tableHtml, textHtml } from './html.ts'

/** The parts of an OpenAPI 3.1 document that are used. */
type Described = { readonly $ref?: string; readonly description?: string }
type Schema = Described & {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
}
type Parameter = Described & {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}
type Media = {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}
type Response = Described & {
  readonly headers?: Readonly<Record<string, Described>>
  readonly content?: Readonly<Record<string, Media>>
}
type Operation = Described & {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Response>>
}
type OpenApi = {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, Described>>
    readonly responses: Readonly<Record<string, Response>>
  }
}
const { info, tags, paths, components } = openapiDocument() as unknown as OpenApi

/** Maximum characters of an example. */
const EXAMPLE_LENGTH = 6_000

const nameOf = ({ $ref }: Described): string => $ref?.split('/').at(-1) ?? ''
const link = (part: string, name: string): string => `<a href="#${part}-${name}"><code>${name}</code></a>`
const details = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>${text}</details>`
const section = (id: string, title: string, text: string): string =>
  `<section class="operation" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3>${text}</section>`

/** A schema's type in a few words. */
function typeHtml(schema: Schema): string {
  if (schema.$ref !== undefined) return link('record', nameOf(schema))
  if (schema.anyOf) return schema.anyOf.map(typeHtml).join(' | ')
  if (schema.enum) return schema.enum.map((value) => escaped(JSON.stringify(value))).join(' | ')
  if (schema.items) return `array of ${typeHtml(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' | ') + rangeText(schema)
}

function rangeText({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return ''
  return maximum === undefined ? ` ≥ ${minimum}` : ` ${minimum ?? ''}…${maximum}`
}

/** The fields of a schema, and of its unnamed nested records. */
function fieldsHtml(schema: Schema): string {
  const { items, anyOf = [], properties, additionalProperties: others } = schema
  const inner = [...(items ? [items] : []), ...anyOf].map(fieldsHtml).join('')
  const fields = Object.entries(properties ?? {})
  if (typeof others === 'object') fields.push(['any other key', others])
  if (fields.length === 0) return inner
  const lines = fields.map(([name, field]) => {
    const description = field.description === undefined ? '' : ` ${lineHtml(field.description)}`
    return `<li><code>${name}</code> <span class="quiet">${typeHtml(field)}</span>${description}${fieldsHtml(field)}</li>`
  })
  return `${inner}<ul class="schema">${lines.join('')}</ul>`
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters
    .map((parameter) => components.parameters[nameOf(parameter)] ?? parameter)
    .map(({ name, required, description = '', schema }) => [
      `<code>${name}</code>${required ? ' <span class="quiet">required</span>' : ''}`,
      typeHtml(schema),
      schema.default === undefined ? '' : `<code>${escaped(String(schema.default))}</code>`,
      lineHtml(description),
    ])
  const count = rows.length === 1 ? '1 parameter' : `${rows.length} parameters`
  return details(count, tableHtml(['Parameter', 'Takes', 'Default', 'Meaning'], rows))
}

function answerHtml({ content = {}, headers = {} }: Response): string {
  const [[type, { schema, example }] = ['', { schema: {}, example: undefined }]] = Object.entries(content)
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  const shown = text?.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH)}\n…` : text
  const names = Object.keys(headers).filter((name) => componentName(name) in components.headers)
  return [
    `<p>Answer: ${typeHtml(schema)}</p>`,
    fieldsHtml(schema) && details('Fields', fieldsHtml(schema)),
    example === undefined ? '' : details('Example', codeHtml(shown, `Example, ${type}`)),
    `<p class="quiet">Headers: ${names.map((name) => link('header', name)).join(', ')}</p>`,
  ].join('')
}

/** A path that can be requested as is, if it has no id, with the required parameters. */
function examplePath(path: string, parameters: readonly Parameter[]): string {
  const query = new URLSearchParams()
  for (const { in: place, required, name, schema } of parameters)
    if (place === 'query' && required) query.set(name, String(schema.enum?.[0] ?? 'text'))
  return path + (query.size > 0 ? `?${query}` : '')
}

/** A request in each language. */
function requestHtml(path: string, needsKey: boolean): string {
  const url = `${WRITTEN_ORIGIN}${path}`
  const curlKey = needsKey ? ` \\\n  -H "Authorization: Bearer $Z100_KEY"` : ''
  const jsKey = needsKey ? `, {\n  headers: { Authorization: \`Bearer \${process.env.Z100_KEY}\` },\n}` : ''
  const pythonKey = needsKey ? `, headers={\n    "Authorization": f"Bearer {os.environ['Z100_KEY']}",\n}` : ''
  const js = `const response = await fetch('${url}'${jsKey})
if (!response.ok) throw new Error((await response.json()).error.message)
console.log(await response.json())`
  const python = `${needsKey ? 'import os\n' : ''}import json
import urllib.request

request = urllib.request.Request("${url}"${pythonKey})
with urllib.request.urlopen(request) as response:
    print(json.load(response))`
  return (
    codeHtml(`curl -s '${url}'${curlKey}`, `${path} in curl`, 'curl') +
    codeHtml(js, `${path} in JavaScript`, 'js') +
    codeHtml(python, `${path} in Python`, 'python')
  )
}

function operationHtml(path: string, { get: operation }: OpenApi['paths'][string]): string {
  const { operationId, description = '', parameters, responses, security } = operation
  const { 200: answer = {} } = responses
  const refused = Object.keys(responses).filter((status) => /^[45]/.test(status))
  return section(
    operationId,
    `<span class="method">GET</span> ${path}`,
    [
      textHtml(description),
      parametersHtml(parameters),
      requestHtml(examplePath(path, parameters), security === undefined),
      answerHtml(answer),
      `<p class="quiet">Refused with ${refused.join(', ')}: <a href="/docs/errors">errors</a>.</p>`,
    ].join(''),
  )
}

/** The API reference. */
export function referenceHtml(): string {
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    operations: Object.entries(paths).filter(([, { get }]) => get.tags.includes(name)),
  }))
  const contents = groups.map(({ name, operations }) => {
    const links = operations.map(([path, { get }]) => `<a href="#${get.operationId}">${path}</a>`)
    return `<h2>${name}</h2>${links.join('')}`
  })
  const shown = groups.map(
    ({ name, description, operations }) =>
      `<h2>${name}</h2><p class="quiet">${lineHtml(description)}</p>${operations.map(([path, each]) => operationHtml(path, each)).join('')}`,
  )
  const headers = Object.entries(answerHeaders).map(
    ([name, { description }]) => `<li id="header-${name}"><code>${name}</code> ${lineHtml(description)}</li>`,
  )
  const records = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="record-${name}"><code>${name}</code></h3>${fieldsHtml(schema)}`,
  )
  return `<div class="reference"><nav aria-label="Operations">${contents.join('')}</nav><div>${textHtml(info.description)}${shown.join('')}<h2>Headers</h2><ul class="schema">${headers.join('')}</ul><h2>Records</h2>${records.join('')}</div></div>`
}

const errorsText = `Every refusal, whichever part of the service makes it, has one shape. \`code\` stands for the condition and never changes; \`message\` is for people; \`request_id\` names the request to the operator. Checks are made in this order: key, suspension, limit, route and method, tier, parameters, token.`

function refusalHtml(status: string, { description = '', content = {} }: Response): string {
  const { schema = {}, examples = {} } = content['application/json'] ?? {}
  const codes = schema.properties?.['error']?.properties?.['code']?.enum ?? []
  const shown = Object.entries(examples).map(([name, { summary = name, value }]) => {
    const code = codeHtml(JSON.stringify(value, null, 2), `Example of ${summary}`)
    return `<p class="quiet">Example: ${escaped(summary)}</p>${code}`
  })
  const fields = details('Fields', fieldsHtml(schema))
  return section(
    `status-${status}`,
    `${status} ${codes.join(', ')}`,
    `<p>${lineHtml(description)}</p>${shown.join('')}${fields}`,
  )
}

/** Every error: status, codes, meaning and example. */
export function errorsHtml(): string {
  const sections = Object.entries(refusals).map(([status, { name }]) =>
    refusalHtml(status, components.responses[name] ?? {}),
  )
  return textHtml(errorsText) + sections.join('')
}
