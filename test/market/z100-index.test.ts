import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseDivisor, indexValue, relinked } from '../../market/index-divisor.ts'
import type { Contender } from '../../market/index-review.ts'
import { effectiveCap } from '../../market/pool.ts'
import { INDEX_RANK_IN, INDEX_RANK_STAY, INDEX_SEATS, INDEX_START_MEMBERS } from '../../market/rules.ts'
import type { Address, TokenKind } from '../../market/segment.ts'
import { emptyIndex, type IndexMarket, indexAfter, type Z100Index } from '../../market/z100-index.ts'
import { addressOf, tokenAt } from '../support/market-history.ts'

/** A full hour and day. */
const MIDNIGHT = 1_440 * 20_000
const WHOLE = 10n ** 18n

type Listed = {
  readonly number: number
  readonly kind?: TokenKind
  /** µ$ for a whole token. */
  readonly price: bigint
  readonly medianPrice?: bigint
  /** Whole tokens. */
  readonly supply: bigint
  readonly medianCap?: bigint
  readonly volume24h?: bigint
}

const contenderOf = ({ number, kind = 'creator', price, supply, ...rest }: Listed): Contender => ({
  token: tokenAt(number, 1, { kind }),
  priceUsdE36: price,
  medianPriceUsdE36: rest.medianPrice ?? price,
  medianCap: rest.medianCap ?? price * supply,
  volume24h: rest.volume24h ?? 0n,
  marketCap: price * supply,
  supply: supply * WHOLE,
})

/** A market in which liquidity binds nobody. */
function marketAt(minute: number, listed: readonly Listed[], candidates = listed): IndexMarket {
  const prices = new Map(listed.map(({ number, price }) => [addressOf(number), price]))
  return {
    minute,
    capOf: (token, quantity) => ((prices.get(token) ?? 0n) * quantity) / WHOLE,
    contenders: () => candidates.map(contenderOf),
  }
}

/** An index whose members sit since `minute`, without the rule on how many it takes to start. */
function indexOf(minute: number, listed: readonly Listed[]): Z100Index {
  const fillers = Array.from({ length: INDEX_START_MEMBERS }, (_, at) => ({
    number: 300 + at,
    price: 1n,
    supply: 1n,
  }))
  const started = indexAfter(emptyIndex, marketAt(minute - 1, [...listed, ...fillers]))
  const members = new Map(
    [...started.members].filter(([token]) => listed.some((each) => addressOf(each.number) === token)),
  )
  const total = listed.reduce((sum, { price, supply }) => sum + price * supply, 0n)
  return { ...started, members, divisor: total * 10n ** 15n }
}

const sitting = ({ members }: Z100Index) => [...members.keys()]

describe('index value', () => {
  it('goes through a year of the worked example: prices, a newcomer, a supply that shrank', () => {
    const [a, b, c, d] = [
      { number: 1, price: 2_000_000n, supply: 1_000_000n },
      { number: 2, price: 500_000n, supply: 4_000_000n },
      { number: 3, price: 100_000n, supply: 10_000_000n },
      { number: 4, price: 3_000n, supply: 1_000_000_000n },
    ]
    const t0 = indexOf(MIDNIGHT - 100, [a, b, c])
    expect(t0.divisor).toBe(5_000_000_000_000_000_000_000_000_000n)
    expect(t0.valueE8).toBe(1000_00000000n)

    const prices = [{ ...a, price: 2_200_000n }, { ...b, price: 450_000n }, { ...c, price: 120_000n }, d]
    const t1 = indexAfter(t0, marketAt(MIDNIGHT - 1, prices, []))
    expect([t1.divisor, t1.valueE8]).toEqual([t0.divisor, 1040_00000000n])

    const t2 = indexAfter(t1, marketAt(MIDNIGHT, prices, [prices[0]!, prices[1]!, d]))
    expect([t2.divisor, t2.valueE8]).toEqual([6730769230769230769230769231n, 1040_00000000n])
    expect(sitting(t2).toSorted()).toEqual([1, 2, 4].map(addressOf))

    const later = [
      { ...a, price: 2_310_000n },
      { ...b, price: 450_000n },
      { ...d, price: 2_700n },
    ]
    const t3 = indexAfter(t2, marketAt(MIDNIGHT + 1, later, []))
    expect([t3.divisor, t3.valueE8]).toEqual([t2.divisor, 1011_77142857n])

    const burned = later.map((each) => (each.number === 1 ? { ...each, supply: 900_000n } : each))
    const t4 = indexAfter(t3, marketAt(MIDNIGHT + 1_440, later, burned))
    expect([t4.divisor, t4.valueE8]).toEqual([6502456794307014571331751949n, 1011_77142857n])

    const t5 = indexAfter(
      t4,
      marketAt(MIDNIGHT + 1_441, [burned[0]!, { ...b, price: 495_000n }, burned[2]!], []),
    )
    expect(t5.valueE8).toBe(1039_45327340n)
  })

  it('caps what is worth more than 25 times its liquidity', () => {
    // µ$: market cap, liquidity → counted
    expect(effectiveCap(1_000_000n, 5n)).toBe(125n)
    expect(effectiveCap(1_000_000n, 39_999n)).toBe(999_975n)
    expect(effectiveCap(1_000_000n, 40_000n)).toBe(1_000_000n)
    expect(effectiveCap(5_000n, 0n)).toBe(0n)
  })

  it('ends a year of relinking every minute at constant prices where it began', () => {
    let worth = 7_000_000_000_003n
    let divisor = baseDivisor(worth)
    const first = indexValue(worth, divisor)
    for (let minute = 0; minute < 525_600; minute++) {
      const after = minute % 2 === 0 ? 3_333_333_333_331n : 7_000_000_000_003n
      divisor = relinked(divisor, { before: worth, after })
      worth = after
    }
    expect([first, indexValue(worth, divisor)]).toEqual([1000_00000000n, 1000_00000000n])
  })

  it('stays at nothing when nothing is left, and keeps its members', () => {
    const index = indexOf(MIDNIGHT - 100, [{ number: 1, price: 5n, supply: 1_000_000n }])
    const next = { number: 2, price: 7n, supply: 1_000_000n }
    const gone = indexAfter(index, marketAt(MIDNIGHT, [{ number: 1, price: 0n, supply: 1n }, next], [next]))
    expect(gone).toEqual({ ...index, minute: MIDNIGHT, valueE8: 0n })
  })
})

const listing = fc.uniqueArray(
  fc.record({
    number: fc.integer({ min: 1, max: 250 }),
    kind: fc.constantFrom<TokenKind>('creator', 'post'),
    price: fc.bigInt(1n, 10n ** 9n),
    supply: fc.bigInt(1n, 10n ** 9n),
  }),
  { selector: ({ number }) => number, minLength: INDEX_START_MEMBERS, maxLength: 60 },
)

describe('invariants', () => {
  it('starts at 1000', () => {
    fc.assert(
      fc.property(listing, (listed) => {
        const index = indexAfter(emptyIndex, marketAt(MIDNIGHT + 7, listed))
        expect(index).toMatchObject({ valueE8: 1000_00000000n, baseMinute: MIDNIGHT + 7 })
        expect(indexAfter(index, marketAt(MIDNIGHT + 8, listed)).valueE8).toBe(1000_00000000n)
      }),
    )
  })

  it('returns what its members return, weighted by their caps', () => {
    fc.assert(
      fc.property(listing, fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 60 }), (listed, prices) => {
        const index = indexAfter(emptyIndex, marketAt(MIDNIGHT + 7, listed))
        const moved = listed.map((each, at) => ({ ...each, price: prices[at]! }))
        const worth = (some: readonly Listed[]) =>
          some.reduce((sum, { price, supply }) => sum + price * supply, 0n)
        const expected = (1000_00000000n * worth(moved)) / worth(listed)
        const { valueE8 } = indexAfter(index, marketAt(MIDNIGHT + 8, moved))
        expect(valueE8 === expected || valueE8 === expected + 1n).toBe(true)
      }),
    )
  })

  it('moves by k when all prices do', () => {
    fc.assert(
      fc.property(listing, fc.bigInt(1n, 50n), (listed, k) => {
        const index = indexAfter(emptyIndex, marketAt(MIDNIGHT + 7, listed))
        const moved = listed.map((each) => ({ ...each, price: each.price * k }))
        expect(indexAfter(index, marketAt(MIDNIGHT + 8, moved)).valueE8).toBe(1000_00000000n * k)
      }),
    )
  })

  it('does not move when its members change at constant prices', () => {
    fc.assert(
      fc.property(listing, listing, fc.nat(4), (first, second, hour) => {
        const minute = MIDNIGHT + 1_440 + hour * 60
        const index = indexAfter(emptyIndex, marketAt(minute - 1, first))
        const known = new Map([...second, ...first].map((each) => [each.number, each]))
        const all = [...known.values()]
        const changed = indexAfter(
          index,
          marketAt(
            minute,
            all,
            second.map(({ number }) => known.get(number)!),
          ),
        )
        const after = indexAfter(changed, marketAt(minute + 1, all, []))
        expect(changed.valueE8).toBe(index.valueE8)
        expect(after.valueE8).toBe(index.valueE8)
      }),
    )
  })

  it('does not depend on the order of contenders', () => {
    fc.assert(
      fc.property(listing, (listed) => {
        const [index, reverse] = [listed, listed.toReversed()].map((some) =>
          indexAfter(emptyIndex, marketAt(MIDNIGHT, some)),
        )
        expect(reverse).toEqual(index)
      }),
    )
  })
})

describe('members', () => {
  const many = (count: number, words: Partial<Listed> = {}): readonly Listed[] =>
    Array.from({ length: count }, (_, at) => ({
      number: at + 1,
      price: 10n ** 6n,
      supply: BigInt(1_000 - at),
      ...words,
    }))
  const names = (listed: readonly Listed[]): readonly Address[] =>
    listed.map(({ number }) => addressOf(number))

  it('begin with the minute in which enough tokens are eligible', () => {
    const few = many(INDEX_START_MEMBERS - 1)
    const before = indexAfter(emptyIndex, marketAt(MIDNIGHT, few))
    expect(before).toEqual({ ...emptyIndex, minute: MIDNIGHT })
    const enough = indexAfter(before, marketAt(MIDNIGHT + 1, many(INDEX_START_MEMBERS)))
    expect(enough).toMatchObject({ baseMinute: MIDNIGHT + 1, valueE8: 1000_00000000n })
    expect(enough.members.size).toBe(INDEX_START_MEMBERS)
  })

  it('hold at most a hundred seats of each board, by median cap, volume, market cap and age', () => {
    const tied = many(120, { medianCap: 5n, supply: 9n }).map((each) =>
      each.number === 119
        ? { ...each, volume24h: 1n }
        : each.number === 120
          ? { ...each, medianCap: 6n }
          : each,
    )
    const posts = many(105, { kind: 'post' }).map((each) => ({ ...each, number: each.number + 120 }))
    const { members } = indexAfter(emptyIndex, marketAt(MIDNIGHT, [...tied, ...posts]))
    const ofKind = (kind: TokenKind) =>
      [...members].filter(([, each]) => each.kind === kind).map(([token]) => token)
    expect(ofKind('creator')).toEqual(
      [120, 119, ...Array.from({ length: INDEX_SEATS - 2 }, (_, at) => at + 1)].map(addressOf),
    )
    expect(ofKind('post')).toEqual(names(posts.slice(0, INDEX_SEATS)))
  })

  it('stay down to rank 110 at a review, while ranks 1 to 90 are in', () => {
    const all = many(130)
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT - 5, all.slice(0, INDEX_SEATS)))
    // 30 newcomers push everybody 15 ranks down from rank 91 on, and 15 of them in from above.
    const order = [...all.slice(0, 80), ...all.slice(115), ...all.slice(80, 115)]
    const ranked = order.map((each, at) => ({ ...each, medianCap: BigInt(1_000 - at) }))
    const { members } = indexAfter(index, marketAt(MIDNIGHT, ranked))
    const kept = ranked.slice(INDEX_RANK_IN, INDEX_RANK_STAY).filter(({ number }) => number <= INDEX_SEATS)
    const expected = [...ranked.slice(0, INDEX_RANK_IN), ...kept].slice(0, INDEX_SEATS)
    expect([...members.keys()].toSorted()).toEqual(names(expected).toSorted())
  })

  it('sit since the minute of their seating, through reviews, and anew after a break', () => {
    const [all, day] = [many(21), 1_440]
    const at = (index: Z100Index, minute: number, seated: readonly Listed[]) =>
      indexAfter(index, marketAt(minute, all, seated))
    const sinceOf = ({ since }: Z100Index) => [1, 2, 21].map((number) => since.get(addressOf(number)))
    const first = at(emptyIndex, MIDNIGHT - 5, all.slice(0, 20))
    expect(sinceOf(first)).toEqual([MIDNIGHT - 5, MIDNIGHT - 5, undefined])
    const without = at(first, MIDNIGHT, all.slice(1))
    expect(sinceOf(without)).toEqual([undefined, MIDNIGHT - 5, MIDNIGHT])
    const again = at(without, MIDNIGHT + day, all)
    expect(sinceOf(again)).toEqual([MIDNIGHT + day, MIDNIGHT - 5, MIDNIGHT])
    expect([...again.since.keys()]).toEqual(sitting(again))
  })

  it('give way to better ranks below 110, and to nobody between reviews', () => {
    const all = many(INDEX_SEATS)
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT + 5, all))
    const better = Array.from({ length: 20 }, (_, at) => ({
      number: 200 + at,
      price: 10n ** 9n,
      supply: 10n ** 6n,
    }))
    const market = [...better, ...all]
    const hour = indexAfter(index, marketAt(MIDNIGHT + 60, market))
    expect(hour.members).toBe(index.members)
    const { members } = indexAfter(hour, marketAt(MIDNIGHT + 1_440, market))
    expect(names(better).every((token) => members.has(token))).toBe(true)
    expect(members.size).toBe(INDEX_SEATS)
  })

  it('take vacant seats at full hours only', () => {
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT + 5, many(98)))
    const market = many(103)
    const before = indexAfter(index, marketAt(MIDNIGHT + 59, market))
    expect(before.members).toBe(index.members)
    const { members, valueE8 } = indexAfter(before, marketAt(MIDNIGHT + 75, market))
    expect([...members.keys()]).toEqual(names(many(INDEX_SEATS)))
    expect(valueE8).toBe(index.valueE8)
  })

  it('come in only while their price stands near its median; who sits may jump', () => {
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT - 5, many(30)))
    const jumped = (each: Listed, percent: bigint): Listed => ({
      ...each,
      medianPrice: each.price,
      price: (each.price * percent) / 100n,
    })
    const [sits, inside, below, outside] = [many(30)[0]!, many(33)[30]!, many(33)[31]!, many(33)[32]!]
    const market = [
      ...many(30).slice(1),
      jumped(sits, 900n),
      jumped(inside, 125n),
      jumped(below, 75n),
      jumped(outside, 126n),
    ]
    const { members } = indexAfter(index, marketAt(MIDNIGHT, market))
    expect([sits, inside, below, outside].map(({ number }) => members.has(addressOf(number)))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('are frozen at their supply until the next review, and leave when they are no longer eligible', () => {
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT - 90, many(30)))
    const burned = many(31).map((each) => ({ ...each, supply: 5n }))
    const hour = indexAfter(index, marketAt(MIDNIGHT - 30, burned))
    expect(hour.members.get(addressOf(1))?.quantity).toBe(1_000n * WHOLE)
    expect(hour.members.get(addressOf(31))?.quantity).toBe(5n * WHOLE)
    const review = indexAfter(hour, marketAt(MIDNIGHT, burned, burned.slice(3)))
    expect(review.members.get(addressOf(4))?.quantity).toBe(5n * WHOLE)
    expect([...review.members.keys()]).toEqual(names(burned.slice(3)))
  })

  it('stay as they are when a review finds nobody', () => {
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT - 90, many(30)))
    expect(indexAfter(index, marketAt(MIDNIGHT, many(30), []))).toEqual({ ...index, minute: MIDNIGHT })
  })

  it('are reviewed once a day, in the first minute there is', () => {
    const index = indexAfter(emptyIndex, marketAt(MIDNIGHT - 90, many(30)))
    const first = indexAfter(index, marketAt(MIDNIGHT + 37, many(30), many(25)))
    expect(first.members.size).toBe(25)
    const second = indexAfter(first, marketAt(MIDNIGHT + 38, many(30), many(20)))
    expect(second.members).toBe(first.members)
  })
})
