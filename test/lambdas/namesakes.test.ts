import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Token } from '../../market/segment.ts'
import { printedAddress } from '../../schemas/address.ts'
import { type ApiStack, faultsOf, startApiStack } from '../support/api-stack.ts'
import { addressOf, references, segmentOf, stateOf, tokenAt } from '../support/market-history.ts'

// A thousand launches of one symbol, and the token that the board knows by it, launched last of all.
const START = 29_000_160
const CROWD = 1_000
const crowd = Array.from({ length: CROWD }, (_, at) =>
  tokenAt(at + 1, START, { symbol: 'ANN', creator: addressOf(10_000 + at) }),
)
const known = tokenAt(CROWD + 1, START + 1, {
  ...{ symbol: 'ann', name: 'The one', creator: addressOf(20_000) },
})
const post = tokenAt(CROWD + 2, START + 2, {
  ...{ kind: 'post', symbol: 'WALK', quote: known.address, creator: known.creator },
})

let api: ApiStack

beforeAll(async () => {
  api = await startApiStack()
  const sealed = (minute: number, tokens: readonly Token[], trades: number) =>
    api.seal({
      ...segmentOf(minute, { tokens: tokens.map((after) => ({ before: null, after })) }),
      references: references(1000),
      rows: tokens.map((description) => ({
        ...{ description, token: description.address, before: stateOf({}) },
        after: stateOf({
          ...{ sqrtPriceX96: 2n ** 96n, supply: 10n ** 21n, reserveQuote: BigInt(trades) * 10n ** 20n },
          ...{ cumTrades: trades, cumVolumeMicroUsd: BigInt(trades) * 10n ** 9n, holders: 2 },
        }),
        ...{ rangesBefore: [], ranges: [], candle: null },
      })),
    })
  await sealed(START, crowd, 0)
  await sealed(START + 1, [known], 1)
  await sealed(START + 2, [post], 1)
  api.state.now = (START + 3) * 60
  await api.publish()
})
afterAll(() => api.stop())

/** An answer's rows and the read units that it cost, by a function that is warm. */
async function asked(query: string) {
  await api.ask(`/v1/tokens?${query}`)
  api.read.units = 0
  const { body, headers } = await api.ask(`/v1/tokens?${query}`)
  expect(faultsOf('tokens', body)).toBe('')
  return { rows: body as Record<string, unknown>[], headers, units: api.read.units }
}

it('the token on the board stands before its namesakes, however late it came', async () => {
  const { rows, headers } = await asked('field=symbol&value=ann&limit=3')
  expect(rows.map((row) => row['contract_address'])).toEqual(
    [known, ...crowd.slice(0, 2)].map(({ address }) => printedAddress(address)),
  )
  expect(rows[0]).toMatchObject({
    rank: 1,
    z100_board: 'creators',
    z100_rank: 1,
    symbol: 'ann',
    name: 'The one',
  })
  expect(rows[1]).toMatchObject({ rank: 2, z100_board: null, z100_rank: null })
  expect([headers.get('x-total-count'), headers.get('x-total-capped')]).toEqual([String(CROWD), 'true'])
})

it('and so do its posts, when they are looked for by its handle', async () => {
  const { rows } = await asked('field=creator&value=@ann&limit=2')
  expect(rows.map((row) => row['symbol'])).toEqual(['ann', 'WALK'])
})

it('an answer costs what its rows cost, not what the crowd costs', async () => {
  const few = await asked('field=symbol&value=ann&limit=5')
  const many = await asked('field=symbol&value=ann&limit=100')
  expect(many.rows).toHaveLength(100)
  // The look-up of a thousand, then two items a token: its description and its newest state.
  expect(few.units).toBeLessThanOrEqual(36)
  expect(many.units - few.units).toBeLessThanOrEqual(2 * 95)
})
