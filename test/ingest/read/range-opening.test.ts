import { describe, expect, it } from 'vitest'
import { openTraits } from '../../../ingest/client/endpoint-traits.ts'
import type { LogFilter } from '../../../ingest/client/logs.ts'
import { openRangeWidth } from '../../../ingest/client/range-width.ts'
import type { Call } from '../../../ingest/client/rpc.ts'
import { noOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { openRegistry } from '../../../ingest/decode/registry.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import { loneRpc } from '../../support/chain/json-rpc.ts'
import { mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import { readAll, storeOf, wholeRange } from '../mock-reading.ts'

const HEAD = 190

/** A reader of 20 blocks at a time; `hold` makes an answer wait. */
function openReader(isAhead: boolean, hold: (call: Call) => Promise<void> | undefined = () => undefined) {
  const chain = openMockChain(HEAD)
  const rpc = loneRpc(
    async ({ method, params }) => {
      await hold({ method, params })
      return chain.rpc.request(method, params)
    },
    { ...openTraits('mock'), width: openRangeWidth(20) },
  )
  rpc.endpoint.width.narrow(30, 20)
  const ranges = openRanges({
    rpc,
    chain: mockChain,
    registry: openRegistry(storeOf(), mockChain, noOldTokens),
    isAhead,
  })
  /** First blocks of the ranges whose platform logs were asked for. */
  const opened = () =>
    chain.asked.flatMap(({ method, params: [filter] }) =>
      method === 'eth_getLogs' && !(filter as LogFilter).address
        ? [Number((filter as { readonly fromBlock: string }).fromBlock)]
        : [],
    )
  return { chain, ranges, opened }
}

const isOfPools = ({ method, params: [filter] }: Call): boolean =>
  method === 'eth_getLogs' && (filter as LogFilter).address !== undefined

describe('a range', () => {
  it('is opened while the one before it is still read, if that is far from the head', async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { chain, ranges, opened } = openReader(true, (call) => (isOfPools(call) ? held : undefined))
    const reading = ranges.read(chain.block(0), HEAD)
    await expect.poll(() => opened().length).toBe(2)
    go()
    const first = wholeRange(await reading)
    expect(opened()[1]).toBe(first.last.number + 1)
  })

  it('is opened once, and read to the same end', async () => {
    const lastsOf = async (isAhead: boolean) => {
      const { chain, ranges, opened } = openReader(isAhead)
      const lasts = (await readAll(ranges, chain.block(0), HEAD)).map(({ last }) => last.number)
      expect(opened()).toEqual([1, ...lasts.slice(0, -1).map((block) => block + 1)])
      return lasts
    }
    expect((await lastsOf(true)).at(-1)).toBe((await lastsOf(false)).at(-1))
  })

  it('is opened again on another fork, or after what was read ahead is dropped', async () => {
    const { chain, ranges, opened } = openReader(true)
    const first = wholeRange(await ranges.read(chain.block(0), HEAD))
    await ranges.drop()
    const before = opened().length
    await ranges.read(first.last, HEAD)
    expect(opened().slice(before)[0]).toBe(first.last.number + 1)
    await ranges.drop()
    chain.fork(first.last.number - 1)
    const { last } = wholeRange(await ranges.read(chain.block(first.last.number), HEAD))
    expect(last).toEqual(chain.block(last.number))
  })

  it('is reorged if the chain changes after it was opened', async () => {
    const { chain, ranges } = openReader(true)
    const first = wholeRange(await ranges.read(chain.block(0), HEAD))
    chain.fork(first.last.number - 1)
    expect(await ranges.read(first.last, HEAD)).toBe('reorged')
  })
})
