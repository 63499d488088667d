import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BlockNotYetAvailableError } from '../../../ingest/client/faults.ts'
import { guessedTimeMs } from '../../../ingest/client/schedule.ts'
import { followChain, type Progress } from '../../../ingest/writer/writer.ts'
import type { LogStore } from '../../../store/log/log.ts'
import {
  depsOver,
  feedOf,
  type IngestStores,
  memoryStores,
  untilIdle,
  verifying,
  visible,
} from '../../support/aws/ingest-stores.ts'
import { type MockChain, mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import { nobody, type Sketch, swapLog, transferLog, zora } from '../../support/chain/raw-logs.ts'
import { standingPlaces } from '../../support/from-zero.ts'
import { address, hash } from '../../support/market/facts.ts'
import { eitherOf, launchLogs, omitTrades, startMockWriter } from '../mock-reading.ts'

/** The clock of the chain: nothing has expired. */
const openStores = () => memoryStores(() => 6_000)

const sketch = (n: number): Sketch => ({
  coin: address(0xa0 + n),
  quote: zora,
  poolId: hash(0xb0 + n),
  hook: address(0x40),
})
const [first, second] = [sketch(1), sketch(2)]

/** Blocks are two seconds apart, so minute 100 begins at block 0, 101 at block 30. */
function tradedChain(): MockChain {
  const chain = openMockChain(0)
  chain.emit(3, launchLogs(first))
  chain.emit(40, [swapLog(first, { swapSender: address(0x51) })])
  chain.emit(70, [...launchLogs(second), swapLog(second), swapLog(first)])
  return chain
}

/** A log in which the first entry seems lost to another writer: it is stored, but `append` answers false. */
function lostOnce(log: LogStore, onLost = (): void => undefined): LogStore {
  let isLost = false
  return {
    ...log,
    append: async (entry) => {
      const isStored = await log.append(entry)
      if (isLost) return isStored
      isLost = true
      onLost()
      return false
    },
  }
}

/** Readers find what a writer leaves that reads the chain as it is, in one go. */
async function expectAsAlone(chain: MockChain, stores: IngestStores): Promise<void> {
  const alone = openStores()
  await untilIdle(startMockWriter(chain, alone))
  expect(await visible(stores)).toEqual(await visible(alone))
  expect(await standingPlaces(stores)).toEqual(await standingPlaces(alone))
  expect((await stores.log.applied())?.minute).toBe((await alone.log.applied())?.minute)
}

describe('the writer', () => {
  it('seals a minute once a later block exists and its last block is deep enough, and feeds swaps at once', async () => {
    const chain = tradedChain()
    const stores = openStores()
    const writer = startMockWriter(chain, stores)
    chain.head = 59 // the last block of minute 101: minute 100 is over and deep, 101 is not over
    await untilIdle(writer)
    expect(await stores.log.tail()).toMatchObject({ n: 1, is: 'sealed', minute: 100, last: { number: 29 } })
    expect(await standingPlaces(stores)).toEqual(['40.0'])
    chain.head = 60
    await untilIdle(writer)
    expect(await stores.log.tail()).toMatchObject({ n: 2, minute: 101, firstBlock: 30, last: { number: 59 } })
    expect(await stores.log.applied()).toMatchObject({ n: 2, minute: 101, isLowered: false })
  })

  it.each([
    {
      usual: 'five trades',
      transfers: 40,
      isGap: false,
      tail: { n: 13, firstBlock: 12, last: { number: 21 } },
    },
    {
      usual: 'fifteen trades',
      transfers: 120,
      isGap: true,
      tail: { n: 12, firstBlock: 11, last: { number: 11 } },
    },
  ])(
    'with one endpoint, after minutes of $usual, however many blocks they had: a minute without logs is a gap: $isGap',
    async ({ transfers, isGap, tail }) => {
      // A minute for each of the first dozen blocks; then a minute is ten blocks.
      const schedule = [
        { fromBlock: 0, atMs: 6_000_000, everyMs: 60_000 },
        { fromBlock: 12, atMs: 6_720_000, everyMs: 6_000 },
      ]
      const chain = openMockChain(13, (block) => (guessedTimeMs(schedule, block) ?? 0) / 1_000)
      chain.emit(0, launchLogs(first))
      for (let block = 0; block < 12; block++) {
        const holders = Array.from({ length: transfers }, (_, at) =>
          address(0x1_000 + transfers * block + at),
        )
        chain.emit(
          block,
          holders.map((holder) => transferLog(first.coin, [nobody, holder])),
        )
      }
      const stores = openStores()
      const rules = { ...mockChain, schedule }
      const own = { rpc: chain.rpc, chain: rules, verification: verifying(stores) }
      const writer = followChain(depsOver(stores, own))
      await untilIdle(writer)
      chain.head = 23
      expect((await untilIdle(writer)).includes('gap')).toBe(isGap)
      expect(await stores.log.tail()).toMatchObject(tail)
    },
  )

  it('writes the same however often its process restarts', async () => {
    const chain = tradedChain()
    const stores = openStores()
    for (const head of [10, 35, 40, 61, 70, 75, 121]) {
      chain.head = head
      await untilIdle(startMockWriter(chain, stores))
    }
    await expectAsAlone(chain, stores)
    expect(await standingPlaces(stores)).toEqual(['40.0', '70.3', '70.4'])
  })

  it('writes the same of minutes whose rows have expired, however often its process restarts', async () => {
    const chain = tradedChain()
    // One wallet, three times in an hour: what it came to before counts.
    for (const block of [77, 99, 135]) chain.emit(block, [swapLog(first)])
    const [once, often] = [openStores(), memoryStores(() => 1e10)]
    for (const head of [35, 61, 75, 91, 121, 151]) {
      chain.head = head
      await untilIdle(startMockWriter(chain, often))
    }
    await untilIdle(startMockWriter(chain, once))
    expect(await visible(often)).toEqual(await visible(once))
  })

  it('continues to commit after waiting for queued commits', async () => {
    const chain = tradedChain()
    chain.head = 150 * 30
    const stores = openStores()
    const seen: Progress['is'][] = []
    // All but the first minute are stored once nothing else is left to do: then more are sealed than may wait.
    const untilWaiting = async () => {
      for (let before = -1; before < seen.length; await sleep(50)) before = seen.length
      return seen.length
    }
    let stored: Promise<number> | undefined
    const putSegment: LogStore['putSegment'] = async (segment) => {
      if (segment.minute > 100) stored ??= untilWaiting()
      await stored
      return stores.log.putSegment(segment)
    }
    for await (const { is } of startMockWriter(
      chain,
      { ...stores, log: { ...stores.log, putSegment } },
      true,
    )) {
      seen.push(is)
      if (is === 'idle') break
    }
    expect(await stored).toBeGreaterThan(120)
    expect(seen.length).toBeGreaterThan((await stored) ?? 0)
    expect(await stores.log.tail()).toMatchObject({ n: 150 })
  })

  it('rolls back a reorg in the open minute without touching the log', async () => {
    const chain = tradedChain()
    const stores = openStores()
    const writer = startMockWriter(chain, stores)
    chain.head = 75
    await untilIdle(writer)
    chain.fork(65)
    chain.emit(71, [swapLog(first)])
    chain.head = 76
    expect(await untilIdle(writer)).toContain('retracted')
    expect(await stores.log.tail()).toMatchObject({ n: 2, is: 'sealed' })
    expect(await standingPlaces(stores)).toEqual(['40.0', '71.0'])
  })

  for (const isRestarted of [false, true]) {
    it(`rewinds sealed minutes that the chain no longer has${isRestarted ? ', also after a start' : ''}`, async () => {
      const chain = tradedChain()
      const stores = openStores()
      const writer = startMockWriter(chain, stores)
      chain.head = 130
      await untilIdle(writer)
      chain.fork(35)
      chain.emit(50, launchLogs(second))
      chain.emit(95, [swapLog(second)])
      chain.head = 131
      const seen = await untilIdle(isRestarted ? startMockWriter(chain, stores) : writer)
      expect(seen).toContain('rewound')
      await expectAsAlone(chain, stores)
    })
  }

  it('waits and rolls nothing back while an endpoint lags', async () => {
    const chain = tradedChain()
    const stores = openStores()
    const writer = startMockWriter(chain, stores)
    chain.head = 80
    await untilIdle(writer)
    const before = await feedOf(stores)
    chain.head = 72
    expect(await untilIdle(writer)).toEqual([])
    expect(await feedOf(stores)).toEqual(before)
  })

  it('rolls back no more than the chain did if an endpoint lags during a reorg', async () => {
    const chain = tradedChain()
    const stores = openStores()
    chain.head = 130
    await untilIdle(startMockWriter(chain, stores))
    chain.fork(128)
    chain.head = 135
    // It has the new head, but of what is known only the blocks up to 20.
    chain.distort = ({ method, params: [block] }, answer) =>
      method === 'eth_getBlockByNumber' && block !== 'latest' && Number(block) > 20 && Number(block) <= 130
        ? null
        : answer
    await expect(untilIdle(startMockWriter(chain, stores))).rejects.toThrow(BlockNotYetAvailableError)
    expect(await stores.log.tail()).toMatchObject({ n: 4, is: 'sealed' })
    chain.distort = (_, answer) => answer
    expect(await untilIdle(startMockWriter(chain, stores))).not.toContain('rewound')
    await expectAsAlone(chain, stores)
  })

  it('rolls back nothing because of one endpoint while another one still has it, and prefers that one then', async () => {
    const stores = openStores()
    const [liar, honest] = [tradedChain(), tradedChain()]
    liar.head = honest.head = 130
    await untilIdle(startMockWriter(honest, stores))
    liar.distort = ({ method }, answer) =>
      method === 'eth_getBlockByNumber' && answer !== null
        ? { ...(answer as object), hash: hash(0xbad), parentHash: hash(0xbad) }
        : answer
    const rpc = eitherOf(liar, honest)
    expect(await untilIdle(startMockWriter({ ...honest, rpc }, stores))).toEqual(['retracted', 'read'])
    expect(await stores.log.tail()).toMatchObject({ n: 4, is: 'sealed' })
    expect(rpc.endpoint.name).toBe('second')
    honest.fork(35)
    honest.head = 131
    expect(await untilIdle(startMockWriter({ ...honest, rpc }, stores))).toContain('rewound')
  })

  it('publishes a sealed block whole if a writer that ended published less of it, even if the chain does not grow', async () => {
    const chain = tradedChain()
    chain.emit(40, [swapLog(first)])
    const stores = openStores()
    chain.head = 58
    chain.distort = ({ method }, answer) =>
      method === 'eth_getLogs'
        ? (answer as { logIndex: string; blockNumber: string }[]).filter(
            ({ blockNumber, logIndex }) => Number(blockNumber) !== 40 || Number(logIndex) === 0,
          )
        : answer
    await untilIdle(startMockWriter(chain, stores))
    expect(await standingPlaces(stores)).toEqual(['40.0'])
    chain.distort = (_, answer) => answer
    chain.head = 60
    await untilIdle(startMockWriter(chain, stores))
    expect(await stores.log.tail()).toMatchObject({ minute: 101 })
    expect(await standingPlaces(stores)).toEqual(['40.0', '40.1'])
  })

  it('two writers of one log end with one log', async () => {
    const chain = tradedChain()
    const stores = openStores()
    const writers = [startMockWriter(chain, stores), startMockWriter(chain, stores)]
    for (const head of [35, 65, 75, 95, 121]) {
      chain.head = head
      await Promise.all(writers.map(untilIdle))
    }
    await expectAsAlone(chain, stores)
    // Every minute once.
    expect(await stores.log.tail()).toMatchObject({ n: 4, minute: 103 })
  })

  it('ends soon if the log cannot be written, however far the head is', async () => {
    const chain = tradedChain()
    const stores = openStores()
    chain.head = 30 * 400
    let read = 0
    const append = async () => {
      throw new Error('the log takes no entry')
    }
    const writer = startMockWriter(chain, { ...stores, log: { ...stores.log, append } }, true)
    const ended = (async () => {
      for await (const { is } of writer) if (is === 'read') read += 1
    })()
    await expect(ended).rejects.toThrow('the log takes no entry')
    expect(read).toBeLessThan(200)
  })

  it('stores segments before their entries, and commits all before one that cannot be stored', async () => {
    const chain = tradedChain()
    const stores = openStores()
    chain.head = 30 * 20
    const appended: number[] = []
    let ahead = 0
    const log: LogStore = {
      ...stores.log,
      async putSegment(segment) {
        if (segment.minute === 109) throw new Error('no place for the tenth minute')
        ahead = Math.max(ahead, segment.minute - 100 - appended.length)
        return stores.log.putSegment(segment)
      },
      async append(entry) {
        appended.push(entry.n)
        return stores.log.append(entry)
      },
    }
    const ended = untilIdle(startMockWriter(chain, { ...stores, log }, true))
    await expect(ended).rejects.toThrow('no place for the tenth minute')
    expect(appended).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(ahead).toBe(7)
  })

  it('continues after losing an entry to another writer, far from the head', async () => {
    const chain = tradedChain()
    const stores = openStores()
    chain.head = 30 * 20
    const writer = startMockWriter(chain, { ...stores, log: lostOnce(stores.log) }, true)
    expect(await untilIdle(writer)).toContain('lost')
    await expectAsAlone(chain, stores)
  })

  it('verifies minutes again that it reads again after losing an entry', async () => {
    const chain = tradedChain()
    const stores = openStores()
    chain.head = 30 * 6
    // The second time, trades are left out of what is asked by topic alone.
    const log = lostOnce(stores.log, () => omitTrades(chain))
    const own = { rpc: chain.rpc, chain: mockChain, verification: verifying(stores, { retryMs: 1 }) }
    const writer = followChain(depsOver({ ...stores, log }, own))
    expect(await untilIdle(writer)).toEqual(expect.arrayContaining(['lost', 'gap']))
    chain.distort = (_, answer) => answer
    for (let seen: Progress['is'][] = []; !seen.includes('gap closed'); seen = await untilIdle(writer))
      await sleep(1)
    await untilIdle(writer)
    await expectAsAlone(chain, stores)
  })
})
