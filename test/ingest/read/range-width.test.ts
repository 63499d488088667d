import { describe, expect, it } from 'vitest'
import { openTraits } from '../../../ingest/client/endpoint-traits.ts'
import { BlockRangeTooLargeError, RpcUnavailableError } from '../../../ingest/client/faults.ts'
import { openRangeWidth } from '../../../ingest/client/range-width.ts'
import type { Rpc } from '../../../ingest/client/rpc.ts'
import { noOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { openRegistry } from '../../../ingest/decode/registry.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import { loneRpc } from '../../support/chain/json-rpc.ts'
import { type MockChain, mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import { readAll, storeOf } from '../mock-reading.ts'

/** An endpoint of the chain, with a width to begin with. */
const rpcOf = ({ rpc }: MockChain, width?: number): Rpc =>
  loneRpc(({ method, params }) => rpc.request(method, params), {
    ...openTraits('mock'),
    width: openRangeWidth(width),
  })

/** Reads everything up to the head, and says how wide each range was asked for. */
async function readChain(given: {
  head: number
  most: number
  says?: string
  width?: number
  failing?: () => BlockRangeTooLargeError
}) {
  const chain = openMockChain(given.head)
  const asked: number[] = []
  chain.before = ({ method, params }) => {
    if (method !== 'eth_getLogs') return
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    asked.push(blocks)
    if (blocks > given.most) {
      if (given.failing) throw given.failing()
      throw new BlockRangeTooLargeError('for a test', given.says ? Number(given.says) : undefined)
    }
  }
  const rpc = rpcOf(chain, given.width)
  const ranges = openRanges({
    rpc,
    chain: mockChain,
    registry: openRegistry(storeOf(), mockChain, noOldTokens),
  })
  const read = await readAll(ranges, chain.block(0), given.head)
  return { asked, lasts: read.map(({ last }) => last.number) }
}

describe('the width of ranges', () => {
  it.each<[string, Parameters<typeof readChain>[0], readonly number[]]>([
    [
      'starts at 1,000 and grows by half with each success, up to the head',
      { head: 5_000, most: 9_999 },
      [1_000, 1_500, 2_250, 250],
    ],
    // 600 and 300 refused, 150 read, 225 refused, 150 read …: ever nearer to what is refused, never back to less than was read.
    [
      'halves with each refusal and skips no block',
      { head: 600, most: 150 },
      [600, 300, 150, 225, 150, 187, 150, 150],
    ],
    [
      'is the limit that the endpoint names, and not above it again',
      { head: 2_000, most: 400, says: '400' },
      [1_000, 400, 400, 400, 400, 400],
    ],
    [
      'halves when an endpoint refuses a width that it claims to allow',
      { head: 1_000, most: 100, says: '1000', width: 400 },
      [400, 200, 100],
    ],
    ['is at least one block', { head: 8, most: 0, width: 4 }, [4, 2, 1, 1, 1, 1, 1, 1, 1, 1]],
  ])('%s', async (_what, given, expected) => {
    const { asked, lasts } = await readChain(given)
    expect(asked.slice(0, expected.length)).toEqual(expected)
    // What is not refused is read whole, one range after the other.
    const read = asked.filter((blocks) => blocks <= Math.max(1, given.most))
    expect(lasts).toEqual(read.map((_, at) => read.slice(0, at + 1).reduce((sum, blocks) => sum + blocks)))
    expect(lasts.at(-1)).toBe(given.head)
  })

  it('grows again after a limit for dense blocks, or after temporary refusals', async () => {
    for (const allowed of [30, undefined]) {
      const width = openRangeWidth()
      // Ten refusals in a row, as of an endpoint that does not answer in time for two minutes.
      for (let refused = width.blocks(); refused > 1; refused = width.blocks()) {
        width.narrow(refused, allowed)
        if (allowed) break
      }
      for (let ranges = 0; ranges < 120; ranges += 1) width.widen()
      expect(width.blocks()).toBeGreaterThanOrEqual(1_000)
    }
  })

  it('exceeds the limit of an endpoint less and less often', async () => {
    const { asked } = await readChain({ head: 100_000, most: 100, width: 100 })
    expect(asked.filter((blocks) => blocks > 100).length / asked.length).toBeLessThan(0.03)
  })

  it('is as before two ranges after failures that were a matter of the moment, also at the head', () => {
    for (const read of ['widen', 'answered'] as const) {
      const width = openRangeWidth(4_000)
      // Short ranges of the head that fail for as long as an endpoint has an incident.
      for (let failed = 10; failed > 1; failed = width.blocks()) width.narrow(failed, undefined, false)
      expect(width.blocks()).toBe(1)
      width[read]()
      width[read]()
      expect(width.blocks()).toBeGreaterThanOrEqual(4_000)
    }
  })

  it('approaches a limit that only failures reveal, and exceeds it less and less often', async () => {
    const failing = () => new BlockRangeTooLargeError('for a test', undefined, false)
    const { asked } = await readChain({ head: 100_000, most: 300, failing })
    expect(asked.filter((blocks) => blocks > 250 && blocks <= 300).length / asked.length).toBeGreaterThan(0.8)
    expect(asked.filter((blocks) => blocks > 300).length / asked.length).toBeLessThan(0.04)
  })

  it('does not grow at the head, where ranges are short', async () => {
    const chain = openMockChain(50)
    const rpc = rpcOf(chain, 100)
    await openRanges({
      rpc,
      chain: mockChain,
      registry: openRegistry(storeOf(), mockChain, noOldTokens),
    }).read(chain.block(20), 50)
    expect(rpc.endpoint.width.blocks()).toBe(100)
  })

  it('does not change for other faults, which are thrown', async () => {
    const chain = openMockChain(50)
    chain.before = () => {
      throw new RpcUnavailableError('here', 'for a test')
    }
    const source = {
      rpc: chain.rpc,
      chain: mockChain,
      registry: openRegistry(storeOf(), mockChain, noOldTokens),
    }
    await expect(openRanges(source).read(chain.block(20), 50)).rejects.toThrow(RpcUnavailableError)
  })
})
