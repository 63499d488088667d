/**
 * How far a chained index drifts in a market without a trend: `npm run bench -- index-drift`.
 *
 * 400 tokens of constant value, so the correct index is 1000 throughout. For 7 days from the index's base, either every
 * price bounces around its value (half-life 30 minutes), or 24 times a day a token outside the first hundred is pumped to
 * 50 times its price and dumped. An index that selects the first hundred every minute buys high and sells low; ours is
 * the code of market/, run minute by minute. Each figure is the mean of the last day over some seeds.
 */
import { randomFrom } from '../devnet/random.ts'
import { hourOfMinute } from '../market/calendar.ts'
import { type Contender, closesAfter, type HourlyClose, leastCapOf } from '../market/index/index-members.ts'
import { emptyIndex, indexAfter, type Z100Index } from '../market/index/z100-index.ts'
import { counted } from '../market/pool.ts'
import { INDEX_BASE, INDEX_CAP_MIN_MICRO_USD, INDEX_SEATS } from '../market/rules.ts'
import type { Address, Token } from '../market/segment.ts'
import { nthAddress, tokenAt } from '../test/support/facts.ts'

const TOKENS = 400
const DAY = 1_440
/** Nothing moves until the index has its base, because an error in the base would stay forever. */
const QUIET_MINUTES = 26 * 60
/** Including the quiet one. */
const DAYS = 8
const SEEDS = [1, 2, 3]
/** Noon, so that every day has its review. */
const START = DAY * 20_000 + 720
/** Share of 1000 by which our index may miss it. */
const TOLERANCE = 0.02
const HALF_LIFE_MINUTES = 30
const PUMPS_PER_DAY = 24
const PUMPED_TIMES = 50

type Case = {
  readonly says: string
  /** Standard deviation of the bounce, as a share of the price. */
  readonly bounce: number
  /** How long a pump lasts; 0: there are none. */
  readonly pumpMinutes: number
  /** Market caps of a token outside the first hundred that its pool's quote side is worth: 1 to 100 is what Zora's curve has while little money is in. */
  readonly thinness: number
  /** False: shown, and no goal. */
  readonly isGoal: boolean
}

const calm = { bounce: 0, pumpMinutes: 0, thinness: 100, isGoal: true } as const

const cases: readonly Case[] = [
  { ...calm, says: 'prices bounce by 2 %', bounce: 0.02 },
  { ...calm, says: 'prices bounce by 5 %', bounce: 0.05 },
  { ...calm, says: 'prices bounce by 15 %', bounce: 0.15 },
  { ...calm, says: '24 pumps a day × 50, of 5 minutes', pumpMinutes: 5 },
  { ...calm, says: '24 pumps a day × 50, of 90 minutes', pumpMinutes: 90 },
  // A pump that stays for a day is money that stays for a day: that is let in.
  { ...calm, says: 'the same, with three times the money', pumpMinutes: 90, thinness: 30 },
  { ...calm, says: 'the same, of 30 hours', pumpMinutes: 1_800, isGoal: false },
]

/** Runs all cases and prints them beside each other; gives the cases in which our index misses the truth. */
export async function run(): Promise<readonly string[]> {
  const missed: string[] = []
  process.stdout.write(`truth ${INDEX_BASE}${' '.repeat(29)}each minute      ours\n`)
  for (const each of cases) {
    const ends = SEEDS.map((seed) => play(each, randomFrom(seed).next))
    const [eachMinute, ours] = [
      meanOf(ends.map((end) => end.eachMinute)),
      meanOf(ends.map((end) => end.ours)),
    ]
    process.stdout.write(
      `${each.says.padEnd(38)}${eachMinute.toFixed(1).padStart(8)}${ours.toFixed(1).padStart(10)}\n`,
    )
    const worst = Math.max(...ends.map((end) => Math.abs(end.ours / Number(INDEX_BASE) - 1)))
    if (each.isGoal && worst > TOLERANCE)
      missed.push(`${each.says}: ours is off by ${(worst * 100).toFixed(2)} %`)
  }
  return missed
}

/** Market caps in USD, which are prices: there is one of each token. */
type Prices = readonly number[]
/** What of a price counts, in µ$. */
type CapOf = (number: number, price: number) => bigint

/** A week of one case: the mean of the last day of both indices. */
function play(each: Case, random: () => number): { eachMinute: number; ours: number } {
  const market = marketOf(each, random)
  const capOf = capsOf(each)
  let closes: readonly HourlyClose[] = []
  let before: Prices = []
  const last = { eachMinute: [] as number[], ours: [] as number[] }
  let index = emptyIndex
  let naive: Naive = { value: Number(INDEX_BASE), members: [], worth: 1 }
  for (let at = 0; at < DAYS * DAY; at++) {
    const prices = market(at)
    if (at > 0 && hourOfMinute(START + at) !== hourOfMinute(START + at - 1)) {
      const caps = capsReaching(
        [...numbers].map(([token, number]) => [token, capOf(number, before[number] ?? 0)]),
      )
      closes = closesAfter(closes, caps, { last: START + at - 1, minute: START + at })
    }
    before = prices
    index = oursAfter(index, START + at, { prices, closes, capOf })
    naive = naiveAfter(naive, prices)
    if (at < (DAYS - 1) * DAY) continue
    last.eachMinute.push(naive.value)
    last.ours.push(Number(index.valueE8) / 1e8)
  }
  return { eachMinute: meanOf(last.eachMinute), ours: meanOf(last.ours) }
}

const worths = Array.from({ length: TOKENS }, (_, rank) => 1e6 / (rank + 1) ** 0.9)

/** Effective caps. The quote side of a pool grows with the root of the price; in the first hundred it begins with a tenth of the market cap. */
function capsOf({ thinness }: Case): CapOf {
  return (number, price) => {
    const worth = worths[number] ?? 0
    const liquidity = (worth / (number < INDEX_SEATS ? 10 : thinness)) * Math.sqrt(price / worth)
    return counted(microUsd(price), microUsd(liquidity))
  }
}

/** Prices, minute by minute. */
function marketOf({ bounce, pumpMinutes }: Case, random: () => number): (at: number) => Prices {
  const noises = worths.map(() => 0)
  const pumpedUntil = worths.map(() => 0)
  const keep = 0.5 ** (1 / HALF_LIFE_MINUTES)
  const kick = bounce * Math.sqrt(1 - keep * keep)
  return (at) => {
    if (at < QUIET_MINUTES) return worths
    if (pumpMinutes > 0 && at % (DAY / PUMPS_PER_DAY) === 30) {
      const number = INDEX_SEATS + Math.floor(random() * (TOKENS - INDEX_SEATS))
      pumpedUntil[number] = at + pumpMinutes
    }
    // The noise begins with nothing; half its variance is taken off, so that the mean of its exponential is 1.
    const variance = bounce * bounce * (1 - keep ** (2 * (at - QUIET_MINUTES)))
    return worths.map((worth, number) => {
      if (at > QUIET_MINUTES && kick > 0)
        noises[number] = (noises[number] ?? 0) * keep + kick * normal(random)
      const pumped = (pumpedUntil[number] ?? 0) > at ? PUMPED_TIMES : 1
      return worth * pumped * Math.exp((noises[number] ?? 0) - variance / 2)
    })
  }
}

const numbers = new Map(Array.from({ length: TOKENS }, (_, number) => [nthAddress(number), number]))
const tokens = [...numbers.values()].map((number) =>
  tokenAt(number, 1, { kind: number % 2 === 1 ? 'post' : 'creator' }),
)

const capsReaching = (caps: readonly (readonly [Address, bigint])[]): ReadonlyMap<Address, bigint> =>
  new Map(caps.filter(([, cap]) => cap >= INDEX_CAP_MIN_MICRO_USD))

function oursAfter(
  index: Z100Index,
  minute: number,
  { prices, closes, capOf }: { prices: Prices; closes: readonly HourlyClose[]; capOf: CapOf },
): Z100Index {
  const contender = (token: Token, number: number): Contender[] => {
    const leastCap = leastCapOf(closes, token.address)
    const marketCap = microUsd(prices[number] ?? 0)
    return leastCap === null
      ? []
      : [{ token, root: token.address, leastCap, supply: ONE, volume24h: 0n, marketCap }]
  }
  return indexAfter(index, {
    minute,
    thin: new Set(),
    backingOf: (token) => ({ root: token, party: token }),
    capOf: (token, quantity) => {
      const number = numbers.get(token) ?? 0
      return (capOf(number, prices[number] ?? 0) * quantity) / ONE
    },
    contenders: () => tokens.flatMap(contender),
  })
}

/** The one of each token, fine enough to be cut by millionths. */
const ONE = 1_000_000n

type Naive = { readonly value: number; readonly members: readonly number[]; readonly worth: number }

/** The first hundred of each minute at plain caps, chained: what held a minute ago at what it is worth now. */
function naiveAfter({ value, members, worth }: Naive, prices: readonly number[]): Naive {
  const worthOf = (some: readonly number[]) => some.reduce((sum, number) => sum + (prices[number] ?? 0), 0)
  const first = [...prices.keys()]
    .toSorted((a, b) => (prices[b] ?? 0) - (prices[a] ?? 0))
    .slice(0, INDEX_SEATS)
  const moved = members.length > 0 ? value * (worthOf(members) / worth) : value
  return { value: moved, members: first, worth: worthOf(first) }
}

const microUsd = (usd: number): bigint => BigInt(Math.round(usd * 1e6))
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A standard normal number, by Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
