/** Rebuilds of the market that `rebuild-generate.ts` wrote, in a process of their own: `rebuild-once.ts FOLDER`; prints a RebuildCost as JSON. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import { emptyEngine, load } from '../../snapshot/engine/engine.ts'
import { type RebuildRun, type RebuildStores, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { ensureTables, openTable } from '../../store/aws/table.ts'
import { type LogStore, openLog } from '../../store/log/log.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { countedClient } from '../../test/support/aws/counted-client.ts'
import { memoryBucket } from '../../test/support/aws/memory-stores.ts'
import { fileBucket } from './file-bucket.ts'
import { median, type Time, timeOf, watchMemory } from './measuring.ts'
import type { Generated } from './rebuild-generate.ts'
import { START } from './synthetic-market.ts'
import { entryOf } from './synthetic-minutes.ts'

/** What rebuilds cost: medians over the warm minutes without a checkpoint; milliseconds and megabytes. */
export type RebuildCost = {
  readonly cold: Time
  /** A cold start from segments alone: CPU of a segment, read and taken in, of some spread over 30 days. */
  readonly segmentCpuMs: number
  readonly warm: { readonly cpuMs: number; readonly readUnits: number }
  /** The same with what parameterised answers are cut from: the tables' lists. */
  readonly lists: { readonly cpuMs: number }
  readonly peakMb: number
}

/** First minutes that are not counted: code that runs once a minute takes as many to be compiled. */
const WARM_UP_MINUTES = 6
/** Last minutes, which put the tables' lists as well; the first LISTS_WARM_UP_MINUTES of them are not counted. */
const LISTS_MINUTES = 9
const LISTS_WARM_UP_MINUTES = 4

let readUnits = 0
type Timed = Time & {
  readonly readUnits: number
  readonly hasCheckpoint: boolean
  readonly hasLists: boolean
}

const [folder = ''] = process.argv.slice(2)
process.stdout.write(`${JSON.stringify(await measure())}\n`)
process.exit()

async function measure(): Promise<RebuildCost> {
  const [segments, published] = [fileBucket(folder), memoryBucket()]
  const generated = JSON.parse(await readFile(join(folder, 'generated.json'), 'utf8')) as Generated
  const name = `bench-${randomUUID()}`
  await ensureTables([name])
  const client = countedClient((units, kind) => {
    if (kind === 'read') readUnits += units
  })
  const table = openTable(name, { client })
  const [log, documents] = [openLog(table, segments), openDocuments(table)]
  const [first, ...entries] = generated.sealed.map(entryOf)
  if (first) await seal(log, first)
  const memory = watchMemory()
  const warm: Warm = {}
  const runs: Timed[] = []
  for (const [at, entry] of entries.entries()) {
    await seal(log, entry)
    const stores = { log, segments, published, ...(at < entries.length - LISTS_MINUTES ? {} : { documents }) }
    runs.push(await timedRebuild(stores, warm))
  }
  const peakMb = memory.stop()
  const [cold] = runs
  if (!cold || !warm.engine) throw new RangeError('nothing was rebuilt')
  const later = [
    ...runs.slice(WARM_UP_MINUTES, -LISTS_MINUTES),
    ...runs.slice(-LISTS_MINUTES).slice(LISTS_WARM_UP_MINUTES),
  ]
  const medianOf = (hasLists: boolean, pick: (run: Timed) => number) =>
    median(later.filter((run) => !run.hasCheckpoint && run.hasLists === hasLists).map(pick))
  const withoutLists = (pick: (run: Timed) => number) => medianOf(false, pick)
  return {
    cold,
    segmentCpuMs: await loadSegments(log, generated.spread),
    warm: { cpuMs: withoutLists(({ cpuMs }) => cpuMs), readUnits: withoutLists((run) => run.readUnits) },
    lists: { cpuMs: medianOf(true, ({ cpuMs }) => cpuMs) },
    peakMb,
  }
}

/** What `follow` does of each of the 30 days' minutes where there is no checkpoint; milliseconds of CPU a segment once the code is compiled. */
async function loadSegments(log: LogStore, references: readonly SegmentReference[]): Promise<number> {
  const engine = emptyEngine()
  const loadAll = async (from: number, to: number) => {
    for (const [at, segment] of [...references.entries()].slice(from, to))
      load(engine, entryOf(segment, at), await log.readSegmentStates(segment), START)
  }
  const warmUp = references.length / 5
  await loadAll(0, warmUp)
  const { cpuMs } = await timeOf(() => loadAll(warmUp, references.length))
  return cpuMs / (references.length - warmUp)
}

async function seal(log: LogStore, entry: SealedEntry): Promise<void> {
  const { n, minute, last } = entry
  await log.append(entry)
  await log.putApplied({ n, minute, last, isLowered: false })
}

async function timedRebuild(stores: RebuildStores, warm: Warm): Promise<Timed> {
  readUnits = 0
  let hasCheckpoint = false
  const report = (run: RebuildRun) => {
    hasCheckpoint = run.hasCheckpoint
  }
  const time = await timeOf(() => rebuild(stores, { clock: () => performance.now(), warm, report }))
  return { ...time, readUnits, hasCheckpoint, hasLists: 'documents' in stores }
}
