import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openRpc } from '../../../ingest/client/rpc.ts'
import { SETTLE_MS } from '../../../ingest/read/pushed-blocks.ts'
import { openPushes, type Pushes } from '../../../ingest/read/pushes.ts'
import { followChain, type Progress } from '../../../ingest/writer/writer.ts'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import type { Block } from '../../../market/segment.ts'
import {
  depsOver,
  digestsOf,
  feedOf,
  type IngestStores,
  memoryStores,
  verifying,
} from '../../support/aws/ingest-stores.ts'
import { type FaultyProxy, startFaultyProxy } from '../../support/chain/faulty-proxy.ts'
import { type GeneratedChain, generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import type { ChainNode } from '../../support/chain/json-rpc.ts'
import { fiveASecond } from '../../support/chain/paces.ts'
import { casesOf } from '../../support/rounds.ts'
import { type PushingNode, type RawPush, startPushingNode } from './pushing-node.ts'

/** A chain of five blocks a second; HTTP has it up to `node.head`, and the WebSocket is ahead of it. */
const chain: GeneratedChain = generateChain({
  seed: 32,
  minutes: 3,
  creations: 100,
  swapsAMinute: 120,
  paces: fiveASecond,
})
/** A socket that a busy machine holds up is not taken for a silent one. */
const times = { reopenMs: 1, silentMs: 600_000 }
/** Ten seconds before the end of the first minute. */
const START = chain.first + 250

let node: ChainNode
let http: FaultyProxy
let socket: PushingNode
let pushes: Pushes
let stores: IngestStores
let isPollDue: boolean
let writer: AsyncGenerator<Progress>
let closed: string[]

beforeEach(async () => {
  node = openGeneratedNode(chain)
  node.head = START
  http = await startFaultyProxy(node.answer)
  socket = await startPushingNode(node)
  closed = []
  const rpc = openRpc([http.url])
  const onState = (_host: string, cause: string | null) => cause && closed.push(cause)
  pushes = openPushes([new URL(socket.url)], chain.rules, onState, times)
  stores = memoryStores()
  // The test decides when it is time to poll.
  isPollDue = true
  const head = {
    idleMs: () => (isPollDue ? 0 : 1_000),
    read: async (after: Block | null) => {
      if (after && !isPollDue) return after
      isPollDue = false
      return (await readHeader(rpc, 'latest')) ?? Promise.reject(new Error('no head'))
    },
  }
  const deps = { rpc, chain: chain.rules, head, pushes, verification: verifying(stores) }
  writer = followChain(depsOver(stores, deps))
  await polled()
  await expect.poll(socket.subscribed).toBe(1)
})
afterEach(async () => {
  await writer.return(undefined)
  pushes.stop()
  await Promise.all([http.stop(), socket.stop()])
})

/** Lets the writer work until `isDone`; what it did. */
async function until(isDone: (progress: Progress) => boolean): Promise<readonly Progress[]> {
  const seen: Progress[] = []
  for await (const progress of { [Symbol.asyncIterator]: () => ({ next: () => writer.next() }) }) {
    seen.push(progress)
    if (isDone(progress)) break
    if (progress.is === 'idle') await pushes.wait(50, AbortSignal.timeout(1_000))
  }
  return seen
}
function polled() {
  isPollDue = true
  return until(({ is }) => is === 'idle' && !isPollDue)
}
/** Pushes blocks up to this one, which all arrive. */
async function push(last: number) {
  for (let block = node.head + 1; block <= last; block += 1) socket.push(block)
  await socket.delivered()
}
/** Pushes blocks up to this one, which the writer publishes. */
async function pushedTo(last: number) {
  await push(last)
  return until((progress) => {
    // Nothing would ever be pushed again.
    expect(closed).toEqual([])
    return progress.is === 'pushed' && progress.last.number === last
  })
}
/** Pushes blocks up to this one; the writer has done with them what it ever will before a poll. */
async function settledTo(last: number) {
  await expect.poll(socket.subscribed).toBe(1)
  await push(last)
  const since = Date.now()
  let idle = 0
  await until(({ is }) => {
    if (is === 'idle' && Date.now() - since > SETTLE_MS) idle += 1
    return idle > 1
  })
}
function inForce(entries: readonly FeedEntry[]): readonly string[] {
  const blocks: Extract<FeedEntry, { readonly is: 'block' }>[] = []
  for (const entry of entries) {
    if (entry.is === 'block') blocks.push(entry)
    else expect(blocks.pop()?.block.hash).toBe(entry.block.hash)
  }
  return blocks.flatMap(({ swaps }) =>
    swaps.map((swap) => `${swap.blockHash} ${swap.logIndex} ${swap.timestamp} ${swap.volumeMicroUsd}`),
  )
}
/** What a writer without a WebSocket has published and sealed with this head. */
async function withoutSocket(head: number) {
  const plain = openGeneratedNode(chain)
  plain.head = head
  const proxy = await startFaultyProxy(plain.answer)
  const own = memoryStores()
  const deps = { rpc: openRpc([proxy.url]), chain: chain.rules, verification: verifying(own) }
  for await (const { is } of followChain(depsOver(own, deps))) if (is === 'idle') break
  await proxy.stop()
  return { feed: inForce(await feedOf(own)), log: await digestsOf(own) }
}

describe('pushed blocks', () => {
  it('are read one by one, launches too, without a header of any other block', async () => {
    const launches = chain
      .logsIn(START + 1, START + 40)
      .filter(({ address, topics }) => address === chain.rules.factory && topics[0] !== undefined)
    expect(launches.length).toBeGreaterThan(0)
    for (let block = START + 1; block <= START + 40; block += 1) await pushedTo(block)
    expect(closed).toEqual([])
  })

  it('are in the feed before any poll has them, and stay there when a poll confirms them', async () => {
    await pushedTo(START + 20)
    const early = await feedOf(stores)
    expect(inForce(early)).toEqual((await withoutSocket(START + 20)).feed)
    node.head = START + 20
    await polled()
    expect(await feedOf(stores)).toEqual(early)
    expect(closed).toEqual([])
  })

  it('are never sealed, however many follow', async () => {
    const before = (await digestsOf(stores)).length
    const seen = await pushedTo(START + 200)
    expect(seen.map(({ is }) => is)).not.toContain('sealed')
    expect(await digestsOf(stores)).toHaveLength(before)
    node.head = START + 200
    await polled()
    expect(await digestsOf(stores)).toHaveLength(before + 1)
    expect(await digestsOf(stores)).toEqual((await withoutSocket(START + 200)).log)
  })

  it('make no call for logs or headers', async () => {
    let calls = 0
    http.fault = (asked) => {
      calls += asked.length
      return undefined
    }
    await pushedTo(START + 40)
    expect(calls).toBe(0)
  })

  it('are read from HTTP if it goes ahead of the WebSocket', async () => {
    await pushedTo(START + 10)
    node.head = START + 60
    await polled()
    expect(inForce(await feedOf(stores))).toEqual((await withoutSocket(START + 60)).feed)
  })
})

const isTrade = ({ kind, result }: RawPush) => kind === 'logs' && (result['topics'] as string[]).length === 4
const changed =
  (change: (result: RawPush['result']) => RawPush['result'] | undefined) => (all: readonly RawPush[]) =>
    all.flatMap((push) => {
      const result = isTrade(push) ? change(push.result) : push.result
      return result ? [{ ...push, result }] : []
    })
const later = (seconds: number) => (all: readonly RawPush[]) =>
  all.map(({ kind, result }) => {
    const timestamp = `0x${(Number(result['timestamp']) + seconds).toString(16)}`
    return { kind, result: kind === 'logs' ? result : { ...result, timestamp } }
  })
const otherHash = `0x${'ab'.repeat(32)}`

const LIED_TO = START + 150
let honest: Awaited<ReturnType<typeof withoutSocket>> | undefined

const lies: readonly [string, PushingNode['lie']][] = [
  ['leaves trades out', changed(() => undefined)],
  ['doubles everything', (all) => [...all, ...all]],
  ['pushes in the wrong order', (all) => all.toReversed()],
  ['says that trades were removed', (all) => [...all, ...changed((log) => ({ ...log, removed: true }))(all)]],
  [
    'changes what was traded',
    changed((log) => ({ ...log, data: String(log['data']).replace(/[1-9](?=[^1-9]*$)/, '0') })),
  ],
  [
    'repeats trades at other places',
    (all) => [
      ...changed((log) => ({ ...log, logIndex: '0xfff' }))(all).filter(({ kind }) => kind === 'logs'),
      ...all,
    ],
  ],
  [
    'pushes another block',
    (all) =>
      all.map(({ kind, result }) => ({
        kind,
        result: { ...result, [kind === 'logs' ? 'blockHash' : 'hash']: otherHash },
      })),
  ],
  ['moves blocks far into the future', later(400_000_000)],
  ['moves blocks by some seconds', later(20)],
  ['pushes no JSON-RPC', (all) => all.map(({ kind }) => ({ kind, result: { number: 'nonsense' } }))],
]
it.each(casesOf(lies, 4))(
  'a lying WebSocket that %s changes nothing that is sealed, and the feed only until the next poll',
  async (_what, lie) => {
    socket.lie = lie
    for (let last = START + 50; last <= LIED_TO; last += 50) {
      await settledTo(last)
      node.head = last
      await polled()
    }
    honest ??= await withoutSocket(LIED_TO)
    expect(inForce(await feedOf(stores))).toEqual(honest.feed)
    expect(await digestsOf(stores)).toEqual(honest.log)
  },
)
