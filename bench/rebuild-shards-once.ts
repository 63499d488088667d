/**
 * A market in shards, in a process of its own; prints its figures as JSON. `rebuild-shards-once.ts equal ACTIVE SWAPS_PER_SECOND
 * SHARDS MINUTES FOLDER`: all shards beside one engine, whose documents must be the same; the last parts are left in the folder.
 * `rebuild-shards-once.ts merge FOLDER`: those parts are merged, without a market beside them. `rebuild-shards-once.ts memory
 * FOLDER SHARDS`: the first of the shards alone, from the checkpoint that `rebuild-generate.ts` wrote.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { SealedEntry, SegmentReference } from '../market/log.ts'
import type { Address, Token } from '../market/segment.ts'
import { windowNames, windows } from '../market/window.ts'
import { ArrayPool } from '../snapshot/active-market.ts'
import { listCheckpoints, readCheckpoint, saveCheckpoint } from '../snapshot/checkpoint.ts'
import { builders, type Snapshot, snapshotOf, storedDocuments } from '../snapshot/documents.ts'
import { advance, type Engine, emptyEngine, marketsAt, passingAt } from '../snapshot/engine.ts'
import { mergedSnapshot, type SnapshotPart, snapshotPartOf } from '../snapshot/merged-snapshot.ts'
import { advanceShards, type Shards, shardsOf } from '../snapshot/shards.ts'
import { openLog } from '../store/log.ts'
import type { SegmentStates } from '../store/segment-bytes.ts'
import { openTable } from '../store/table.ts'
import { fileBucket } from './file-bucket.ts'
import { median, startTimer, timeOf, watchMemory } from './measuring.ts'
import type { Generated } from './rebuild-generate.ts'
import { START, syntheticMarket } from './synthetic-market.ts'
import { entryOf, syntheticEngine, syntheticSegment } from './synthetic-minutes.ts'

/** Medians over the minutes; milliseconds. */
export type EqualCost = { readonly documents: number; readonly partMs: number; readonly partMb: number }

/** Of merging all parts, reading them included; milliseconds. */
export type MergeCost = { readonly cpuMs: number; readonly wallMs: number }

/** Of the one shard. */
export type ShardCost = {
  readonly tokens: number
  readonly advanceCpuMs: number
  readonly partCpuMs: number
  readonly peakMb: number
}

const origin = { chain: null, codeVersion: null }
/** Throws where the documents differ. */
async function equal(
  [active = 0, swapsPerSecond = 0, count = 0, minutes = 0]: readonly number[],
  folder: string,
) {
  const market = syntheticMarket(active, active, swapsPerSecond * 60)
  const segments = new Map<string, SegmentStates>()
  const put = (minute: number): SegmentReference => {
    const reference = { minute, key: String(minute), sha256: '' }
    segments.set(reference.key, syntheticSegment(market, minute, swapsPerSecond * 60))
    return reference
  }
  const read = ({ key }: SegmentReference) => segments.get(key) as SegmentStates
  const passing = windowNames
    .toReversed()
    .filter((name) => name !== 'now')
    .flatMap((name) =>
      Array.from({ length: minutes }, (_, at) => put(START - windows[name].minutes + 1 + at)),
    )
    .sort((a, b) => a.minute - b.minute)
  const engineOf = (): Engine => ({ ...syntheticEngine(market), segments: [...passing] })
  const one = engineOf()
  const shards = shardsOf(engineOf(), count)
  const costs: Omit<EqualCost, 'documents'>[] = []
  let documents = 0
  for (let at = 1; at <= minutes; at++) {
    const entry = entryOf(put(START + at), at)
    advance(one, entry, read)
    advanceShards(shards, entry, read)
    const texts = digestsOf(snapshotOf(one, origin))
    const { written, ...cost } = partsOf(shards)
    assertSame(digestsOf(mergedFrom(written, (address) => tokenIn(shards, address))), texts)
    documents += texts.size
    costs.push(cost)
    if (at < minutes) continue
    const needed = written.flatMap((bytes) => (deserialize(bytes) as SnapshotPart).places.creatorTokens)
    const tokens = new Map(needed.map((address) => [address, tokenIn(shards, address)]))
    await writeFile(join(folder, KEPT_PARTS), serialize({ written, tokens, texts } satisfies KeptParts))
  }
  const of = (pick: (cost: Omit<EqualCost, 'documents'>) => number) => median(costs.map(pick))
  return {
    documents,
    partMs: of(({ partMs }) => partMs),
    partMb: of(({ partMb }) => partMb),
  } satisfies EqualCost
}

/** Parts as bytes, and what making one took. */
function partsOf(shards: Shards) {
  const part = startTimer()
  const written = shards.engines.map((engine) => serialize(snapshotPartOf(engine, origin)))
  const { wallMs } = part()
  const bytes = written.reduce((sum, { length }) => sum + length, 0)
  return { written, partMs: wallMs / written.length, partMb: bytes / written.length / 2 ** 20 }
}

const mergedFrom = (written: readonly Uint8Array[], tokenOf: (address: Address) => Token | undefined) =>
  mergedSnapshot(
    written.map((bytes) => deserialize(bytes) as SnapshotPart),
    tokenOf,
  )

/** The parts of a minute, tokens of any of them by address, and the digests of the documents. */
type KeptParts = {
  readonly written: readonly Uint8Array[]
  readonly tokens: ReadonlyMap<Address, Token | undefined>
  readonly texts: ReadonlyMap<string, string>
}
const KEPT_PARTS = 'parts'
const MERGES = 12

/** As a process merges that holds no market. */
async function merge(folder: string): Promise<MergeCost> {
  const { written, tokens, texts } = deserialize(await readFile(join(folder, KEPT_PARTS))) as KeptParts
  const costs: MergeCost[] = []
  for (let at = 0; at < MERGES; at++) {
    const timer = startTimer()
    const merged = mergedFrom(written, (address) => tokens.get(address))
    costs.push(timer())
    assertSame(digestsOf(merged), texts)
  }
  const later = costs.slice(MERGES / 2)
  return { cpuMs: median(later.map(({ cpuMs }) => cpuMs)), wallMs: median(later.map(({ wallMs }) => wallMs)) }
}

function assertSame(found: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): void {
  for (const [name, digest] of wanted) if (found.get(name) !== digest) throw new RangeError(`${name} differs`)
}

function tokenIn({ engines }: Shards, address: Address): Token | undefined {
  const found = engines.find(({ market }) => market.byAddress.has(address))
  return found && marketsAt(found)(0).tokenOf(found.market.byAddress.get(address) as number)
}

const digestsOf = (snapshot: Snapshot): ReadonlyMap<string, string> =>
  new Map(
    storedDocuments.map(({ name, operation, parameterValues }) => {
      const { text, whole = '' } = builders[operation](snapshot, parameterValues)
      return [name, createHash('sha256').update(text).update(whole).digest('hex')]
    }),
  )

/** Minutes that are not counted, since code is still being compiled. */
const WARM_UP_MINUTES = 6

const emptyBeside = ({ market: _, starts, segments, totals, ...engine }: Engine): Engine => ({
  ...engine,
  market: emptyEngine().market,
  index: emptyEngine().index,
  starts: [...starts],
  segments: [...segments],
  totals: [...totals],
})

/** One shard, as its process has it. */
async function memory(folder: string, count: number): Promise<ShardCost> {
  const generated = JSON.parse(await readFile(join(folder, 'generated.json'), 'utf8')) as Generated
  const bucket = fileBucket(folder)
  const log = openLog(openTable('unused'), bucket)
  const watch = watchMemory()
  const [name] = await listCheckpoints(bucket)
  const engine = name && (await readCheckpoint(name, bucket))
  if (!engine) throw new RangeError('no checkpoint')
  // Their tokens are in other processes: of each minute they only get what is traded in it.
  const withOthers = (): Shards => ({
    engines: [engine, ...Array.from({ length: count - 1 }, () => emptyBeside(engine))],
    count,
    joined: new Map(),
  })
  const arrays = new ArrayPool()
  const costs: { readonly advanceCpuMs: number; readonly partCpuMs: number }[] = []
  for (const entry of generated.sealed.map(entryOf).slice(1)) {
    const { cpuMs: advanceCpuMs } = await timeOf(() => advanceBy(withOthers(), entry, log))
    arrays.reclaim()
    const { cpuMs: partCpuMs } = await timeOf(() => serialize(snapshotPartOf(engine, origin, arrays)))
    costs.push({ advanceCpuMs, partCpuMs })
  }
  await saveCheckpoint(engine, fileBucket(join(folder, 'saved')))
  const later = costs.slice(WARM_UP_MINUTES)
  return {
    tokens: engine.market.byAddress.size,
    advanceCpuMs: median(later.map(({ advanceCpuMs }) => advanceCpuMs)),
    partCpuMs: median(later.map(({ partCpuMs }) => partCpuMs)),
    peakMb: watch.stop(),
  }
}

async function advanceBy(
  shards: Shards,
  entry: SealedEntry,
  log: Pick<ReturnType<typeof openLog>, 'readSegmentStates'>,
): Promise<void> {
  const [engine] = shards.engines as [Engine]
  const segments = new Map<string, SegmentStates>()
  for (const reference of [entry.segment, ...passingAt(engine, entry).flat()])
    segments.set(reference.key, await log.readSegmentStates(reference))
  advanceShards(shards, entry, ({ key }) => segments.get(key) as SegmentStates)
}

const [what, ...rest] = process.argv.slice(2)
const measures = {
  equal: () => equal(rest.slice(0, -1).map(Number), rest.at(-1) ?? ''),
  merge: () => merge(rest[0] ?? ''),
  memory: () => memory(rest[0] ?? '', Number(rest[1])),
}
process.stdout.write(`${JSON.stringify(await measures[what as keyof typeof measures]())}\n`)
process.exit()
