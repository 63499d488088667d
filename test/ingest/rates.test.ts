/** Reference rates of generated chains, read as ingest reads them, by a writer that starts again now and then, against those that the oracle finds in the raw logs. */
import { afterAll, expect, it } from 'vitest'
import { type Random, randomFrom } from '../../dev/devnet/random.ts'
import type { Chain } from '../../ingest/client/chains.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import type { PoolName, Segment } from '../../market/segment.ts'
import { decodedLogs } from '../oracle/logs.ts'
import { rateSwapsOf } from '../oracle/market.ts'
import { closingRates, minutesIn } from '../oracle/rates.ts'
import { depsOver, memoryStores, segmentsOf } from '../support/aws/ingest-stores.ts'
import type { NodeLog } from '../support/chain/json-rpc.ts'
import { mockChain, openMockChain } from '../support/chain/mock-chain.ts'
import { type Emitted, poolSwappedLog, trader } from '../support/chain/raw-logs.ts'
import { address, hash } from '../support/market/facts.ts'

const [zora, ether, dollar] = [address(0x11), address(0xee), address(0xdd)]
const currency = (at: typeof zora, decimals = 18) => ({ address: at, decimals, symbol: 'X', name: 'X' })
const pool = (at: number) => address(0x9000 + at)

/** ZORA from three sources, one of them a path and one in the PoolManager; ether from two, in one of which it is currency1. */
const rules: Chain = {
  ...mockChain,
  references: [
    {
      ...currency(zora),
      sources: [
        { pool: pool(1), quote: dollar, isCurrency0: true },
        { pool: pool(2), quote: ether, isCurrency0: true },
        { pool: hash(0x9003), quote: dollar, isCurrency0: true },
      ],
    },
    {
      ...currency(ether),
      sources: [
        { pool: pool(4), quote: dollar, isCurrency0: true },
        { pool: pool(5), quote: dollar, isCurrency0: false },
      ],
    },
    { ...currency(dollar, 6), sources: [], fixedUsdE36: 10n ** 36n },
  ],
}
const sources = rules.references.flatMap(({ address: base, sources }) =>
  sources.map((one) => ({ base, ...one })),
)
type Source = (typeof sources)[number]

/** A swap that leaves a pool at a price in whole units of its quote, and moves by 2 % for an amount of it. */
function swapOf({ pool, isCurrency0, quote }: Source, price: number, depth: number): Emitted {
  const decimals = quote === dollar ? 6 : 18
  const ratio = isCurrency0 ? price * 10 ** (decimals - 18) : 10 ** (18 - decimals) / price
  const root = Math.sqrt(ratio)
  const side = (depth / (Math.sqrt(1.02) - 1)) * 10 ** decimals
  const sqrtPriceX96 = BigInt(Math.round(root * 2 ** 76)) << 20n
  const liquidity = BigInt(Math.round(isCurrency0 ? side / root : side * root))
  if (pool.length > 42) return poolSwappedLog(pool as never, trader, sqrtPriceX96, liquidity)
  const args = {
    sender: trader,
    recipient: trader,
    amount0: 1n,
    amount1: -1n,
    sqrtPriceX96,
    liquidity,
    tick: 1,
  }
  return { from: pool as never, event: 'v3Swap', args }
}

/** How a source fares: from when on there is a pool, when it falls silent or is drained, and how often it lies. */
const fates = (random: Random, last: number) =>
  new Map<PoolName, { from: number; silent: number; drained: number; lies: number }>(
    sources.map(({ pool }) => {
      const at = (chance: number) => (random.chance(chance) ? random.below(last) : last)
      const isNew = random.chance(0.3)
      const [silent, drained] = [at(0.3), at(0.3)]
      return [
        pool,
        { from: isNew ? random.below(last) : 0, silent, drained, lies: random.chance(0.3) ? 0.5 : 0 },
      ]
    }),
  )

const BLOCKS = 250

/** Blocks of a minute, more or less; now and then there is none for hours. */
function chainOf(seed: number) {
  const random = randomFrom(seed, 49)
  const times = [6_000_000]
  while (times.length <= BLOCKS)
    times.push(times.at(-1)! + (random.chance(0.02) ? random.below(100_000) : 1 + random.below(100)))
  const chain = openMockChain(BLOCKS, (block) => times[block]!)
  const fate = fates(random, BLOCKS)
  const usd = new Map([
    [zora, 0.02],
    [ether, 3_000],
    [dollar, 1],
  ])
  for (let block = 0; block < BLOCKS; block += 1) {
    for (const [at, price] of usd)
      if (at !== dollar)
        usd.set(
          at,
          price * (random.chance(0.02) ? random.pick([0.4, 0.7, 1.5, 3]) : 0.97 + random.next() * 0.06),
        )
    for (const source of sources) {
      const { from, silent, drained, lies } = fate.get(source.pool)!
      if (block < from || block >= silent || random.chance(0.5)) continue
      const truth = (usd.get(source.base)! / usd.get(source.quote)!) * (0.99 + random.next() * 0.02)
      const price = random.chance(lies) ? truth * random.pick([0.1, 0.81, 1.19, 5]) : truth
      const depth = block >= drained ? random.below(250) + 0.5 : 150.5 + random.below(2_000)
      chain.emit(block, [swapOf(source, price, depth / usd.get(source.quote)!)])
    }
  }
  return { chain, random, times }
}

/** The log of minutes, by a writer that loses its memory after some minutes, again and again. */
async function segmentsBy({ chain, random }: ReturnType<typeof chainOf>): Promise<readonly Segment[]> {
  const stores = memoryStores()
  for (let isIdle = false; !isIdle; ) {
    let left = 1 + random.below(60)
    for await (const { is } of followChain(depsOver(stores, { rpc: chain.rpc, chain: rules }))) {
      isIdle = is === 'idle'
      if (is === 'sealed') left -= 1
      if (isIdle || left === 0) break
    }
  }
  return segmentsOf(stores)
}

/** What came about in these chains. */
const seen = { held: 0, drifted: 0, moved: 0 }

it.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'equal those of the oracle: chain %i',
  async (seed) => {
    const made = chainOf(seed)
    const segments = await segmentsBy(made)
    const raw = decodedLogs(
      made.chain.ask({
        method: 'eth_getLogs',
        params: [{ fromBlock: '0x0', toBlock: '0xffff', topics: [] }],
      }) as NodeLog[],
    )
    const minutes = minutesIn(made.times)
    const expected = closingRates(rules, rateSwapsOf(rules, raw), { seconds: made.times, minutes })
    const sealed = segments.map(({ minute, references }) => ({
      minute,
      held: Object.fromEntries([...references].map(([at, { heldUsdE36 }]) => [at, heldUsdE36])),
    }))
    const oracle = expected.map(({ minute, held }) => ({ minute, held: Object.fromEntries(held) }))
    expect(sealed.length).toBeGreaterThan(100)
    expect(sealed).toEqual(oracle.slice(0, sealed.length))
    for (const { references } of segments)
      for (const { heldUsdE36, observedUsdE36, drifted } of references.values()) {
        if (heldUsdE36 === observedUsdE36) seen.moved += 1
        else if (drifted > 0) seen.drifted += 1
        else seen.held += 1
      }
  },
)

afterAll(() => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
})
