import { expect, it } from 'vitest'
import { capsAt, contendersAt } from '../../../market/index/index-members.ts'
import { INDEX_CLOSES } from '../../../market/rules.ts'
import type { Token, TokenState } from '../../../market/segment.ts'
import { type MarketEntry, marketOfEntries } from '../../support/market/exact-market.ts'
import { nthAddress, stateWith, tokenAt, WHOLE } from '../../support/market/facts.ts'

const MINUTE = 1_440 * 20_000
const WEEK = 7 * 1_440

const worth = (supply: bigint, numbers: Partial<TokenState> = {}) =>
  stateWith({ sqrtPriceX96: 2n ** 96n, supply: supply * WHOLE, reserveQuote: 1_000n * WHOLE, ...numbers })

it('an hourly close notes the caps of $2,500 and more', () => {
  const caps = capsAt(
    marketOfEntries([2_500n, 2_499n, 3_000n].map((supply, number) => [tokenAt(number, 100), worth(supply)])),
  )
  expect([...caps]).toEqual([
    [nthAddress(0), 2_500_000_000n],
    [nthAddress(2), 3_000_000_000n],
  ])
})

it('a review admits tokens with a price, a day old, traded within a week, and noted at every close, by the least cap', () => {
  const entry = (
    number: number,
    { age = 1_439, state = {}, ...words }: Partial<Token> & { age?: number; state?: Partial<TokenState> },
  ): MarketEntry => [
    tokenAt(number, MINUTE - age, words),
    worth(5_000n, { lastSwapMinute: MINUTE, cumVolumeMicroUsd: 9n, ...state }),
  ]
  const now = marketOfEntries([
    entry(0, {}),
    entry(1, { kind: 'post', quote: nthAddress(0) }),
    entry(2, { kind: 'post' }),
    entry(3, { age: 1_438 }),
    entry(4, { state: { lastSwapMinute: MINUTE - WEEK + 1 } }),
    entry(5, { state: { lastSwapMinute: MINUTE - WEEK } }),
    entry(6, { state: { sqrtPriceX96: 0n } }),
    entry(7, {}),
  ])
  const dayBefore = marketOfEntries([entry(0, { state: { cumVolumeMicroUsd: 4n } })], {
    all: Array.from({ length: 8 }, (_, number) => now.tokenOf(number)),
  })
  const closes = Array.from({ length: INDEX_CLOSES }, (_, hour) => ({
    hour,
    caps: new Map(
      Array.from({ length: 8 }, (_, number) => [nthAddress(number), 3_000n + BigInt(hour)] as const).filter(
        ([token]) => token !== nthAddress(7) || hour !== 5,
      ),
    ),
  }))
  const contenders = contendersAt({ minute: MINUTE, now, dayBefore, closes })
  expect(contenders.map(({ token, root, volume24h }) => [token.address, root, volume24h])).toEqual([
    [nthAddress(0), nthAddress(0), 5n],
    // The money of a post is in its creator token, or else its creator's.
    [nthAddress(1), nthAddress(0), 9n],
    [nthAddress(2), nthAddress(502), 9n],
    [nthAddress(4), nthAddress(4), 9n],
  ])
  expect(contenders[0]).toMatchObject({ leastCap: 3_000n, marketCap: 5_000_000_000n, supply: 5_000n * WHOLE })
  expect(contendersAt({ minute: MINUTE, now, dayBefore, closes: closes.slice(1) })).toEqual([])
})
