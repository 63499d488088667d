import { expect, test } from 'vitest'
import { edgeAt, expectedBoards, reservesAt, stateOf } from './oracle.ts'
import { ZERO } from './support/raw-logs.ts'
import { cleaned, type Market } from './support/raw-market.ts'
import { heldCloses } from './support/raw-usd.ts'
import {
  after,
  by,
  creation,
  E18,
  E36,
  FOUR,
  launch,
  marketOf,
  move,
  ONE,
  pool,
  QUARTER,
  rate,
  swap,
  TEN,
  type Told,
  usd,
} from './support/told-market.ts'

const at = (market: Market, seconds: number, address: string) =>
  stateOf(edgeAt(market, seconds), market.coins.find((coin) => coin.address === address)!)

test('a route through two pools is a trade in each, the post valued at the price its creator token has by then', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: launch('post', 'star', QUARTER),
    3: [swap('star', [10, -10], FOUR), swap('post', [40, -10], QUARTER)],
  })
  // 10 ZORA at $1; then 10 star at 4 ZORA.
  expect(at(market, after(3), 'star')).toMatchObject({ totalVolume: usd(10), trades: 1, price: 4n * E36 })
  expect(at(market, after(3), 'post')).toMatchObject({ totalVolume: usd(40), trades: 1, price: E36 })
})

test('a swap by the hook moves the price of token and posts and is no trade; one by a router is left to Swapped', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: launch('post', 'star', QUARTER),
    3: [['manager', 'Swap', { id: 'star-pool', sender: 'hook', sqrtPriceX96: FOUR }]],
    4: [['manager', 'Swap', { id: 'star-pool', sender: 'router', sqrtPriceX96: ONE }]],
  })
  expect(at(market, after(4), 'star')).toMatchObject({ price: 4n * E36, trades: 0, totalVolume: 0n })
  expect(at(market, after(4), 'post').price).toBe(E36)
  expect(expectedBoards(market, after(4)).creators['1h']).toEqual([])
})

test('after a migration the new pool gives price, reserves and trades, and the old one nothing', () => {
  const provided = (id: string, delta: bigint): Told => [
    'manager',
    'ModifyLiquidity',
    { id, sender: 'hook', tickLower: -2000, tickUpper: 2000, liquidityDelta: delta },
  ]
  const market = marketOf({
    0: [rate(ONE)],
    1: [...launch('star', 'zora', ONE), provided('star-pool', 10n ** 21n)],
    2: [
      ['manager', 'Initialize', { id: 'new-pool', sqrtPriceX96: FOUR }],
      provided('new-pool', 10n ** 21n),
      ['star', 'LiquidityMigrated', { id: 'new-pool', poolKey: pool('star', 'zora') }],
    ],
    3: [swap('star', [10, -10], ONE)],
    4: [
      [
        'hook',
        'Swapped',
        {
          id: 'new-pool',
          swapSender: 'ann',
          isTrusted: true,
          amount0: E18,
          amount1: -4n * E18,
          sqrtPriceX96: ONE,
        },
      ],
    ],
  })
  expect(at(market, after(1), 'star').price).toBe(E36)
  expect(at(market, after(3), 'star')).toMatchObject({ price: 4n * E36, trades: 0 })
  expect(at(market, after(4), 'star')).toMatchObject({ price: E36, trades: 1, totalVolume: usd(4) })
  // notes: [-2000, 2000] with L = 1e21 at tick 0 holds 95158058067231121917 of each.
  expect(reservesAt(edgeAt(market, after(4)), market.coins[0]!)).toEqual([
    95158058067231121917n,
    95158058067231121917n,
  ])
})

test('a token younger than the period is compared with its launch, an older one with the start', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: [swap('star', [10, -10], FOUR)],
    // An hour later: the rate stands at $4, within which the launch price does not move.
    62: [swap('star', [-1, 4], ONE)],
  })
  const [row] = expectedBoards(market, after(62)).creators['4h']!
  expect(row!.base).toEqual({ is: 'launch', price: E36, cap: usd(1000), volume24h: 0n, holders: 0 })
  const [hourly] = expectedBoards(market, after(62)).creators['1h']!
  expect(hourly!.base).toMatchObject({ is: 'period', price: 4n * E36, cap: usd(4000), volume24h: usd(10) })
  expect(hourly).toMatchObject({
    rank: 1,
    previousRank: 1,
    isNew: false,
    period: { volume: usd(4), rankVolume: usd(4), trades: 1 },
  })
})

test('a token that got its first swap within the period is new; before the chain nothing is', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    62: [swap('star', [1, -1], ONE)],
  })
  const { creators } = expectedBoards(market, after(62))
  expect([creators['1h']![0]!.isNew, creators['4h']![0]!.isNew]).toEqual([true, false])
})

test('a rename is seen from its log on, and names lose control characters', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: [swap('star', [1, -1], ONE)],
    3: [['star', 'NameAndSymbolUpdated', { name: ' New\u202e\u0007 name ', symbol: 'NEW' }]],
  })
  const nameAt = (minute: number) => expectedBoards(market, after(minute)).creators['1h']![0]!.name
  expect(nameAt(2)).toEqual({ name: 'star', symbol: 'STAR' })
  expect(nameAt(3)).toMatchObject({ name: 'New name', symbol: 'NEW' })
  expect(cleaned('😀'.repeat(40), 32)).toBe('😀'.repeat(32))
})

test('what strangers emit is ignored', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: [
      ['stranger', 'CreatorCoinCreated', creation('fake', 'zora')],
      [
        'stranger',
        'Swapped',
        {
          id: 'star-pool',
          swapSender: 'ann',
          isTrusted: true,
          amount0: E18,
          amount1: -E18,
          sqrtPriceX96: FOUR,
        },
      ],
      ['stranger', 'LiquidityMigrated', { id: 'x', poolKey: pool('star', 'zora') }],
      ['stranger', 'CoinTransfer', { from: ZERO, to: 'ann', amount: E18 }],
      [
        'manager',
        'ModifyLiquidity',
        { id: 'star-pool', sender: 'ann', tickLower: -10, tickUpper: 10, liquidityDelta: E18 },
      ],
    ],
  })
  expect(market.coins.map(({ address }) => address)).toEqual(['star'])
  expect(at(market, after(2), 'star')).toMatchObject({ price: E36, trades: 0, holders: 0, liquidity: 0n })
})

test('supply is minted less burned; what the token itself holds does not circulate; pools, hooks and the dead hold nothing', () => {
  const dead = '0x000000000000000000000000000000000000dead'
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: [
      move('star', 'star', 'artist', 100),
      move('star', 'artist', ZERO, 30),
      move('star', 'artist', 'hook', 20),
    ],
    3: [move('star', 'artist', dead, 50), move('star', 'manager', 'ann', 7)],
  })
  expect(at(market, after(2), 'star')).toMatchObject({
    supply: 970n * E18,
    circulating: 570n * E18,
    holders: 1,
  })
  expect(at(market, after(3), 'star')).toMatchObject({ holders: 1, circulatingCap: usd(570) })
})

test('a wallet counts once in a UTC hour, at its first swap of ten cents, for 24 hours', () => {
  const cents = (tokens: number, quote: number, who = 'ann') =>
    by(who, swap('post', [tokens, quote], QUARTER))
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: launch('post', 'star', QUARTER),
    3: [cents(1, -0.099999)],
    4: [cents(1, -0.1), cents(1, -5), cents(-1, 5, 'bob')],
    60: [cents(1, -0.1)],
    [24 * 60 + 10]: [],
  })
  const engagement = (minute: number) => at(market, after(minute), 'post').engagement
  expect([engagement(3), engagement(4), engagement(60)]).toEqual([0, 2, 3])
  // A day after minute 4 its two pairs are gone; the one of 11:00 stays.
  expect(at(market, TEN + 86_400 + 5 * 60, 'post')).toMatchObject({ engagement: 1, trades24h: 1, trades: 5 })
})

test('without a word of the hook, the trader is the counterparty of the last transfer in the transaction', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    2: [
      by(ZERO, swap('star', [1, -1], ONE)),
      move('star', 'manager', 'router', 1),
      move('star', 'router', 'carol', 1),
    ],
    3: [move('star', 'carol', 'router', 1), by(ZERO, swap('star', [-1, 1], ONE))],
  })
  expect(market.coins[0]!.trades.map(({ trader }) => trader)).toEqual(['carol', 'carol'])
})

test('a volume takes the rate of the previous minute, a price the rate of its own', () => {
  const market = marketOf({
    0: [rate(ONE)],
    1: launch('star', 'zora', ONE),
    // 2^96 · 1.05: a rise of 10.25 %.
    2: [rate((ONE * 105n) / 100n), swap('star', [1, -1], ONE)],
    3: [swap('star', [1, -1], ONE)],
  })
  const [first, second] = market.coins[0]!.trades
  expect(first!.volume).toBe(usd(1))
  expect(second!.volume).toBeGreaterThan(usd(1.1024))
  expect(at(market, after(2), 'star').cap / 10_000n).toBe(usd(1102.49) / 10_000n)
})

test('a rate more than 20 % off is held until the third close in a row', () => {
  expect(heldCloses([0n, 100n, 120n, 145n, 145n, 120n, 145n, 145n, 200n, 200n])).toEqual([
    0n,
    100n,
    120n,
    120n,
    120n,
    120n,
    120n,
    120n,
    200n,
    200n,
  ])
  expect(heldCloses([100n, 79n, 80n, 100n])).toEqual([100n, 100n, 80n, 80n])
})

test('a board counts all that is reached through one pool up to 25 times what it holds', () => {
  const provided = (coin: string, tickLower: number, delta: bigint): Told => [
    'manager',
    'ModifyLiquidity',
    { id: `${coin}-pool`, sender: 'hook', tickLower, tickUpper: 0, liquidityDelta: delta },
  ]
  const market = marketOf({
    0: [rate(ONE)],
    // At tick 0 a range below it is all quote: L · (1 − √1.0001^-2000) = L · 0.09516.
    1: [...launch('star', 'zora', ONE), provided('star', -2000, 10n * E18)],
    2: [...launch('post', 'star', ONE), provided('post', -2000, 1000n * E18)],
    3: [swap('star', [1, -1], ONE), swap('post', [1, -1], ONE)],
  })
  const [row] = expectedBoards(market, after(3)).creators['1h']!
  expect(row!.now.pathLiquidity).toBe(951580n)
  expect(at(market, after(3), 'post').pathLiquidity).toBe(951580n)
  // The creator's pool holds 0.95158 ZORA: token and post together count 25 times that.
  expect(row!.score).toBe(23789514n)
  expect(row!.portfolio).toEqual({
    token: usd(1000),
    tokenCounted: 23789514n,
    posts: usd(1000),
    postsCounted: 0n,
    count: 1,
  })
})
