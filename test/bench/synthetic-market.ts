/** A market of any size at every edge of a minute, without its history: each number is a function of token and time. */
import type { Address, References, Segment, Token, TokenState } from '../../market/segment.ts'
import { emptyState } from '../../market/segment.ts'
import { type EdgeName, edgeNames, edges } from '../../market/window.ts'
import { readCell, writeState } from '../../snapshot/columns.ts'
import { type Engine, emptyEngine, restoreDoubles } from '../../snapshot/engine.ts'
import { hold, settle } from '../../snapshot/lag.ts'
import { hashOf, nothingSummed, references, ZORA } from '../support/market-history.ts'
import { randomFrom } from '../support/random-market.ts'

/** The newest minute of the market when the measurement starts. */
export const START = 29_000_000
const LIFETIME = 90 * 1_440
const X96 = 2 ** 96
const E18 = 10n ** 18n

/** A token, and what its numbers follow from. */
type Grower = {
  readonly token: Token
  readonly perMinute: number
  readonly seed: number
  readonly since: number
}

export type SyntheticMarket = { readonly growers: readonly Grower[]; readonly pick: () => number }

const addressOf = (number: number): Address => `0x${(0xa000_0000 + number).toString(16).padStart(40, '0')}`

/** `count` tokens in the order of their launch over 90 days, a fifth of them creator tokens; few trade much, most hardly ever. */
export function syntheticMarket(count: number, swapsPerMinute: number): SyntheticMarket {
  const random = randomFrom(count)
  const weights = Float64Array.from({ length: count }, () => (random() + 1e-5) ** -1.1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const growers: Grower[] = []
  const creators: number[] = []
  for (let number = 0; number < count; number++) {
    const since = START - LIFETIME + Math.floor((number / count) * (LIFETIME - 1))
    const isCreator = number % 5 === 0
    const owner = isCreator ? number : (creators[Math.floor(random() ** 2 * creators.length)] ?? 0)
    if (isCreator) creators.push(number)
    const quote = isCreator || random() < 0.15 ? ZORA : addressOf(owner)
    const token = tokenOf(number, { owner, since, quote, kind: isCreator ? 'creator' : 'post' })
    const perMinute = ((weights[number] ?? 0) / total) * swapsPerMinute
    growers.push({ token, perMinute, seed: random(), since })
  }
  const sums = new Float64Array(count)
  for (let number = 0, sum = 0; number < count; number++) sums[number] = sum += (weights[number] ?? 0) / total
  return { growers, pick: () => lowerBound(sums, random()) }
}

function lowerBound(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 1) < value) low = middle + 1
    else high = middle
  }
  return low
}

function tokenOf(
  number: number,
  { owner, since, quote, kind }: { owner: number; since: number; quote: Address; kind: Token['kind'] },
): Token {
  return {
    address: addressOf(number),
    kind,
    creator: addressOf(owner + 5e8),
    name: `Token number ${number}`,
    symbol: `T${number}`,
    quote,
    poolId: hashOf(number),
    hook: addressOf(9e8),
    isCurrency0: number % 2 === 0,
    launchedAt: {
      blockNumber: since * 30,
      logIndex: number % 1_000,
      transactionHash: hashOf(number + 1e9),
      timestamp: since * 60,
    },
    launch: { priceUsdE36: 10n ** 28n, supply: 10n ** 27n },
  }
}

/** A token's numbers as of a minute, all by its trades: what nobody trades stands still. They only grow, but for the price. */
export function stateAt({ perMinute, seed, since, token }: Grower, minute: number, more = 0): TokenState {
  const trades = Math.floor(perMinute * (minute - since) + seed) + more
  const move = 1 + 0.3 * Math.sin(seed * 1e4 + trades / 7)
  const root = (token.quote === ZORA ? 1e-3 : 3e-2) * (1 + trades) ** 0.2 * move * (0.5 + seed)
  const sqrtPriceX96 = BigInt(Math.floor((token.isCurrency0 ? root : 1 / root) * X96))
  const reserve = BigInt(Math.floor(1e6 * root * root * 2e8 * (0.2 + seed)))
  return {
    ...emptyState,
    sqrtPriceX96,
    cumVolumeMicroUsd: BigInt(Math.floor(trades * 4e6 * (0.3 + seed))),
    cumBuyVolumeMicroUsd: BigInt(Math.floor(trades * 2e6 * (0.3 + seed))),
    cumRankVolumeMicroUsd: BigInt(Math.floor(trades * 3e6 * (0.3 + seed))),
    cumTrades: trades,
    cumBuys: trades >> 1,
    cumEngagement: Math.floor(trades * 0.6),
    holders: Math.floor(trades ** 0.7),
    supply: 10n ** 27n - BigInt(trades) * E18,
    selfHeld: 5n * 10n ** 26n,
    reserveQuote: (reserve * E18) / 1_000_000n,
    reserveToken: 10n ** 26n,
    athUsdE36: sqrtPriceX96,
    atlUsdE36: sqrtPriceX96,
  }
}

/** The engine after START, as following the log would have made it. */
export function syntheticEngine({ growers }: SyntheticMarket): Engine {
  const engine = emptyEngine()
  for (const [number, { token }] of growers.entries()) engine.numbers.set(token.address, number)
  for (const name of edgeNames) fillEdge(engine, name, growers)
  restoreDoubles(engine)
  engine.n = 1
  engine.last = { number: START * 30 + 29, hash: hashOf(START), timestamp: START * 60 + 58 }
  engine.firstMinute = START - LIFETIME
  return engine
}

function fillEdge(engine: Engine, name: EdgeName, growers: readonly Grower[]): void {
  const edge = engine.edges[name]
  const minute = START - edges[name].minutes
  for (const [number, grower] of growers.entries()) {
    const isKnown = grower.since <= minute
    if (isKnown) edge.tokens.push(grower.token)
    const state = isKnown ? stateAt(grower, minute) : emptyState
    if (!edge.lag) writeState(engine.columns, number, state)
    else if (state.cumTrades !== readCell(engine.columns, 'cumTrades', number)) {
      hold(edge.lag, number)
      hold(edge.lag, number) // for the segments between, of which there is not one for each trade
      settle(edge.lag, number, state)
    }
  }
  edge.references = rates(minute)
  edge.minute = minute
}

/** Makes an edge wait for a segment that has yet to pass it. */
export function holdFor({ numbers, edges: states }: Engine, name: EdgeName, { rows }: Segment): void {
  const { lag } = states[name]
  for (const { token } of rows) {
    const number = numbers.get(token)
    if (lag && number !== undefined) hold(lag, number)
  }
}

const rates = (minute: number): References => references(Math.floor(100 + 5 * Math.sin(minute / 300)))

/** A sealed minute with so many swaps by the weights of the tokens known then. */
export function syntheticSegment(
  { growers, pick }: SyntheticMarket,
  minute: number,
  swapsCount: number,
): Segment {
  const numbers = Array.from({ length: swapsCount }, pick).filter(
    (number) => (growers[number]?.since ?? minute) < minute,
  )
  const rows = [...new Set(numbers)].map((number) => rowOf(growers[number] as Grower, minute))
  const block = { number: minute * 30 + 29, hash: hashOf(minute), timestamp: minute * 60 + 58 }
  return {
    ...nothingSummed,
    minute,
    firstBlock: minute * 30,
    last: block,
    tokens: [],
    rows: rows.toSorted((a, b) => (a.token < b.token ? -1 : 1)),
    swaps: numbers.map((number, at) => swapOf((growers[number] as Grower).token, minute, at)),
    balances: numbers.flatMap((number, at) =>
      [0, 1].map((side) => ({
        token: addressOf(number),
        holder: addressOf(7e8 + at * 2 + side),
        before: 10n ** 24n,
        after: 10n ** 24n + BigInt(at) * E18,
      })),
    ),
    references: rates(minute),
    hooks: [],
    facts: numbers.length * 4,
  }
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
    candle: { open: price, high: price, low: price, close: price },
  }
}

function swapOf(token: Token, minute: number, at: number): Segment['swaps'][number] {
  return {
    blockNumber: minute * 30 + (at % 30),
    logIndex: at,
    transactionHash: hashOf(minute * 10_000 + at),
    blockHash: hashOf(minute * 30),
    timestamp: minute * 60 + (at % 60),
    token: token.address,
    poolId: token.poolId,
    quote: token.quote,
    isBuy: at % 2 === 0,
    amountToken: 10n ** 21n + BigInt(at),
    amountQuote: 10n ** 19n + BigInt(at),
    trader: addressOf(7e8 + at),
    from: addressOf(7e8 + at),
    to: addressOf(7e8 + at),
    volumeMicroUsd: 4_000_000n,
    paidUsdE36: 10n ** 28n,
  }
}
