import { expect, test } from 'vitest'
import { chains } from '../../../ingest/client/chains.ts'
import { StateUnavailableError } from '../../../ingest/client/faults.ts'
import type { Rpc } from '../../../ingest/client/rpc.ts'
import { logStart, type MovedStart, sinceFrom } from '../../../ingest/read/log-start.ts'
import { memoryStores } from '../../support/aws/ingest-stores.ts'
import { loneRpc } from '../../support/chain/json-rpc.ts'

const HEAD = 40_000_000
const chain = chains.base
const timeOf = (block: number) => 1_686_789_347 + 2 * block
const hash = (block: number) => `0x${block.toString(16).padStart(64, '0')}`

/** An endpoint of Base that has the state of its last `states` blocks, and no logs. */
function endpoint(states: number): Rpc {
  const header = (block: number) => ({
    number: block,
    hash: hash(block),
    parentHash: hash(block - 1),
    timestamp: timeOf(block),
  })
  return loneRpc(async ({ method, params }) => {
    if (method === 'eth_call') {
      if (HEAD - Number(params[1]) >= states) throw new StateUnavailableError('pruned', 'missing trie node')
      return `0x${'20'.padStart(64, '0')}${'1'.padStart(64, '0')}${'0'.repeat(64)}`
    }
    const block = params[0] === 'latest' ? HEAD : Number(params[0])
    return block > HEAD ? null : header(block)
  })
}

async function startAt(since: string, states = Number.POSITIVE_INFINITY) {
  const moved: MovedStart[] = []
  const { log } = memoryStores()
  const rpc = endpoint(states)
  const start = await logStart({ rpc, chain, log }, sinceFrom(since), (one) => moved.push(one))
  return { first: (start?.number ?? -1) + 1, moved }
}

test('a log of the last hours begins with the first block of a UTC hour', async () => {
  const { first, moved } = await startAt('24h')
  expect(moved).toEqual([])
  expect(timeOf(first) % 3_600).toBeLessThan(2)
  const age = timeOf(HEAD) - timeOf(first)
  expect(age).toBeGreaterThanOrEqual(86_400 - 2)
  expect(age).toBeLessThan(86_400 + 3_600)
})

test('a log begins with the requested block, or with the first that can hold a creation', async () => {
  expect((await startAt('39000000')).first).toBe(39_000_000)
  for (const all of ['all', '0', '12']) expect((await startAt(all)).first).toBe(chain.creationsFrom)
})

test('a log begins in the newer half of the state of an endpoint without an archive, and this is reported', async () => {
  const { first, moved } = await startAt('24h', 128)
  expect(HEAD - first).toBeGreaterThan(50)
  expect(HEAD - first).toBeLessThan(70)
  expect(moved).toEqual([{ wanted: (await startAt('24h')).first, block: first }])
})

test('all of history needs no state of the past', async () => {
  expect((await startAt('all', 128)).moved).toEqual([])
})

test.each(['7D', '24 h', '-5', '1.5d', '30m', 'yesterday', '0h'])(
  '%s is refused with an explanation',
  (text) => {
    expect(() => sinceFrom(text)).toThrow(/give hours or days/)
  },
)
