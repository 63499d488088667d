import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveEntries, type SealedEntry } from '../../market/log.ts'
import {
  emptyState,
  type Segment,
  type StateField,
  type Token,
  type TokenState,
} from '../../market/segment.ts'
import { emptyTotals, type MarketTotals, totalsAt } from '../../market/totals.ts'
import { trendingSorts } from '../../market/trending.ts'
import { edgeNames, edges, moments, startOf, timeframes } from '../../market/window.ts'
import type { Edge } from '../../market/worth.ts'
import {
  advance,
  type Engine,
  emptyEngine,
  marketOf,
  readAt,
  UnknownTokenError,
} from '../../snapshot/engine.ts'
import { cachedSegments, follow, type SegmentReader } from '../../snapshot/follow.ts'
import { imageBytes, listImages, saveImage } from '../../snapshot/image.ts'
import { exactBoards, exactTrending, exactValuation } from '../support/exact-ranking.ts'
import { addressOf, rewind, seal, segmentOf, stateFrom, stateOf, tokenAt } from '../support/market-history.ts'
import { type MemoryBucket, type MemoryLog, memoryBucket, memoryLog } from '../support/memory-stores.ts'

const never = () => false

const followAll = (warm: Engine | undefined, { log, images }: { log: MemoryLog; images: MemoryBucket }) =>
  follow(warm, { log, images, read: cachedSegments(log), to: log.position?.n ?? 0, isOver: never })

/** `ENGINE_RUNS=5000 npx vitest run test/snapshot/engine.test.ts --testTimeout 3600000` for the long form. */
const numRuns = Number(process.env['ENGINE_RUNS'] ?? 200)

/** What every edge must hold after entry `n`, by going through all minutes that hold from the first one on. */
async function bruteForce(log: MemoryLog, n = log.entries.length) {
  const entries = effectiveEntries(log.entries.filter((entry) => entry.n <= n))
  const newest = entries.at(-1)!.minute
  const segments = await Promise.all(entries.map(({ segment }) => log.readSegment(segment)))
  return edgeNames.map((name) => {
    const tokens = new Map<string, Token>()
    const states = new Map<string, TokenState>()
    let minute: number | null = null
    let references: Segment['references'] = new Map()
    for (const segment of segments.filter((each) => each.minute <= newest - edges[name].minutes)) {
      for (const { after } of segment.tokens) tokens.set(after.address, after)
      for (const { token, after } of segment.rows) states.set(token, after)
      references = segment.references
      minute = segment.minute
    }
    const kept = [...tokens.keys()].map((token) => {
      const state = states.get(token) ?? emptyState
      return [token, edges[name].fields.map((field: StateField) => [field, state[field]])]
    })
    return { name, minute, references, tokens: [...tokens.values()], kept }
  })
}

/** Market totals of the last 14 days after each minute, again by going through all minutes from the first one on. */
async function bruteTotals(log: MemoryLog) {
  const entries = effectiveEntries(log.entries)
  const states = new Map<string, TokenState>()
  const kinds = new Map<string, string>()
  let totals = emptyTotals
  const line: { minute: number; totals: MarketTotals }[] = []
  for (const { minute, tokens, rows } of await Promise.all(
    entries.map(({ segment }) => log.readSegment(segment)),
  )) {
    for (const { after } of tokens) kinds.set(after.address, after.kind)
    for (const { token, after } of rows) {
      const before = states.get(token) ?? emptyState
      states.set(token, after)
      if (before.cumTrades === after.cumTrades) continue
      const volume = after.cumVolumeMicroUsd - before.cumVolumeMicroUsd
      totals = {
        volume: totals.volume + volume,
        buyVolume: totals.buyVolume + after.cumBuyVolumeMicroUsd - before.cumBuyVolumeMicroUsd,
        creatorVolume: totals.creatorVolume + (kinds.get(token) === 'creator' ? volume : 0n),
        trades: totals.trades + after.cumTrades - before.cumTrades,
        buys: totals.buys + after.cumBuys - before.cumBuys,
      }
    }
    line.push({ minute, totals })
  }
  const end = (line.at(-1)?.minute ?? 0) + 1
  return [...line.map(({ minute }) => minute + 1), end - 14 * 1_440]
    .filter((at) => at >= end - 14 * 1_440)
    .map((at) => ({ at, totals: line.findLast(({ minute }) => minute < at)?.totals ?? emptyTotals }))
}

const contentOf = (engine: Engine) =>
  edgeNames.map((name) => {
    const { minute, references, tokens } = engine.edges[name]
    const kept = tokens.map(({ address }, number) => [
      address,
      edges[name].fields.map((field: StateField) => [field, readAt(engine, name, { field, number })]),
    ])
    return { name, minute, references, tokens, kept }
  })

/** Every list is the exact one, at every edge that lists are made of. */
function expectExactLists(engine: Engine): void {
  const { edges: views, minute, boards, trending } = marketOf(engine)
  const numbersOf = (places: readonly { number: number }[]) => places.map(({ number }) => number)
  for (const name of moments) {
    const exact = exactBoards(exactValuation(views[name] as Edge, views[edges[name].dayBefore] as Edge))
    for (const kind of ['creator', 'post'] as const) {
      expect(numbersOf(boards[name][kind])).toEqual(numbersOf(exact[kind]))
    }
  }
  const now = exactValuation(views.now, views['24h'] as Edge)
  for (const name of timeframes) {
    const since = { edge: views[name], start: startOf(minute, name) }
    for (const sort of trendingSorts) {
      expect(numbersOf(trending[name][sort])).toEqual(numbersOf(exactTrending(now, since, sort)))
    }
  }
}

class Crash extends Error {}

/** A run whose process ends after so many reads: what it had in memory is lost, unless it was done before. */
async function crash(
  warm: Engine | undefined,
  { log, images, reads }: { log: MemoryLog; images: MemoryBucket; reads: number },
): Promise<Engine | undefined> {
  const cached = cachedSegments(log)
  let left = reads
  const read: SegmentReader = (reference) => {
    left -= 1
    return left < 0 ? Promise.reject(new Crash()) : cached(reference)
  }
  try {
    return await follow(warm, { log, images, read, to: log.position?.n ?? 0, isOver: never })
  } catch (error) {
    expect(error).toBeInstanceOf(Crash)
    return undefined
  }
}

type Step =
  | { readonly is: 'seal'; readonly gap: number; readonly seed: number }
  | { readonly is: 'rewind'; readonly back: number }
  | { readonly is: 'run'; readonly how: 'warm' | 'cold' | 'from zero'; readonly saves: boolean }
  /** The process ends after so many reads, or its time is over at the first whole minute. */
  | { readonly is: 'crash'; readonly reads: number }
  | { readonly is: 'stop'; readonly saves: boolean }

const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 70 }) },
  { weight: 2, arbitrary: fc.constantFrom(240, 1_380, 1_440, 1_500) },
  { weight: 1, arbitrary: fc.constantFrom(10_080, 30_000, 43_200, 50_000) },
)

const steps: fc.Arbitrary<Step> = fc.oneof(
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
      how: fc.constantFrom('warm' as const, 'cold' as const, 'from zero' as const),
      saves: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('crash' as const), reads: fc.nat(6) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('stop' as const), saves: fc.boolean() }),
  },
)

/** A minute in which tokens are launched, renamed or migrated, and some change state. */
async function sealRandom(log: MemoryLog, { gap, seed }: { gap: number; seed: number }): Promise<void> {
  const holding = effectiveEntries(log.entries)
  const minute = (holding.at(-1)?.minute ?? 29_000_000) + gap
  const past = await Promise.all(holding.map(({ segment }) => log.readSegment(segment)))
  const known = new Map(
    past.flatMap(({ tokens }) => tokens.map(({ after }) => [after.address, after] as const)),
  )
  const changed = [...known.values()].filter((_, at) => (seed >> at) % 5 === 0)
  const born =
    seed % 3 === 0 || known.size === 0
      ? [tokenAt(seed % 400, minute, { kind: seed % 2 === 0 ? 'creator' : 'post' })]
      : []
  const fresh = born.filter(({ address }) => !known.has(address))
  const renamed = seed % 4 === 0 ? changed.slice(0, 1) : []
  const rows = [...changed, ...fresh].map(({ address }, at) => [address, stateFrom(seed + at)] as const)
  const tokens = [
    ...fresh.map((after) => ({ before: null, after })),
    ...renamed.map((before) => ({
      before,
      after: { ...before, name: `Renamed ${seed}`, isCurrency0: !before.isCurrency0 },
    })),
  ]
  await seal(log, segmentOf(minute, { tokens, rows, rate: 1 + (seed % 2_000) }))
}

describe('engine', () => {
  it('equals brute force over any history: warm, from every image and from zero, with crashes, gaps and rewinds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 45 }), async (history) => {
        const log = memoryLog()
        const images = memoryBucket()
        let engine: Engine | undefined
        for (const step of [...history, { is: 'run', how: 'warm', saves: true } as Step]) {
          if (step.is === 'seal') await sealRandom(log, step)
          if (step.is === 'rewind') {
            const kept = effectiveEntries(log.entries).at(-1 - step.back)
            if (log.entries.length > 0) await rewind(log, kept?.minute ?? null)
          }
          if (step.is === 'run' && effectiveEntries(log.entries).length > 0) {
            const bucket = step.how === 'from zero' ? memoryBucket() : images
            engine = await followAll(step.how === 'warm' ? engine : undefined, { log, images: bucket })
            expect(engine.n).toBe(log.entries.length)
            expect(contentOf(engine)).toEqual(await bruteForce(log))
            for (const { at, totals } of await bruteTotals(log))
              expect(totalsAt(engine.totals, at * 60)).toMatchObject(totals)
            expectExactLists(engine)
            if (step.saves) await saveImage(engine, images)
          }
          if (step.is === 'crash') engine = await crash(engine, { log, images, reads: step.reads })
          if (step.is === 'stop' && effectiveEntries(log.entries).length > 0) {
            const to = log.position?.n ?? 0
            engine = await follow(engine, { log, images, read: cachedSegments(log), to, isOver: () => true })
            expect(contentOf(engine)).toEqual(await bruteForce(log, engine.n))
            if (step.saves) await saveImage(engine, images)
          }
        }
      }),
      { numRuns },
    )
  })

  it('holds the same bytes whether it ran warm or came from an image', async () => {
    const log = memoryLog()
    const images = memoryBucket()
    let warm: Engine | undefined
    for (let at = 0; at < 40; at++) {
      await sealRandom(log, { gap: at % 7 === 0 ? 700 : 3, seed: at * 31 })
      warm = await followAll(warm, { log, images })
      if (at % 10 === 5) await saveImage(warm, images)
    }
    const cold = await followAll(undefined, { log, images })
    expect(Buffer.from(imageBytes(cold)).equals(imageBytes(warm!))).toBe(true)
  })

  it('reads no segment twice within a run, however many edges it passes', async () => {
    const log = memoryLog()
    const images = memoryBucket()
    for (let at = 0; at < 100; at++) await sealRandom(log, { gap: 30, seed: at })
    log.reads = 0
    await followAll(undefined, { log, images })
    expect(log.reads).toBe(100)
  })

  it('passes over an image whose bytes are not those that were saved', async () => {
    const log = memoryLog()
    const images = memoryBucket()
    await sealRandom(log, { gap: 1, seed: 3 })
    const first = await followAll(undefined, { log, images })
    await saveImage(first, images)
    await sealRandom(log, { gap: 1, seed: 4 })
    await saveImage(await followAll(first, { log, images }), images)
    const [newest] = await listImages(images)
    const object = images.objects.get(newest!.key)!
    images.objects.set(newest!.key, { ...object, bytes: object.bytes.slice(0, 60) })
    expect(contentOf(await followAll(undefined, { log, images }))).toEqual(await bruteForce(log))
  })

  it('goes no further than the applied entry', async () => {
    const log = memoryLog()
    const images = memoryBucket()
    for (const seed of [3, 4, 5]) await sealRandom(log, { gap: 1, seed })
    const read = cachedSegments(log)
    const engine = await follow(undefined, { log, images, read, to: 2, isOver: never })
    expect(engine.n).toBe(2)
  })

  it('ends at a whole minute when time is over, at least one further on', async () => {
    const log = memoryLog()
    const images = memoryBucket()
    for (let seed = 0; seed < 5; seed++) await sealRandom(log, { gap: 1, seed })
    const read = cachedSegments(log)
    let engine: Engine | undefined
    for (const n of [1, 2, 3, 4, 5]) {
      engine = await follow(engine, { log, images, read, to: 5, isOver: () => true })
      expect(engine.n).toBe(n)
    }
    expect(contentOf(engine!)).toEqual(await bruteForce(log))
  })

  it('refuses a row of a token that was never launched', () => {
    const segment = segmentOf(10, { rows: [[addressOf(1), stateOf({})]] })
    const reference = { minute: 10, key: 'k', sha256: '' }
    const entry: SealedEntry = {
      n: 1,
      is: 'sealed',
      minute: 10,
      firstBlock: 1,
      last: segment.last,
      segment: reference,
    }
    expect(() => advance(emptyEngine(), entry, () => segment)).toThrow(UnknownTokenError)
  })
})
