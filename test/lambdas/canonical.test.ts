import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../lambdas/canonical-form.ts'
import type { EdgeParameter, EdgeTable } from '../../lambdas/edge/canonical.js'

import { documents, edgeTable } from '../../schemas/operations.ts'

const table: EdgeTable = {
  '/v1/z100/creators': {
    axes: [{ names: ['timeframe', 'period'], values: ['1h', '4h', '24h', '7d'], fallback: '24h' }],
    rest: [
      { names: ['limit'], values: null, fallback: '100' },
      { names: ['sort_by', 'sort'], values: ['rank', 'value', 'volume'], fallback: 'rank', same: ['value'] },
      { names: ['snapshot'], values: null, fallback: null },
      { names: ['strict'], values: ['true', 'false', '1', '0'], fallback: 'false', same: ['0'] },
    ],
  },
  '/v1/status': { axes: [], rest: [] },
}
const creators = '/v1/z100/creators'
const ask = (query: Record<string, string[]>, path = creators) => canonical(table, path, query)

describe('the canonical form', () => {
  it('names a document by its path and axes', () => {
    expect(ask({})).toEqual({
      path: creators,
      document: 'v1/z100/creators/24h',
      parameters: {},
      ignored: [],
      invalid: null,
    })
    expect(ask({ period: ['7D'] })).toMatchObject({
      document: 'v1/z100/creators/7d',
      parameters: { timeframe: '7d' },
    })
    expect(ask({}, '/v1/status')).toMatchObject({ document: 'v1/status' })
  })

  it('names none when another parameter differs from its default, but keeps it', () => {
    expect(ask({ sort: ['Volume'], limit: ['20'] })).toMatchObject({
      document: null,
      parameters: { limit: '20', sort_by: 'volume' },
    })
    expect(Object.keys(ask({ sort: ['volume'], limit: ['20'] })!.parameters)).toEqual(['limit', 'sort_by'])
    expect(ask({ snapshot: ['AbC'] })).toMatchObject({ document: null, parameters: { snapshot: 'AbC' } })
  })

  it('lets the longer name win, unless it is empty', () => {
    expect(ask({ timeframe: ['1h'], period: ['7d'] })).toMatchObject({ document: 'v1/z100/creators/1h' })
    expect(ask({ timeframe: [''], period: ['7d'] })).toMatchObject({ document: 'v1/z100/creators/7d' })
  })

  it('says which value is not allowed, what was sent and what is', () => {
    const refusalOf = (query: Record<string, string[]>) => ask(query)!.invalid
    expect(refusalOf({ period: ['30d'] })).toEqual({
      parameter: 'period',
      provided: '30d',
      allowed: '1h, 4h, 24h, 7d',
    })
    expect(refusalOf({ period: ['24'] })).toMatchObject({ provided: 24 })
    expect(refusalOf({ period: ['x'.repeat(5000)] })).toMatchObject({ provided: 'x'.repeat(128) })
    expect(refusalOf({ limit: ['10', '20'] })).toEqual({
      parameter: 'limit',
      provided: '10, 20',
      allowed: 'one value',
    })
    expect(ask({ period: ['30d'] })!.document).toBeNull()
  })

  it('names unknown parameters, and refuses them when asked to', () => {
    expect(ask({ zeta: ['1'], alpha: ['2', '3'] })).toMatchObject({
      document: 'v1/z100/creators/24h',
      ignored: ['alpha', 'zeta'],
      invalid: null,
    })
    expect(ask({ zeta: ['1'], strict: ['TRUE'] })).toMatchObject({
      document: null,
      invalid: { parameter: 'zeta', provided: 1 },
    })
    // The API knows what is unknown; without unknown names it answers the document's bytes.
    expect(ask({ strict: ['true'] })).toMatchObject({ document: null, parameters: {}, invalid: null })
    expect(ask({ strict: ['0'] })).toMatchObject({ document: 'v1/z100/creators/24h' })
    expect(ask({ undefined: ['1', '2'] })).toMatchObject({ document: 'v1/z100/creators/24h', invalid: null })
    expect(ask({ strict: ['maybe'] })).toMatchObject({ invalid: { parameter: 'strict' } })
    expect(ask({ strict: ['true', 'true'] })).toMatchObject({ invalid: { allowed: 'one value' } })
  })

  it.each([
    '/v1/z100',
    '/v1/z100/creators/24h',
    '/v1//z100/creators',
    '/v1/z100/creators//',
    '/v1/../v1/z100/creators',
    '/v1/%2e%2e/v1/z100/creators',
    '/v1/z100/%2563reators',
    '/v1/z100/creators%00',
    '/v1/%ff',
    '__proto__',
    'constructor',
    '',
  ])('knows no operation at %j', (path) => {
    expect(ask({}, path)).toBeNull()
  })

  it('takes a slash at the end and one layer of encoding', () => {
    expect(ask({}, '/v1/z100/creators/')).toMatchObject({ path: creators })
    expect(ask({}, '/v1/z100/%63reators')).toMatchObject({ path: creators })
  })

  it('is not misled by the names of an object', () => {
    const query = JSON.parse('{"__proto__": ["1"], "constructor": ["2"], "toString": ["3"]}')
    expect(ask(query)).toMatchObject({
      document: 'v1/z100/creators/24h',
      ignored: ['__proto__', 'constructor', 'toString'],
    })
  })
})

/** Some spelling of `text` that differs in case alone. */
const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter)).join(''))

/** Every way to say that `parameter` has its default, or is the given value. */
function spellings(
  parameter: EdgeParameter,
  value = parameter.fallback,
): fc.Arbitrary<Record<string, string[]>> {
  const isDefault = value === parameter.fallback
  const words = value === null ? [] : [value, ...(isDefault ? (parameter.same ?? []) : [])]
  const said = words.flatMap((word) =>
    parameter.names.map((name) => anyCase(word).map((text) => ({ [name]: [text] }))),
  )
  const unsaid = isDefault
    ? [fc.constant({}), ...parameter.names.map((name) => fc.constant({ [name]: [''] }))]
    : []
  return fc.oneof(...said, ...unsaid)
}

describe('the operations of this service', () => {
  it.each(documents)('answers every spelling of the request for $name with it', ({ name, axes }) => {
    const path = Object.keys(edgeTable).find((candidate) => name === [candidate.slice(1), ...axes].join('/'))!
    const operation = edgeTable[path]!
    const parts = [
      ...operation.axes.map((axis, i) => spellings(axis, axes[i])),
      ...operation.rest.map((parameter) => spellings(parameter)),
    ]
    const query = fc
      .tuple(...parts, fc.constant({ utm_source: ['x'] }))
      .map((all) => Object.assign({}, ...all))
    fc.assert(
      fc.property(query, fc.boolean(), (sent, hasSlash) => {
        const found = canonical(edgeTable, hasSlash ? `${path}/` : path, sent)
        expect(found).toMatchObject({ document: name, invalid: null, ignored: ['utm_source'] })
      }),
      { numRuns: 50 },
    )
  })

  it('never throws, and names only documents that are published', () => {
    const names = new Set<string>(documents.map(({ name }) => name))
    const paths = fc.oneof(fc.constantFrom(...Object.keys(edgeTable)), fc.string(), fc.webPath())
    const known = Object.values(edgeTable).flatMap(({ axes, rest }) => [...axes, ...rest])
    const parameterNames = fc.constantFrom(...known.flatMap(({ names }) => names), '__proto__', 'strict', 'x')
    const values = fc.array(
      fc.oneof(fc.string(), fc.constantFrom(...known.flatMap(({ values }) => values ?? []))),
    )
    fc.assert(
      fc.property(paths, fc.dictionary(parameterNames, values), (path, query) => {
        const found = canonical(edgeTable, path, query)
        if (found?.document) expect(names).toContain(found.document)
      }),
    )
  })
})
