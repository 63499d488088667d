import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chain } from '../../ingest/chains.ts'
import { BlockNotYetAvailableError } from '../../ingest/faults.ts'
import { openRanges, type Range, readHeader, type Source } from '../../ingest/range.ts'
import { openRegistry } from '../../ingest/registry.ts'
import { assertChain } from '../../ingest/rpc.ts'
import type { Block } from '../../market/segment.ts'
import { type EmittingAnvil, startEmittingAnvil } from '../support/anvil.ts'
import { address, hash } from '../support/facts.ts'
import { mockChain } from '../support/mock-chain.ts'
import {
  created,
  initialized,
  migrated,
  poolSwapped,
  provided,
  renamed,
  type Sketch,
  swapped,
  transferred,
  zora,
} from '../support/mock-market.ts'

/** A market on a real chain, whose contracts emit what they are told: the bytes of every log are the chain's own. */

const genesis = 1_700_000_000
const alice: Sketch = { coin: address(0xa11ce), quote: zora, poolId: hash(0xa1), hook: address(0x40_00) }
const moved: Sketch = { ...alice, poolId: hash(0xa2), hook: address(0x50_00) }
const chain: Chain = { ...mockChain, id: 31_337, timestampOf: null }
const emptyStore = {
  tokens: async () => new Map(),
  pools: async () => new Map(),
  hooks: async () => new Set<never>(),
}

let anvil: EmittingAnvil
let source: Source

beforeAll(async () => {
  anvil = await startEmittingAnvil(genesis)
  source = { rpc: anvil.rpc, chain, registry: openRegistry(emptyStore, chain) }
  await anvil.mine(genesis + 2)
  await anvil.mine(genesis + 4, [
    transferred(alice.coin, alice.hook),
    initialized(alice, 123n),
    provided(alice, 50n),
    created(alice),
    created({ ...alice, coin: address(0xbad) }, 'creator', address(0xbad)),
  ])
  await anvil.mine(genesis + 100, [swapped(alice), poolSwapped(alice.poolId, alice.hook, 5n)])
  await anvil.mine(genesis + 102, [provided(alice, -50n), provided(moved, 50n), migrated(alice, moved)])
  await anvil.mine(genesis + 200, [renamed(alice.coin, 'New'), swapped(moved, { swapSender: address(0x77) })])
})
afterAll(() => anvil.stop())

const head = async (): Promise<Block & { readonly parentHash: string }> => {
  const header = await readHeader(anvil.rpc, 'latest')
  if (!header) throw new Error('no head')
  return header
}

const shapeOf = (range: Range | 'reorged') =>
  range === 'reorged'
    ? range
    : range.blocks.map(({ block, facts }) => [
        block.number,
        block.timestamp - genesis,
        facts.map(({ is }) => is),
      ])

describe('a range of a real chain', () => {
  it('is read whole', async () => {
    await assertChain(anvil.rpc, chain)
    const range = await openRanges(source).read(null, (await head()).number)
    // Minutes begin at seconds 40, 100 and 160 after the genesis time.
    expect(shapeOf(range)).toEqual([
      [2, 4, ['transferred', 'initialized', 'provided', 'launched']],
      [3, 100, ['swapped', 'moved']],
      [4, 102, ['provided', 'provided', 'migrated']],
      [5, 200, ['renamed', 'swapped']],
    ])
    const trade = (range as Range).blocks[1]?.facts[0]
    // Nothing moved a token in its transaction, so its sender was looked up.
    expect(trade).toMatchObject({ transactionFrom: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266' })
  })

  it('is the same, block by block', async () => {
    const registry = openRegistry(emptyStore, chain)
    const whole = (await openRanges({ ...source, registry }).read(null, 5)) as Range
    const single = openRegistry(emptyStore, chain)
    const facts = []
    let last: Block | null = null
    for (let to = 0; to <= 5; to += 1) {
      const range = (await openRanges({ ...source, registry: single }).read(last, to)) as Range
      facts.push(...range.blocks.flatMap((block) => block.facts))
      last = range.last
    }
    expect(facts).toEqual(whole.blocks.flatMap((block) => block.facts))
  })

  it('is not there beyond the head, though the endpoint would answer with no logs', async () => {
    const last = await head()
    await expect(openRanges(source).read(last, last.number + 3)).rejects.toThrow(BlockNotYetAvailableError)
  })

  it('ends where the chain was replaced: a reorg is seen by hash, and read anew from the ancestor', async () => {
    await anvil.mine(genesis + 202, [transferred(alice.coin)])
    await anvil.mine(genesis + 204, [transferred(alice.coin)])
    const ranges = openRanges(source)
    const ancestor = (await readHeader(anvil.rpc, 5)) as Block
    const before = (await ranges.read(ancestor, 7)) as Range
    expect(before.blocks.flatMap(({ facts }) => facts)).toHaveLength(2)

    await anvil.rpc.request('anvil_reorg', [2, []])
    await anvil.mine(genesis + 206)
    expect(await ranges.read(before.last, 8)).toBe('reorged')
    const after = (await ranges.read(ancestor, 8)) as Range
    expect(after.blocks.flatMap(({ facts }) => facts)).toEqual([])
    expect(after.last.hash).toBe((await head()).hash)
    expect(after.last.hash).not.toBe(before.last.hash)
  })
})
