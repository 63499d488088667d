/** Takes the log over from another run's or deployment's archive, instead of reading all of it from the chain. */
import { archiveAt } from '../../archive/reader.ts'
import { type TakenMinute, takeArchive } from '../../archive/take.ts'
import { chainNamed } from '../../ingest/client/chains.ts'
import { headerFrom, quantity } from '../../ingest/client/headers.ts'
import { openRpc, type Rpc } from '../../ingest/client/rpc.ts'
import { sealedEntry } from '../../ingest/writer/commit.ts'
import { type Committed, catchUp, openMaterializer } from '../../ingest/writer/materialize.ts'
import { openNewLog, openOwnLog } from '../../ingest/writer/own-log.ts'
import type { LogEntry, SegmentReference } from '../../market/log.ts'
import type { Hash, Segment } from '../../market/segment.ts'
import type { Env } from '../../schemas/deployment/env.ts'
import { openBucket } from '../../store/aws/bucket.ts'
import { bulkTable } from '../../store/aws/bulk.ts'
import { chunked, mapParallel } from '../../store/aws/parallel.ts'
import { openTable } from '../../store/aws/table.ts'
import { type LogStore, openLog } from '../../store/log/log.ts'
import { inLog, openLogs } from '../../store/log/logs.ts'
import { OperatorFault, type Terminal } from '../base/terminal.ts'

/** Where to, and from where. */
export type TakingOver = {
  readonly env: Pick<Env<'ingest'>, 'MARKET_TABLE' | 'SEGMENT_BUCKET' | 'RPC_URLS' | 'CHAIN'>
  /** The address below which `archive/v1/manifest.json` is. */
  readonly url: string
  readonly terminal: Pick<Terminal, 'step'>
}

/** Minutes that are put together. */
const PARALLEL_PUTS = 16

/**
 * Continues the own log with the minutes of an archive that it does not have yet, and materializes them. Returns their
 * number. Where there is no log yet, it writes one that counts once it is whole; another run takes what an interrupted one sealed.
 * Throws what `takeArchive` names, OtherFormat, LogTaken, and what the endpoints throw.
 */
export async function takeLogOver({ env, url, terminal }: TakingOver): Promise<number> {
  const chain = chainNamed(env.CHAIN)
  const { log, puts, isDone } = await openTarget(env)
  const rpc = openRpc(env.RPC_URLS.split(','), { chainId: chain.id })
  let tail = await catchUp(log)
  const after = tail && tail.minute !== null && tail.last ? { minute: tail.minute, last: tail.last } : null
  const taking = { chain: chain.name, after, hashesOf: (blocks: readonly number[]) => hashesOf(rpc, blocks) }
  const materializer = openMaterializer(log, () => {})
  let count = 0
  for await (const { span, minutes } of takeArchive(archiveAt(url), taking)) {
    for await (const committed of commit({ log, puts }, tail, minutes)) {
      await materializer.add(committed, now())
      tail = committed.entry
      count += 1
    }
    terminal.step(`took over ${span}`)
  }
  await materializer.drain()
  if (!(await isDone())) throw taken()
  return count
}

const now = () => Date.now() / 1_000
const taken = () =>
  new OperatorFault('LogTaken', 'another process writes this log: stop it, or let it catch up')

/** `puts`: entries that may be put at once; `isDone`: whether what was written counts now. */
type Target = { readonly log: LogStore; readonly puts: number; readonly isDone: () => Promise<boolean> }

/** The own log or, where there is none, a new one, which nobody else can write, so that its items are put in bulk. */
async function openTarget({ MARKET_TABLE, SEGMENT_BUCKET }: TakingOver['env']): Promise<Target> {
  const table = openTable(MARKET_TABLE)
  const segments = openBucket(SEGMENT_BUCKET)
  const stores = { table, segments, logs: openLogs(table), now, isBeside: false }
  const unknown = await openNewLog({ ...stores, bulk: bulkTable(MARKET_TABLE, table) })
  if (unknown) return { log: openLog(unknown.table, segments), puts: PARALLEL_PUTS, isDone: unknown.register }
  const own = await openOwnLog(stores)
  // One after the other: another writer may take an entry, which ends this.
  return { log: openLog(inLog(table, own.log), segments), puts: 1, isDone: async () => true }
}

/** Commits minutes, in their order. */
async function* commit(
  { log, puts }: Pick<Target, 'log' | 'puts'>,
  tail: LogEntry | undefined,
  minutes: readonly TakenMinute[],
): AsyncGenerator<Committed> {
  let [n, previous] = [tail?.n ?? 0, tail?.minute ?? null]
  for (const some of chunked(minutes, PARALLEL_PUTS)) {
    const stored = await mapParallel(some, PARALLEL_PUTS, async ({ segment, sha256 }) => ({
      segment,
      reference: await putAs(log, segment, sha256),
    }))
    const committed = stored.map(({ segment, reference }, at): Committed => {
      const before = stored[at - 1]?.segment.minute ?? previous
      return { entry: sealedEntry(n + at + 1, segment, reference), segment, previous: before }
    })
    await mapParallel(committed, puts, async ({ entry }) => {
      if (!(await log.append(entry))) throw taken()
    })
    n += some.length
    previous = some.at(-1)?.segment.minute ?? previous
    yield* committed
  }
}

/** Stores a segment, which must have this digest here as well. */
async function putAs(log: LogStore, segment: Segment, sha256: string): Promise<SegmentReference> {
  const reference = await log.putSegment(segment)
  if (reference.sha256 === sha256) return reference
  throw new OperatorFault('OtherFormat', `this release writes minute ${segment.minute} in other bytes`)
}

/** The hashes of blocks; those that the endpoint does not have are missing. */
async function hashesOf(rpc: Rpc, blocks: readonly number[]): Promise<ReadonlyMap<number, Hash>> {
  const calls = blocks.map((block) => ({ method: 'eth_getBlockByNumber', params: [quantity(block), false] }))
  const answers = calls.length === 0 ? [] : await rpc.batch(calls)
  return new Map(
    blocks.flatMap((block, at) => {
      const header = headerFrom(answers[at], block)
      return header ? [[block, header.hash] as const] : []
    }),
  )
}
