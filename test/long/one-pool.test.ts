/** One pool's money counted many times, on the development chain: 110 posts on one creator token's pool, all by one address. */
import { afterAll, expect, it } from 'vitest'
import { launchCreator, launchPost, trade } from '../../dev/devnet/actions.ts'
import type { BookToken } from '../../dev/devnet/book.ts'
import type { Devnet } from '../../dev/devnet/chain.ts'
import { zoraAddress } from '../../dev/devnet/contracts.ts'
import type { TransactionDraft } from '../../dev/devnet/miner.ts'
import { zoraFor } from '../../dev/devnet/traders.ts'
import { partyOf } from '../../market/authorship.ts'
import { countedAt, quoteAt } from '../../market/board/market-at.ts'
import { countedOf, portfolioAt } from '../../market/board/portfolio.ts'
import { microUsdOf } from '../../market/pool.ts'
import { CAP_PER_LIQUIDITY, INDEX_ROOT_PERCENT } from '../../market/rules.ts'
import type { Address, Minute } from '../../market/segment.ts'
import { type Engine, marketsAt } from '../../snapshot/engine/engine.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { memoryStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'

const HOUR = 3_600
const POSTS = 110
const STAKE_USD = 1_000
/** Three hours before a UTC day begins. */
const START = 20_000 * 24 * HOUR - 3 * HOUR

/** Whose posts they are: nobody who launched anything else. */
const ATTACKER: Address = `0x${'bad'.padStart(40, '0')}`

let devnet: Devnet | undefined
afterAll(() => devnet?.stop())

/** Launches of a creator token and of posts quoted in it, and trades that fill its pool and give each post a price. */
async function attack(chain: Devnet, wallet: Address, at: number) {
  const mine = async (seconds: number, drafts: readonly TransactionDraft[]) => {
    const { failed } = await chain.mineBlock(at + seconds, drafts)
    expect(failed).toEqual([])
  }
  const ownTokens = () => chain.tokens().filter(({ owner }) => owner === wallet)
  await mine(0, [launchCreator(wallet, { name: 'One', symbol: 'one', payoutRecipient: ATTACKER })])
  const creator = ownTokens().at(-1) as BookToken
  expect(creator.kind).toBe('creator')
  for (let number = 0; number < POSTS; number += 22) {
    const terms = (nth: number) => ({
      name: `Post ${nth}`,
      symbol: `post${nth}`,
      quote: creator.address,
      payoutRecipient: ATTACKER,
    })
    const each = Array.from({ length: 22 }, (_, nth) => launchPost(wallet, terms(number + nth)))
    await mine(10 + number, each)
  }
  const path = [creator.key]
  await mine(150, [trade({ wallet, path, currencyIn: zoraAddress, amountIn: zoraFor(STAKE_USD) })])
  const posts = ownTokens().filter(({ quote }) => quote === creator.address)
  const bought = await chain.balanceOf(creator.address, wallet)
  // Two posts hold enough for a seat of their own, the others as little as makes a price.
  const amountOf = (post: BookToken) => (posts.indexOf(post) < 2 ? bought / 4n : bought / BigInt(4 * POSTS))
  for (let number = 0; number < POSTS; number += 22) {
    const some = posts.slice(number, number + 22)
    await mine(
      160 + number,
      some.map((post) => {
        const order = { wallet, path: [post.key], currencyIn: creator.address, amountIn: amountOf(post) }
        return trade(order)
      }),
    )
  }
  return { creator, posts }
}

/** What the index counts of its members, as they are and with all of their supply: the attacker's, and all. */
function indexed(engine: Engine, own: ReadonlySet<Address>) {
  const now = marketsAt(engine)(0)
  const sums = { seats: 0, own: 0n, all: 0n, ownUncapped: 0n, allUncapped: 0n }
  for (const [token, { quantity }] of engine.index.index.members) {
    const number = now.numberOf(token) ?? -1
    const isOwn = own.has(token)
    const counted = countedAt(now, number, quantity)
    const uncapped = countedAt(now, number, now.read('supply', number))
    sums.all += counted
    sums.allUncapped += uncapped
    if (isOwn) sums.seats += 1
    if (isOwn) sums.own += counted
    if (isOwn) sums.ownUncapped += uncapped
  }
  return sums
}

it('110 posts on one pool count at most 25 times that pool, hold no more than the 3 seats of their launcher and a tenth of the sum before the cap, and sold move the index by no more than they hold', async () => {
  const chain = await startQuietDevnet({
    seed: 5,
    now: () => START * 1_000,
    history: { blocks: 120, days: 4, trades: 700, creators: 60, posts: 30 },
  })
  devnet = chain
  const [attacker, other] = chain.wallets.toReversed() as [Address, Address]
  const { creator, posts } = await attack(chain, attacker, START + 60)
  expect(posts).toHaveLength(POSTS)
  // Others trade once an hour for 30 hours: every close of a day has the attacker's money in it, and a review follows.
  const honest = chain.tokens('creator').filter(({ owner }) => owner !== attacker)
  for (let hour = 1; hour <= 30; hour++) {
    const token = honest[hour % honest.length] as BookToken
    const wish = { wallet: other, path: [token.key], currencyIn: zoraAddress, amountIn: zoraFor(5) }
    await chain.mineBlock(START + hour * HOUR + 30, [trade(wish)])
  }
  const [stores, warm] = [memoryStores(), {} as Warm]
  const engineNow = async (): Promise<Engine> => {
    await untilIdle(startWriter(stores, chain.rpcUrl))
    await rebuild(stores, { clock: () => 0, warm })
    if (!warm.engine) throw new RangeError('nothing was rebuilt')
    return warm.engine
  }
  const before = await engineNow()
  const now = marketsAt(before)(0)
  const number = now.numberOf(creator.address) ?? -1
  const { usdE36, decimals } = quoteAt(now, number)
  const pool = microUsdOf(now.read('reserveQuote', number), usdE36, decimals)
  expect(now.read('reserveQuote', number)).toBeGreaterThan((zoraFor(STAKE_USD) * 8n) / 10n)
  const counted = countedOf(portfolioAt(now, number))
  expect(portfolioAt(now, number).postsCount).toBe(POSTS)
  expect(counted).toBeLessThanOrEqual(CAP_PER_LIQUIDITY * (pool + 1n))

  const held = indexed(before, new Set([creator, ...posts].map(({ address }) => address)))
  expect(before.index.index.members.size).toBeGreaterThan(30)
  // Seats are their launcher's, whose other tokens share them.
  const seats = [...before.index.index.members.keys()].filter((token) => {
    const number = now.numberOf(token)
    return number !== undefined && partyOf(now.tokenOf(number)).startsWith(`${attacker} `)
  })
  expect(seats).toHaveLength(3)
  expect(held.seats).toBeGreaterThan(0)
  expect(100n * held.own).toBeLessThanOrEqual(INDEX_ROOT_PERCENT * held.allUncapped)
  // The engine is changed in place.
  const { n } = before
  const { valueE8 } = before.index.index

  const sales: TransactionDraft[] = []
  for (const { address, key } of [...posts, creator]) {
    const path = address === creator.address ? [key] : [key, creator.key]
    const amountIn = await chain.balanceOf(address, attacker)
    if (address !== creator.address)
      sales.push(trade({ wallet: attacker, path, currencyIn: address, amountIn }))
    else sales.unshift(trade({ wallet: attacker, path, currencyIn: address, amountIn }))
  }
  const minute: Minute = Math.floor((START + 30 * HOUR + 30) / 60)
  for (let at = 0; at < sales.length; at += 30)
    await chain.mineBlock((minute + 1) * 60 + at / 5, sales.slice(at, at + 30))
  for (let at = 0; at < 3; at++) await chain.mineBlock((minute + 2) * 60 + at * 20)
  const after = await engineNow()
  expect([after.n > n, chain.failures()]).toEqual([true, 0])
  const fall = 1 - Number(after.index.index.valueE8) / Number(valueE8)
  const share = Number(held.own) / Number(held.all)
  const uncapped = Number(held.ownUncapped) / Number(held.allUncapped)
  // What is cut to a tenth of the sum before it is more than a tenth of the sum behind it.
  expect(share).toBeLessThanOrEqual(0.1 / (1.1 - Math.max(uncapped, 0.1)) + 1e-6)
  expect(fall).toBeGreaterThan(0.01)
  expect(fall).toBeLessThanOrEqual(share + 0.01)
})
