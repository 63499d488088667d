/** Random histories of a log, and what brute force makes of them. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { randomFrom } from '../../dev/devnet/random.ts'
import { listsOf } from '../../market/board/lists.ts'
import { type MarketField, marketFields } from '../../market/board/market-at.ts'
import { rankedMarket } from '../../market/board/rankings.ts'
import { totalsAt } from '../../market/board/totals.ts'
import { trendingOrders } from '../../market/board/trending.ts'
import { effectiveEntries } from '../../market/log.ts'
import type { Minute, Token } from '../../market/segment.ts'
import {
  boardTimes,
  periods,
  startOf,
  timeframes,
  type WindowName,
  windowNames,
  windows,
} from '../../market/window.ts'
import { ArrayPool } from '../../snapshot/engine/active-market.ts'
import { type Engine, marketsAt, minuteOfEngine, totalsOf, windowsOf } from '../../snapshot/engine/engine.ts'
import { cachedSegments, followLog, type SegmentReader } from '../../snapshot/engine/follow.ts'
import { saveRecord } from '../../snapshot/engine/index-record.ts'
import type { MemoryBucket, MemoryLog } from '../support/aws/memory-stores.ts'
import { exactMarket } from '../support/market/exact-market.ts'
import { segmentOf } from '../support/market/facts.ts'
import { emptyWorld, seal, type World, worldsOf } from '../support/market/market-history.ts'
import { randomReferences, randomState, randomToken } from '../support/market/random-market.ts'
import { exactBoards, exactHourPrices, exactTrending } from './exact-lists.ts'

const never = () => false

type Stores = { log: MemoryLog; bucket: MemoryBucket }

/** Records are saved as a rebuild saves them. */
export async function followAll(warm: Engine | undefined, { log, bucket }: Stores): Promise<Engine> {
  const to = log.position?.n ?? 0
  const engine = await followLog(warm, { log, bucket, read: cachedSegments(log), to, isOver: never })
  return recorded(engine, bucket)
}

export async function recorded(engine: Engine, bucket: MemoryBucket): Promise<Engine> {
  for (const record of engine.index.unsaved.splice(0)) await saveRecord(record, bucket)
  return engine
}

const fields = Object.keys(marketFields) as MarketField[]

/** The world at a window start: after the last minute that ends by then. */
function worldAt(log: MemoryLog, minute: Minute, name: WindowName): World {
  const start = minute - windows[name].minutes
  return worldsOf(log).findLast((world) => (world.minute ?? 0) <= start) ?? emptyWorld
}

/** The content of an engine, by address. */
export function contentOf(engine: Engine) {
  const { market, starts } = engine
  return windowNames.map((name, at) => {
    const view = marketsAt(engine)(at)
    const columns = fields.map((field) => view.column(field))
    const tokens = [...market.byAddress].map(([address, number]) => {
      const state = fields.map((field) => [field, view.read(field, number)])
      for (const [place, [, exact]] of state.entries())
        expect(isAbout(columns[place]![number]!, Number(exact))).toBe(true)
      return [address, view.tokenOf(number), Object.fromEntries(state)] as const
    })
    const owners = [...market.owners.keys()].map((owner) => [owner, view.ownerOf(owner)] as const)
    const { minute, references, totals } = starts[at]!
    return { name, minute, references, totals, tokens: sorted(tokens), owners: sorted(owners) }
  })
}

const isAbout = (about: number, exact: number) => Math.abs(about - exact) <= exact * 2 ** -50
const sorted = <V extends readonly [string, ...unknown[]]>(values: readonly V[]) =>
  values.toSorted(([a], [b]) => (a < b ? -1 : 1))

/** The content it must have: of the tokens with a row in the last 30 days (and those the index needs) the states in the worlds at the window starts. */
async function expectedContent(log: MemoryLog, engine: Engine) {
  const minute = minuteOfEngine(engine)!
  const entries = effectiveEntries(log.entries.filter(({ n }) => n <= engine.n))
  const tokens = new Set<string>(engine.index.needed)
  const owners = new Set<string>()
  for (const entry of entries.filter((each) => each.minute > minute - 43_200)) {
    const segment = await log.readSegment(entry.segment)
    for (const { token } of segment.rows) tokens.add(token)
    for (const { owner } of segment.owners) owners.add(owner)
  }
  const newest = worldAt(log, minute, 'now')
  return windowNames.map((name) => {
    const world = worldAt(log, minute, name)
    const market = exactMarket([...newest.tokens.values()], world, new Map())
    const kept = [...tokens].map((address) => {
      const number = market.numberOf(address as never)!
      const state = Object.fromEntries(fields.map((field) => [field, market.read(field, number)]))
      // A token that was not there then is described as its first row does.
      return [address, world.tokens.get(address as never), state] as const
    })
    const owned = [...owners].map((owner) => [owner, market.ownerOf(owner as never)] as const)
    const entry = entries.findLast((each) => each.minute === world.minute)
    return { name, entry, world, tokens: sorted(kept), owners: sorted(owned) }
  })
}

export async function expectExact(log: MemoryLog, engine: Engine): Promise<void> {
  const expected = await expectedContent(log, engine)
  for (const [at, found] of contentOf(engine).entries()) {
    const { name, entry, world, tokens, owners } = expected[at]!
    expect(found).toMatchObject({ name, minute: world.minute, totals: world.totals, owners })
    if (entry) expect(found.references).toEqual((await log.readSegment(entry.segment)).references)
    const born = new Set(tokens.filter(([, token]) => token).map(([address]) => address))
    const known = (each: readonly (readonly [string, ...unknown[]])[]) =>
      each.filter(([address]) => born.has(address))
    expect(known(found.tokens)).toEqual(known(tokens))
    expect(found.tokens.map(([address, , state]) => [address, state])).toEqual(
      tokens.map(([address, , state]) => [address, state]),
    )
  }
  const { states, byAddress } = engine.market
  expect(states.size.numbers).toBe(byAddress.size)
  expect(states.size.records).toBeLessThanOrEqual(1 + byAddress.size * windowNames.length)
  for (const world of worldsOf(log).filter(
    ({ minute }) => minute! > minuteOfEngine(engine)! - 14 * 1_440 && minute! <= minuteOfEngine(engine)!,
  )) {
    const { volume, trades } = world.totals
    expect(totalsAt(engine.totals, (world.minute! + 1) * 60)).toMatchObject({ volume, trades })
  }
}

/** Reused, as a process does: no list depends on what the previous market left in them. */
const arrays = new ArrayPool()

/** Every list is the exact one over all tokens ever launched. */
export async function expectExactLists(log: MemoryLog, engine: Engine): Promise<void> {
  const minute = minuteOfEngine(engine)!
  const tokens: Token[] = [...worldAt(log, minute, 'now').tokens.values()]
  arrays.reclaim()
  const ranked = rankedMarket(windowsOf(engine, arrays))
  const hourPrices = await exactHourPrices(log, tokens, minute)
  const markets = Object.fromEntries(
    windowNames.map((name, at) => [
      name,
      exactMarket(tokens, worldAt(log, minute, name), engine.starts[at]!.references, hourPrices),
    ]),
  ) as Record<WindowName, ReturnType<typeof exactMarket>>
  const addresses = (places: readonly { token: Token }[]) => places.map(({ token }) => token.address)
  for (const name of boardTimes) {
    const moment = { market: markets[name], dayBefore: markets[windows[name].dayBefore] }
    const exact = exactBoards(markets.now, moment, { tokens, minute })
    expect(addresses(ranked.boards[name].creator)).toEqual(exact.creator)
    expect(addresses(ranked.boards[name].post)).toEqual(exact.post)
  }
  const now = { market: markets.now, dayBefore: markets['24h'] }
  for (const name of timeframes) {
    const since = { market: markets[name], start: startOf(minute, name), longest: startOf(minute, '30d') }
    for (const order of trendingOrders) {
      expect(addresses(ranked.trending[name][order])).toEqual(exactTrending(now, since, { tokens, order }))
    }
  }
  const lists = listsOf(ranked)
  for (const period of periods)
    expect(lists.boards.creator[period].length).toBe(ranked.boards.now.creator.length)
  expect(totalsOf(engine).creators + totalsOf(engine).posts).toBe(tokens.length)
}

class Crash extends Error {}

/** A run whose process ends after so many reads: what it had in memory is lost, unless it was done before. */
export async function crash(
  warm: Engine | undefined,
  { log, bucket, reads }: Stores & { reads: number },
): Promise<Engine | undefined> {
  const cached = cachedSegments(log)
  let left = reads
  const read: SegmentReader = (reference) => {
    left -= 1
    return left < 0 ? Promise.reject(new Crash()) : cached(reference)
  }
  try {
    const to = log.position?.n ?? 0
    return await recorded(await followLog(warm, { log, bucket, read, to, isOver: never }), bucket)
  } catch (error) {
    expect(error).toBeInstanceOf(Crash)
    return undefined
  }
}

export type EngineStep =
  | { readonly is: 'seal'; readonly gap: number; readonly seed: number }
  | { readonly is: 'rewind'; readonly back: number }
  | {
      readonly is: 'run'
      readonly how: 'warm' | 'cold' | 'from zero' | 'segments alone'
      readonly saves: boolean
    }
  /** The process ends after so many reads, or its time is over at the first whole minute. */
  | { readonly is: 'crash'; readonly reads: number }
  | { readonly is: 'stop'; readonly saves: boolean }

export const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 70 }) },
  { weight: 2, arbitrary: fc.constantFrom(240, 1_380, 1_440, 1_500) },
  { weight: 1, arbitrary: fc.constantFrom(10_080, 30_000, 43_200, 50_000) },
)

export const engineSteps: fc.Arbitrary<EngineStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ is: fc.constant('seal' as const), gap: gaps, seed: fc.nat(1_000_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('rewind' as const), back: fc.integer({ min: 0, max: 6 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('run' as const),
      how: fc.constantFrom(
        'warm' as const,
        'cold' as const,
        'from zero' as const,
        'segments alone' as const,
        'segments alone' as const,
      ),
      saves: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('crash' as const), reads: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('stop' as const), saves: fc.boolean() }) },
)

const sealed = (gap: number, ...seeds: number[]): EngineStep[] =>
  seeds.map((seed, at) => ({ is: 'seal', gap: at === 0 ? gap : 1, seed }))

/** Each kind of step in a history that is run every time: tokens sleep for longer than 30 days, twice, and some wake. */
export const everyStep: EngineStep[] = [
  ...sealed(1, 11, 12, 13, 14, 15, 16),
  { is: 'run', how: 'warm', saves: true },
  ...sealed(50_000, 17, 18, 19, 20),
  { is: 'crash', reads: 2 },
  { is: 'run', how: 'cold', saves: true },
  { is: 'rewind', back: 2 },
  { is: 'run', how: 'warm', saves: false },
  ...sealed(70, 21, 22),
  { is: 'stop', saves: true },
  { is: 'run', how: 'segments alone', saves: true },
  ...sealed(43_200, 23, 24, 25),
  { is: 'run', how: 'from zero', saves: true },
  ...sealed(1_440, 26, 27),
]

const TOKENS = 30

/** A minute in which tokens are launched, renamed with another quote, and some change state; some of these trade. */
export async function sealRandom(
  log: MemoryLog,
  { gap, seed }: { gap: number; seed: number },
): Promise<void> {
  const world = worldsOf(log).at(-1) ?? emptyWorld
  const minute = (world.minute ?? 29_000_000) + gap
  const random = randomFrom(seed)
  const known = [...world.tokens.values()]
  const changed = known.filter(() => random.chance(0.2))
  const born = Array.from(
    { length: known.length === 0 || random.chance(0.5) ? 1 + (seed % 3) : 0 },
    (_, at) => randomToken(random, (seed + at * 7) % TOKENS, { count: TOKENS, minute }),
  ).filter(
    ({ address }, at, all) =>
      !world.tokens.has(address) && all.findIndex((one) => one.address === address) === at,
  )
  const spread = random.pick(['few', 'usual', 'usual', 'any'] as const)
  const rows = [...changed, ...born].map(({ address }) => {
    const before = world.states.get(address)
    const { cumTrades, cumVolumeMicroUsd, cumRankVolumeMicroUsd, cumEngagement, ...state } = randomState(
      random,
      spread,
    )
    const trades = random.chance(0.7) ? 1 + (cumTrades % 100) : 0
    const after = {
      ...state,
      lastSwapMinute: 0,
      cumTrades: (before?.cumTrades ?? 0) + trades,
      cumVolumeMicroUsd:
        (before?.cumVolumeMicroUsd ?? 0n) + (trades > 0 ? cumVolumeMicroUsd / 2n ** 20n : 0n),
      cumRankVolumeMicroUsd: (before?.cumRankVolumeMicroUsd ?? 0n) + cumRankVolumeMicroUsd / 2n ** 20n,
      cumEngagement: (before?.cumEngagement ?? 0) + (cumEngagement % 50),
    }
    return [address, after] as const
  })
  const described = changed
    .filter(() => random.chance(0.3))
    .map((before) => {
      const { quote, isCurrency0 } = randomToken(random, 0, { count: TOKENS, minute })
      return { ...before, name: `Renamed ${seed}`, quote, isCurrency0 }
    })
  const references = randomReferences(random)
  await seal(log, segmentOf(minute, { born: [...born, ...described], rows, references }))
}
