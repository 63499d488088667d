import { describe, expect, it } from 'vitest'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  RangeChangedError,
} from '../../../ingest/client/faults.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import {
  createdLog,
  initializedLog,
  migratedLog,
  swapLog,
  transferLog,
} from '../../support/chain/raw-logs.ts'
import { address, hash } from '../../support/market/facts.ts'
import { alice, factsOfRange, openReading, post, readAll } from '../mock-reading.ts'

type Filter = { readonly address?: readonly string[] }

/** A token of the store, one that is created and moves to a new hook in the range, and a stranger. */
function market() {
  const reading = openReading({ known: [post] })
  const moved = { ...alice, poolId: hash(0xa2), hook: address(0x50) }
  reading.chain.emit(10, [initializedLog(alice, 123n), transferLog(alice.coin), createdLog(alice)])
  reading.chain.emit(12, [swapLog(alice), transferLog(post.coin), transferLog(address(0xbad))])
  reading.chain.emit(14, [migratedLog(alice, moved), swapLog(moved)])
  return reading
}

describe('an endpoint that refuses filters without addresses', () => {
  it.each([500, 1])('is asked by address, %i in a filter, with the same result', async (addressesAFilter) => {
    const byTopic = await openRanges(market().source).read(null, 20)
    const { chain, source } = market()
    source.rpc.endpoint.addressesAFilter = addressesAFilter
    chain.before = ({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs' || (filter as Filter).address) return
      source.rpc.endpoint.takesTopicsAlone = false
      throw new AddressRequiredError('for a test')
    }
    expect(await openRanges(source).read(null, 20)).toEqual(byTopic)
  })

  it('gets fewer addresses after refusing too many', async () => {
    const byTopic = await openRanges(market().source).read(null, 20)
    const { chain, source } = market()
    const { endpoint } = source.rpc
    endpoint.takesTopicsAlone = false
    chain.before = ({ method, params: [filter] }) => {
      const addresses = (filter as Filter)?.address?.length ?? 0
      if (method !== 'eth_getLogs' || addresses <= 2) return
      endpoint.addressesAFilter = 2
      throw new FilterTooLargeError('for a test')
    }
    expect(await openRanges(source).read(null, 20)).toEqual(byTopic)
  })

  it('gets one contract at a time in the other mode, too', async () => {
    const byTopic = await openRanges(market().source).read(null, 20)
    const { chain, source } = market()
    const { endpoint } = source.rpc
    let asked = 0
    chain.before = ({ method, params: [filter] }) => {
      asked += 1
      if (asked > 200) throw new Error('asked without end')
      if (method !== 'eth_getLogs' || ((filter as Filter)?.address?.length ?? 0) <= 1) return
      endpoint.addressesAFilter = 1
      throw new FilterTooLargeError('for a test')
    }
    const read = await openRanges({ ...source, mode: 'other' }).read(null, 20)
    expect(read).toMatchObject({ blocks: byTopic === 'reorged' ? [] : byTopic.blocks })
  })
})

describe('a block filled with matching logs', () => {
  const crowded = Array.from({ length: 300 }, () => transferLog(address(0xbad)))
  /** Of a range with that block more logs are found than the endpoint gives, however narrow it is. */
  const flooded = () => {
    const reading = market()
    reading.chain.emit(12, crowded)
    reading.chain.distort = ({ method }, answer) => {
      if (method === 'eth_getLogs' && (answer as unknown[]).length > crowded.length)
        throw new BlockRangeTooLargeError('query returned more than 300 results')
      return answer
    }
    return reading
  }
  const factsIn = async ({ source }: ReturnType<typeof market>, mode: 'usual' | 'other') =>
    (await readAll(openRanges({ ...source, mode }), null, 20)).flatMap(factsOfRange)

  it.each(['usual', 'other'] as const)('is read from its receipts, in the %s mode, too', async (mode) => {
    const facts = await factsIn(market(), mode)
    expect(facts.length).toBeGreaterThan(5)
    const reading = flooded()
    expect(await factsIn(reading, mode)).toEqual(facts)
    const receipts = reading.chain.asked.filter(({ method }) => method === 'eth_getTransactionReceipt')
    expect(receipts.length).toBeGreaterThanOrEqual(crowded.length)
  })

  it('is read again later if a receipt is missing', async () => {
    const reading = flooded()
    const { distort } = reading.chain
    reading.chain.distort = (call, answer) =>
      call.method === 'eth_getTransactionReceipt' ? null : distort(call, answer)
    await expect(factsIn(reading, 'usual')).rejects.toThrow(RangeChangedError)
  })
})
