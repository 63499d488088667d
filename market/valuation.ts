import { type Appraisal, capOf, countedOf } from './appraisal.ts'
import { exactSum } from './exact-sum.ts'
import { creatorTokenIn, type RankedEdge } from './figures.ts'
import type { MicroUsd } from './segment.ts'
import { type Edge, type Worth, type WorthField, worthAt } from './worth.ts'

/** What stands behind a creator: plain and counted (effective) caps of the creator token and of all its posts. */
export type Portfolio = {
  readonly tokenMarketCap: MicroUsd
  readonly tokenCounted: MicroUsd
  readonly postsMarketCap: MicroUsd
  readonly postsCounted: MicroUsd
  readonly postsCount: number
}

/** A market valued exactly, token by token as it is asked for. */
export type Valuation = {
  readonly worthOf: (number: number) => Worth
  /** Number of the creator token that a post belongs to: its quote, else the oldest of the same creator; null on tokens without one. */
  readonly creatorTokenOf: (number: number) => number | null
  /** Null on tokens that are not creator tokens. */
  readonly portfolioOf: (number: number) => Portfolio | null
  /** Of the 24 hours before the edge. */
  readonly volume24hOf: (number: number) => MicroUsd
  readonly engagement24hOf: (number: number) => number
}

/** What a day is counted by. */
export type FlowField = 'cumVolumeMicroUsd' | 'cumEngagement'

/** The market at an edge; `dayBefore` is the edge 24 hours before it, `appraisal` the edge's own. */
export function valuationAt(
  edge: RankedEdge<WorthField | FlowField>,
  dayBefore: Edge<FlowField>,
  appraisal: Appraisal,
): Valuation {
  const worthOf = remembered((number) => worthAt(edge, number))
  let postsOf: ((creatorToken: number) => readonly number[]) | undefined
  return {
    worthOf,
    creatorTokenOf: (number) => {
      const found = creatorTokenIn(edge, number)
      return found < 0 || found === number ? null : found
    },
    portfolioOf: remembered((number) => {
      if (edge.tokens[number]?.kind !== 'creator') return null
      postsOf ??= postsIn(edge)
      const caps = exactSum((post) => worthOf(post).marketCap)
      const counted = exactSum((post) => worthOf(post).effectiveCap)
      const posts = postsOf(number)
      for (const post of posts) {
        caps.add(capOf(appraisal, post), post)
        counted.add(countedOf(appraisal, post), post)
      }
      return {
        tokenMarketCap: worthOf(number).marketCap,
        tokenCounted: worthOf(number).effectiveCap,
        postsMarketCap: caps.total(),
        postsCounted: counted.total(),
        postsCount: posts.length,
      }
    }),
    volume24hOf: (number) =>
      edge.read('cumVolumeMicroUsd', number) - dayBefore.read('cumVolumeMicroUsd', number),
    engagement24hOf: (number) => edge.read('cumEngagement', number) - dayBefore.read('cumEngagement', number),
  }
}

function remembered<V>(make: (number: number) => V): (number: number) => V {
  const made = new Map<number, V>()
  return (number) => {
    const known = made.get(number)
    if (known !== undefined) return known
    const value = make(number)
    made.set(number, value)
    return value
  }
}

/** Gives the posts of a creator token, out of chains through all of them: 0 ends a chain, else a number + 1. */
function postsIn(edge: RankedEdge<never>) {
  const count = edge.tokens.length
  const [first, next] = [new Int32Array(count), new Int32Array(count)]
  for (let number = count - 1; number >= 0; number--) {
    const creatorToken = creatorTokenIn(edge, number)
    if (creatorToken < 0 || creatorToken === number) continue
    next[number] = first[creatorToken] as number
    first[creatorToken] = number + 1
  }
  return (creatorToken: number): readonly number[] => {
    const posts: number[] = []
    for (let link = first[creatorToken] ?? 0; link !== 0; link = next[link - 1] ?? 0) posts.push(link - 1)
    return posts
  }
}
