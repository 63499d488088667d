import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { constituentsOf } from '../../../market/index/index-answer.ts'
import {
  baseDivisor,
  cappedMembers,
  emptyIndex,
  indexAfter,
  indexValue,
  relinked,
} from '../../../market/index/z100-index.ts'
import { INDEX_START_MEMBERS } from '../../../market/rules.ts'
import type { TokenKind } from '../../../market/segment.ts'
import { nthAddress, tokenAt, WHOLE } from '../../support/market/facts.ts'
import { indexOf, type Listed, MIDNIGHT, marketAt, sitting, unbased } from './index-market.ts'

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

it('members of the index stand in the order of their weights, of equal ones the older first', () => {
  const seats = [
    [2, 5n],
    [1, 9n],
    [0, 5n],
  ] as const
  const { rows } = constituentsOf(
    seats.map(([number, counted]) => ({
      token: tokenAt(number, 100 + number),
      creatorToken: null,
      priceUsdE36: null,
      quantity: 0n,
      counted,
      countedDayBefore: null,
    })),
    { ...emptyIndex, minute: MIDNIGHT, coverageFrom: null },
  )
  expect(rows.map(({ rank, token, counted }) => [rank, token.address, counted])).toEqual([
    [1, nthAddress(1), 9n],
    [2, nthAddress(0), 5n],
    [3, nthAddress(2), 5n],
  ])
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

  it('returns the members’ returns, weighted by their counted values', () => {
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

  it('gives no root more than a tenth of the counted total, by the largest factor in millionths', () => {
    fc.assert(
      fc.property(listing, fc.integer({ min: 1, max: 30 }), (listed, roots) => {
        const some = listed.map((each) => ({ ...each, root: 1_000 + (each.number % roots) }))
        const { capOf, backingOf: backing } = marketAt(0, some)
        const members = new Map(
          some.map(({ number, kind, supply }) => [
            nthAddress(number),
            { kind: kind!, quantity: supply * WHOLE },
          ]),
        )
        const capped = cappedMembers(members, { capOf, backingOf: backing })
        const worthOf = (from: typeof members, root?: string, factor = 1_000_000n) =>
          [...from]
            .filter(([token]) => !root || backing(token).root === root)
            .reduce((sum, [token, { quantity }]) => sum + capOf(token, (quantity * factor) / 1_000_000n), 0n)
        const total = worthOf(members)
        for (const root of new Set(some.map((each) => backing(nthAddress(each.number)).root))) {
          const [before, after] = [worthOf(members, root), worthOf(new Map(capped), root)]
          expect(after * 10n <= total).toBe(true)
          if (before * 10n <= total) expect(after).toBe(before)
          else {
            const one = some.find(
              (each) => backing(nthAddress(each.number)).root === root && each.supply > 100n,
            )
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
