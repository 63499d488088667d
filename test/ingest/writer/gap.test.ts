/** Minutes that are not sealed because the endpoint leaves logs out of what is asked by topic alone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionResult } from 'viem'
import { expect, it, vi } from 'vitest'
import { RpcUnavailableError, StateUnavailableError } from '../../../ingest/client/faults.ts'
import { extsload } from '../../../ingest/client/state-calls.ts'
import { followChain, type Progress, type WriterDeps } from '../../../ingest/writer/writer.ts'
import { openGapStore } from '../../../store/published/stored-status.ts'
import {
  depsOver,
  type IngestStores,
  memoryStores,
  untilIdle,
  verifying,
} from '../../support/aws/ingest-stores.ts'
import { type MockChain, mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import { swapLog } from '../../support/chain/raw-logs.ts'
import { hash } from '../../support/market/facts.ts'
import { alice, eitherOf, launchLogs, omitTrades } from '../mock-reading.ts'

/** A token is launched in the first minute and traded in the second, up to this head. */
function tradedChain(head: number, { isLiar }: { readonly isLiar: boolean }): MockChain {
  const chain = openMockChain(head)
  chain.emit(3, launchLogs(alice))
  chain.emit(40, [swapLog(alice)])
  if (isLiar) omitTrades(chain)
  return chain
}
const liarAndHonest = (head: number) =>
  [tradedChain(head, { isLiar: true }), tradedChain(head, { isLiar: false })] as const

const writerOf = (
  chain: MockChain,
  stores: IngestStores,
  { retryMs = 1, ...own }: Partial<WriterDeps> & { readonly retryMs?: number } = {},
): AsyncGenerator<Progress> =>
  followChain(
    depsOver(stores, {
      rpc: chain.rpc,
      chain: mockChain,
      verification: verifying(stores, { retryMs }),
      ...own,
    }),
  )
const gapOf = ({ table }: IngestStores) => openGapStore(table).read()

it('a gap is reported, even if the other endpoint is on another fork', async () => {
  const [liar, forked] = liarAndHonest(61)
  forked.fork(0)
  const stores = memoryStores()
  for await (const { is } of writerOf(liar, stores, { rpc: eitherOf(liar, forked) })) {
    expect(is).not.toBe('idle')
    if (is === 'gap') break
  }
  expect(await gapOf(stores)).toMatchObject({ block: 30 })
})

it('a gap is retried after pauses, also by a process that starts at it', async () => {
  const [chain, stores] = [tradedChain(61, { isLiar: true }), memoryStores()]
  expect(await untilIdle(writerOf(chain, stores))).toContain('gap')
  const restarted = writerOf(chain, stores, { retryMs: 60_000 })
  expect(await untilIdle(restarted)).toContain('gap')
  const asked = chain.asked.length
  expect(await untilIdle(restarted)).toEqual([])
  expect(chain.asked.slice(asked).map(({ method }) => method)).not.toContain('eth_getLogs')
})

it('a gap is retried although the clock of the machine was set back', async () => {
  const [chain, stores] = [tradedChain(61, { isLiar: true }), memoryStores()]
  const writer = writerOf(chain, stores, { retryMs: 10 })
  expect(await untilIdle(writer)).toContain('gap')
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
  try {
    await sleep(20)
    expect(await untilIdle(writer)).toContain('gap')
  } finally {
    vi.restoreAllMocks()
  }
})

it('a gap far from the head is waited for as at the head, once enough has been read', async () => {
  const [chain, stores] = [tradedChain(30 * 200, { isLiar: true }), memoryStores()]
  let heads = 0
  const read = async () => {
    heads += 1
    return chain.block(chain.head)
  }
  const own = { head: { read, idleMs: () => 0 }, farSeconds: 0, retryMs: 60_000 }
  const writer = writerOf(chain, stores, own)
  expect(await untilIdle(writer)).toContain('gap')
  const before = heads
  expect(await untilIdle(writer)).toEqual([])
  expect(heads).toBe(before + 1)
})

it('a gap is left behind when another writer has sealed the minute', async () => {
  const stores = memoryStores()
  const [liar, honest] = liarAndHonest(61)
  const stuck = writerOf(liar, stores)
  expect(await untilIdle(stuck)).toContain('gap')
  expect(await gapOf(stores)).toMatchObject({ block: 30 })
  await untilIdle(writerOf(honest, stores))
  expect(await stores.log.tail()).toMatchObject({ n: 2 })
  await sleep(2)
  expect([...(await untilIdle(stuck)), ...(await untilIdle(stuck))]).toContain('lost')
  liar.head = 121
  expect(await untilIdle(stuck)).not.toContain('gap')
  expect(await stores.log.tail()).toMatchObject({ n: 4 })
})

it('a gap of a writer that has ended is no longer reported once another one has sealed the minute', async () => {
  const stores = memoryStores()
  const [liar, honest] = liarAndHonest(50)
  const other = writerOf(honest, stores)
  await untilIdle(other)
  liar.head = honest.head = 61
  expect(await untilIdle(writerOf(liar, stores))).toContain('gap')
  expect(await gapOf(stores)).toMatchObject({ block: 30 })
  expect(await untilIdle(other)).toContain('gap closed')
  expect(await gapOf(stores)).toBeUndefined()
})

it('the price of a pool is asked for again after an endpoint has failed to give it, and not soon if it keeps no state', async () => {
  const faults = [
    [new RpcUnavailableError('mock', 'down'), 'gap'],
    [new StateUnavailableError('mock', 'pruned'), 'sealed'],
  ] as const
  for (const [fault, then] of faults) {
    const [chain, stores] = [tradedChain(31, { isLiar: false }), memoryStores()]
    let failed = 0
    chain.distort = ({ method }, answer) => {
      if (method !== 'eth_call') return answer
      // Of another trade than the last one read.
      if (failed > 0) return encodeFunctionResult({ abi: extsload, result: [hash(98)] })
      failed += 1
      throw fault
    }
    const writer = writerOf(chain, stores)
    expect(await untilIdle(writer)).toContain('sealed')
    expect(failed).toBe(1)
    chain.head = 61
    expect(await untilIdle(writer)).toContain(then)
  }
})
