import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, test } from 'vitest'
import type { Warm } from '../../snapshot/rebuild.ts'
import { feedOf, memoryStores, startStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/chain/devnet-market.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { type IngestChild, startIngest } from '../support/chain/ingest-child.ts'
import { currentSwaps, expectAsFromZero } from '../support/from-zero.ts'
import { rounds } from '../support/rounds.ts'

// The ingest process is killed at random moments while the chain goes on, forks now and then, minutes seal within a second, and
// one of its two endpoints leaves out logs in every other answer.
const KILLS = rounds(8)
const CAUGHT_UP_WITHIN_MS = 180_000

let market: DevnetMarket
let liar: FaultyProxy
let stores: Awaited<ReturnType<typeof startStores>>
let ingest: IngestChild | undefined
const warm: Warm = {}

beforeAll(async () => {
  ;[market, stores] = await Promise.all([
    startDevnetMarket(23, { trades: 10, creators: 3, posts: 4 }),
    startStores(),
  ])
  liar = await startFaultyProxy(market.rpcUrl)
  liar.fault = () => (market.random.chance(0.5) ? 'one log in five left out' : undefined)
})
afterAll(async () => {
  await ingest?.kill()
  await liar?.stop()
  await Promise.all([market?.stop(), stores?.stop()])
})

const start = () => startIngest({ ...stores.env, CHAIN: 'devnet', RPC_URLS: `${liar.url},${market.rpcUrl}` })

/** Seconds of the chain between two blocks: apart as on the devnet, or several blocks a second. */
const paces: readonly (() => number)[] = [
  () => 6 + market.random.below(10),
  () => (market.random.chance(0.8) ? 0 : 30 + market.random.below(20)),
]

/** The chain goes on for so long: some 40 blocks a second, now and then a fork. All of the test stays within a day: the feed reaches no further back. */
async function chainGoesOn(milliseconds: number, pace: () => number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    if (market.random.chance(0.03)) await market.rollback(1 + market.random.below(6))
    await market.mine(pace(), market.random.below(3))
    await sleep(20)
  }
  // A fork is the longer chain, or nobody would follow it.
  for (let block = 0; block < 7; block += 1) await market.mine(10, 1)
}

/** Kills ingest at a random moment: of its start, of its time at the head, or within a few steps of the sealing of a minute. */
async function killSometime(child: IngestChild): Promise<void> {
  const { random } = market
  if (random.chance(0.6)) {
    await Promise.race([child.sealed(), sleep(3_000)])
    await sleep(random.below(50))
  } else {
    await sleep(random.below(random.chance(0.5) ? 1_000 : 3_000))
  }
  await child.kill()
}

/** Waits until the stores are at the chain's head, as a reader of it from zero is. */
async function caughtUp(child: IngestChild): Promise<void> {
  // All trades are in minutes that are over: what an answer left out is found when their minute is verified.
  await market.mine(60)
  const anew = memoryStores()
  await untilIdle(startWriter(anew, market.rpcUrl))
  const [applied, feed] = [await anew.log.applied(), currentSwaps(await feedOf(anew))]
  // Swaps of sealed minutes are compared with those published before, and published again where a value differs.
  const isThere = async () =>
    (await stores.log.applied())?.last?.hash === applied?.last?.hash &&
    isDeepStrictEqual(currentSwaps(await feedOf(stores)), feed)
  const deadline = performance.now() + CAUGHT_UP_WITHIN_MS
  while (!(await isThere()) && performance.now() < deadline) {
    child.assertAlive()
    await sleep(50)
  }
}

test(
  `${KILLS} times kill -9 of ingest leave what a run without an end leaves`,
  async () => {
    ingest = start()
    for (let kills = 0; kills < KILLS; kills += 1) {
      const pace = paces[kills % paces.length]!
      await Promise.all([chainGoesOn(1_000, pace), killSometime(ingest)])
      await chainGoesOn(market.random.below(800), pace)
      ingest = start()
      if (market.random.chance(0.4)) continue
      await caughtUp(ingest)
      await expectAsFromZero(stores, market, warm)
    }
    await caughtUp(ingest)
    await expectAsFromZero(stores, market, warm)
  },
  Math.max(4, KILLS) * 30_000,
)
