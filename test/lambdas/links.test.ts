// Whole form only.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationEntries } from '../../schemas/api/operations.ts'
import { knownOf } from '../openapi/examples.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'

let api: ApiStack
let known: Awaited<ReturnType<typeof knownOf>>
beforeAll(async () => {
  const history = { blocks: 60, days: 3, trades: 120, creators: 8, posts: 10 }
  api = await startDevnetApi({ seed: 3, now: Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000, history })
  known = await knownOf(api)
})
afterAll(() => api.stop())

/** A search has its text; tokens are looked up: the list of all of them goes on by a cursor. */
const needs = (): Readonly<Record<string, string>> => ({ field: 'symbol', value: known.symbol, q: '0x' })

/** The rows, their total and the links of an address, which must be answered. */
async function pageAt(address: string) {
  const { status, body, headers } = await api.ask(address)
  expect([address, status]).toEqual([address, 200])
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  return {
    rows: body as readonly object[],
    total: Number(headers.get('x-total-count')),
    links: Object.fromEntries(links.map(([, to = '', rel = '']) => [rel, to])) as Readonly<
      Record<string, string>
    >,
  }
}

const paged = operationEntries.filter(
  ([, { rest, body }]) =>
    (body as { type?: string }).type === 'array' &&
    rest.some(({ names: [first] }) => first === 'offset') &&
    rest.some(({ names: [first] }) => first === 'limit'),
)
function addressOf(operation: (typeof paged)[number][1], query: Readonly<Record<string, string>>): string {
  const needed = operation.rest.flatMap(({ names: [first] }) => {
    const value = needs()[first]
    return value === undefined ? [] : [[first, value] as const]
  })
  const id = operation.path.startsWith('/v1/snapshots') ? known.snapshot : known.token
  return `${operation.path.replace('{id}', id)}?${new URLSearchParams({ ...Object.fromEntries(needed), ...query })}`
}

describe('links of a list', () => {
  it('are there for every list with pages, swaps and snapshots among them', () => {
    const names = paged.map(([name]) => name)
    for (const name of ['creators', 'posts', 'trending', 'recentSwaps', 'tokenSwaps', 'tokens', 'snapshots'])
      expect(names).toContain(name)
  })

  it.each(paged)('%s: none leads to an empty page, from any offset', async (name, operation) => {
    const { total } = await pageAt(addressOf(operation, { limit: '2' }))
    // Nothing stands out in a market as quiet as this one.
    expect(total > 0).toBe(name !== 'rising')
    for (const offset of [0, 1, 2, total - 2, total - 1, total, total + 1, total + 7, 10 ** 6, 10 ** 14]) {
      if (offset < 0) continue
      const address = addressOf(operation, { limit: '2', offset: String(offset) })
      const { rows, links } = await pageAt(address)
      expect([address, rows.length > 0]).toEqual([address, offset < total])
      expect([address, 'next' in links]).toEqual([address, offset + 2 < total])
      // Beyond the end there is a way back.
      expect([address, 'prev' in links]).toEqual([address, offset > 0 && total > 0])
      for (const to of Object.values(links))
        expect([address, to, (await pageAt(to)).rows.length]).not.toContain(0)
    }
  })
})
