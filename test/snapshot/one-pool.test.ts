/** One pool's money counted many times: 110 posts on one creator token's pool, all by one address. */
import { describe, expect, it } from 'vitest'
import { NOBODY } from '../../market/holders.ts'
import { countedAt } from '../../market/market-at.ts'
import { countedOf, portfolioAt } from '../../market/portfolio.ts'
import { CAP_PER_LIQUIDITY } from '../../market/rules.ts'
import type { Coin, Minute } from '../../market/segment.ts'
import { type Engine, marketsAt } from '../../snapshot/engine.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { address, coin, swapped, WHOLE } from '../support/facts.ts'
import {
  type BlockFactsList,
  type Listed,
  launchFacts,
  sqrtX96,
  startFoldedChain,
} from '../support/folded-chain.ts'
import { memoryBucket } from '../support/memory-stores.ts'

/** The first minute of a UTC hour, not of a day: the index's base falls in such a one. */
const HOUR = 60 * 480_010
const LAUNCH = HOUR - 25 * 60
const HONEST = 60
const POSTS = 110
const ATTACKER = address(0xbad)

const launched = (number: number, part: Partial<Coin>): Coin =>
  coin({
    ...{ address: address(number), creator: address(0x5000 + number) },
    launchedAt: {
      blockNumber: LAUNCH * 30,
      logIndex: number,
      transactionHash: NOBODY,
      timestamp: LAUNCH * 60,
    },
    ...part,
  })

const honest = Array.from({ length: HONEST }, (_, at): Listed => {
  return { coin: launched(0x1_0000 + at, {}), floor: 1e-6, price: 3e-4, stake: 20_000 }
})
/** 25,000 dollars in one pool, at a price that says 10 million. */
const own: Listed = {
  ...{ coin: launched(0x2_0000, { creator: ATTACKER }), floor: 1e-4, price: 1e-2 },
  stake: 25_000,
}
/** Each holds of the creator token what is worth as much as that pool. */
const posts = Array.from({ length: POSTS }, (_, at): Listed => {
  const words = { kind: 'post', creator: ATTACKER, quote: own.coin.address } as const
  return { coin: launched(0x3_0000 + at, words), floor: 1e-3, price: 1, stake: own.stake / own.price }
})

/** A chain whose minutes are taken in by the service's rebuild. */
function startService() {
  const chain = startFoldedChain()
  const stores = { log: chain.log, segments: memoryBucket(), published: memoryBucket() }
  const warm: Warm = {}
  return async (minute: Minute, facts: BlockFactsList): Promise<Engine> => {
    await chain.seal(minute, facts)
    await rebuild(stores, { clock: () => 0, now: () => minute * 60, warm })
    if (!warm.engine) throw new RangeError('nothing was rebuilt')
    return warm.engine
  }
}

/** What the index counts of its members: of the attacker's, and of all. */
function indexed(engine: Engine) {
  const now = marketsAt(engine)(0)
  const members = [...engine.index.index.members].map(([token, { quantity }]) => {
    const number = now.numberOf(token) ?? -1
    return { isOwn: now.tokenOf(number).creator === ATTACKER, counted: countedAt(now, number, quantity) }
  })
  const sum = (some: typeof members) => some.reduce((total, { counted }) => total + Number(counted), 0)
  const ownSeats = members.filter(({ isOwn }) => isOwn)
  return { seats: members.length, ownSeats: ownSeats.length, share: sum(ownSeats) / sum(members) }
}

describe("110 posts on one creator token's pool", () => {
  it('count together at most 25 times that pool, hold 3 seats and a tenth, and sold move the index by a tenth at most', async () => {
    const next = startService()
    await next(LAUNCH, [...honest, own, ...posts].flatMap(launchFacts))
    const [first] = honest as [Listed]
    const trade = swapped({ token: first.coin, sqrtPriceX96: sqrtX96(first.price) })
    const based = await next(HOUR, [trade])

    const now = marketsAt(based)(0)
    const number = now.numberOf(own.coin.address) ?? -1
    const pool = now.read('reserveQuote', number)
    expect(Number(pool / WHOLE) / own.stake).toBeCloseTo(1, 2)
    const portfolio = portfolioAt(now, number)
    // ZORA is a dollar: base units of 10^-18 against micro-dollars.
    const mostCounted = (CAP_PER_LIQUIDITY * pool) / 10n ** 12n
    expect(countedOf(portfolio)).toBeLessThanOrEqual(mostCounted)
    expect(countedOf(portfolio)).toBeGreaterThan((mostCounted * 99n) / 100n)
    expect(portfolio.postsCount).toBe(POSTS)
    expect(portfolio.postsMarketCap).toBeGreaterThan(1_000n * mostCounted)

    const before = indexed(based)
    expect(before).toMatchObject({ seats: HONEST + 3, ownSeats: 3 })
    expect(before.share).toBeGreaterThan(0.05)
    expect(before.share).toBeLessThanOrEqual(0.1)
    const { valueE8 } = based.index.index
    expect(valueE8).toBe(1000_00000000n)

    const sales = [...posts, own].map(({ coin, floor }) =>
      swapped({ token: coin, isBuy: false, sqrtPriceX96: sqrtX96(floor) }),
    )
    const sold = await next(HOUR + 1, sales)
    const fall = 1 - Number(sold.index.index.valueE8) / Number(valueE8)
    expect(fall).toBeCloseTo(before.share, 3)
    expect(fall).toBeLessThanOrEqual(0.1)
  })
})
