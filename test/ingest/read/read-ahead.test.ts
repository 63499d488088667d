// Whole form only.
/** Catching up in rounds that overlap gives the log, the tables and the feed that minute by minute gives. */
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openRpc } from '../../../ingest/client/rpc.ts'
import { noOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { openRegistry, type Registry } from '../../../ingest/decode/registry.ts'
import type { Range } from '../../../ingest/read/range.ts'
import { openReadAhead } from '../../../ingest/read/read-ahead.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { depsOver, memoryStores, untilIdle, verifying } from '../../support/aws/ingest-stores.ts'
import { generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { startProxies } from '../../support/chain/strict-endpoint.ts'
import { isLong } from '../../support/rounds.ts'
import { storeOf } from '../mock-reading.ts'
import { blockAt, told } from '../told.ts'

const MINUTES = isLong ? 120 : 40
const chain = generateChain({ seed: 2, minutes: MINUTES, creations: MINUTES / 2, swapsAMinute: 4 })

type Endpoints = Awaited<ReturnType<typeof behind>>

/** So many endpoints of the chain. */
function behind(count: number) {
  const { answer } = openGeneratedNode(chain)
  return startProxies(Array.from({ length: count }, () => answer))
}

/** Reads the chain after block `start`, in ranges of 150 blocks. */
async function logOf({ proxies }: Endpoints, start: number, isOverlapping: boolean) {
  const stores = memoryStores()
  const rpc = openRpc(proxies.map(({ url }) => url))
  for (const { endpoint } of rpc.each()) endpoint.width.narrow(300, 150)
  const deps = depsOver(stores, {
    rpc,
    chain: chain.rules,
    start: blockAt(chain, start),
    verification: verifying(stores, { retryMs: 1 }),
    ...(isOverlapping && { readWith: openReadAhead, farSeconds: 0 }),
  })
  await untilIdle(followChain(deps))
  return told(stores)
}

const BEGIN = chain.first - 1
/** The whole chain, minute by minute. */
const only = await behind(1)
const whole = await logOf(only, BEGIN, false)
await only.stop()

it.each([
  ['from its first block', BEGIN, 1],
  ['from its middle, with two endpoints', chain.first + 15 * MINUTES - 1, 2],
])('reads a chain %s as minute by minute', async (_, start, count) => {
  const endpoints = await behind(count)
  const slow = start === BEGIN ? whole : await logOf(endpoints, start, false)
  const fast = await logOf(endpoints, start, true)
  await endpoints.stop()
  expect(slow.entries.length).toBeGreaterThan(MINUTES / 2 - 5)
  expect(fast.entries).toEqual(slow.entries)
  expect(fast.feed).toEqual(slow.feed)
  expect(fast.rows).toEqual(slow.rows)
})

it('gives a fault of the store to those who ask for the range, not to the process', async () => {
  const { rpc, stop } = await behind(1)
  for (const { endpoint } of rpc.each()) endpoint.width.narrow(300, 150)
  const fault = new Error('no store')
  let [isFailing, failed] = [false, 0]
  const registry = openRegistry(storeOf(), chain.rules, noOldTokens)
  const tokens: Registry['tokens'] = async (asked) => {
    if (!isFailing) return registry.tokens(asked)
    failed += 1
    throw fault
  }
  const ranges = openReadAhead({ rpc, chain: chain.rules, registry: { ...registry, tokens } })
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  const first = await ranges.read(blockAt(chain, BEGIN), chain.last)
  isFailing = true
  await expect.poll(() => failed).toBeGreaterThan(0)
  await setImmediate()
  await expect(ranges.read((first as Range).last, chain.last)).rejects.toBe(fault)
  process.off('unhandledRejection', onUnhandled)
  await stop()
  expect(unhandled).toEqual([])
})

it('reads a range again at another endpoint if logs were missing in a range read ahead', async () => {
  const endpoints = await behind(2)
  const [liar] = endpoints.proxies
  let asked = 0
  const isLying = (calls: readonly { readonly method: string }[]): boolean => {
    if (calls.some(({ method }) => method === 'eth_getLogs')) asked += 1
    return asked % 5 === 0
  }
  if (liar) liar.fault = (calls) => (isLying(calls) ? 'one log in five left out' : undefined)
  const ran = await logOf(endpoints, BEGIN, true)
  await endpoints.stop()
  expect(liar?.told.get('one log in five left out')).toBeGreaterThan(3)
  expect(ran.entries).toEqual(whole.entries)
  expect(ran.rows).toEqual(whole.rows)
})
