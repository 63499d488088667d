import { createServer } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../../../dev/emulators/listening.ts'
import { NoHttpEndpointError } from '../../../ingest/client/endpoint-urls.ts'
import { IngestError } from '../../../ingest/client/faults.ts'
import { NotOfPortalError } from '../../../ingest/client/portal.ts'
import { openRpc } from '../../../ingest/client/rpc.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { digestsOf, memoryStores, untilIdle, verifiedDeps } from '../../support/aws/ingest-stores.ts'
import { type FaultyProxy, startFaultyProxy } from '../../support/chain/faulty-proxy.ts'
import { generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import type { ChainNode } from '../../support/chain/json-rpc.ts'
import { fiveASecond } from '../../support/chain/paces.ts'
import { type Count, limitRate } from '../../support/chain/strict-endpoint.ts'
import { isLong } from '../../support/rounds.ts'
import { type Portal, type PortalOptions, startPortal } from './portal.ts'

const chain = generateChain({
  seed: 7,
  minutes: isLong ? 60 : 12,
  creations: 30,
  swapsAMinute: 4,
  paces: fiveASecond,
})
const quick = { backoffMs: 2, refusalPauseMs: 20 }

let node: ChainNode
let proxy!: FaultyProxy
let portal: Portal | undefined

afterEach(async () => {
  await Promise.all([proxy.stop(), portal?.stop()])
  portal = undefined
})

async function startNode(): Promise<Count> {
  node = openGeneratedNode(chain)
  proxy = await startFaultyProxy(node.answer)
  return limitRate(proxy, { batch: 10 })
}

/** Reads the chain until nothing is left; the minutes and digests of the log, and what the endpoint was asked. */
async function readThrough(options?: PortalOptions, lie?: ChainNode['lie']) {
  const count = await startNode()
  const behind = openGeneratedNode(chain)
  if (lie) behind.lie = lie
  if (options) portal = await startPortal(behind, options)
  const rpc = openRpc([proxy.url, ...(portal ? [portal.url] : [])], quick)
  const stores = memoryStores()
  const deps = await verifiedDeps(stores, { rpc, chain: chain.rules }, null)
  expect(await untilIdle(followChain(deps))).not.toContain('gap')
  return { sealed: await digestsOf(stores), count, rpc }
}

const alone = await readThrough()
await proxy.stop()

describe('a portal', () => {
  it.each<readonly [string, PortalOptions]>([
    ['that answers whatever it is asked', {}],
    ['that stops where it likes', { stopsAfter: 300 }],
    ['that limits the rate', { refusesEach: 4 }],
    ['whose answers are cut off', { cutsEach: 3 }],
    ['whose final blocks end half way', { final: chain.first + 1_500 }],
    ['of another fork', { forkFrom: chain.first + 800 }],
  ])('%s is read beside an endpoint, and the minutes are the same', async (_, options) => {
    const { sealed } = await readThrough(options)
    expect(alone.sealed.length).toBeGreaterThan(9)
    expect(sealed).toEqual(alone.sealed)
    expect(portal!.asked.length).toBeGreaterThan(3)
  })

  it('that leaves out logs is found out', async () => {
    const { sealed, rpc } = await readThrough({}, (logs) => logs.filter((_, at) => at % 5 !== 0))
    expect(sealed).toEqual(alone.sealed)
    const distrusted = rpc.each().filter(({ endpoint }) => endpoint.distrustedUntil > 0)
    expect(distrusted.map(({ endpoint }) => endpoint.isFarOnly)).toEqual([true])
  })

  it('saves an endpoint readings of logs', async () => {
    const { count } = await readThrough({})
    expect(count.calls).toBeLessThan(0.9 * alone.count.calls)
  })

  it('has no say in the last hour', async () => {
    const shift = chain.timestampOf(chain.last) * 1_000 + 60_000 - Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + shift)
    try {
      const { sealed, count } = await readThrough({})
      expect(sealed).toEqual(alone.sealed)
      expect(count.calls).toBeGreaterThanOrEqual(alone.count.calls)
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('gives nothing younger than an hour, nor the newest block, nor state', async () => {
    const count = await startNode()
    const now = Math.floor(Date.now() / 1_000)
    expect(chain.timestampOf(chain.last)).toBeLessThan(now - 3_600)
    portal = await startPortal(node)
    const [, only] = openRpc([proxy.url, portal.url], quick).each()
    const [first, last] = [chain.first, chain.first + 10].map((block) => `0x${block.toString(16)}`)
    const logs = [{ topics: [], fromBlock: first, toBlock: last }]
    expect(await only!.request('eth_getLogs', logs)).toBeInstanceOf(Array)
    const recent = { ...chain, timestampOf: () => now - 3_000 }
    await portal.stop()
    portal = await startPortal(openGeneratedNode(recent))
    const [, young] = openRpc([proxy.url, portal.url], quick).each()
    await expect(young!.request('eth_getLogs', logs)).rejects.toMatchObject({
      name: 'BlockNotYetAvailableError',
    })
    for (const method of ['eth_call', 'eth_getTransactionReceipt', 'eth_getCode', 'eth_blockNumber'])
      await expect(young!.request(method, [])).rejects.toThrow(NotOfPortalError)
    await expect(young!.request('eth_getBlockByNumber', ['latest', false])).rejects.toThrow(NotOfPortalError)
    expect(count.calls).toBe(0)
  })

  const header = { number: 5, hash: '0x1', parentHash: '0x2', timestamp: 7 }
  it.each<readonly [what: string, line: object]>([
    ['no time', { header: { ...header, timestamp: undefined } }],
    ['a time that is no number', { header: { ...header, timestamp: 'soon' } }],
    ['no hash', { header: { ...header, hash: null } }],
    ['no list of logs', { header, logs: null }],
    ['null for a log', { header, logs: [null] }],
    ['a log without a place', { header, logs: [{ address: '0x', topics: [], data: '0x' }] }],
    ['no list of transactions', { header, transactions: null }],
    ['null for a transaction', { header, transactions: [null] }],
  ])('that gives %s fails as an endpoint does', async (_, line) => {
    await startNode()
    const server = createServer((_, response) => response.end(JSON.stringify(line)))
    const { url, stop } = await listen('portal', server)
    try {
      const urls = [proxy.url, `portal+${url}/datasets/base-mainnet`]
      const [, only] = openRpc(urls, { ...quick, pinnedAttempts: 1 }).each()
      const logs = only!.request('eth_getLogs', [{ topics: [], fromBlock: '0x5', toBlock: '0x5' }])
      await expect(logs).rejects.toBeInstanceOf(IngestError)
    } finally {
      await stop()
    }
  })

  it('cannot be the only endpoint, and says what chain its dataset is of', async () => {
    await startNode()
    portal = await startPortal(node)
    const { url } = portal
    expect(() => openRpc([url])).toThrow(NoHttpEndpointError)
    const served = (own: string) => openRpc([proxy.url, own], quick).each()[1]!.request('eth_chainId', [])
    expect(await served(url)).toBe('0x2105')
    expect(await served(url.replace('base-mainnet', 'other'))).toBe('0x0')
    const checked = openRpc([proxy.url, url.replace('base-mainnet', 'other')], { ...quick, chainId: 8_453 })
    await expect(checked.each()[1]!.request('eth_getLogs', [{}])).rejects.toThrow('no chain id')
  })
})
