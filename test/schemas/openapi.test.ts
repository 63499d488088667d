import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { trendingSorts } from '../../market/board/trending.ts'
import { errorCodes } from '../../schemas/api/errors.ts'
import { answerHeaders } from '../../schemas/api/headers.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { type OperationName, operations } from '../../schemas/api/operations.ts'
import { llmsText } from '../../schemas/described/llms.ts'
import { examples, openapiDocument } from '../../schemas/described/openapi.ts'
import { refusals } from '../../schemas/described/openapi-refusals.ts'
import { boardFields } from '../../schemas/records/token-row.ts'
import { sortKeys } from '../../schemas/values/field.ts'
import { type Answered, readDescribed } from '../support/described/described.ts'

type Node = { readonly [key: string]: unknown }

const document = openapiDocument()
const described = readDescribed(document)
const operationNamed = (name: string) => described.operations.find((each) => each.name === name)!

/** Every object of the document, with the way to it. */
function nodesOf(node: unknown, way: string): (readonly [string, Node])[] {
  if (node === null || typeof node !== 'object') return []
  const below = Object.entries(node).flatMap(([key, value]) => nodesOf(value, `${way}/${key}`))
  return Array.isArray(node) ? below : [[way, node as Node], ...below]
}

const isExample = (way: string): boolean => /\/examples?\//.test(`${way}/`)
const nodes = nodesOf(document, '').filter(([way]) => !isExample(way))

/** An answer as the service gives it, with all headers that it is sure to have. */
function answerOf(name: string, body: unknown): Answered {
  const sure = Object.entries(answerHeaders).filter(([, header]) => 'isSure' in header)
  const responses = (document['paths'] as Node)[operations[name as OperationName].path] as {
    get: { responses: Node }
  }
  const own = (responses.get.responses['200'] as { headers: Node }).headers
  const values: Record<string, string> = {
    'X-Data-Block-Hash': `0x${'a'.repeat(64)}`,
    'X-Data-Time': '2026-01-31T12:00:00Z',
    'X-Applied-Sort': 'rank;desc',
  }
  const headers = sure
    .filter(([key]) => key in own)
    .map(([key]) => [key, values[key] ?? '1'] as [string, string])
  const fixed: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['Cache-Control', operations[name as OperationName].cacheControl],
  ]
  return { status: 200, headers: new Headers([...headers, ...fixed]), text: JSON.stringify(body) }
}

describe('the OpenAPI document', () => {
  it('describes the id of every path that has one', () => {
    for (const { path, parameters } of described.operations)
      expect([path, parameters.some(({ in: place }) => place === 'path')]).toEqual([path, path.includes('{')])
  })

  it('has every operation, each with an answer as an example that validates', () => {
    expect(described.operations.map(({ path }) => path)).toEqual(
      Object.values<Operation>(operations)
        .filter(({ mediaType = 'json' }) => mediaType.includes('json'))
        .map(({ path }) => path),
    )
    const inJson = Object.entries<Operation>(operations).flatMap(([name, { mediaType }]) =>
      mediaType === undefined ? [name] : [],
    )
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(inJson))
    const wrong = Object.entries(examples).flatMap(([name, body]) =>
      described.faults(operationNamed(name), answerOf(name, body)).map((fault) => `${name}: ${fault}`),
    )
    expect(wrong).toEqual([])
  })

  it('lists a 404 for a recap and for every operation with an id', () => {
    const paths = Object.entries(document['paths'] as Record<string, { get: { responses: object } }>)
    const with404 = paths.flatMap(([path, { get }]) => ('404' in get.responses ? [path] : []))
    const withId = paths.map(([path]) => path).filter((path) => path.includes('{id}'))
    withId.push(operations.recap.path)
    expect([...with404].sort()).toEqual(withId.sort())
  })

  it('calls only answers without market data unchanging', () => {
    for (const [path, item] of Object.entries(document['paths'] as Record<string, { get: Node }>)) {
      const responses = item.get['responses'] as Record<string, { readonly headers: Node }>
      const isOfMarket = 'X-Data-Block' in responses['200']!.headers
      expect([path, String(item.get['description']).includes('only with a deployment')]).toEqual([
        path,
        !isOfMarket,
      ])
    }
  })

  it('says of every operation how often it changes and how long caches keep it, in words and for programs', () => {
    for (const [path, { get }] of Object.entries(document['paths'] as Record<string, { get: Node }>)) {
      const { updated, cached_seconds: seconds } = get['x-freshness'] as {
        updated: string
        cached_seconds: number
      }
      expect([path, ['each minute', 'on request', 'with a deployment'].includes(updated)]).toEqual([
        path,
        true,
      ])
      const words = seconds === 0 ? 'not cached' : `cached ${seconds} s`
      expect([path, String(get['description'])]).toEqual([path, expect.stringContaining(words)])
    }
    const board = (document['paths'] as Record<string, { get: Node }>)['/v1/z100/creators']!.get
    expect(board['x-freshness']).toEqual({ updated: 'each minute', cached_seconds: 20 })
  })

  it('has the version of the newest changes', () => {
    const changes = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
    const [, newest] = /^## (\d+\.\d+\.\d+)$/m.exec(changes)!
    expect((document['info'] as Node)['version']).toBe(newest)
  })

  it('has an example of every error, which validates', () => {
    const responses = (document['components'] as Node)['responses'] as Record<string, Node>
    const told = new Set<unknown>()
    for (const [status, { name }] of Object.entries(refusals)) {
      const content = responses[name]!['content'] as Record<
        string,
        { examples: Record<string, { value: Node }> }
      >
      for (const { value } of Object.values(content['application/json']!.examples)) {
        const headers = new Headers({
          'content-type': 'application/json',
          'x-request-id': 'a',
          allow: 'GET',
          'retry-after': '1',
        })
        const text = JSON.stringify(value)
        expect(described.errorFaults({ status: Number(status), headers, text })).toEqual([])
        told.add((value['error'] as Node)['code'])
      }
    }
    expect([...told].sort()).toEqual(Object.keys(errorCodes).sort())
  })

  it('explains every key, parameter and header', () => {
    const silent = nodes.flatMap(([way, node]) => {
      const isProperty = /\/properties\/\w+$/.test(way)
      const isNamed = isProperty || /^\/components\/(parameters|headers)\/[^/]+$/.test(way)
      const words = node['description'] ?? (isProperty && '$ref' in node ? 'by reference' : undefined)
      return isNamed && words === undefined ? [way] : []
    })
    expect(silent).toEqual([])
  })

  it('names every record, and refers to it where it is used', () => {
    const anonymous = nodes
      .filter(([, node]) => node['type'] === 'object' && 'properties' in node)
      .map(([way]) => way)
      .filter((way) => !/^\/components\/(schemas\/[^/]+|responses\/.*)$/.test(way))
      .filter((way) => !/\/x-other-forms\//.test(`${way}/`) && !way.startsWith('/paths//v1/openapi.json'))
    expect(anonymous).toEqual([])
  })

  it('names its components and operations as every language can write them, each name once', () => {
    const components = document['components'] as Record<string, Node>
    const named = ['parameters', 'headers', 'responses', 'schemas'].flatMap((part) =>
      Object.keys(components[part]!),
    )
    const operationIds = described.operations.map(({ name }) => name)
    expect([...named, ...operationIds].filter((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))).toEqual([])
    expect(named.filter((name) => !/^[A-Z]/.test(name))).toEqual([])
    expect(new Set(named.map((name) => name.toLowerCase())).size).toBe(named.length)
    expect(new Set(operationIds).size).toBe(operationIds.length)
  })

  it('answers 200 with one type: a list is a plain array of its full row', () => {
    const unions = nodes.flatMap(([way, node]) =>
      /\/responses\/200\/content\/[^/]+\/[^/]+\/schema$/.test(way) && ('anyOf' in node || 'oneOf' in node)
        ? [way]
        : [],
    )
    expect(unions).toEqual([])
    const rows = (path: string) => {
      const responses = (document['paths'] as Record<string, { get: { responses: Node } }>)[path]!.get
        .responses
      const { content } = responses['200'] as { content: Record<string, { schema: Node }> }
      return content['application/json']!.schema
    }
    expect(rows('/v1/z100/creators')).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/BoardRow' },
    })
    expect(rows('/v1/market/recent-swaps')).toMatchObject({ type: 'array' })
  })

  it('states a default only under the name that loses', () => {
    const parameters = (document['components'] as Record<string, Record<string, Node>>)['parameters']!
    const defaulted = Object.values(parameters)
      .filter(({ schema }) => 'default' in (schema as Node))
      .map(({ name }) => name)
    expect(defaulted).toEqual(expect.arrayContaining(['period', 'order', 'limit']))
    expect(defaulted.filter((name) => ['timeframe', 'sort_by', 'sort_order'].includes(String(name)))).toEqual(
      [],
    )
  })

  it('has no dangling reference and no unused component', () => {
    const components = document['components'] as Record<string, Node>
    const refs = new Set(nodes.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])))
    const parts = ['parameters', 'headers', 'responses', 'schemas'].flatMap((part) =>
      Object.keys(components[part]!).map((name) => `#/components/${part}/${name}`),
    )
    expect([...refs].filter((ref) => !parts.includes(ref))).toEqual([])
    expect(parts.filter((part) => !refs.has(part))).toEqual([])
  })
})

describe('an answer that differs from the document', () => {
  const { index } = examples
  const faultsOf = (change: (answer: Answered) => Answered | undefined) => {
    const answer = answerOf('index', index)
    return described.faults(operationNamed('index'), change(answer) ?? answer).length
  }
  const withBody = (more: object) => (answer: Answered) => ({
    ...answer,
    text: JSON.stringify({ ...Object(index), ...more }),
  })

  it.each<[string, (answer: Answered) => Answered | undefined]>([
    ['a key too many', withBody({ surprise: 1 })],
    ['a key too few', withBody({ index_value: undefined })],
    ['another type', withBody({ index_value: '1000' })],
    ['null where there is none', withBody({ constituents_count: null })],
    ['another status', (answer) => ({ ...answer, status: 201 })],
    ['no ETag', ({ headers }) => void headers.delete('ETag')],
    ['a block that is no number', ({ headers }) => void headers.set('X-Data-Block', 'x')],
    ['another cache time', ({ headers }) => void headers.set('Cache-Control', 'public, max-age=999')],
    ['a header that nobody described', ({ headers }) => void headers.set('X-Surprise', '1')],
    ['another content type', ({ headers }) => void headers.set('Content-Type', 'text/html')],
  ])('is found: %s', (_, change) => {
    expect(faultsOf((answer) => answer)).toBe(0)
    expect(faultsOf(change)).toBeGreaterThan(0)
  })
})

describe('texts derived from the same tables', () => {
  it('the reference states the cost of faking every order', () => {
    const { description } = document['info'] as { description: string }
    const [, said = ''] = /\*\*What a rank costs to fake\.\*\*(.*)/.exec(description) ?? []
    const sorts = [...Object.keys(sortKeys(boardFields)), ...trendingSorts, 'engagement', 'value']
    expect(sorts.filter((sort) => !said.includes(`\`${sort}\``))).toEqual([])
  })

  it('the guide for machines names every operation and every error', () => {
    const text = llmsText()
    for (const { path } of Object.values<Operation>(operations)) expect(text).toContain(`GET ${path}`)
    for (const code of Object.keys(errorCodes)) expect(text).toContain(code)
  })
})
