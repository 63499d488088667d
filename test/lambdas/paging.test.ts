import { afterAll, expect, it } from 'vitest'
import { operationEntries } from '../../schemas/api/operations.ts'
import { startApiStack } from '../support/aws/api-stack.ts'
import { nthAddress, segmentOf, stateWith, tokenAt } from '../support/market/facts.ts'

const START = 29_000_160
const TOKENS = 24
const tokens = Array.from({ length: TOKENS }, (_, at) => tokenAt(at + 1, START))

const api = await startApiStack()
afterAll(() => api.stop())
let minute = START

/** Seals and publishes a minute in which every token's worth and volume changes places with others'. */
async function publishAnother(): Promise<void> {
  const step = minute - START + 1
  const rows = tokens.map(({ address }, at) => {
    const place = (at * 7 + step * 5) % TOKENS
    const state = stateWith({
      sqrtPriceX96: 2n ** 96n,
      supply: BigInt(1 + place) * 10n ** 18n,
      reserveQuote: 10n ** 24n,
      cumTrades: step,
      cumVolumeMicroUsd: BigInt(step * 1_000_000 + place * 1_000),
      holders: 1,
    })
    return [address, state] as const
  })
  await api.seal(segmentOf(minute, { born: minute === START ? tokens : [], rows }))
  minute += 1
  api.state.now = minute * 60
  await api.publish()
}

/** They say the same whatever the market does. */
const fixed = ['openapi', 'llms', 'robots']
const needs: Readonly<Record<string, string>> = { field: 'symbol', value: 'ann', q: 'ann' }

it.each(operationEntries.filter(([name]) => !fixed.includes(name)))(
  'before the first snapshot %s is 503, and says when to come again',
  async (_, { path, documentParameters, rest }) => {
    const needed = [...(documentParameters ?? []), ...rest].filter(({ isRequired }) => isRequired)
    const query = needed.map(({ names: [first] }) => `${first}=${needs[first]}`).join('&')
    const { status, headers, body } = await api.ask(`${path.replace('{id}', nthAddress(1))}?${query}`)
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(body).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
  },
)

const addresses = (body: unknown) =>
  (body as { contract_address: string }[]).map((row) => row.contract_address)

const lists = [
  { path: '/v1/z100/creators?sort=price&', most: 100 },
  { path: '/v1/z100/creators?', most: 100 },
  { path: '/v1/market/trending?', most: 100 },
  { path: '/v1/discover/new-launches?', most: 50 },
]

it('pages of lists that move have no gap and no repeat while they stay with a snapshot', async () => {
  await publishAnother()
  const walks = await Promise.all(
    lists.map(async ({ path, most }) => {
      const first = await api.ask(`${path}limit=5`)
      const snapshot = first.headers.get('x-snapshot-id')
      const whole = await api.ask(`${path}limit=${most}&snapshot=${snapshot}`)
      return { path, snapshot, paged: addresses(first.body), whole: addresses(whole.body) }
    }),
  )
  for (let offset = 5; offset < TOKENS; offset += 5) {
    await publishAnother()
    for (const { path, snapshot, paged } of walks) {
      const page = await api.ask(`${path}limit=5&offset=${offset}&snapshot=${snapshot}`)
      expect([path, page.headers.get('x-snapshot-id')]).toEqual([path, snapshot])
      paged.push(...addresses(page.body))
    }
  }
  for (const { path, snapshot, paged, whole } of walks) {
    expect([path, paged]).toEqual([path, whole])
    expect([path, new Set(paged).size]).toEqual([path, TOKENS])
    // Without the snapshot the board has moved on meanwhile.
    const now = await api.ask(`${path}limit=5`)
    expect([path, now.headers.get('x-snapshot-id')]).not.toEqual([path, snapshot])
    if (!path.includes('launches')) expect([path, addresses(now.body)]).not.toEqual([path, paged.slice(0, 5)])
  }
})
