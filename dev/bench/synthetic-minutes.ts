/** A synthetic market as what the service makes of it: the engine at START, and the minutes after it. */
import { ownersBeside } from '../../market/fold/post-owners.ts'
import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import { emptyState, type References, type Segment, type Swap, type Token } from '../../market/segment.ts'
import { windowNames, windows } from '../../market/window.ts'
import { enterAll, takeIn } from '../../snapshot/engine/active-market.ts'
import { type Engine, emptyEngine } from '../../snapshot/engine/engine.ts'
import { hash, lastBlockOf, references, ZORA } from '../../test/support/market/facts.ts'
import { swapIn } from '../../test/support/market/swap-feed.ts'
import {
  E18,
  type Grower,
  START,
  type SyntheticMarket,
  stateAt,
  syntheticAddress,
} from './synthetic-market.ts'

/**
 * The engine after START, as following the log would have made it. Of a token's states at the window starts those are told apart
 * that differ in their trades.
 */
export function syntheticEngine({ count, growerAt, owners, totals }: SyntheticMarket): Engine {
  const engine = emptyEngine()
  const { market } = engine
  const minutes = windowNames.map((name) => START - windows[name].minutes)
  for (let place = 0; place < count; place++) {
    const grower = growerAt(place)
    const stateThen = (minute: number) => (grower.since <= minute ? stateAt(grower, minute) : emptyState)
    let newer = stateThen(START)
    enterAll(market, [[grower.token, newer]])
    const number = market.byAddress.get(grower.token.address) as number
    market.columns.lastRow[number] = START
    for (const [at, minute] of minutes.entries()) {
      if (at === 0) continue
      const state = stateThen(minute)
      if (state.cumTrades !== newer.cumTrades) newer = state
      market.states.pass(number, newer, at)
    }
  }
  const changes = [...owners].map(([owner, sums]) => ({ owner, before: sums, after: sums }))
  const { references, rows, tokens } = { references: ratesAt(START), rows: [], tokens: [] }
  takeIn(
    market,
    { minute: START, totals: { before: totals, after: totals }, references, rows, tokens, owners: changes },
    1,
  )
  for (const [at, minute] of minutes.entries())
    engine.starts[at] = { minute, references: ratesAt(minute), totals }
  engine.n = 1
  engine.last = lastBlockOf(START)
  return engine
}

/** Reference rates at a minute. */
export const ratesAt = (minute: number): References =>
  references(Math.floor(100 + 5 * Math.sin(minute / 300)))

/** A sealed minute with so many swaps by the weights of the tokens known then. */
export function syntheticSegment(
  { growerAt, pick, owners, totals }: SyntheticMarket,
  minute: number,
  swapsCount: number,
): Segment {
  const numbers = Array.from({ length: swapsCount }, pick).filter((number) => growerAt(number).since < minute)
  const touched = [...new Set(numbers)].map(growerAt)
  const beside = new Set(touched.flatMap(({ token: { quote } }) => (quote === ZORA ? [] : [quote])))
  for (const { token } of touched) beside.delete(token.address)
  const rows = [
    ...touched.map((grower) => rowOf(grower, minute)),
    ...[...beside].map((address) => relatedStepOf(growerAt(Number(BigInt(address)) - 0xa000_0000), minute)),
  ]
  const owned = [...new Set(rows.flatMap(({ description }) => ownersBeside(description)))].sort()
  return {
    rules: FOLD_VERSION,
    owners: owned.flatMap((owner) => {
      const sums = owners.get(owner)
      return sums ? [{ owner, before: sums, after: sums }] : []
    }),
    totals: { before: totals, after: totals },
    minute,
    firstBlock: minute * 30,
    last: lastBlockOf(minute),
    tokens: [],
    rows: rows.toSorted((a, b) => (a.token < b.token ? -1 : 1)),
    swaps: numbers.map((number, at) => swapOf(growerAt(number).token, minute, at)),
    balances: numbers.flatMap((number, at) =>
      [0, 1].map((side) => ({
        token: syntheticAddress(number),
        holder: syntheticAddress(7e8 + at * 2 + side),
        before: 10n ** 24n,
        after: 10n ** 24n + BigInt(at) * E18,
      })),
    ),
    references: ratesAt(minute),
    hooks: [],
    facts: numbers.length * 4,
  }
}

/** A row that says nothing new. */
function relatedStepOf(grower: Grower, minute: number): Segment['rows'][number] {
  const row = rowOf(grower, minute)
  return { ...row, after: row.before }
}

function rowOf(grower: Grower, minute: number): Segment['rows'][number] {
  const before = stateAt(grower, minute - 1)
  // After START each row is of a trade more than before, so that it says something new.
  const after = stateAt(grower, minute, Math.max(0, minute - START))
  const ranges = [-3, -2, -1, 0, 1].map((at) => ({
    tickLower: at * 2_000,
    tickUpper: (at + 1) * 2_000,
    liquidity: 10n ** 22n,
  }))
  const price = 10n ** 30n
  return {
    token: grower.token.address,
    description: grower.token,
    before,
    after,
    rangesBefore: ranges,
    ranges,
    candle: {
      ...{ open: price, high: price, low: price, close: price },
      ...{ firstSqrt: 0n, highSqrt: after.sqrtPriceX96, lowSqrt: after.sqrtPriceX96 },
    },
  }
}

function swapOf({ address: token, poolId, quote }: Token, minute: number, at: number): Swap {
  const block = {
    number: minute * 30 + (at % 30),
    hash: hash(minute * 30),
    timestamp: minute * 60 + (at % 60),
  }
  const trader = syntheticAddress(7e8 + at)
  return {
    ...swapIn(block, at),
    token,
    poolId,
    quote,
    trader,
    from: trader,
    to: trader,
    amountToken: 10n ** 21n + BigInt(at),
    amountQuote: 10n ** 19n + BigInt(at),
    volumeMicroUsd: 4_000_000n,
    paidUsdE36: 10n ** 28n,
  }
}

/** The entry of the log for a sealed minute, the first one at 0. */
export function entryOf(segment: SegmentReference, at: number): SealedEntry {
  const { minute } = segment
  return { n: at + 1, is: 'sealed', minute, firstBlock: minute * 30, last: lastBlockOf(minute), segment }
}
