import { afterAll, expect, it } from 'vitest'
import { openTokens } from '../../../store/items/tokens.ts'
import { openCurrencies } from '../../../stream/events.ts'
import { startApiStack } from '../../support/aws/api-stack.ts'
import {
  lastBlockOf,
  nthAddress,
  segmentOf,
  swapWith,
  tokenAt,
  tradedState,
} from '../../support/market/facts.ts'

const START = 29_000_160
const creator = tokenAt(1, START, { symbol: 'ann', name: 'Ann' })
const post = tokenAt(2, START, { kind: 'post', symbol: 'WALK', quote: creator.address })
const renamed = { ...creator, symbol: 'anna', name: 'Anna' }
const traded = tradedState()
const swap = swapWith({
  token: post.address,
  quote: creator.address,
  blockNumber: START * 30,
  timestamp: START * 60,
})
const bought = swapWith({
  token: creator.address,
  logIndex: 1,
  blockNumber: START * 30,
  timestamp: START * 60,
})
const entry = {
  seq: 1,
  is: 'block' as const,
  block: lastBlockOf(START),
  swaps: [swap, bought],
  names: [creator, post].map(({ address, symbol, name }) => ({ address, symbol, name })),
}

const api = await startApiStack()
afterAll(() => api.stop())
const rows = [creator, post].map(({ address }) => [address, traded] as const)
await api.seal(segmentOf(START, { born: [creator, post], rows, swaps: [swap, bought] }))
await api.feed(entry)
api.state.now = (START + 1) * 60
await api.publish()

const rowsOf = async (path: string) => (await api.ask(path)).body as Record<string, unknown>[]
/** What recent swaps, the swaps of a token and the stream call the creator token. */
async function namesOf() {
  const ofToken = await rowsOf(`/v1/tokens/${post.address}/swaps`)
  const recent = await rowsOf('/v1/market/recent-swaps')
  const stream = await openCurrencies(openTokens(api.stores.table), []).read([entry])
  return [...ofToken, ...recent.filter((row) => row['token_symbol'] === 'WALK')]
    .map((row) => (row['token_in'] as { symbol: string }).symbol)
    .concat(stream(creator.address).symbol ?? '')
}
const soldBy = async (symbol: string) =>
  (await rowsOf(`/v1/market/recent-swaps?token=${symbol}`)).map((row) => row['token_symbol'])

it('a token that is renamed has its new name in recent swaps, in the swaps of a token and in the stream', async () => {
  expect(await namesOf()).toEqual(['ann', 'ann', 'ann'])
  expect(await soldBy('ann')).toEqual(['ann'])
  await api.seal(segmentOf(START + 1, { born: [renamed], hooks: [nthAddress(900)] }))
  api.state.now = (START + 2) * 60
  expect(await namesOf()).toEqual(['anna', 'anna', 'anna'])
  expect(await soldBy('ann')).toEqual([])
  expect(await soldBy('anna')).toEqual(['anna'])
})
