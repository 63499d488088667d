import { describe, expect, it } from 'vitest'
import { documents, edgeTable } from '../../schemas/api/documents.ts'
import { operationEntries } from '../../schemas/api/operations.ts'

describe('operations', () => {
  it('name a document for each choice of their parameters, and status last', () => {
    const names = documents.map(({ name }) => name)
    expect(names).toHaveLength(47)
    expect(new Set(names).size).toBe(47)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['v1/z100/creators/24h', 'v1/z100/posts/7d', 'v1/market/trending/30d/holders', 'v1/all/4h'],
        ...['v1/z100/index/7d', 'v1/z100/index/constituents', 'v1/market/volume/1h', 'v1/market/stats'],
        ...['v1/discover/rising', 'v1/discover/new-launches'],
      ]),
    )
    expect(names.at(-1)).toBe('v1/status')
  })

  it('list the longer name of a parameter first, and only defaults that are allowed', () => {
    for (const [, { documentParameters, rest }] of operationEntries) {
      for (const { names, values, fallback } of [...(documentParameters ?? []), ...rest]) {
        expect(names.toSorted((a, b) => b.length - a.length)).toEqual(names)
        if (values && fallback !== null) expect(values).toContain(fallback)
      }
    }
  })

  it('let a documented default be sent without changing the answer', () => {
    const sortOf = (path: string) => edgeTable[path]?.rest.find(({ names }) => names[0] === 'sort_by')
    expect(sortOf('/v1/z100/creators')).toMatchObject({ fallback: 'rank', same: ['value'] })
    expect(sortOf('/v1/z100/posts')).toMatchObject({ fallback: 'rank', same: ['engagement'] })
    expect(edgeTable['/v1/market/trending']?.documentParameters[1]).toMatchObject({
      fallback: 'volume',
      same: ['rank'],
    })
  })
})
