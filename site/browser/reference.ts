/** The API reference, made from the description that the service gives of itself. */
import { codeBlock, requestSamples, samples } from './code.ts'
import { type Child, h, main } from './dom.ts'
import {
  line,
  type OpenApi,
  type Operation,
  type Parameter,
  prose,
  type Response,
  readOpenApi,
  resolved,
  schemaView,
  typeText,
} from './openapi.ts'
import { openPanel } from './panel.ts'
import { openPage } from './shell.ts'

type Placed = { readonly method: string; readonly path: string; readonly operation: Operation }

/** Characters of an example that are shown. */
const EXAMPLE_LENGTH = 6_000

function referenceOf(document: OpenApi): Child {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = (document.tags ?? []).map((tag) => ({
    ...tag,
    operations: all.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }))
  return h(
    'div',
    { class: 'reference' },
    h(
      'nav',
      { 'aria-label': 'Operations' },
      groups.map(({ name, operations }) => [
        h('h2', {}, name),
        operations.map(({ path, operation }) => h('a', { href: `#${operation.operationId}` }, path)),
      ]),
    ),
    h(
      'div',
      {},
      h('div', { class: 'prose' }, prose(document.info.description ?? '')),
      groups.map(({ name, description, operations }) => [
        h('h2', {}, name),
        description !== undefined && h('p', { class: 'quiet' }, line(description)),
        operations.map((placed) => operationView(document, placed)),
      ]),
    ),
  )
}

function operationView(document: OpenApi, { method, path, operation }: Placed): HTMLElement {
  const needsKey = operation.security === undefined
  const title = `${operation.operationId}-title`
  return h(
    'section',
    { class: 'operation', id: operation.operationId, 'aria-labelledby': title },
    h('h3', { id: title }, h('span', { class: 'method' }, method.toUpperCase()), ` ${path}`),
    prose(operation.description ?? operation.summary ?? ''),
    parametersView(document, operation.parameters ?? []),
    samples(requestSamples(examplePath(path, operation), needsKey), path),
    Object.entries(operation.responses ?? {})
      .filter(([status]) => status === '200')
      .map(([, response]) => answerView(document, resolved(document, response))),
    errorsLine(operation),
  )
}

/** A path that can be asked for as it stands, where no id is in it; what must be said is said. */
function examplePath(path: string, { parameters = [] }: Operation): string {
  const query = new URLSearchParams()
  for (const { in: place, required, name, schema } of parameters)
    if (place === 'query' && required) query.set(name, String(schema?.enum?.[0] ?? 'text'))
  return path + (query.size > 0 ? `?${query}` : '')
}

function parametersView(document: OpenApi, references: readonly Parameter[]): Child {
  if (references.length === 0) return null
  const rows = references
    .map((reference) => resolved(document, reference))
    .map(({ name, required, description = '', schema = {} }) =>
      h(
        'tr',
        {},
        h(
          'th',
          { scope: 'row' },
          h('code', {}, name),
          required && h('span', { class: 'quiet' }, ' required'),
        ),
        h('td', {}, typeText(document, schema)),
        h('td', {}, schema.default === undefined ? '' : h('code', {}, String(schema.default))),
        h('td', {}, line(description)),
      ),
    )
  const heads = ['Parameter', 'Takes', 'Default', 'Meaning']
  return h(
    'details',
    {},
    h('summary', {}, rows.length === 1 ? '1 parameter' : `${rows.length} parameters`),
    h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Parameters' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((head) => h('th', { scope: 'col' }, head)),
          ),
        ),
        h('tbody', {}, rows),
      ),
    ),
  )
}

function answerView(document: OpenApi, { content = {}, headers = {} }: Response): Child {
  const [type = '', media = {}] = Object.entries(content)[0] ?? []
  return [
    media.schema &&
      h(
        'details',
        {},
        h('summary', {}, `Answer: ${typeText(document, media.schema)}`),
        schemaView(document, media.schema),
      ),
    h(
      'details',
      {},
      h('summary', {}, 'Headers'),
      h(
        'ul',
        { class: 'schema' },
        Object.entries(headers).map(([name, header]) =>
          h('li', {}, h('code', {}, name), ' ', line(resolved(document, header).description ?? '')),
        ),
      ),
    ),
    media.example !== undefined &&
      h(
        'details',
        {},
        h('summary', {}, 'Example'),
        codeBlock(exampleText(media.example), `Example, ${type}`),
      ),
  ]
}

function exampleText(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return text.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH)}\n…` : text
}

function errorsLine({ responses = {} }: Operation): Child {
  const statuses = Object.keys(responses).filter((status) => status >= '400' && status <= '599')
  return h(
    'p',
    { class: 'quiet' },
    `Refused with ${statuses.join(', ')}: `,
    h('a', { href: '/docs/errors' }, 'errors'),
    '.',
  )
}

openPage()
const panel = openPanel({ load: readOpenApi, show: referenceOf })
main().append(panel.element)
