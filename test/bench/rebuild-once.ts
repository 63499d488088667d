/** One size of market in a process of its own: `rebuild-once.ts TOKENS SWAPS_PER_SECOND MINUTES`; prints a RebuildCost as JSON. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SealedEntry } from '../../market/log.ts'
import { type EdgeName, edgeNames, edges } from '../../market/window.ts'
import { type Engine, marketOf } from '../../snapshot/engine.ts'
import { saveImage } from '../../snapshot/image.ts'
import { type RebuildRun, type RebuildStores, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openDocuments } from '../../store/documents.ts'
import { type LogStore, openLog } from '../../store/log.ts'
import { ensureTables, openTable } from '../../store/table.ts'
import { hashOf } from '../support/market-history.ts'
import { type MemoryBucket, memoryBucket } from '../support/memory-stores.ts'
import { type Lists, listsOf, prepareRanking, startPeer } from './duckdb-ranking.ts'
import { median } from './rounds.ts'
import { holdFor, START, syntheticEngine, syntheticMarket, syntheticSegment } from './synthetic-market.ts'

/** What rebuilds cost: medians over the warm minutes without an image, and over ROUNDS rankings; milliseconds and megabytes. */
export type RebuildCost = {
  readonly cold: { readonly cpuMs: number; readonly wallMs: number; readonly gets: number }
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
  /** CPU of a warm minute that also saves an image; null: there was none. */
  readonly imageCpuMs: number | null
  readonly imageMb: number
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
const ROUNDS = 9
const WARM_UP_ROUNDS = 5

const counted = { gets: 0, getBytes: 0, puts: 0, read: 0, write: 0 }
type Timed = typeof counted & {
  readonly cpuMs: number
  readonly wallMs: number
  readonly hasImage: boolean
  readonly hasTwins: boolean
}

const [tokens = 0, swapsPerSecond = 0, minutes = 0] = process.argv.slice(2).map(Number)
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
  const { entries, imageMb } = await seed(segments, log)
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
    median(later.filter((run) => !run.hasImage && run.hasTwins === hasTwins).map(pick))
  const of = (pick: (run: Timed) => number) => medianOf(false, pick)
  const withTwins = (pick: (run: Timed) => number) => medianOf(true, pick)
  const images = later.filter(({ hasImage }) => hasImage).map(({ cpuMs }) => cpuMs)
  return {
    cold: { cpuMs: cold.cpuMs, wallMs: cold.wallMs, gets: cold.gets },
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
    imageCpuMs: images.length > 0 ? median(images) : null,
    imageMb,
    peakMb,
    ranking: await compareRanking(warm.engine),
  }
}

/** An image of the market, the segments that will pass its edges, and the minutes to seal. */
async function seed(segments: MemoryBucket, log: LogStore) {
  const market = syntheticMarket(tokens, swapsPerSecond * 60)
  const engine = syntheticEngine(market)
  const segmentAt = (minute: number) => syntheticSegment(market, minute, swapsPerSecond * 60)
  const put = (minute: number) => log.putSegment(segmentAt(minute))
  const putBetween = (name: EdgeName, minute: number) => {
    const segment = segmentAt(minute)
    holdFor(engine, name, segment)
    return log.putSegment(segment)
  }
  for (const name of edgeNames.toReversed()) {
    if (name === 'now') continue
    for (let at = 1; at <= minutes; at++) {
      engine.segments.push(await putBetween(name, START - edges[name].minutes + at))
    }
  }
  engine.segments.sort((a, b) => a.minute - b.minute)
  const { key } = (await saveImage(engine, segments)) ?? { key: '' }
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
  return { entries: later, imageMb: (segments.objects.get(key)?.bytes.length ?? 0) / 2 ** 20 }
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
  let hasImage = false
  const report = (run: RebuildRun) => {
    hasImage = run.hasImage
  }
  const wall = performance.now()
  const cpuMs = await cpuOf(() => rebuild(stores, { clock: () => performance.now(), warm, report }))
  return { ...counted, cpuMs, wallMs: performance.now() - wall, hasImage, hasTwins: 'documents' in stores }
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
  const market = marketOf(engine)
  const [peer, rank] = [await startPeer(market), prepareRanking(market)]
  const costs = { ours: [] as number[], valued: [] as number[], peer: [] as number[] }
  const names = Object.keys(costs) as (keyof typeof costs)[]
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const turns = { ours: rank, valued: () => listsOf(marketOf(engine)), peer: () => peer?.rank() }
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
