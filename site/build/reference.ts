/** The API reference, generated from the OpenAPI document: every operation with what it takes and answers, and a form to try it. */

import { answerHeaders } from '../../schemas/api/headers.ts'
import { KEY_PAGE } from '../../schemas/api/key-way.ts'
import {
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  type ApiSchema,
  refName,
  resolvedIn,
} from '../../schemas/described/api-document.ts'
import { escaped, WRITTEN_ORIGIN } from '../../schemas/pages/site.ts'
import { components, fieldsHtml, info, paths, section, tags, typeHtml } from './described.ts'
import { codeHtml, lineHtml, tableHtml, textHtml } from './html.ts'

/** Maximum characters of an example. */
const EXAMPLE_LENGTH = 4_000

/** A box that scrolls, since records are long. */
const box = (label: string, text: string): string =>
  `<div class="box" tabindex="0" role="region" aria-label="${escaped(label)}">${text}</div>`

/** The form field of a parameter; a second name of one has no field. */
function fieldHtml({ name, required, schema, example, description = '' }: ApiParameter): string {
  if (description.startsWith('The same as ')) return ''
  const label = `name="${name}" aria-label="${name}"`
  if (schema.enum) {
    const words = ['', ...schema.enum.map(String).filter((word) => word !== '')]
    return `<select ${label}>${words.map((word) => `<option>${escaped(word)}</option>`).join('')}</select>`
  }
  const value = required && name !== 'id' ? ` value="${escaped(String(example ?? ''))}"` : ''
  const hint = name === 'id' ? 'one that is found' : String(schema.default ?? '')
  return `<input ${label}${value} placeholder="${escaped(hint)}" autocomplete="off" spellcheck="false">`
}

function parametersHtml(path: string, parameters: readonly ApiParameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => {
    const { name, required, description = '', schema } = parameter
    const value = schema.default === undefined ? '' : ` <code>${escaped(String(schema.default))}</code>`
    return [
      `<code>${name}</code>${required ? ' <span class="quiet">required</span>' : ''}`,
      fieldHtml(parameter),
      typeHtml(schema) + (value && ` <span class="quiet">default</span>${value}`),
      lineHtml(description),
    ]
  })
  return tableHtml(['Parameter', 'Value', 'Takes', 'Meaning'], rows, `Parameters of ${path}`)
}

/** The parameters, and a button that sends the request with the reader's key: site/browser/page/reference.ts. */
const tryHtml = (path: string, parameters: readonly ApiParameter[]): string =>
  `<form class="try" data-path="${path}">${parametersHtml(path, parameters)}<div class="row"><button type="submit" class="strong">Send</button><span class="quiet" role="status"></span></div></form><div class="tried"></div>`

/** Records that an operation has shown with their fields. */
type Shown = Set<string>

/** The fields of an answer or of its rows, each record with its address where it is shown first. */
function answerFields(schema: ApiSchema, shown: Shown): string {
  const name = refName(schema.items ?? schema)
  if (name === '') return fieldsHtml(schema)
  const id = shown.has(name) ? '' : ` id="record-${name}"`
  shown.add(name)
  return `<div${id}>${fieldsHtml(components.schemas[name] ?? {})}</div>`
}

function answerHtml(path: string, { content = {} }: ApiResponse, shown: Shown): string {
  const [[type, { schema, example }] = ['', { schema: {}, example: undefined }]] = Object.entries(content)
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  const cut = text?.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH)}\n…` : text
  const fields = answerFields(schema, shown)
  return [
    `<h4>Answer: ${typeHtml(schema)}</h4>`,
    fields && box(`Fields of ${path}`, fields),
    example === undefined
      ? ''
      : `<h4>Example</h4>${box(`Example of ${path}`, codeHtml(cut, `Example, ${type}`))}`,
  ].join('')
}

/** A path that can be requested as is, if it has no id, with the required parameters. */
function examplePath(path: string, parameters: readonly ApiParameter[]): string {
  const query = new URLSearchParams()
  for (const { in: place, required, name, example } of parameters)
    if (place === 'query' && required) query.set(name, String(example ?? ''))
  return path + (query.size > 0 ? `?${query}` : '')
}

/** A request in each language. */
function requestHtml(path: string, needsKey: boolean): string {
  const url = `${WRITTEN_ORIGIN}${path}`
  const curlKey = needsKey ? ` \\\n  -H "Authorization: Bearer $Z100_API_KEY"` : ''
  const jsKey = needsKey
    ? `, {\n  headers: { Authorization: \`Bearer \${process.env.Z100_API_KEY}\` },\n}`
    : ''
  const pythonKey = needsKey
    ? `, headers={\n    "Authorization": f"Bearer {os.environ['Z100_API_KEY']}",\n}`
    : ''
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

const errorsOf = (responses: Readonly<Record<string, ApiResponse>>): string =>
  Object.keys(responses)
    .filter((status) => /^[45]/.test(status))
    .join(', ')

function operationHtml(path: string, operation: ApiOperation, shown: Shown): string {
  const { operationId, description = '', responses, security } = operation
  const { 200: answer = {} } = responses
  const needsKey = security === undefined
  const parameters = (operation.parameters ?? []).map((each) => resolvedIn(components.parameters, each))
  return section(
    operationId,
    `<span class="method">GET</span> ${path}`,
    [
      textHtml(description),
      tryHtml(path, parameters),
      requestHtml(examplePath(path, parameters), needsKey),
      answerHtml(path, answer, shown),
      `<p class="quiet">Refused with ${errorsOf(responses)}: <a href="/docs/errors">errors</a>. <a href="#headers">Headers</a> are the same everywhere.</p>`,
    ].join(''),
  )
}

const introduction = `The description as a file: [OpenAPI 3.1](/v1/openapi.json), [llms.txt](/llms.txt), [llms-full.txt](/llms-full.txt). Typed clients for TypeScript and Python and tools for agents (\`/mcp\`) come with the service.

Every operation can be tried here. Requests are sent with your own key, which you enter with the button at the upper right ([how to get one](${KEY_PAGE})), and count as any other; without one the key of this site is used, if it has one. Ids that you leave empty are filled in: a token or creator of the board, the newest swap's wallet, the newest snapshot.`

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
  const seen: Shown = new Set()
  const shown = groups.map(
    ({ name, description, operations }) =>
      `<h2>${name}</h2><p class="quiet">${lineHtml(description)}</p>${operations.map(([path, { get }]) => operationHtml(path, get, seen)).join('')}`,
  )
  const headers = Object.entries(answerHeaders).map(
    ([name, { description }]) => `<li id="header-${name}"><code>${name}</code> ${lineHtml(description)}</li>`,
  )
  const records = Object.entries(components.schemas)
    .filter(([name]) => !seen.has(name))
    .map(
      ([name, schema]) => `<h3 id="record-${name}"><code>${name}</code></h3>${box(name, fieldsHtml(schema))}`,
    )
  return `<div class="reference"><nav aria-label="Operations">${contents.join('')}<h2><a href="#headers">Headers</a></h2><h2><a href="#records">Records</a></h2></nav><div>${textHtml(introduction)}${textHtml(info.description)}${shown.join('')}<h2 id="headers">Headers</h2><ul class="schema">${headers.join('')}</ul><h2 id="records">Records</h2>${records.join('')}</div></div>`
}
