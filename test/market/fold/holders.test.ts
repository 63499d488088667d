import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distributionOf, holdersDelta, isCounted, supplyPercentE4 } from '../../../market/fold/holders.ts'
import type { Address } from '../../../market/segment.ts'

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const zero = addressOf(0)
const dead: Address = '0x000000000000000000000000000000000000dead'
const token = addressOf(0x70)
const poolManager = addressOf(0x90)
const hook = addressOf(0x91)
const uncounted = new Set([poolManager, hook])
const ana = addressOf(1)

const none = {
  holders: 0,
  giniE4: 0n,
  top10PercentE4: 0n,
  top25PercentE4: 0n,
  top50PercentE4: 0n,
  top100PercentE4: 0n,
  whaleCount: 0,
  whalePercentE4: 0n,
}
const billion = 1_000_000_000n
const million = 1_000_000n

it('holdersDelta equals counting the balances again, over any sequence of transfers', () => {
  const people = [zero, dead, token, poolManager, hook, ...[1, 2, 3, 4, 5].map(addressOf)]
  const person = fc.constantFrom(...people)
  const moves = fc.array(fc.record({ from: person, to: person, amount: fc.bigInt(0n, 4n) }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(moves, (list) => {
      const balances = new Map<Address, bigint>()
      const balanceOf = (address: Address) => balances.get(address) ?? 0n
      let holders = 0
      for (const { from, to, amount: wanted } of list) {
        // Minting is free; nobody else can give more than they have. The zero address keeps no balance.
        const amount = from === zero || wanted <= balanceOf(from) ? wanted : balanceOf(from)
        if (from !== zero) balances.set(from, balanceOf(from) - amount)
        if (to !== zero) balances.set(to, balanceOf(to) + amount)
        const after = { fromBalance: balanceOf(from), toBalance: balanceOf(to) }
        holders += holdersDelta({ token, from, to, amount, ...after }, uncounted)
        const counted = [...balances].filter(
          ([address, held]) => held > 0n && isCounted(address, token, uncounted),
        )
        expect(holders).toBe(counted.length)
      }
    }),
    { numRuns: 500 },
  )
})

describe('isCounted', () => {
  it.each([zero, dead, token, poolManager, hook])('excludes %s', (address) => {
    expect(isCounted(address, token, uncounted)).toBe(false)
  })

  it('includes any other address', () => {
    expect(isCounted(ana, token, uncounted)).toBe(true)
  })
})

describe('distributionOf', () => {
  it('is all zero without holders', () => {
    expect(distributionOf([], billion)).toEqual(none)
    expect(distributionOf([], 0n)).toEqual(none)
  })

  it('concentrates a hundred holders of 1 % each', () => {
    const found = distributionOf(Array<bigint>(100).fill(10n * million), billion)
    expect(found).toMatchObject({
      top10PercentE4: 100_000n,
      top25PercentE4: 250_000n,
      top50PercentE4: 500_000n,
    })
    expect(found).toMatchObject({ top100PercentE4: 1_000_000n, whaleCount: 100, whalePercentE4: 1_000_000n })
  })

  it('counts exactly 1 % as a whale, and a unit less not', () => {
    const found = distributionOf([400n * million, 50n * million, 10n * million, 9_999_999n, 1n], billion)
    expect(found).toMatchObject({ giniE4: 7149n, whaleCount: 3, whalePercentE4: 460_000n, holders: 5 })
  })

  const balances = fc
    .array(fc.bigInt(1n, 10n ** 27n), { minLength: 1, maxLength: 40 })
    .map((list) => list.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)))

  it('has the gini of the mean difference between any two holders, in any order', () => {
    fc.assert(
      fc.property(balances, fc.infiniteStream(fc.nat()), (list, salt) => {
        const shuffled = list.map((held) => ({ held, at: salt.next().value })).sort((a, b) => a.at - b.at)
        const count = BigInt(list.length)
        let total = 0n
        let differences = 0n
        for (const { held } of shuffled) {
          total += held
          for (const { held: other } of shuffled) differences += held > other ? held - other : other - held
        }
        // Σ|xᵢ − xⱼ| / (2 n S), half up.
        const half = count * total
        expect(distributionOf(list, total).giniE4).toBe((differences * 10_000n + half) / (2n * half))
      }),
    )
  })

  it('has shares of the supply, half up: of the largest, and of those with a hundredth of it', () => {
    fc.assert(
      fc.property(balances, fc.bigInt(0n, 10n ** 28n), (list, others) => {
        const supply = list.reduce((a, b) => a + b, others)
        const share = (some: readonly bigint[]) =>
          (some.reduce((a, b) => a + b, 0n) * 2_000_000n + supply) / (2n * supply)
        const whales = list.filter((held) => held * 100n >= supply)
        expect(distributionOf(list, supply)).toMatchObject({
          top10PercentE4: share(list.slice(0, 10)),
          top25PercentE4: share(list.slice(0, 25)),
          top50PercentE4: share(list.slice(0, 50)),
          top100PercentE4: share(list),
          whaleCount: whales.length,
          whalePercentE4: share(whales),
        })
      }),
    )
  })
})

it('supplyPercentE4 rounds half away from zero', () => {
  expect(supplyPercentE4(1n, 2_000_000n)).toBe(1n)
  expect(supplyPercentE4(1n, 2_000_001n)).toBe(0n)
  expect(supplyPercentE4(5n, 0n)).toBe(0n)
})
