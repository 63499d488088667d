import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Token } from '../../market/segment.ts'
import { type ApiStack, startApiStack } from '../support/api-stack.ts'
import { launchOf, nthAddress, tokenAt, tradedState } from '../support/facts.ts'

const START = 29_000_160
const [first, second, other, stranger] = [60, 61, 62, 63].map(nthAddress) as [
  Token['creator'],
  Token['creator'],
  Token['creator'],
  Token['creator'],
]
/** One a minute; each is called by its number, but for those of the handle. */
const tokens = [
  tokenAt(1, START, { creator: first, symbol: 'jess' }),
  tokenAt(2, START + 1, { creator: second, symbol: 'JESS' }),
  tokenAt(3, START + 2, { creator: first, kind: 'post' }),
  tokenAt(4, START + 3, { creator: first, launchedBy: stranger, kind: 'post' }),
  tokenAt(5, START + 4, { creator: second, kind: 'post' }),
  tokenAt(6, START + 5, { creator: other }),
  tokenAt(7, START + 6, { creator: other, launchedBy: stranger, symbol: 'jess' }),
  tokenAt(8, START + 7, { creator: first, kind: 'post' }),
]

let api: ApiStack
beforeAll(async () => {
  api = await startApiStack()
  for (const token of tokens) {
    // The last is on a board, and with it its creator's token.
    const cumTrades = token === tokens[7] ? 1 : 0
    await api.seal(launchOf(token, tradedState({ reserveQuote: 10n ** 20n, cumTrades })))
  }
  api.state.now = (START + 8) * 60
  await api.publish()
})
afterAll(() => api.stop())

async function found(value: string) {
  const { body } = await api.ask(`/v1/tokens?field=creator&value=${value}`)
  const rows = body as { contract_address: string; creator_verified: boolean }[]
  return rows.map(({ contract_address, creator_verified }) => [
    1 + tokens.findIndex(({ address }) => address === contract_address.toLowerCase()),
    creator_verified,
  ])
}

it('tokens of a handle are those of all wallets behind it, board tokens first, then the oldest; without tokens that others launched in their names', async () => {
  const expected = [1, 8, 2, 3, 5].map((number) => [number, true])
  expect(await found('@Jess')).toEqual([...expected, [7, false]])
})

it('tokens of an address are all that name it, and say whether it launched them', async () => {
  expect(await found(first)).toEqual([
    [1, true],
    [8, true],
    [3, true],
    [4, false],
  ])
})
