import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  documentOf,
  type EdgeParameter,
  ignoredOf,
  operationPath,
  type Query,
} from '../../schemas/api/canonical.js'
import { documents, edgeTable } from '../../schemas/api/documents.ts'
import { ApiError } from '../../schemas/api/errors.ts'
import { operationEntries, operations } from '../../schemas/api/operations.ts'
import { readQuery } from '../../schemas/api/request-query.ts'

const creators = '/v1/z100/creators'
/** The document that a request names at the edge; undefined: no operation has the path. */
function documentAt(query: Query, sent = creators) {
  const path = operationPath(sent)
  const operation = Object.hasOwn(edgeTable, path) ? edgeTable[path] : undefined
  return operation && documentOf(path, operation, query)
}
const { documentParameters, rest } = operations.creators
const read = (query: Query) => readQuery([...documentParameters, ...rest], query)
function refusalOf(query: Query) {
  try {
    return read(query)
  } catch (error) {
    if (error instanceof ApiError) return error.details
    throw error
  }
}

describe('the canonical form', () => {
  it('names a document by its path and parameters', () => {
    expect(documentAt({})).toBe('v1/z100/creators/24h')
    expect(read({})).toMatchObject({ query: { timeframe: '24h', limit: '100' }, changed: {}, ignored: [] })
    expect(documentAt({ period: ['7D'] })).toBe('v1/z100/creators/7d')
    expect(read({ period: ['7D'] }).changed).toEqual({ timeframe: '7d' })
    expect(documentAt({}, '/v1/status')).toBe('v1/status')
  })

  it('names none when another parameter differs from its default, but keeps it', () => {
    const query = { sort: ['Volume'], limit: ['20'] }
    expect(documentAt(query)).toBeNull()
    expect(Object.entries(read(query).changed)).toEqual([
      ['limit', '20'],
      ['sort_by', 'volume'],
    ])
    expect(documentAt({ snapshot: ['AbC'] })).toBeNull()
    expect(read({ snapshot: ['AbC'] }).changed).toEqual({ snapshot: 'AbC' })
    expect(read({ sort: ['Value'] }).query).toMatchObject({ sort_by: 'rank' })
  })

  it('lets the name win that differs from the default; if both do, the longer one', () => {
    expect(documentAt({ timeframe: ['24h'], period: ['1h'] })).toBe('v1/z100/creators/1h')
    expect(documentAt({ timeframe: ['1h'], period: ['24h'] })).toBe('v1/z100/creators/1h')
    expect(read({ sort_by: ['rank'], sort: ['volume'] }).changed).toEqual({ sort_by: 'volume' })
    expect(refusalOf({ timeframe: ['24h'], period: ['soon'] })).toMatchObject({ parameter: 'period' })
    expect(documentAt({ timeframe: ['1h'], period: ['7d'] })).toBe('v1/z100/creators/1h')
    expect(documentAt({ timeframe: [''], period: ['7d'] })).toBe('v1/z100/creators/7d')
  })

  it('refuses a value with the value sent and the allowed ones', () => {
    const allowed = '1h, 4h, 24h, 7d'
    expect(refusalOf({ period: ['30d'] })).toMatchObject({ parameter: 'period', provided: '30d', allowed })
    expect(refusalOf({ period: ['24'] })).toMatchObject({ provided: 24 })
    expect(refusalOf({ period: ['x'.repeat(5000)] })).toMatchObject({ provided: 'x'.repeat(128) })
    expect(refusalOf({ limit: ['10', '20'] })).toMatchObject({
      parameter: 'limit',
      provided: '10, 20',
      allowed: 'one value',
    })
    expect(refusalOf({ sort: ['volume', 'volume'] })).toMatchObject({
      parameter: 'sort',
      allowed: 'one value',
    })
    expect(refusalOf({ limit: ['0'] })).toMatchObject({ parameter: 'limit', provided: 0, allowed: '1-100' })
    expect(documentAt({ period: ['30d'] })).toBeNull()
  })

  it('names unknown parameters, and refuses them in strict mode', () => {
    expect(documentAt({ zeta: ['1'] })).toBe('v1/z100/creators/24h')
    expect(read({ zeta: ['1'], alpha: ['2', '3'] }).ignored).toEqual(['alpha', 'zeta'])
    expect(documentAt({ zeta: ['1'], strict: ['TRUE'] })).toBeNull()
    expect(refusalOf({ zeta: ['1'], strict: ['TRUE'] })).toMatchObject({ parameter: 'zeta', provided: 1 })
    // The API knows what is unknown; without unknown names it answers the document's bytes.
    expect(documentAt({ strict: ['true'] })).toBeNull()
    expect(read({ strict: ['true'] }).changed).toEqual({})
    expect(documentAt({ strict: ['0'] })).toBe('v1/z100/creators/24h')
    expect(refusalOf({ strict: ['maybe'] })).toMatchObject({ parameter: 'strict' })
    expect(refusalOf({ strict: ['true', 'true'] })).toMatchObject({ allowed: 'one value' })
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
    expect(documentAt({}, path)).toBeUndefined()
  })

  it('takes a slash at the end and one layer of encoding', () => {
    expect(documentAt({}, '/v1/z100/creators/')).toBe('v1/z100/creators/24h')
    expect(documentAt({}, '/v1/z100/%63reators')).toBe('v1/z100/creators/24h')
  })

  it('is not misled by the names of an object', () => {
    const query = JSON.parse(
      '{"__proto__": ["1"], "constructor": ["2"], "toString": ["3"], "undefined": ["7d"]}',
    )
    expect(documentAt(query)).toBe('v1/z100/creators/24h')
    expect(read(query).ignored).toEqual(['__proto__', 'constructor', 'toString', 'undefined'])
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
  it.each(documents)(
    'answers every spelling of the request for $name with it',
    ({ name, parameterValues }) => {
      const path = Object.keys(edgeTable).find(
        (candidate) => name === [candidate.slice(1), ...parameterValues].join('/'),
      )!
      const operation = edgeTable[path]!
      const parts = [
        ...operation.documentParameters.map((parameter, i) => spellings(parameter, parameterValues[i])),
        ...operation.rest.map((parameter) => spellings(parameter)),
      ]
      const query = fc
        .tuple(...parts, fc.constant({ utm_source: ['x'] }))
        .map((all) => Object.assign({}, ...all))
      fc.assert(
        fc.property(query, fc.boolean(), (sent, hasSlash) => {
          expect(documentAt(sent, hasSlash ? `${path}/` : path)).toBe(name)
          expect(ignoredOf(operation, sent)).toEqual(['utm_source'])
        }),
        { numRuns: 50 },
      )
    },
  )

  it('never throws, and names only documents that are published', () => {
    const names = new Set<string>(documents.map(({ name }) => name))
    const paths = fc.oneof(fc.constantFrom(...Object.keys(edgeTable)), fc.string(), fc.webPath())
    const known = Object.values(edgeTable).flatMap(({ documentParameters, rest }) => [
      ...documentParameters,
      ...rest,
    ])
    const parameterNames = fc.constantFrom(...known.flatMap(({ names }) => names), '__proto__', 'strict', 'x')
    const values = fc.array(
      fc.oneof(fc.string(), fc.constantFrom(...known.flatMap(({ values }) => values ?? []))),
    )
    fc.assert(
      fc.property(paths, fc.dictionary(parameterNames, values), (path, query) => {
        const found = documentAt(query, path)
        if (found) expect(names).toContain(found)
      }),
    )
  })
})

/** Every operation with a parameter of several names, each of them once as the one with the default. */
const aliases = operationEntries.flatMap(([operation, { path, documentParameters, rest }]) =>
  [...(documentParameters ?? []), ...rest].flatMap((parameter) =>
    parameter.names.flatMap((defaulted) =>
      parameter.names
        .filter((name) => name !== defaulted)
        .map((chosen) => ({ operation, path, parameter, defaulted, chosen })),
    ),
  ),
)

describe('a default under one name and a choice under the other', () => {
  it('covers every pair of names', () => {
    expect(aliases.length).toBeGreaterThan(20)
  })

  it.each(aliases)('$operation: $chosen is answered whatever $defaulted says', ({ operation, ...pair }) => {
    const { path, parameter, defaulted, chosen } = pair
    const all = [...(operations[operation].documentParameters ?? []), ...operations[operation].rest]
    const defaults = [parameter.fallback, ...(parameter.same ?? []), ''].flatMap((word) => word ?? [])
    for (const value of parameter.values ?? []) {
      for (const word of defaults) {
        const alone: Query = { [chosen]: [value] }
        const both: Query = { ...alone, [defaulted]: [word.toUpperCase()] }
        expect(readQuery(all, both)).toEqual(readQuery(all, alone))
        expect(documentAt(both, path)).toEqual(documentAt(alone, path))
      }
    }
  })
})
