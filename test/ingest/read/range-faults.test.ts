import { describe, expect, it } from 'vitest'
import {
  BlockNotYetAvailableError,
  RangeChangedError,
  RpcRefusedError,
  RpcUnavailableError,
} from '../../../ingest/client/faults.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import type { Call } from '../../../ingest/client/rpc.ts'
import { topicOf } from '../../../ingest/decode/events.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import { createdLog, transferLog } from '../../support/chain/raw-logs.ts'
import { hash } from '../../support/market/facts.ts'
import { alice, kinds, openReading } from '../mock-reading.ts'

/** The second pass has come to the hooks' doings. */
const isSecondPass = ({ method, params }: Call): boolean =>
  method === 'eth_getLogs' && JSON.stringify(params).includes(topicOf.modifyLiquidity)

describe('a chain that changes', () => {
  it('is a reorg if the block before the range was replaced', async () => {
    const { chain, source } = openReading()
    const after = chain.block(50)
    chain.fork(50)
    expect(await openRanges(source).read(after, 60)).toBe('reorged')
    expect(chain.asked.filter(({ method }) => method === 'eth_getLogs')).toEqual([])
  })

  it('contradicts itself if the one new block has another parent: the range is discarded', async () => {
    const { chain, read } = openReading()
    chain.distort = (_call, answer) => {
      const header = answer as { number: string }
      return header.number === '0x33' ? { ...header, parentHash: hash(5) } : header
    }
    await expect(read(51, 51)).rejects.toThrow(RangeChangedError)
  })

  it('is a reorg also while the logs are read; their registrations are dropped', async () => {
    const { chain, source } = openReading()
    const after = chain.block(50)
    chain.emit(52, [createdLog(alice)])
    chain.before = (call) => {
      if (isSecondPass(call)) chain.fork(45)
    }
    expect(await openRanges(source).read(after, 60)).toBe('reorged')
    expect(await source.registry.tokens([alice.coin])).toEqual(new Set())
  })

  it('is read again if only the range changed', async () => {
    const { chain, source, read } = openReading()
    chain.emit(52, [createdLog(alice)])
    let hasForked = false
    chain.before = (call) => {
      if (!isSecondPass(call) || hasForked) return
      hasForked = true
      chain.fork(51)
    }
    const range = await read(51, 60)
    expect(hasForked).toBe(true)
    expect(range.last).toEqual(chain.block(60))
    expect(kinds(range)).toEqual([])
    expect(await source.registry.tokens([alice.coin])).toEqual(new Set())
  })

  it('may not have the block yet', async () => {
    const { chain, source, read } = openReading()
    await expect(read(199, 201)).rejects.toThrow(BlockNotYetAvailableError)
    expect(await readHeader(source.rpc, 201)).toBeUndefined()
    expect(await readHeader(source.rpc, 'latest')).toMatchObject(chain.block(200))
  })
})

describe('an endpoint that errs', () => {
  type Raw = Readonly<Record<string, unknown>>
  const readingWith = (change: (log: Raw) => unknown) => {
    const reading = openReading({ known: [alice] })
    reading.chain.emit(10, [transferLog(alice.coin)])
    reading.chain.distort = (call, answer) =>
      call.method === 'eth_getLogs' ? (answer as Raw[]).flatMap(change) : answer
    return reading
  }

  it('repeats a log: it counts once', async () => {
    const { read } = readingWith((log) => [log, { ...log }])
    expect(kinds(await read(5, 20))).toEqual(['transferred'])
  })

  it.each<[string, (log: Raw) => unknown]>([
    ['of another block', (log) => ({ ...log, blockNumber: '0x1f' })],
    ['without a block', (log) => ({ ...log, blockNumber: null })],
    ['that is removed', (log) => ({ ...log, removed: true })],
    ['without topics', (log) => ({ ...log, topics: undefined })],
    ['without data', (log) => ({ ...log, data: null })],
    ['two at one place', (log) => [log, { ...log, transactionHash: hash(5) }]],
    ['of two forks of one block', (log) => [log, { ...log, logIndex: '0x9', blockHash: hash(5) }]],
    ['of another fork than the header', (log) => ({ ...log, blockHash: hash(5), blockNumber: '0x14' })],
  ])('returns a log %s: the range is discarded', async (_what, change) => {
    await expect(readingWith(change).read(5, 20)).rejects.toThrow(RangeChangedError)
  })

  it('returns no list of logs, or no header: the range is discarded', async () => {
    const logless = openReading()
    logless.chain.distort = (call, answer) => (call.method === 'eth_getLogs' ? {} : answer)
    await expect(logless.read(5, 20)).rejects.toThrow(RangeChangedError)
    const headless = openReading()
    headless.chain.distort = (_call, answer) => ({ ...(answer as object), number: '0x1' })
    await expect(headless.read(5, 20)).rejects.toThrow(RangeChangedError)
  })

  it('fails once: the whole range is read again, from the start', async () => {
    const { chain, read } = openReading()
    chain.emit(10, [createdLog(alice)])
    let failedAt = 0
    chain.before = ({ params }) => {
      if (failedAt > 0 || !JSON.stringify(params).includes(topicOf.initialize)) return
      failedAt = chain.asked.length
      throw new RpcUnavailableError('here', 'for a test')
    }
    expect(kinds(await read(5, 20))).toEqual(['launched'])
    expect(chain.asked[failedAt]).toEqual({ method: 'eth_getBlockByNumber', params: ['0x14', false] })
    expect(chain.asked.length).toBeGreaterThanOrEqual(2 * failedAt)
  })

  it('refuses permanently: the next endpoint is used', async () => {
    const { chain, source, read } = openReading()
    let isNext = false
    source.rpc.next = () => {
      isNext = true
      return source.rpc
    }
    chain.before = () => {
      if (!isNext) throw new RpcRefusedError('here', 'for a test')
    }
    expect(kinds(await read(5, 20))).toEqual([])
  })
})
