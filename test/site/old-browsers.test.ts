/** What runs in browsers has nothing that Safari 15.4 has not: iPhones that are no longer updated. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../clients/typescript/index.ts'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { buildSite } from '../../site/build/build-site.ts'

/** Functions and properties of later versions, by what has them. */
const later: readonly (readonly [object, string])[] = [
  [AbortSignal, 'any'],
  [AbortSignal, 'timeout'],
  [URLSearchParams.prototype, 'size'],
  [URL, 'canParse'],
  [Array, 'fromAsync'],
  ...['toSorted', 'toReversed', 'toSpliced', 'with'].map((name) => [Array.prototype, name] as const),
  [Object, 'groupBy'],
  [Map, 'groupBy'],
  [Promise, 'withResolvers'],
  [Promise, 'try'],
  ...['union', 'intersection', 'difference'].map((name) => [Set.prototype, name] as const),
  [String.prototype, 'isWellFormed'],
  [ReadableStream.prototype, 'values'],
  [Response, 'json'],
]

let server: Emulator
beforeAll(async () => {
  server = await listen(
    'api',
    createServer(({ url = '' }, response) => {
      if (url.startsWith('/stream')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void response.write('id: 1.0\ndata: {"token_symbol":"c","block_hash":"0x1"}\n\n')
      }
      const next = url.includes('offset') ? {} : { link: '</v1/z100/creators?offset=1>; rel="next"' }
      response.writeHead(200, { 'content-type': 'application/json', ...next })
      // Without its query a request has lost something.
      response.end(url.includes('?') ? '[{"symbol":"a"}]' : '[]')
    }),
  )
})
afterAll(() => server.stop())

/** A list of two pages and the first swap, with a signal of the caller's. */
async function readEverything(): Promise<readonly string[]> {
  const { signal } = new AbortController()
  const client = createClient({ baseUrl: server.url, apiKey: 'k', maxRetries: 0, signal })
  const rows: string[] = []
  for await (const row of client.boards.creators({ limit: 1 })) rows.push(row.symbol)
  for await (const event of client.stream({ filter: { min_value: 1 }, signal }))
    if (event.type === 'swap') return [...rows, event.swap.token_symbol]
  return rows
}

describe('without what came after Safari 15.4', () => {
  for (const [owner, name] of later)
    it(`the client reads: ${name}`, async () => {
      const own = Object.getOwnPropertyDescriptor(owner, name)
      delete (owner as Record<string, unknown>)[name]
      try {
        expect(await readEverything()).toEqual(['a', 'a', 'c'])
      } finally {
        if (own) Object.defineProperty(owner, name, own)
      }
    })

  it('the scripts of the pages are whole: they name none of it', async () => {
    const names = later.map(([owner, name]) =>
      typeof owner === 'function' ? `\\b${owner.name}\\.${name}\\b` : `\\.${name}\\(`,
    )
    // Sizes belong to sets and maps as well; a look-behind is a syntax error.
    const wanted = names.filter((name) => !/size|with\\|values/.test(name))
    const isLater = new RegExp([...wanted, '\\(\\?<[=!]'].join('|'), 'g')
    const scripts = [...(await buildSite())].filter(([name]) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(10)
    const found = scripts.flatMap(([name, bytes]) =>
      [...Buffer.from(bytes).toString().matchAll(isLater)].map((match) => `${name}: …${match[0]}`),
    )
    expect(found).toEqual([])
  })
})
