/** The catalogue of errors: a part of the page for each code, to which `details.help` of an error leads. */

import { type ErrorCode, errorCodes } from '../../schemas/api/errors.ts'
import type { ApiSchema } from '../../schemas/described/api-document.ts'
import { refusals, remedies } from '../../schemas/described/openapi-refusals.ts'
import { escaped } from '../../schemas/pages/site.ts'
import { components, fieldsHtml, section } from './described.ts'
import { codeHtml, lineHtml, textHtml } from './html.ts'

const introduction = `Every refusal, whichever part of the service makes it, has one shape. \`code\` stands for the condition and never changes; \`message\` is for people; \`details.help\` leads to a part of this page; \`request_id\` names the request to the operator. Checks are made in this order: key, suspension, limit, route and method, tier, parameters, token.`

type Example = { readonly error: { readonly code: string } }

/** Where a code is described in OpenAPI: the component of its status, which other codes may share. */
function describedAs(code: ErrorCode) {
  const found = Object.entries(refusals).find(([status]) => Number(status) === errorCodes[code].status)
  const [status = '', { name, description } = { name: '', description: '' }] = found ?? []
  const { schema = {}, examples = {} } = components.responses[name]?.content?.['application/json'] ?? {}
  const own = Object.values(examples).map(({ value }) => value as Example)
  return { status, description, schema, examples: own.filter(({ error }) => error.code === code) }
}

const detailsOf = ({ properties }: ApiSchema): ApiSchema =>
  properties?.['error']?.properties?.['details'] ?? {}

function codeSection(code: ErrorCode): string {
  const { status, description, schema, examples } = describedAs(code)
  const shown = examples.map((value) => codeHtml(JSON.stringify(value, null, 2), `Example of ${code}`))
  return section(
    code,
    `<span class="method">${status}</span> ${escaped(code)}`,
    [
      `<p>${lineHtml(errorCodes[code].message)} ${lineHtml(description)}</p>`,
      `<p><strong>What to do.</strong> ${lineHtml(remedies[code])}</p>`,
      ...shown,
      `<h4>Details</h4>${fieldsHtml(detailsOf(schema))}`,
    ].join(''),
  )
}

/** Every error: status, code, meaning, what to do, and an example. */
export function errorsHtml(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return `${textHtml(introduction)}<h2>Codes</h2>${codes.map(codeSection).join('')}`
}

/** The same in Markdown. */
export function errorsText(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const parts = codes.map(
    (code) => `## ${errorCodes[code].status} ${code}\n\n${errorCodes[code].message} ${remedies[code]}`,
  )
  return `# Errors\n\n${introduction}\n\n${parts.join('\n\n')}\n`
}
