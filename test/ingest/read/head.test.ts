import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { randomFrom } from '../../../dev/devnet/random.ts'
import { HistoryUnavailableError } from '../../../ingest/client/faults.ts'
import { openHead } from '../../../ingest/read/head.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import { answering } from '../../support/chain/json-rpc.ts'
import { beat, type MockChain, mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import {
  createdLog,
  initializedLog,
  poolSwappedLog,
  swapLog,
  transferLog,
} from '../../support/chain/raw-logs.ts'
import { startProxies } from '../../support/chain/strict-endpoint.ts'
import { alice, openReading, post } from '../mock-reading.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
let stop = async () => {}
afterEach(async () => {
  vi.useRealTimers()
  await stop()
})

/** The chains behind endpoints of their own. */
async function serve(...chains: readonly MockChain[]) {
  const started = await startProxies(
    chains.map(({ rpc }) => answering(({ method, params }) => rpc.request(method, params))),
    { backoffMs: 1 },
  )
  stop = started.stop
  return started
}

const BLOCKS = 1_200
const FIRST = 100
const POLL_MS = 2_000

/** Follows a chain with a block every two seconds, which can be seen some 700 ms after their time: how often each method was called, and how late (ms) blocks with a log were read. `aheadMs`: by how much the machine's clock is ahead of the chain's. */
async function follow(
  hasLog: (block: number) => boolean,
  { schedule = mockChain.schedule, aheadMs = 0 } = {},
) {
  const random = randomFrom(3, 1)
  const chain = openMockChain(FIRST + BLOCKS + 30)
  chain.times = { ...chain.times, logs: true }
  const visibleAt = Array.from(
    { length: FIRST + BLOCKS + 1 },
    (_, n) => beat(n) * 1_000 + 550 + random.below(300) + aheadMs,
  )
  for (let block = FIRST; block <= FIRST + BLOCKS; block += 1)
    if (hasLog(block)) chain.emit(block, [transferLog(alice.coin)])
  const show = () => {
    while ((visibleAt[chain.head + 1] ?? Number.POSITIVE_INFINITY) <= Date.now()) chain.head += 1
  }
  chain.head = FIRST
  vi.setSystemTime(beat(FIRST) * 1_000 + 1_900 + aheadMs)
  const head = openHead(chain.rpc, { ...mockChain, schedule, sealingSeconds: 6 }, { pollMs: POLL_MS })
  const late: number[] = []
  const quietSeconds: number[] = []
  for (let last = chain.block(FIRST - 1); chain.head < FIRST + BLOCKS; ) {
    show()
    const found = await head.read(last)
    quietSeconds.push((Date.now() - aheadMs) / 1_000 - found.timestamp)
    for (let block = last.number + 1; block <= found.number; block += 1) {
      if (hasLog(block) && block > FIRST + 100) late.push(Date.now() - (visibleAt[block] ?? 0))
    }
    last = chain.block(found.number)
    vi.setSystemTime(Date.now() + Math.max(1, head.idleMs()))
  }
  late.sort((a, b) => a - b)
  const calls = (method: string) => chain.asked.filter((call) => call.method === method).length
  return {
    perMinute: { logs: calls('eth_getLogs') / 40, headers: calls('eth_getBlockByNumber') / 40 },
    p50: late[late.length >> 1] ?? Number.NaN,
    oldestSeconds: Math.max(...quietSeconds),
  }
}

describe('the head of a chain', () => {
  it.each<[string, (block: number) => boolean]>([
    ['in every block', () => true],
    ['in one block of three', (block) => block % 3 === 0],
    ['in none for minutes', (block) => block % 200 === 0],
  ])('with logs %s costs a call a poll and a few headers a minute', async (_what, hasLog) => {
    const { perMinute, p50, oldestSeconds } = await follow(hasLog)
    expect(perMinute.logs).toBeLessThanOrEqual(30)
    expect(perMinute.headers).toBeLessThan(4)
    expect(p50).toBeLessThanOrEqual(1.1 * POLL_MS)
    // Quiet or not, it is known that the chain goes on.
    expect(oldestSeconds).toBeLessThan(50)
  })

  it('is read alike with any schedule, and with any difference of the clocks', async () => {
    const hasLog = (block: number) => block % 7 === 0
    const plain = await follow(hasLog)
    expect(await follow(hasLog, { schedule: [] })).toEqual(plain)
    for (const aheadMs of [-3_600_000, 45_000]) {
      const { p50, oldestSeconds, perMinute } = await follow(hasLog, { aheadMs })
      expect({ p50, oldestSeconds }).toEqual({ p50: plain.p50, oldestSeconds: plain.oldestSeconds })
      expect(perMinute.logs).toBe(plain.perMinute.logs)
    }
  })

  it('shows that the last block was replaced', async () => {
    const { chain } = openReading()
    vi.setSystemTime(beat(200) * 1_000 + 500)
    chain.times = { ...chain.times, logs: true }
    const head = openHead(chain.rpc, mockChain)
    chain.emit(200, [transferLog(alice.coin)])
    const last = await head.read(null)
    expect(last).toMatchObject(chain.block(200))
    vi.setSystemTime(Date.now() + 5_000)
    expect(await head.read(last)).toBe(last)
    chain.fork(200)
    chain.emit(200, [transferLog(alice.coin)])
    vi.setSystemTime(Date.now() + 5_000)
    const forked = await head.read(last)
    expect(forked.number).toBe(last.number)
    expect(forked.hash).not.toBe(last.hash)
  })

  it('is that of the next endpoint if the first one lags', async () => {
    const [stuck, live] = [openMockChain(200), openMockChain(200)]
    for (let block = 200; block < 300; block += 1) live.emit(block, [transferLog(alice.coin)])
    const { rpc } = await serve(stuck, live)
    vi.setSystemTime(beat(200) * 1_000 + 500)
    const head = openHead(rpc, mockChain)
    let last = await head.read(null)
    for (; live.head < 230; live.head += 1) {
      vi.setSystemTime(beat(live.head) * 1_000 + 800)
      last = await head.read(last)
    }
    expect(last.number).toBeGreaterThan(225)
  })

  it('is still read after the machine clock was set back', async () => {
    const { chain } = openReading()
    vi.setSystemTime(beat(150) * 1_000 + 500)
    chain.head = 150
    const head = openHead(chain.rpc, mockChain)
    let last = await head.read(null)
    vi.setSystemTime(Date.now() + 10_000)
    chain.head = 155
    last = await head.read(last)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(head.idleMs()).toBeLessThan(10_000)
    chain.head = 160
    expect((await head.read(last)).number).toBe(160)
  })

  it('of a chain that tells of its blocks is asked at a block, and when a minute without logs is over', async () => {
    const { chain } = openReading()
    const block = chain.block(300)
    const minuteEnd = Math.ceil((block.timestamp + 1) / 60) * 60
    chain.head = 300
    vi.setSystemTime(block.timestamp * 1_000 + 100)
    const head = openHead(chain.rpc, mockChain, { pollMs: 200, isTold: true })
    const last = await head.read(null)
    const idle = head.idleMs()
    expect(idle).toBeGreaterThan(1_000)
    chain.asked.length = 0
    // Whatever came while it was asked is asked for again.
    const reading = head.read(last)
    expect([await reading, chain.asked]).toEqual([last, []])
    head.heard()
    expect(head.idleMs()).toBe(0)
    expect(await head.read(last)).toBe(last)
    expect(chain.asked.map(({ method }) => method)).toEqual(['eth_getLogs'])
    expect(head.idleMs()).toBe(idle)
    vi.setSystemTime((minuteEnd + 1) * 1_000 + 100)
    while (chain.block(chain.head).timestamp < minuteEnd) chain.head += 1
    expect(head.idleMs()).toBe(0)
    expect((await head.read(last)).number).toBe(chain.head)
    const asking = head.read(chain.block(chain.head))
    head.heard()
    await asking
    expect(head.idleMs()).toBe(0)
  })

  it('attributes logs to the endpoint that returned them', async () => {
    const [liar, honest] = [openMockChain(200), openMockChain(200)]
    liar.emit(200, [transferLog(alice.coin)])
    honest.emit(200, [transferLog(alice.coin), createdLog(alice)])
    const { proxies, rpc } = await serve(liar, honest)
    const { source } = openReading()
    vi.setSystemTime(beat(199) * 1_000 + 500)
    liar.head = 199
    const head = openHead(rpc, mockChain)
    const after = await head.read(null)
    liar.head = 200
    vi.setSystemTime(Date.now() + 2_000)
    expect(await head.read(after)).toMatchObject({ number: 200 })
    const elsewhere = head.rpc.next()
    const range = await openRanges({ ...source, rpc: elsewhere }).read(after, 200)
    expect(range).toMatchObject({
      endpoint: new URL(proxies[1]!.url).host,
      blocks: [{ facts: [{ is: 'transferred' }, { is: 'launched' }] }],
    })
  })

  it('gives the same facts as any range, in one call', async () => {
    const emit = () => {
      const reading = openReading({ known: [post] })
      reading.chain.emit(198, [initializedLog(alice, 123n), createdLog(alice), transferLog(alice.coin)])
      reading.chain.emit(200, [
        swapLog(alice),
        poolSwappedLog(post.poolId, post.hook, 5n),
        transferLog(post.coin),
      ])
      return reading
    }
    const plain = emit()
    const expected = await openRanges(plain.source).read(plain.chain.block(197), 200)
    const { chain, source } = emit()
    chain.times = { ...chain.times, logs: true }
    chain.head = 197
    vi.setSystemTime(beat(200) * 1_000 + 500)
    const head = openHead(chain.rpc, mockChain)
    await head.read(null)
    vi.setSystemTime(Date.now() + 5_000)
    chain.asked.length = 0
    chain.head = 200
    const found = await head.read(chain.block(197))
    expect(found).toMatchObject(chain.block(200))
    expect(await openRanges({ ...source, rpc: head.rpc }).read(chain.block(197), found.number)).toEqual(
      expected,
    )
    expect(
      chain.asked.map(({ method }) => method).filter((method) => method !== 'eth_getTransactionByHash'),
    ).toEqual(['eth_getLogs'])
  })

  it('is read by its header where the endpoint no longer serves logs of the last known block', async () => {
    const chain = openMockChain(200)
    chain.head = 197
    vi.setSystemTime(beat(200) * 1_000 + 500)
    const head = openHead(chain.rpc, mockChain)
    await head.read(null)
    vi.setSystemTime(Date.now() + 5_000)
    chain.head = 200
    let refused = 0
    chain.before = ({ method }) => {
      if (method !== 'eth_getLogs') return
      refused += 1
      throw new HistoryUnavailableError('mock', 'too old')
    }
    expect(await head.read(chain.block(197))).toMatchObject(chain.block(200))
    expect(refused).toBe(1)
  })
})
