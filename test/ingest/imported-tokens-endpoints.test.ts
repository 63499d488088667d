/** A log that begins in the middle of the history of a chain that endpoints give with limits: as mainnet.base.org does, and with an archive behind them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/chain.ts'
import { chains } from '../../ingest/client/chains.ts'
import { StateDisputedError } from '../../ingest/client/faults.ts'
import { readHeader } from '../../ingest/client/headers.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { openOldTokens } from '../../ingest/decode/old-tokens.ts'
import { logStart, type MovedStart } from '../../ingest/read/log-start.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { isImported } from '../../market/coverage.ts'
import { effectiveEntries } from '../../market/log.ts'
import { allOf } from '../../store/parallel.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { depsOver, memoryStores, untilIdle, verifying } from '../support/ingest-stores.ts'
import { startQuietDevnet } from '../support/quiet-devnet.ts'
import { type Limits, limitRate } from '../support/strict-endpoint.ts'

const chain = chains.devnet
let devnet: Devnet
/** What the chain itself gives. */
let clean: Awaited<ReturnType<typeof logThrough>>

beforeAll(async () => {
  devnet = await startQuietDevnet({
    seed: 6,
    now: () => 1_760_000_000_000,
    isArchive: true,
    history: { blocks: 60, days: 1, trades: 60, creators: 6, posts: 8 },
  })
  clean = await logThrough([{}])
})
afterAll(() => devnet?.stop())

/** mainnet.base.org, with rates eight times as high so that a test is short. */
const ofBase: Limits = { span: 1_000, saysSpan: true, batch: 10, calls: 200 }

/** Says of old contracts what they came to be later. */
async function withLaterState(body: string): Promise<string> {
  const lie = body.replace(/("method":"eth_call","params":\[\{[^}]*\},)"0x\w{1,2}"/g, '$1"latest"')
  const response = await fetch(devnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: lie,
  })
  return response.text()
}

/** What ingest makes of the chain from block 25 on through such endpoints, every minute verified. */
async function logThrough(limits: readonly (Limits & { readonly lies?: true })[]) {
  const proxies = await Promise.all(
    limits.map(({ lies }) => startFaultyProxy(lies ? withLaterState : devnet.rpcUrl)),
  )
  const counts = proxies.map((proxy, at) => limitRate(proxy, limits[at] ?? {}, () => false))
  try {
    const rpc = openRpc(
      proxies.map(({ url }) => url),
      { chainId: chain.id },
    )
    const stores = memoryStores()
    const moved: MovedStart[] = []
    const source = { rpc, chain, log: stores.log }
    const start = await logStart(source, { is: 'block', block: 25 }, (one) => moved.push(one))
    const verification = verifying(stores, { retryMs: 20, quietMs: 50 })
    await untilIdle(followChain(depsOver(stores, { rpc, chain, start, verification })))
    const entries = effectiveEntries(await allOf(stores.log.entriesAfter(0)))
    const segments = await Promise.all(entries.map(({ segment }) => stores.log.readSegment(segment)))
    const imported = segments.flatMap(({ tokens }) => tokens).filter(({ after }) => isImported(after)).length
    return { entries, segments, imported, moved, first: (start?.number ?? -1) + 1, counts }
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  }
}

test('an archive with limits gives the same log as the chain itself', async () => {
  const ran = await logThrough([ofBase])
  expect(clean).toMatchObject({ first: 25, moved: [] })
  expect(clean.imported).toBeGreaterThan(5)
  expect(ran.entries).toEqual(clean.entries)
})

test('the state of old tokens is read from the one endpoint with an archive', async () => {
  const ran = await logThrough([{ ...ofBase, stateFrom: 50 }, ofBase])
  expect(ran).toMatchObject({ first: 25, moved: [] })
  expect(ran.entries).toEqual(clean.entries)
})

test('a log without any archive begins where state is available, and this is reported', async () => {
  const head = devnet.head().number
  const ran = await logThrough([{ ...ofBase, stateFrom: head - 20 }])
  expect(ran.moved).toEqual([{ wanted: 25, block: ran.first }])
  expect(ran.first).toBeGreaterThan(head - 20)
  expect(ran.first).toBeLessThan(head - 5)
  expect(ran.entries[0]?.firstBlock).toBe(ran.first)
  expect(ran.imported).toBeGreaterThan(0)
})

test('two endpoints must agree on old state: a wrong one is outvoted, or reading fails', async () => {
  const ran = await logThrough([{ ...ofBase, lies: true }, ofBase, ofBase])
  expect(ran.segments).toEqual(clean.segments)
  expect(ran.entries).toEqual(clean.entries)
  await expect(logThrough([ofBase, { ...ofBase, lies: true }])).rejects.toThrow(StateDisputedError)
})

test('an endpoint that gives no state is not waited for each time', async () => {
  const proxies = await Promise.all([1, 2].map(() => startFaultyProxy(devnet.rpcUrl)))
  const [silent] = proxies
  let asked = 0
  silent!.fault = (calls) => {
    if (!calls.some(({ method }) => method === 'eth_call')) return undefined
    asked += 1
    return 'silence'
  }
  const rpc = openRpc(
    proxies.map(({ url }) => url),
    { chainId: chain.id, timeoutMs: 500, backoffMs: 1 },
  )
  const start = (await readHeader(rpc, 24))!
  const tokens = devnet.tokens().map(({ address }) => address)
  const { find } = openOldTokens({ rpc, chain }, start)
  const first = await find(tokens.slice(0, 6), 24)
  const once = asked
  const second = await find(tokens.slice(6, 12), 24)
  expect(once).toBeGreaterThan(0)
  expect(asked).toBe(once)
  expect(first.size + second.size).toBeGreaterThan(4)
  await Promise.all(proxies.map((proxy) => proxy.stop()))
})
