import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contendersAt } from '../../market/index-contenders.ts'
import { type LeadersMarket, leadersAt } from '../../market/index-leaders.ts'
import { type Members, membersAfter, type Occasion } from '../../market/index-review.ts'
import type { Token, TokenState } from '../../market/segment.ts'
import { workspaceFor } from '../../market/workspace.ts'
import { minuteBefore } from '../../snapshot/index-state.ts'
import { addressOf, references, stateOf, tokenAt } from '../support/market-history.ts'
import { type Random, randomFrom } from '../support/random-market.ts'
import { type Entry, edgeFrom, lineageOf } from '../support/ranked-edge.ts'

const NOW = 29_000_000
const WHOLE = 10n ** 18n
const Q96 = 2n ** 96n
/** More than there are ranks to look at, with all members: some are left out. */
const COUNT = 700
/** `LEADERS_RUNS=500 npx vitest run test/market/index-leaders.test.ts` for the long form. */
const numRuns = Number(process.env['LEADERS_RUNS'] ?? 12)

const someOf = (random: Random, size: number) => BigInt(Math.floor(random() * size))

/** Half creator tokens, half posts; few prices and depths, so that many medians are equal. */
function stateIn(random: Random, isCoarse: boolean): TokenState {
  const steps = isCoarse ? 4 : 1_000_000
  return stateOf({
    sqrtPriceX96: Q96 + (Q96 * someOf(random, steps)) / BigInt(steps),
    supply: WHOLE * (10_000n + someOf(random, steps)),
    reserveQuote: WHOLE * (50n + someOf(random, 2 * steps)),
    cumTrades: 1 + Math.floor(random() * 3),
    cumVolumeMicroUsd: someOf(random, 3) * 1_000_000n,
  })
}

function marketFrom(random: Random, isCoarse: boolean): LeadersMarket {
  const tokens = Array.from({ length: COUNT }, (_, at): Token => {
    const isPost = at % 2 === 1
    const minute = random() < 0.95 ? NOW - 5_000 : NOW - 30
    return tokenAt(
      at,
      minute,
      isPost ? { kind: 'post', quote: addressOf(Math.floor(random() * at) & ~1) } : {},
    )
  })
  const lineage = lineageOf(tokens)
  let entries: Entry[] = tokens.map((token) => [token, stateIn(random, isCoarse)])
  const edgeAt = (some: readonly Entry[], rate: number) => edgeFrom(some, references(rate), lineage)
  let now = edgeAt(entries, 1_000)
  const recent = []
  for (
    let minute = NOW - 10 + Math.floor(random() * 8);
    minute <= NOW;
    minute += 1 + Math.floor(random() * 3)
  ) {
    const before = now
    const changed = new Set([...entries.keys()].filter(() => random() < 0.05))
    entries = entries.map(([token, state], at) => [
      token,
      changed.has(at) ? stateIn(random, isCoarse) : state,
    ])
    now = edgeAt(entries, 900 + Math.floor(random() * 400))
    const rows = [...changed].map((at) => ({ token: tokens[at]!.address, after: entries[at]![1] }))
    recent.push(minuteBefore(before, { minute, rows, tokens: [] }))
  }
  const earlier = edgeFrom(
    entries.map(([token, state]) => [
      token,
      { ...state, cumTrades: Math.min(1, state.cumTrades), cumVolumeMicroUsd: 0n },
    ]),
    references(1_000),
    lineage,
  )
  return { minute: NOW, firstMinute: NOW - 90, now, dayBefore: earlier, tradedSince: earlier, recent }
}

const occasions = ['start', 'review', 'vacancy'] as const satisfies Occasion[]

it('leaders give the seats that all contenders would, on every occasion, and are fewer', () => {
  let left = 0
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.boolean(),
      fc.integer({ min: 0, max: 150 }),
      (seed, isCoarse, seats) => {
        const random = randomFrom(seed)
        const market = marketFrom(random, isCoarse)
        const space = workspaceFor(COUNT)
        const all = contendersAt(market)
        const members: Members = new Map(
          all
            .filter(() => random() < seats / all.length)
            .map(({ token, supply }) => [token.address, { kind: token.kind, quantity: supply }]),
        )
        const some = contendersAt(market, leadersAt(market, { members, space }))
        left += all.length - some.length
        for (const occasion of occasions)
          expect([...membersAfter(occasion, members, some)]).toEqual([
            ...membersAfter(occasion, members, all),
          ])
      },
    ),
    { numRuns },
  )
  expect(left).toBeGreaterThan(0)
})
