import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endpointUrls, NoHttpEndpointError } from '../../../ingest/client/endpoint-urls.ts'
import { openRpc } from '../../../ingest/client/rpc.ts'
import { openPushes, type Pushes } from '../../../ingest/read/pushes.ts'
import type { Block } from '../../../market/segment.ts'
import { type MockChain, mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import { transferLog } from '../../support/chain/raw-logs.ts'
import { alice } from '../mock-reading.ts'
import { type PushingNode, startPushingNode } from '../read/pushing-node.ts'

/** The socket is silent only if it says nothing for longer than a busy machine holds it up. */
const times = { askAfterMs: 50, silentMs: 600_000, reopenMs: 10 }
/** Silence is noticed at once. */
const alert = { ...times, silentMs: 200 }

let chain: MockChain
let nodes: PushingNode[]
let pushes: Pushes | undefined
let states: string[]

beforeEach(async () => {
  chain = openMockChain(120)
  for (let block = 100; block <= 120; block += 2) chain.emit(block, [transferLog(alice.coin)])
  nodes = [await startPushingNode(chain), await startPushingNode(chain)]
  states = []
})
afterEach(async () => {
  pushes?.stop()
  await Promise.all(nodes.map((node) => node.stop()))
})

function open(own = times, path = '/') {
  const urls = nodes.map(({ url }) => new URL(url + path))
  pushes = openPushes(urls, mockChain, (host, cause) => states.push(cause ?? `open ${host}`), own)
}
const subscribed = (node: PushingNode) => expect.poll(node.subscribed).toBe(1)
/** Opens the sockets; resolves when the first node's has subscribed. */
async function opened(own = times): Promise<readonly [PushingNode, PushingNode]> {
  open(own)
  const [first, second] = nodes as [PushingNode, PushingNode]
  await subscribed(first)
  return [first, second]
}
/** Pushes the block after a known one, and waits until it is complete. */
async function pushedAfter(node: PushingNode, block: Block) {
  await expect
    .poll(
      () => {
        node.push(block.number + 1)
        return pushes?.after(block)?.headers.at(-1)?.number
      },
      { interval: 120 },
    )
    .toBe(block.number + 1)
}

describe('a WebSocket', () => {
  it('that is cut is opened again, at the next URL', async () => {
    const [first, second] = await opened()
    first.cut()
    await subscribed(second)
    await pushedAfter(second, chain.block(110))
    expect(states[1]).toBe('it was closed')
  })

  it('that answers nothing any more is closed', async () => {
    const [first, second] = await opened(alert)
    first.isSilent = true
    await subscribed(second)
    expect(states[1]).toMatch(/^no message for/)
  })

  it('that answers but pushes no block that another endpoint has is closed', async () => {
    const [first, second] = await opened({ ...times, silentMs: 1_000 })
    first.isDeaf = true
    pushes?.polled(chain.block(115))
    await subscribed(second)
    expect(states[1]).toMatch(/^no new block for/)
  })

  it('stays open while the chain is halted', async () => {
    const [first] = await opened({ ...times, silentMs: 2_000 })
    await pushedAfter(first, chain.block(110))
    pushes?.polled(chain.block(111))
    // It is asked four times in `silentMs`, and stays open for longer.
    await expect.poll(() => first.answered).toBeGreaterThan(5)
    expect(first.accepted).toBe(1)
    expect(states).toHaveLength(1)
  })

  it('is named only by its host when it fails', async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    open(times, '/v2/secret-key?k=hidden')
    await expect.poll(() => states.length).toBeGreaterThan(2)
    expect(states.join()).not.toMatch(/secret|hidden/)
    expect(states[0]).toMatch(/ECONNREFUSED/)
  })

  it('is opened without the fragment of its URL, which it would refuse', async () => {
    const [first] = nodes as [PushingNode]
    const { sockets } = endpointUrls(['https://base.example', `${first.url}/#part`])
    pushes = openPushes(sockets, mockChain, () => {}, times)
    await subscribed(first)
  })

  it('does not suffice as an endpoint, since calls need HTTP', () => {
    expect(() => openRpc(['wss://base.example/secret-key'])).toThrow(NoHttpEndpointError)
    expect(() => openRpc(['wss://base.example/secret-key'])).not.toThrow(/secret/)
    expect(() => openRpc(['wss://base.example/key', 'https://base.example/key'])).not.toThrow()
  })
})

describe('pushed blocks', () => {
  it('continue a known block without a gap, with all their logs once and in order', async () => {
    const [first] = await opened()
    first.lie = (all) => [...all, ...all].toReversed()
    for (const block of [113, 111, 112, 114]) first.push(block)
    await expect.poll(() => pushes?.after(chain.block(110))?.headers.length).toBe(4)
    const span = pushes?.after(chain.block(110))
    expect(span?.headers.map(({ number }) => number)).toEqual([111, 112, 113, 114])
    expect(span?.logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
      [112, 0],
      [114, 0],
    ])
    expect(pushes?.after(chain.block(109))).toBe(undefined)
    expect(pushes?.after({ ...chain.block(110), hash: chain.block(1).hash })).toBe(undefined)
  })

  it('are dropped after a log of theirs was removed, with their successors', async () => {
    const [first] = await opened()
    for (const block of [111, 112, 113]) first.push(block)
    await expect.poll(() => pushes?.after(chain.block(110))?.headers.length).toBe(3)
    first.lie = (all) =>
      all.map(({ kind, result }) => ({ kind, result: { ...result, removed: true } })).slice(0, 1)
    first.push(112)
    await expect.poll(() => pushes?.after(chain.block(110))?.headers.length).toBe(1)
  })

  it('with two logs at one place are not used', async () => {
    const [first] = await opened()
    first.lie = (all) =>
      all.flatMap((push) =>
        push.kind === 'logs' ? [push, { ...push, result: { ...push.result, data: '0x01' } }] : [push],
      )
    for (const block of [111, 112, 113]) first.push(block)
    await expect.poll(() => pushes?.after(chain.block(110))?.headers.length).toBe(1)
  })
})
