/** Every refusal: status, codes, what it means and how it looks. */
import { codeBlock } from './code.ts'
import { type Child, h, main } from './dom.ts'
import {
  line,
  type OpenApi,
  type Response,
  readOpenApi,
  resolved,
  type Schema,
  schemaView,
} from './openapi.ts'
import { openPanel } from './panel.ts'
import { openPage } from './shell.ts'

function errorsOf(document: OpenApi): Child {
  const responses = Object.entries(document.components['responses'] ?? {}) as [string, Response][]
  return [
    h(
      'div',
      { class: 'prose' },
      h(
        'p',
        {},
        'Every refusal, whichever part of the service makes it, has one shape. ',
        h('code', {}, 'code'),
        ' stands for the condition and never changes; ',
        h('code', {}, 'message'),
        ' is for people; ',
        h('code', {}, 'request_id'),
        ' names the request to the operator. Checks are made in this order: key, suspension, limit, route and method, tier, parameters, token.',
      ),
    ),
    responses
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => refusalView(document, status, response)),
  ]
}

function refusalView(document: OpenApi, status: string, response: Response): HTMLElement {
  const media = response.content?.['application/json'] ?? {}
  const codes = codesOf(document, media.schema)
  const id = `status-${status}`
  return h(
    'section',
    { class: 'operation', id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, `${status} ${codes.join(', ')}`),
    h('p', {}, line(response.description ?? '')),
    Object.entries(media.examples ?? {}).map(([name, { summary, value }]) => [
      h('p', { class: 'quiet' }, `Example: ${summary ?? name}`),
      codeBlock(JSON.stringify(value, null, 2), `Example of ${summary ?? name}`),
    ]),
    media.schema && h('details', {}, h('summary', {}, 'Fields'), schemaView(document, media.schema)),
  )
}

function codesOf(document: OpenApi, schema: Schema | undefined): readonly string[] {
  const error = resolved(document, schema ?? {}).properties?.['error']
  const code = error && resolved(document, error).properties?.['code']
  return (code?.enum ?? []).map(String)
}

openPage()
main().append(openPanel({ load: readOpenApi, show: errorsOf }).element)
