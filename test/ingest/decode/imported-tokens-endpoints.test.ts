// Whole form only.
/** A log that begins in the middle of the history of a chain that endpoints give with limits: as mainnet.base.org does, and with an archive behind them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../../dev/devnet/chain.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { StateDisputedError } from '../../../ingest/client/faults.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { logStart, type MovedStart } from '../../../ingest/read/log-start.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { isImported } from '../../../market/coverage.ts'
import {
  depsOver,
  digestsOf,
  memoryStores,
  segmentsOf,
  untilIdle,
  verifying,
} from '../../support/aws/ingest-stores.ts'
import { startQuietDevnet } from '../../support/chain/quiet-devnet.ts'
import { type Limits, startProxies } from '../../support/chain/strict-endpoint.ts'

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
  const { rpc, counts, stop } = await startProxies(
    limits.map(({ lies }) => (lies ? withLaterState : devnet.rpcUrl)),
    { limits, chainId: chain.id },
  )
  try {
    const stores = memoryStores()
    const moved: MovedStart[] = []
    const source = { rpc, chain, log: stores.log }
    const start = await logStart(source, { is: 'block', block: 25 }, (one) => moved.push(one))
    const verification = verifying(stores, { retryMs: 20, quietMs: 50 })
    await untilIdle(followChain(depsOver(stores, { rpc, chain, start, verification })))
    const [entries, segments] = [await digestsOf(stores), await segmentsOf(stores)]
    const imported = segments.flatMap(({ tokens }) => tokens).filter(({ after }) => isImported(after)).length
    return { entries, segments, imported, moved, first: (start?.number ?? -1) + 1, counts }
  } finally {
    await stop()
  }
}

test.each<[string, Limits[]]>([
  ['an archive with limits', [ofBase]],
  ['two endpoints, of which one is an archive', [{ ...ofBase, stateFrom: 50 }, ofBase]],
])('%s gives the same log as the chain itself', async (_what, limits) => {
  const ran = await logThrough(limits)
  for (const each of [clean, ran]) expect(each).toMatchObject({ first: 25, moved: [] })
  expect(clean.imported).toBeGreaterThan(5)
  expect(ran.entries).toEqual(clean.entries)
})

test('a log without any archive begins where state is available, and this is reported', async () => {
  const head = devnet.head().number
  const ran = await logThrough([{ ...ofBase, stateFrom: head - 20 }])
  expect(ran.moved).toEqual([{ wanted: 25, block: ran.first }])
  expect(ran.first).toBeGreaterThan(head - 20)
  expect(ran.first).toBeLessThan(head - 5)
  expect(ran.segments[0]?.firstBlock).toBe(ran.first)
  expect(ran.imported).toBeGreaterThan(0)
})

test('two endpoints must agree on old state: a wrong one is outvoted, or reading fails', async () => {
  const ran = await logThrough([{ ...ofBase, lies: true }, ofBase, ofBase])
  expect(ran.segments).toEqual(clean.segments)
  expect(ran.entries).toEqual(clean.entries)
  await expect(logThrough([ofBase, { ...ofBase, lies: true }])).rejects.toThrow(StateDisputedError)
})

test('an endpoint that gives no state is not waited for each time', async () => {
  const options = { chainId: chain.id, timeoutMs: 3_000, backoffMs: 1 }
  const { rpc, proxies, stop } = await startProxies([devnet.rpcUrl, devnet.rpcUrl], options)
  let asked = 0
  proxies[0]!.fault = (calls) => {
    if (!calls.some(({ method }) => method === 'eth_call')) return undefined
    asked += 1
    return 'silence'
  }
  const start = (await readHeader(rpc, 24))!
  const tokens = devnet.tokens().map(({ address }) => address)
  const { find } = openOldTokens({ rpc, chain }, start)
  const first = await find(tokens.slice(0, 6), 24)
  const once = asked
  const second = await find(tokens.slice(6, 12), 24)
  expect(once).toBeGreaterThan(0)
  expect(asked).toBe(once)
  expect(first.size + second.size).toBeGreaterThan(4)
  await stop()
})
