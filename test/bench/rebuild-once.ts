/** One size of market in a process of its own: `rebuild-once.ts ACTIVE EVER SWAPS_PER_SECOND MINUTES`; prints a RebuildCost as JSON. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SealedEntry } from '../../market/log.ts'
import { rankedMarket } from '../../market/rankings.ts'
import type { SegmentReference } from '../../market/segment.ts'
import { LONGEST_WINDOW_MINUTES, windowNames, windows } from '../../market/window.ts'
import { saveCheckpoint } from '../../snapshot/checkpoints.ts'
import { type Engine, emptyEngine, load, windowsOf } from '../../snapshot/engine.ts'
import { type RebuildRun, type RebuildStores, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openDocuments } from '../../store/documents.ts'
import { type LogStore, openLog } from '../../store/log.ts'
import { ensureTables, openTable } from '../../store/table.ts'
import { hashOf } from '../support/market-history.ts'
import { type MemoryBucket, memoryBucket } from '../support/memory-stores.ts'
import { type Lists, listsOf, prepareRanking, startPeer } from './duckdb-ranking.ts'
import { median } from './rounds.ts'
import { START, syntheticEngine, syntheticMarket, syntheticSegment } from './synthetic-market.ts'

/** What rebuilds cost: medians over the warm minutes without a checkpoint, and over ROUNDS rankings; milliseconds and megabytes. */
export type RebuildCost = {
  readonly cold: { readonly cpuMs: number; readonly wallMs: number; readonly gets: number }
  /** A cold start from segments alone: CPU of a segment, read and taken in, of LOADED_SEGMENTS spread over 30 days. */
  readonly segmentCpuMs: number
  readonly warm: {
    readonly cpuMs: number
    readonly wallMs: number
    readonly gets: number
    readonly getKb: number
    readonly puts: number
    readonly readUnits: number
    readonly writeUnits: number
  }
  /** The same with what parameterised answers are cut from: the tables' twins. */
  readonly twins: { readonly cpuMs: number; readonly wallMs: number; readonly writeUnits: number }
  /** CPU of a warm minute that also saves a checkpoint; null: there was none. */
  readonly checkpointCpuMs: number | null
  readonly checkpointMb: number
  readonly peakMb: number
  readonly ranking: RankingCost
}

/** CPU of all lists. The peer's and the ratios are null or empty where DuckDB is not installed. */
type RankingCost = {
  /** From values worked out beforehand, as the peer is given them, and with the valuation of every token. */
  readonly oursMs: number
  readonly valuedMs: number
  readonly peerMs: number | null
  readonly ratios: readonly number[]
  readonly valuedRatios: readonly number[]
}

/** First minutes that are not counted: code that runs once a minute takes as many to be compiled. */
const WARM_UP_MINUTES = 8
/** Last minutes, which put the tables' twins as well; the first WARM_UP_MINUTES of them are not counted either. */
const TWIN_MINUTES = 16
/** Segments that a cold start without a checkpoint is measured on. */
const LOADED_SEGMENTS = 96
const ROUNDS = 9
const WARM_UP_ROUNDS = 5

const counted = { gets: 0, getBytes: 0, puts: 0, read: 0, write: 0 }
type Timed = typeof counted & {
  readonly cpuMs: number
  readonly wallMs: number
  readonly hasCheckpoint: boolean
  readonly hasTwins: boolean
}

const [active = 0, ever = 0, swapsPerSecond = 0, minutes = 0] = process.argv.slice(2).map(Number)
process.stdout.write(`${JSON.stringify(await measure())}\n`)
process.exit()

async function measure(): Promise<RebuildCost> {
  const [segments, published] = [countedBucket(), countedBucket()]
  const name = `bench-${randomUUID()}`
  await ensureTables([name])
  const table = openTable(name, {
    onCapacity: (units, kind) => {
      counted[kind] += units
    },
  })
  const [log, documents] = [openLog(table, segments), openDocuments(table)]
  const { entries, spread, checkpointMb } = await seed(segments, log)
  globalThis.gc?.()
  const memory = watchMemory()
  const warm: Warm = {}
  const runs: Timed[] = []
  for (const [at, entry] of entries.entries()) {
    await seal(log, entry)
    const stores = { log, segments, published, ...(at < minutes - TWIN_MINUTES ? {} : { documents }) }
    runs.push(await timedRebuild(stores, warm))
  }
  const peakMb = memory.stop()
  const [cold] = runs
  if (!cold || !warm.engine) throw new RangeError('nothing was rebuilt')
  const later = [
    ...runs.slice(WARM_UP_MINUTES, -TWIN_MINUTES),
    ...runs.slice(-TWIN_MINUTES).slice(WARM_UP_MINUTES),
  ]
  const medianOf = (hasTwins: boolean, pick: (run: Timed) => number) =>
    median(later.filter((run) => !run.hasCheckpoint && run.hasTwins === hasTwins).map(pick))
  const of = (pick: (run: Timed) => number) => medianOf(false, pick)
  const withTwins = (pick: (run: Timed) => number) => medianOf(true, pick)
  const saved = later.filter(({ hasCheckpoint }) => hasCheckpoint).map(({ cpuMs }) => cpuMs)
  return {
    cold: { cpuMs: cold.cpuMs, wallMs: cold.wallMs, gets: cold.gets },
    segmentCpuMs: await loadSegments(log, spread),
    warm: {
      cpuMs: of(({ cpuMs }) => cpuMs),
      wallMs: of(({ wallMs }) => wallMs),
      gets: of(({ gets }) => gets),
      getKb: of(({ getBytes }) => getBytes / 1024),
      puts: of(({ puts }) => puts),
      readUnits: of(({ read }) => read),
      writeUnits: of(({ write }) => write),
    },
    twins: {
      cpuMs: withTwins(({ cpuMs }) => cpuMs),
      wallMs: withTwins(({ wallMs }) => wallMs),
      writeUnits: withTwins(({ write }) => write),
    },
    checkpointCpuMs: saved.length > 0 ? median(saved) : null,
    checkpointMb,
    peakMb,
    ranking: await compareRanking(warm.engine),
  }
}

/** A checkpoint of the market, the segments that will pass its window starts, and the minutes to seal. */
async function seed(segments: MemoryBucket, log: LogStore) {
  const market = syntheticMarket(active, ever, swapsPerSecond * 60)
  const engine = syntheticEngine(market)
  const put = (minute: number) => log.putSegment(syntheticSegment(market, minute, swapsPerSecond * 60))
  for (const name of windowNames.toReversed()) {
    if (name === 'now') continue
    for (let at = 1; at <= minutes; at++) {
      engine.segments.push(await put(START - windows[name].minutes + at))
    }
  }
  engine.segments.sort((a, b) => a.minute - b.minute)
  const { key } = (await saveCheckpoint(engine, segments)) ?? { key: '' }
  const entries: SealedEntry[] = []
  for (let at = 0; at <= minutes; at++) {
    const minute = START + at
    const last = { number: minute * 30 + 29, hash: hashOf(minute), timestamp: minute * 60 + 58 }
    entries.push({
      n: at + 1,
      is: 'sealed',
      minute,
      firstBlock: minute * 30,
      last,
      segment: await put(minute),
    })
  }
  const [first, ...later] = entries
  if (first) await seal(log, first)
  const step = LONGEST_WINDOW_MINUTES / LOADED_SEGMENTS
  const spread = []
  for (let at = 1; at <= LOADED_SEGMENTS; at++)
    spread.push(await put(START - LONGEST_WINDOW_MINUTES + at * step))
  const checkpointMb = (segments.objects.get(key)?.bytes.length ?? 0) / 2 ** 20
  return { entries: later, spread, checkpointMb }
}

/** What `follow` does of each of the 30 days' minutes where there is no checkpoint; milliseconds of CPU a segment. */
async function loadSegments(log: LogStore, references: readonly SegmentReference[]): Promise<number> {
  const engine = emptyEngine()
  const cpuMs = await cpuOf(async () => {
    for (const [at, segment] of references.entries()) {
      const { minute } = segment
      const last = { number: minute * 30 + 29, hash: hashOf(minute), timestamp: minute * 60 + 58 }
      const entry = { n: at + 1, is: 'sealed', minute, firstBlock: minute * 30, last, segment } as const
      load(engine, entry, await log.readActivity(segment), START)
    }
  })
  return cpuMs / references.length
}

async function seal(log: LogStore, entry: SealedEntry): Promise<void> {
  const { n, minute, last } = entry
  await log.append(entry)
  await log.putApplied({ n, minute, last, isLowered: false })
}

/** A bucket in memory that counts what is asked of it. */
function countedBucket(): MemoryBucket {
  const bucket = memoryBucket()
  const { read, put } = bucket
  bucket.read = async (key) => {
    const object = await read(key)
    counted.gets += 1
    counted.getBytes += object?.bytes.length ?? 0
    return object
  }
  bucket.put = (...asked) => {
    counted.puts += 1
    return put(...asked)
  }
  return bucket
}

async function timedRebuild(stores: RebuildStores, warm: Warm): Promise<Timed> {
  Object.assign(counted, { gets: 0, getBytes: 0, puts: 0, read: 0, write: 0 })
  let hasCheckpoint = false
  const report = (run: RebuildRun) => {
    hasCheckpoint = run.hasCheckpoint
  }
  const wall = performance.now()
  const cpuMs = await cpuOf(() => rebuild(stores, { clock: () => performance.now(), warm, report }))
  return {
    ...counted,
    cpuMs,
    wallMs: performance.now() - wall,
    hasCheckpoint,
    hasTwins: 'documents' in stores,
  }
}

/** Milliseconds of all threads. */
async function cpuOf(work: () => unknown): Promise<number> {
  const cpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1_000
}

/** The most memory that the process held while it was watched, in megabytes. */
function watchMemory() {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss() / 2 ** 20)
  }
  const timer = setInterval(look, 20)
  return {
    stop() {
      look()
      clearInterval(timer)
      return peak
    },
  }
}

/** All rank in turns; whoever begins changes by round. Their lists must be the same each time. */
async function compareRanking(engine: Engine): Promise<RankingCost> {
  const market = rankedMarket(windowsOf(engine))
  const [peer, rank] = [await startPeer(market), prepareRanking(market)]
  const costs = { ours: [] as number[], valued: [] as number[], peer: [] as number[] }
  const names = Object.keys(costs) as (keyof typeof costs)[]
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const turns = {
      ours: rank,
      valued: () => listsOf(rankedMarket(windowsOf(engine))),
      peer: () => peer?.rank(),
    }
    const lists: Partial<Record<keyof typeof turns, Lists | undefined>> = {}
    for (const who of round % 2 === 0 ? names : names.toReversed()) {
      const cost = await cpuOf(async () => {
        lists[who] = await turns[who]()
      })
      if (round >= 0) costs[who].push(cost)
    }
    if (!isDeepStrictEqual(lists.ours, lists.valued)) throw new RangeError('the two halves rank otherwise')
    if (peer && !isDeepStrictEqual(lists.ours, lists.peer)) throw new RangeError('DuckDB ranks otherwise')
  }
  peer?.close()
  const ratiosOf = (some: readonly number[]) =>
    peer ? some.map((cost, at) => cost / (costs.peer[at] ?? Number.NaN)) : []
  return {
    oursMs: median(costs.ours),
    valuedMs: median(costs.valued),
    peerMs: peer ? median(costs.peer) : null,
    ratios: ratiosOf(costs.ours),
    valuedRatios: ratiosOf(costs.valued),
  }
}
