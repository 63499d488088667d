/** A chain whose pace changes from two seconds to 200 ms inside a minute gives one log, whatever the schedule says of it. */
import { describe, expect, it } from 'vitest'
import type { Chain } from '../../../ingest/client/chains.ts'
import type { Era } from '../../../ingest/client/schedule.ts'
import { openReadAhead } from '../../../ingest/read/read-ahead.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import type { Block, Swap } from '../../../market/segment.ts'
import {
  depsOver,
  documentsOf,
  type IngestStores,
  memoryStores,
  segmentsOf,
  untilIdle,
  verifying,
  visible,
} from '../../support/aws/ingest-stores.ts'
import { type GeneratedChain, generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { type ChainNode, loneRpc, type TimesGiven } from '../../support/chain/json-rpc.ts'
import { startProxies } from '../../support/chain/strict-endpoint.ts'
import { standingPlaces } from '../../support/from-zero.ts'
import { casesOf, isWhole } from '../../support/rounds.ts'
import { blockAt, itemWith, told } from '../told.ts'

const CROSSING_SECONDS = 150
const chain = generateChain({
  seed: 7,
  minutes: 5,
  creations: 20,
  swapsAMinute: 40,
  paces: [
    { fromSeconds: 0, everyMs: 2_000 },
    { fromSeconds: CROSSING_SECONDS, everyMs: 200 },
  ],
})
const [before, after] = chain.rules.schedule as readonly [Era, Era]
const crossing = after.fromBlock

const schedules: Readonly<Record<string, readonly Era[]>> = {
  'the right one': [before, after],
  'two seconds for ever': [before],
  'the new pace for ever': [{ ...after, fromBlock: chain.first }],
  'an empty one': [],
  'one whose new pace begins a block late': [
    before,
    { ...after, fromBlock: crossing + 1, atMs: after.atMs + 2_000 },
  ],
  'one whose new pace begins a block early': [
    before,
    { ...after, fromBlock: crossing - 1, atMs: after.atMs - 2_000 },
  ],
  'one that is 200 ms late': [before, { ...after, atMs: after.atMs + 200 }],
}

/** Those that differ most in what is asked for. */
const some = ['the right one', 'an empty one', 'one that is 200 ms late'].map((name) => schedules[name] ?? [])
const tried = Object.entries(schedules).filter(
  ([, schedule]) => isWhole || some.slice(0, 2).includes(schedule),
)

type Run = {
  readonly schedule: readonly Era[]
  readonly times?: TimesGiven
  /** Heads at which the process restarts. */
  readonly heads?: readonly number[]
  /** The block before the log's first one. */
  readonly start?: Block
  readonly isReadAhead?: boolean
  /** Before the chain is followed up to a head. */
  readonly onHead?: (head: number) => unknown
}

/** The same chain with other hashes from a block on. */
function forkedFrom(block: number): GeneratedChain {
  const hashOf = (number: number) =>
    number < block ? chain.hashOf(number) : chain.hashOf(number).replace(/^0x..../, '0xf0f0')
  return {
    ...chain,
    hashOf,
    logsIn: (from, to) =>
      chain.logsIn(from, to).map((log) => ({ ...log, blockHash: hashOf(Number(log.blockNumber)) })),
  }
}

/** Follows a chain to its end; what it left, and what it asked for. */
async function follow(node: ChainNode, { schedule, times, heads = [], start, isReadAhead, onHead }: Run) {
  const stores = memoryStores()
  let headers = 0
  const rpc = loneRpc(async (call) => {
    if (call.method === 'eth_getBlockByNumber') headers += 1
    return node.ask(call)
  })
  if (times) node.times = times
  rpc.endpoint.width.narrow(200, 100)
  const rules: Chain = { ...chain.rules, schedule }
  for (const head of [...heads, chain.last]) {
    node.head = head
    onHead?.(head)
    const own = {
      rpc,
      chain: rules,
      ...(start && { start }),
      ...(isReadAhead && { readWith: openReadAhead }),
    }
    const verification = verifying(stores, { retryMs: 1 })
    await untilIdle(followChain(depsOver(stores, { ...own, verification, farSeconds: 0 })))
  }
  const swaps = (await segmentsOf(stores)).flatMap((segment) => segment.swaps)
  return { stores, headers, swaps, ...(await told(stores, untimed)) }
}

const untimed = (swap: Swap): Swap => ({ ...swap, timestampMs: null })

/** What readers of the table see of tokens, milliseconds apart. */
const seenIn = ({ items }: IngestStores) =>
  visible({ items: async () => (await items()).map(itemWith(untimed)) })

/** The chain as it is, read by a schedule alone, once for each. */
const reads = new Map<readonly Era[], ReturnType<typeof follow>>()
function readBy(schedule: readonly Era[]) {
  const read = reads.get(schedule) ?? follow(openGeneratedNode(chain), { schedule })
  reads.set(schedule, read)
  return read
}

const forked = forkedFrom(crossing - 5)
const usual = await follow(openGeneratedNode(chain), { schedule: [before, after] })
const onFork = await follow(openGeneratedNode(forked), { schedule: [before, after] })
const boards = await documentsOf(usual.stores)

describe('a chain that crosses from blocks of two seconds to blocks of 200 ms', () => {
  it('has trades around the crossing, in a minute that has blocks of both kinds', () => {
    const near = usual.feed.flatMap(({ block }) =>
      Math.abs(block.number - crossing) < 20 ? [block.number] : [],
    )
    expect(near.filter((number) => number <= crossing).length).toBeGreaterThan(2)
    expect(near.filter((number) => number > crossing).length).toBeGreaterThan(2)
    const minutes = usual.entries.flatMap((entry) => (entry.is === 'sealed' ? [entry.last.number] : []))
    expect(minutes.map((last, at) => last - (minutes[at - 1] ?? chain.first - 1))).toEqual([
      ...[30, 30, 16 + 149, 300],
    ])
    for (const { block } of usual.feed) expect(block.timestamp).toBe(chain.timestampOf(block.number))
  })

  it.each(tried)('gives the same log, tables, feed and boards by %s', async (_, schedule) => {
    const own = await readBy(schedule)
    expect(own.entries).toEqual(usual.entries)
    expect(own.feed).toEqual(usual.feed)
    expect(own.rows).toEqual(usual.rows)
    expect(await documentsOf(own.stores)).toEqual(boards)
  })

  it.each(tried.slice(isWhole ? 0 : 1))('gives the same read ahead, by %s', async (_, schedule) => {
    const own = await follow(openGeneratedNode(chain), { schedule, isReadAhead: true })
    expect(own.entries).toEqual(usual.entries)
    expect(own.rows).toEqual(usual.rows)
  })

  it.each<[string, Omit<Run, 'schedule'>]>([
    [
      'after restarts before, at and after the crossing',
      { heads: [crossing - 20, crossing, crossing + 1, crossing + 100] },
    ],
    ['if its endpoint gives the seconds of logs', { times: { logs: true, ms: 'absent' } }],
    ['if its endpoint gives milliseconds', { times: { logs: true, ms: 'present' } }],
    ['if its endpoint gives wrong milliseconds', { times: { logs: true, ms: 'wrong' } }],
  ])('gives the same %s', async (_, run) => {
    for (const schedule of casesOf(some, 1)) {
      const own = await follow(openGeneratedNode(chain), { schedule, ...run })
      expect(own.entries).toEqual(usual.entries)
      expect(own.feed).toEqual(usual.feed)
    }
  })

  it('gives every swap its milliseconds by the right schedule, and none that a wrong one guesses', async () => {
    const timeOf = ({ blockNumber }: Swap) => chain.timeMsOf?.(blockNumber)
    expect(usual.swaps.map(({ timestampMs }) => timestampMs)).toEqual(usual.swaps.map(timeOf))
    for (const [, schedule] of tried) {
      const { swaps } = await readBy(schedule)
      for (const swap of swaps) expect([null, timeOf(swap)]).toContain(swap.timestampMs)
    }
    for (const ms of ['present', 'wrong'] as const) {
      const times = { logs: true, ms }
      const { swaps } = await follow(openGeneratedNode(chain), { schedule: [before, after], times })
      for (const swap of swaps) expect(swap.timestampMs).toBe(ms === 'present' ? timeOf(swap) : null)
    }
  })

  it('gives every swap the milliseconds that two endpoints agree on, by no schedule at all', async () => {
    const timesOf = async (theirs: readonly TimesGiven['ms'][]) => {
      const stores = memoryStores()
      const nodes = theirs.map((ms) => Object.assign(openGeneratedNode(chain), { times: { logs: true, ms } }))
      const { rpc, stop } = await startProxies(nodes.map(({ answer }) => answer))
      const own = { rpc, chain: { ...chain.rules, schedule: [] } }
      const verification = verifying(stores, { retryMs: 1 })
      await untilIdle(followChain(depsOver(stores, { ...own, verification, farSeconds: 0 })))
      await stop()
      return (await segmentsOf(stores)).flatMap(({ swaps }) => swaps)
    }
    for (const swap of await timesOf(['present', 'present']))
      expect(swap.timestampMs).toBe(chain.timeMsOf?.(swap.blockNumber))
    for (const swap of await timesOf(['present', 'wrong'])) expect(swap.timestampMs).toBeNull()
  })

  it.each([
    ['before', crossing - 40],
    ['after', crossing + 40],
  ])('gives the same for a log that begins %s the crossing and imports older tokens', async (_, number) => {
    const runs = await Promise.all(
      casesOf(some, 2).map((schedule) =>
        follow(openGeneratedNode(chain), { schedule, start: blockAt(chain, number) }),
      ),
    )
    const [first, ...others] = runs
    expect(first?.entries.length).toBeGreaterThan(1)
    for (const other of others) {
      expect(other.entries).toEqual(first?.entries)
      expect(other.rows).toEqual(first?.rows)
    }
  })

  it.each(casesOf(some, 2).map((schedule) => [schedule.length, schedule] as const))(
    'follows a reorg over the crossing with %i eras',
    async (_, schedule) => {
      const node = openGeneratedNode(chain)
      // A minute and a half later the blocks before the crossing are others.
      const own = await follow(node, {
        schedule,
        heads: [crossing + 450],
        onHead: (head) =>
          head > crossing + 450 && Object.assign(node, { ask: openGeneratedNode(forked).ask }),
      })
      expect(own.entries.map(({ is }) => is)).toContain('rewound')
      expect(await seenIn(own.stores)).toEqual(await seenIn(onFork.stores))
      expect(await standingPlaces(own.stores)).toEqual(await standingPlaces(onFork.stores))
    },
  )

  it('costs few headers by the right schedule, and more by others', async () => {
    expect(usual.headers).toBeLessThan(120)
    const empty = await readBy(schedules['an empty one']!)
    expect(empty.headers).toBeGreaterThan(usual.headers)
  })
})
