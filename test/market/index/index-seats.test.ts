import { describe, expect, it } from 'vitest'
import { indexAfter, type Z100Index } from '../../../market/index/z100-index.ts'
import { INDEX_RANK_IN, INDEX_RANK_STAY, INDEX_SEATS, INDEX_START_MEMBERS } from '../../../market/rules.ts'
import type { Address, TokenKind } from '../../../market/segment.ts'
import { nthAddress, WHOLE } from '../../support/market/facts.ts'
import { indexOf, type Listed, MIDNIGHT, marketAt, unbased } from './index-market.ts'

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
