import { afterAll, beforeAll, expect, it } from 'vitest'
import { operationEntries } from '../../schemas/operations.ts'
import { type ApiStack, startApiStack } from '../support/api-stack.ts'
import { addressOf } from '../support/market-history.ts'

let api: ApiStack
beforeAll(async () => {
  api = await startApiStack()
})
afterAll(() => api.stop())

/** They say the same whatever the market does. */
const fixed = ['openapi', 'llms', 'robots']
const asked: Readonly<Record<string, string>> = { field: 'symbol', value: 'ann', q: 'ann' }

it.each(operationEntries.filter(([name]) => !fixed.includes(name)))(
  'before the first snapshot %s is 503, and says when to come again',
  async (_, { path, axes, rest }) => {
    const needed = [...(axes ?? []), ...rest].filter(({ isRequired }) => isRequired)
    const query = needed.map(({ names: [first] }) => `${first}=${asked[first]}`).join('&')
    const { status, headers, body } = await api.ask(`${path.replace('{id}', addressOf(1))}?${query}`)
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(body).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
  },
)
