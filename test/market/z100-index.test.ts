import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Contender } from '../../market/index-members.ts'
import { INDEX_RANK_IN, INDEX_RANK_STAY, INDEX_SEATS, INDEX_START_MEMBERS } from '../../market/rules.ts'
import type { Address, TokenKind } from '../../market/segment.ts'
import {
  baseDivisor,
  cappedMembers,
  emptyIndex,
  type IndexMarket,
  indexAfter,
  indexValue,
  relinked,
  type Z100Index,
} from '../../market/z100-index.ts'
import { nthAddress, tokenAt } from '../support/market-history.ts'

/** A full hour and day. */
const MIDNIGHT = 1_440 * 20_000
const WHOLE = 10n ** 18n

type Listed = {
  readonly number: number
  readonly kind?: TokenKind
  /** µ$ for a whole token. */
  readonly price: bigint
  /** Whole tokens. */
  readonly supply: bigint
  readonly leastCap?: bigint
  readonly volume24h?: bigint
  readonly root?: number
  readonly creator?: number
}

const backingOf = ({ number, root = number, creator = 500 + number }: Listed) => ({
  root: nthAddress(root),
  creator: nthAddress(creator),
})

const contenderOf = (listed: Listed): Contender => {
  const { number, kind = 'creator', price, supply, leastCap = price * supply, volume24h = 0n } = listed
  const { root, creator } = backingOf(listed)
  const token = tokenAt(number, 1, { kind, creator })
  return { token, root, leastCap, volume24h, marketCap: price * supply, supply: supply * WHOLE }
}

/** A market in which liquidity limits no cap. */
function marketAt(
  minute: number,
  listed: readonly Listed[],
  { candidates = listed, thin = [] }: { candidates?: readonly Listed[]; thin?: readonly Listed[] } = {},
): IndexMarket {
  const known = new Map(listed.map((each) => [nthAddress(each.number), each]))
  return {
    minute,
    capOf: (token, quantity) => ((known.get(token)?.price ?? 0n) * quantity) / WHOLE,
    backingOf: (token) => backingOf(known.get(token) ?? { number: 0, price: 0n, supply: 0n }),
    thin: new Set(thin.map(({ number }) => nthAddress(number))),
    contenders: () => candidates.map(contenderOf),
  }
}

/** An index whose members have been seated with their supplies since `minute`. */
function indexOf(minute: number, listed: readonly Listed[]): Z100Index {
  const seats = listed.map(
    ({ number, kind = 'creator', supply }) =>
      [nthAddress(number), { kind, quantity: supply * WHOLE }] as const,
  )
  const total = listed.reduce((sum, { price, supply }) => sum + price * supply, 0n)
  return {
    ...{ minute, baseMinute: minute, members: new Map(seats) },
    since: new Map(seats.map(([token]) => [token, minute])),
    ...{ divisor: baseDivisor(total), valueE8: 1000_00000000n },
  }
}

/** Before its base, in the hour before a minute. */
const unbased = (minute: number): Z100Index => ({ ...emptyIndex, minute: minute - 60 })

const sitting = ({ members }: Z100Index) => [...members.keys()]

describe('index value', () => {
  it('goes through the worked example: prices, a pool that ran dry, a newcomer in its seat', () => {
    const [a, b, c, d] = [
      { number: 1, price: 2_000_000n, supply: 1_000_000n },
      { number: 2, price: 500_000n, supply: 4_000_000n },
      { number: 3, price: 100_000n, supply: 10_000_000n },
      { number: 4, price: 3_000n, supply: 1_000_000_000n },
    ]
    const t0 = indexOf(MIDNIGHT + 50, [a, b, c])
    expect(t0.divisor).toBe(5_000_000_000_000_000_000_000_000_000n)
    const prices = [{ ...a, price: 2_200_000n }, { ...b, price: 450_000n }, { ...c, price: 120_000n }, d]
    const t1 = indexAfter(t0, marketAt(MIDNIGHT + 59, prices, { candidates: [] }))
    expect([t1.divisor, t1.valueE8]).toEqual([t0.divisor, 1040_00000000n])

    const hour = { candidates: [prices[0]!, prices[1]!, d], thin: [c] }
    const t2 = indexAfter(t1, marketAt(MIDNIGHT + 60, prices, hour))
    expect([t2.divisor, t2.valueE8]).toEqual([6730769230769230769230769231n, 1040_00000000n])
    expect(sitting(t2).toSorted()).toEqual([1, 2, 4].map(nthAddress))

    const later = [
      { ...a, price: 2_310_000n },
      { ...b, price: 450_000n },
      { ...d, price: 2_700n },
    ]
    const t3 = indexAfter(t2, marketAt(MIDNIGHT + 61, later))
    expect([t3.divisor, t3.valueE8]).toEqual([t2.divisor, 1011_77142857n])
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

  it('stays at 0 when its members are worth nothing, and keeps them', () => {
    const index = indexOf(MIDNIGHT - 100, [{ number: 1, price: 5n, supply: 1_000_000n }])
    const next = { number: 2, price: 7n, supply: 1_000_000n }
    const gone = indexAfter(
      index,
      marketAt(MIDNIGHT, [{ number: 1, price: 0n, supply: 1n }, next], { candidates: [next] }),
    )
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
  it('starts at 1000, in the first minute of an hour', () => {
    fc.assert(
      fc.property(listing, (listed) => {
        const early = indexAfter({ ...emptyIndex, minute: MIDNIGHT }, marketAt(MIDNIGHT + 7, listed))
        expect(early).toEqual({ ...emptyIndex, minute: MIDNIGHT + 7 })
        const index = indexAfter(early, marketAt(MIDNIGHT + 67, listed))
        expect(index).toMatchObject({ valueE8: 1000_00000000n, baseMinute: MIDNIGHT + 67 })
        expect(indexAfter(index, marketAt(MIDNIGHT + 68, listed)).valueE8).toBe(1000_00000000n)
      }),
    )
  })

  it('returns what its members return, weighted by what they count for', () => {
    fc.assert(
      fc.property(listing, fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 60 }), (listed, prices) => {
        const index = indexAfter(unbased(MIDNIGHT + 7), marketAt(MIDNIGHT + 7, listed))
        const moved = listed.map((each, at) => ({ ...each, price: prices[at]! }))
        const worth = (some: readonly Listed[]) => {
          const { capOf } = marketAt(0, some)
          return [...index.members].reduce((sum, [token, { quantity }]) => sum + capOf(token, quantity), 0n)
        }
        const expected = (1000_00000000n * worth(moved)) / worth(listed)
        const { valueE8 } = indexAfter(index, marketAt(MIDNIGHT + 8, moved))
        expect(valueE8 === expected || valueE8 === expected + 1n).toBe(true)
      }),
    )
  })

  it('does not move when its members change at constant prices', () => {
    fc.assert(
      fc.property(listing, listing, fc.nat(4), (first, second, hour) => {
        const minute = MIDNIGHT + 1_440 + hour * 60
        const known = new Map([...second, ...first].map((each) => [each.number, each]))
        const all = [...known.values()]
        const start = minute - 60
        const index = indexAfter(unbased(start), marketAt(start, all, { candidates: all.slice(0, 40) }))
        const candidates = second.map(({ number }) => known.get(number)!)
        const changed = indexAfter(index, marketAt(minute, all, { candidates, thin: first.slice(0, 5) }))
        const after = indexAfter(changed, marketAt(minute + 1, all, { candidates: [] }))
        expect(changed.valueE8).toBe(index.valueE8)
        // Each µ$ of rounding is a millionth of a point where all are worth a thousand dollars.
        expect(Number(after.valueE8 - index.valueE8) / Number(index.valueE8)).toBeCloseTo(0, 5)
      }),
    )
  })

  it('does not depend on the order of contenders', () => {
    fc.assert(
      fc.property(listing, (listed) => {
        const [index, reverse] = [listed, listed.toReversed()].map((some) =>
          indexAfter(unbased(MIDNIGHT), marketAt(MIDNIGHT, some)),
        )
        expect(new Map([...reverse!.members].toSorted())).toEqual(new Map([...index!.members].toSorted()))
        expect(reverse!.divisor).toEqual(index!.divisor)
      }),
    )
  })

  it('gives no root more than a tenth of what all counted for, by the largest factor in millionths', () => {
    fc.assert(
      fc.property(listing, fc.integer({ min: 1, max: 30 }), (listed, roots) => {
        const some = listed.map((each) => ({ ...each, root: 1_000 + (each.number % roots) }))
        const { capOf, backingOf: of } = marketAt(0, some)
        const members = new Map(
          some.map(({ number, kind, supply }) => [
            nthAddress(number),
            { kind: kind!, quantity: supply * WHOLE },
          ]),
        )
        const capped = cappedMembers(members, { capOf, backingOf: of })
        const worthOf = (from: typeof members, root?: Address, factor = 1_000_000n) =>
          [...from]
            .filter(([token]) => !root || of(token).root === root)
            .reduce((sum, [token, { quantity }]) => sum + capOf(token, (quantity * factor) / 1_000_000n), 0n)
        const total = worthOf(members)
        for (const root of new Set(some.map((each) => of(nthAddress(each.number)).root))) {
          const [before, after] = [worthOf(members, root), worthOf(new Map(capped), root)]
          expect(after * 10n <= total).toBe(true)
          if (before * 10n <= total) expect(after).toBe(before)
          else {
            const one = some.find((each) => of(nthAddress(each.number)).root === root && each.supply > 100n)
            if (!one) continue
            const quantity = capped.get(nthAddress(one.number))!.quantity
            const factor = (quantity * 1_000_000n) / (one.supply * WHOLE)
            expect(worthOf(members, root, factor + 2n) * 10n > total).toBe(true)
          }
        }
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
    listed.map(({ number }) => nthAddress(number))

  it('begin with the first minute of an hour in which enough seats are taken', () => {
    const few = many(INDEX_START_MEMBERS - 1)
    expect(indexAfter(unbased(MIDNIGHT), marketAt(MIDNIGHT, few)).baseMinute).toBeNull()
    const oneRoot = [...few, ...many(5).map((each) => ({ ...each, number: each.number + 100, creator: 501 }))]
    const enough = indexAfter(unbased(MIDNIGHT + 60), marketAt(MIDNIGHT + 60, oneRoot))
    expect(enough.members.size).toBe(INDEX_START_MEMBERS + 1)
  })

  it('hold at most a hundred seats of each board, by least cap, volume, market cap and age', () => {
    const tied = many(120, { leastCap: 5n, supply: 9n }).map((each) =>
      each.number === 119
        ? { ...each, volume24h: 1n }
        : each.number === 120
          ? { ...each, leastCap: 6n }
          : each,
    )
    const posts = many(105, { kind: 'post' }).map((each) => ({ ...each, number: each.number + 120 }))
    const { members } = indexAfter(unbased(MIDNIGHT), marketAt(MIDNIGHT, [...tied, ...posts]))
    const ofKind = (kind: TokenKind) =>
      [...members].filter(([, each]) => each.kind === kind).map(([token]) => token)
    expect(ofKind('creator')).toEqual(
      [120, 119, ...Array.from({ length: INDEX_SEATS - 2 }, (_, at) => at + 1)].map(nthAddress),
    )
    expect(ofKind('post')).toEqual(names(posts.slice(0, INDEX_SEATS)))
  })

  it('are at most three of a root and of a creator, over both boards, creators first', () => {
    const others = many(30).map((each) => ({ ...each, number: each.number + 100 }))
    const posts = many(6, { kind: 'post', root: 1, supply: 9_000n }).map((each) => ({
      ...each,
      number: each.number + 1,
      creator: 900 + each.number,
    }))
    const sameCreator = many(5, { creator: 77, supply: 8_000n }).map((each) => ({
      ...each,
      number: each.number + 50,
    }))
    const root = { number: 1, price: 10n ** 6n, supply: 100n }
    const { members } = indexAfter(
      unbased(MIDNIGHT),
      marketAt(MIDNIGHT, [...posts, root, ...sameCreator, ...others]),
    )
    const seated = (some: readonly Listed[]) => some.filter(({ number }) => members.has(nthAddress(number)))
    expect(seated([root])).toHaveLength(1)
    expect(seated(posts)).toEqual(posts.slice(0, 2))
    expect(seated(sameCreator)).toEqual(sameCreator.slice(0, 3))
  })

  it('stay down to rank 110 at a review, while ranks 1 to 90 are in; those skipped keep their rank', () => {
    // Else nobody would have an advantage from sitting.
    expect([INDEX_RANK_IN < INDEX_SEATS, INDEX_SEATS < INDEX_RANK_STAY]).toEqual([true, true])
    const all = many(130)
    const index = indexOf(MIDNIGHT - 5, all.slice(0, INDEX_SEATS))
    const order = [...all.slice(0, 80), ...all.slice(115), ...all.slice(80, 115)]
    const ranked = order.map((each, at) => ({ ...each, leastCap: BigInt(1_000 - at) }))
    const { members } = indexAfter(index, marketAt(MIDNIGHT, ranked))
    const kept = ranked.slice(INDEX_RANK_IN, INDEX_RANK_STAY).filter(({ number }) => number <= INDEX_SEATS)
    const expected = [...ranked.slice(0, INDEX_RANK_IN), ...kept].slice(0, INDEX_SEATS)
    expect([...members.keys()].toSorted()).toEqual(names(expected).toSorted())
    const skipped = ranked.map((each, at) => (at < 10 ? { ...each, creator: 1 } : each))
    const after = indexAfter(index, marketAt(MIDNIGHT, skipped)).members
    expect(names(ranked.slice(3, 10)).some((token) => after.has(token))).toBe(false)
    expect(names(kept).every((token) => after.has(token))).toBe(true)
  })

  it('are members since they were seated, through reviews, and start again after a break', () => {
    const [all, day] = [many(21), 1_440]
    const at = (index: Z100Index, minute: number, candidates: readonly Listed[]) =>
      indexAfter(index, marketAt(minute, all, { candidates }))
    const sinceOf = ({ since }: Z100Index) => [1, 2, 21].map((number) => since.get(nthAddress(number)))
    const first = at(unbased(MIDNIGHT - 60), MIDNIGHT - 60, all.slice(0, 20))
    expect(sinceOf(first)).toEqual([MIDNIGHT - 60, MIDNIGHT - 60, undefined])
    const without = at(first, MIDNIGHT, all.slice(1))
    expect(sinceOf(without)).toEqual([undefined, MIDNIGHT - 60, MIDNIGHT])
    expect(sinceOf(at(without, MIDNIGHT + day, all))).toEqual([MIDNIGHT + day, MIDNIGHT - 60, MIDNIGHT])
  })

  it('are replaced by better ranks below 110 at a review, and never between reviews', () => {
    const all = many(INDEX_SEATS)
    const index = indexOf(MIDNIGHT + 5, all)
    const better = Array.from({ length: 20 }, (_, at) => ({
      number: 200 + at,
      price: 10n ** 9n,
      supply: 10n ** 6n,
    }))
    const hour = indexAfter(index, marketAt(MIDNIGHT + 60, [...better, ...all]))
    expect(hour.members).toBe(index.members)
    const { members } = indexAfter(hour, marketAt(MIDNIGHT + 1_440, [...better, ...all]))
    expect(names(better).every((token) => members.has(token))).toBe(true)
    expect(members.size).toBe(INDEX_SEATS)
  })

  it('take vacant seats at full hours only, at most three of a root, counting the present members', () => {
    const sitting = many(INDEX_SEATS - 2).map((each) => (each.number <= 2 ? { ...each, root: 999 } : each))
    const index = indexOf(MIDNIGHT + 5, sitting)
    const fresh = many(INDEX_SEATS + 4)
      .slice(INDEX_SEATS - 2)
      .map((each) => ({ ...each, root: 999, supply: 5n }))
    const late = { number: 300, price: 1n, supply: 1n }
    const market = [...sitting, ...fresh, late]
    expect(indexAfter(index, marketAt(MIDNIGHT + 59, market)).members).toBe(index.members)
    const { members, valueE8 } = indexAfter(index, marketAt(MIDNIGHT + 75, market))
    expect([...members.keys()]).toEqual([...names(sitting), nthAddress(INDEX_SEATS - 1), nthAddress(300)])
    expect(valueE8).toBe(index.valueE8)
  })

  it('leave at the hour when their pool was thin at its close, unless all would', () => {
    const all = many(30)
    const index = indexOf(MIDNIGHT + 5, all)
    const none = { candidates: [] }
    const hour = (thin: readonly Listed[]) =>
      indexAfter(index, marketAt(MIDNIGHT + 60, all, { ...none, thin })).members
    expect([...hour(all.slice(0, 2)).keys()]).toEqual(names(all.slice(2)))
    expect(hour(all)).toBe(index.members)
    expect(indexAfter(index, marketAt(MIDNIGHT + 59, all, { ...none, thin: all.slice(0, 2) })).members).toBe(
      index.members,
    )
  })

  it('stay unchanged if a review finds no eligible token', () => {
    const index = indexOf(MIDNIGHT - 90, many(30))
    expect(indexAfter(index, marketAt(MIDNIGHT, many(30), { candidates: [] }))).toEqual({
      ...index,
      minute: MIDNIGHT,
    })
  })

  it('are reviewed once a day, in the first minute there is, at the supply of that time', () => {
    const index = indexOf(MIDNIGHT - 90, many(30))
    const burned = many(25).map((each) => ({ ...each, supply: 5n }))
    const first = indexAfter(index, marketAt(MIDNIGHT + 37, many(30), { candidates: burned }))
    expect(first.members.size).toBe(25)
    expect(first.members.get(nthAddress(4))?.quantity).toBe(5n * WHOLE)
    const second = indexAfter(first, marketAt(MIDNIGHT + 38, many(30), { candidates: many(20) }))
    expect(second.members).toBe(first.members)
  })
})
