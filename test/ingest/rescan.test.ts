import { describe, expect, it } from 'vitest'
import { openBalances } from '../../ingest/balances.ts'
import { openTraits } from '../../ingest/endpoint.ts'
import { openRanges } from '../../ingest/range.ts'
import { openRegistry } from '../../ingest/registry.ts'
import { findOmission } from '../../ingest/rescan.ts'
import type { Call, Rpc } from '../../ingest/rpc.ts'
import { follow, type Progress } from '../../ingest/writer.ts'
import type { Address } from '../../market/segment.ts'
import { rebuild } from '../../snapshot/rebuild.ts'
import { collect } from '../support/collect.ts'
import { address, hash } from '../support/facts.ts'
import { documentsOf, feedOf, type IngestStores, memoryStores } from '../support/ingest-stores.ts'
import { type Emitted, type MockChain, mockChain, openMockChain } from '../support/mock-chain.ts'
import { created, initialized, type Sketch, swapped, zora } from '../support/mock-market.ts'

/** Blocks are two seconds apart: minute 100 begins at block 0, 101 at block 30; a re-scan is due after 90 blocks. */
const coin: Sketch = { coin: address(0xa1), quote: zora, poolId: hash(0xb1), hook: address(0x40) }
const nobody = address(0)
const [ann, bob] = [address(0x51), address(0x52)]

const moved = (from: Address, to: Address, after: readonly [bigint, bigint], amount: bigint): Emitted => ({
  from: coin.coin,
  event: 'coinTransfer',
  args: { sender: from, recipient: to, amount, senderBalance: after[0], recipientBalance: after[1] },
})

/** Log places by what they tell. */
const places = { launch: '3.2', swap: '40.0', gift: '45.0', secondGift: '100.0', lastSwap: '130.0' }

function market(): MockChain {
  const chain = openMockChain(1_000)
  const minted = moved(nobody, ann, [0n, 100n], 100n)
  chain.emit(3, [minted, initialized(coin, 2n ** 96n), created(coin)].map(inOneTransaction))
  chain.emit(40, [swapped(coin, { swapSender: ann })])
  chain.emit(45, [moved(ann, bob, [70n, 30n], 30n)])
  chain.emit(100, [moved(ann, bob, [60n, 40n], 10n)])
  chain.emit(130, [swapped(coin, { swapSender: bob })])
  return chain
}
const inOneTransaction = (emitted: Emitted): Emitted => ({ ...emitted, transaction: hash(0xfeed) })

type Raw = { readonly blockNumber: string; readonly logIndex: string }
const placeOf = (log: Raw) => `${Number(log.blockNumber)}.${Number(log.logIndex)}`

/** Two endpoints of one chain whose head the test moves; each leaves out the logs at its places. */
function endpoints(chain: MockChain, world: World): [Rpc, Rpc] {
  const ask = async (endpoint: number, call: Call): Promise<unknown> => {
    const number = call.params[0] === 'latest' ? world.head : Number(call.params[0])
    if (call.method === 'eth_getBlockByNumber' && number > world.head) return null
    if (call.params[0] === 'latest') return ask(endpoint, { ...call, params: [`0x${number.toString(16)}`] })
    const answer = await chain.rpc.request(call.method, call.params)
    const omitted = world.omits[endpoint % 2] ?? []
    return call.method === 'eth_getLogs'
      ? (answer as Raw[]).filter((log) => !omitted.includes(placeOf(log)))
      : answer
  }
  const on = (endpoint: () => number, pinned: Rpc['pinned']): Rpc => ({
    request: (method, params) => ask(endpoint(), { method, params }),
    batch: (calls) => Promise.all(calls.map((call) => ask(endpoint(), call))),
    pinned,
    swiftest: () => pinned(),
    elsewhere: () => undefined,
    endpoint: openTraits('mock'),
  })
  const opened = (from: number): Rpc => {
    let own = from
    const pinned: Rpc['pinned'] = (fault) => {
      if (fault && !world.isStubborn) own += 1
      const chosen = own
      return on(() => chosen, pinned)
    }
    return on(() => own, pinned)
  }
  return [opened(0), opened(1)]
}

/** `omits`: by endpoint. Stubborn: whoever is asked once is asked for ever. */
type World = { head: number; omits: readonly [string[], string[]]; isStubborn: boolean }

function openWorld(omits: World['omits'] = [[], []]) {
  const world: World = { head: 0, omits, isStubborn: false }
  const chain = market()
  const stores = memoryStores()
  const [rpc, other] = endpoints(chain, world)
  const registry = openRegistry(stores.tokens, mockChain)
  const ranges = openRanges({ rpc, chain: mockChain, registry, balances: openBalances() })
  const writer = follow({
    ...{ ...stores, rpc, chain: mockChain, registry, ranges, start: null },
    rescan: { rpc: other, table: stores.table },
  })
  return { world, chain, stores, writer }
}

async function advance(
  { world, writer }: ReturnType<typeof openWorld>,
  ...heads: readonly number[]
): Promise<string[]> {
  const seen: Progress['is'][] = []
  for (const head of heads) {
    world.head = head
    for (;;) {
      const { value } = await writer.next()
      if (value.is === 'idle') break
      seen.push(value.is === 'rescanned' && value.fault ? value.fault.name : value.is)
    }
  }
  return seen
}

const steps = [35, 65, 95, 125, 155, 185, 215, 245] as const

/** All that readers find; the place in the log and the number of corrections apart. */
async function found(stores: IngestStores) {
  const swaps = new Map<string, number[]>()
  for (const entry of await feedOf(stores)) {
    if (entry.is === 'block')
      swaps.set(
        entry.block.hash,
        entry.swaps.map((swap) => swap.blockNumber),
      )
    else swaps.delete(entry.block.hash)
  }
  const { minute, last } = (await stores.log.applied())!
  const items = (await stores.items())
    .filter(({ pk, tomb }) => !/^(LOG|SYS|FP?#)/.test(pk) && tomb !== true)
    .map(({ pos: _pos, minute: _minute, ...item }) => item)
    .sort((a, b) => (a.pk + a.sk < b.pk + b.sk ? -1 : 1))
  const documents = await documentsOf(stores)
  return { minute, last, items, swaps: [...swaps.values()].flat(), documents: Object.values(documents) }
}

async function faultless() {
  const world = openWorld()
  const seen = await advance(world, ...steps)
  expect(seen).toContain('rescanned')
  expect(seen).not.toContain('rewound')
  return found(world.stores)
}

const corrections = async ({ stores }: ReturnType<typeof openWorld>) => {
  await rebuild(stores, { clock: () => 0 })
  return JSON.parse(Buffer.from((await stores.published.read('v1/status'))!.bytes).toString()).corrections
}

describe('the re-scan', () => {
  it.each(Object.entries(places))(
    'takes back minutes that were committed without a log (%s)',
    async (_, place) => {
      const world = openWorld([[place], []])
      const seen = await advance(world, ...steps)
      expect(seen).toContain('rewound')
      expect(await found(world.stores)).toEqual(await faultless())
      expect(await corrections(world)).toBe(1)
      const entries = await collect(world.stores.log.entriesAfter(0))
      expect(entries.filter((entry) => entry.is === 'rewound')).toMatchObject([{ cause: 'omission' }])
    },
  )

  it('finds what a process before left out, and what both endpoints gave only later', async () => {
    const world = openWorld([[places.swap], [places.swap]])
    await advance(world, 35, 65, 95)
    world.world.omits = [[], []]
    expect(await advance(world, ...steps.slice(3))).toContain('rewound')
    expect(await found(world.stores)).toEqual(await faultless())
  })

  it('is not misled by an endpoint that leaves logs out itself', async () => {
    const world = openWorld([[], [places.swap, places.secondGift]])
    const seen = await advance(world, ...steps)
    expect(seen).toContain('OmittingEndpointError')
    expect(seen).not.toContain('rewound')
    expect(await found(world.stores)).toEqual(await faultless())
    expect(await corrections(world)).toBe(0)
  })

  it('gives up on a minute that is read in the same two ways again and again', async () => {
    const world = openWorld([[places.swap], []])
    world.world.isStubborn = true
    const seen: string[] = []
    for (let head = 35; head < 335; head += 10) seen.push(...(await advance(world, head)))
    expect(seen.filter((is) => is === 'rewound')).toHaveLength(3)
  })

  it('says nothing of an endpoint on another fork', async () => {
    const { log, table } = await (async () => {
      const world = openWorld()
      await advance(world, 35, 65, 95)
      return world.stores
    })()
    const tail = (await log.tail())!
    const seen = async (forkedAt: number) => {
      const theirs = market()
      theirs.fork(forkedAt)
      theirs.emit(50, [swapped(coin)])
      theirs.emit(51, [swapped(coin)])
      theirs.emit(52, [swapped(coin)])
      const rooms = { rpc: theirs.rpc, chain: mockChain, log, table, start: null }
      return findOmission(rooms, tail, 0)
    }
    expect(await seen(31)).toBeNull()
    expect(await seen(1_000)).toMatchObject({ minute: 101, firstBlock: 30 })
  })
})

describe('a balance that does not tie', () => {
  it('has the range read from the next endpoint before anything is committed', async () => {
    const world = openWorld([[places.gift], []])
    // One range has both gifts: the second one tells of the first.
    const seen = await advance(world, 110)
    expect(seen).not.toContain('rewound')
    expect(seen).not.toContain('retracted')
    await advance(world, ...steps.slice(3))
    expect(await found(world.stores)).toMatchObject({ items: (await faultless()).items })
  })

  it('has open minutes read again', async () => {
    const world = openWorld([[places.gift], []])
    const seen = await advance(world, 50, 51, 52)
    expect(seen).not.toContain('retracted')
    world.chain.emit(55, [moved(ann, bob, [65n, 35n], 5n)])
    expect(await advance(world, 56)).toEqual(expect.arrayContaining(['retracted']))
    expect((await world.stores.log.tail())?.n).toBe(1)
  })

  it('has sealed minutes read again, before the re-scan is due', async () => {
    const world = openWorld([[places.gift], []])
    await advance(world, 35, 65, 95)
    const seen = await advance(world, 101)
    expect(seen.slice(0, 2)).toEqual(['rescanned', 'rewound'])
    await advance(world, ...steps.slice(3))
    expect(await found(world.stores)).toEqual(await faultless())
    expect(await corrections(world)).toBe(1)
  })

  it('ends with a name where no endpoint knows more, and nothing of it is sealed', async () => {
    const world = openWorld([[places.gift], [places.gift]])
    await advance(world, 35, 65, 95)
    world.world.head = 101
    const drain = async () => {
      for await (const progress of world.writer) if (progress.is === 'idle') return
    }
    await expect(drain()).rejects.toMatchObject({ name: 'MissingTransferError', retryable: true })
    expect((await world.stores.log.tail())?.minute).toBe(102)
  })
})
