/** Takes the log over from another run's or deployment's archive, instead of reading all of it from the chain. */
import { archiveAt } from '../archive/reader.ts'
import { type TakenMinute, takeArchive } from '../archive/take.ts'
import { chainNamed } from '../ingest/client/chains.ts'
import { headerFrom, quantity } from '../ingest/client/headers.ts'
import { openRpc, type Rpc } from '../ingest/client/rpc.ts'
import { append } from '../ingest/writer/commit.ts'
import { catchUp, openMaterializer } from '../ingest/writer/materialize.ts'
import { openOwnLog } from '../ingest/writer/own-log.ts'
import type { LogEntry } from '../market/log.ts'
import type { Hash } from '../market/segment.ts'
import type { Env } from '../schemas/env.ts'
import { openBucket } from '../store/bucket.ts'
import { type LogStore, openLog } from '../store/log.ts'
import { inLog, openLogs } from '../store/logs.ts'
import { mapParallel } from '../store/parallel.ts'
import { openTable } from '../store/table.ts'
import { OperatorFault, type Terminal } from './terminal.ts'

/** Where to, and from where. */
export type TakingOver = {
  readonly env: Pick<Env<'ingest'>, 'MARKET_TABLE' | 'SEGMENT_BUCKET' | 'RPC_URLS' | 'CHAIN'>
  /** The address below which `archive/v1/manifest.json` is. */
  readonly url: string
  readonly terminal: Pick<Terminal, 'step'>
}

/** Minutes whose segments are put together. */
const PARALLEL_PUTS = 8

/**
 * Continues the own log with the minutes of an archive that it does not have yet, and materializes them. Returns their
 * number. May be interrupted and repeated. Throws what `takeArchive` names, and what the endpoints throw.
 */
export async function takeLogOver({ env, url, terminal }: TakingOver): Promise<number> {
  const chain = chainNamed(env.CHAIN)
  const whole = openTable(env.MARKET_TABLE)
  const segments = openBucket(env.SEGMENT_BUCKET)
  const now = () => Date.now() / 1_000
  const own = await openOwnLog({ table: whole, segments, logs: openLogs(whole), now, isBeside: false })
  const log = openLog(inLog(whole, own.log), segments)
  const rpc = openRpc(env.RPC_URLS.split(','), { chainId: chain.id })
  let tail = await catchUp(log)
  const after = tail && tail.minute !== null && tail.last ? { minute: tail.minute, last: tail.last } : null
  const taking = { chain: chain.name, after, hashesOf: (blocks: readonly number[]) => hashesOf(rpc, blocks) }
  const materializer = openMaterializer(log, () => {})
  let count = 0
  for await (const { span, minutes } of takeArchive(archiveAt(url), taking)) {
    for await (const { entry, segment, previous } of committed(log, tail, minutes)) {
      await materializer.add({ entry, segment, previous }, now())
      tail = entry
      count += 1
    }
    terminal.step(`took over ${span}`)
  }
  await materializer.drain()
  return count
}

async function* committed(log: LogStore, last: LogEntry | undefined, minutes: readonly TakenMinute[]) {
  let tail = last
  for (let at = 0; at < minutes.length; at += PARALLEL_PUTS) {
    const some = minutes.slice(at, at + PARALLEL_PUTS)
    const references = await mapParallel(some, PARALLEL_PUTS, ({ segment }) => log.putSegment(segment))
    for (const [place, { segment, sha256 }] of some.entries()) {
      const reference = references[place]
      if (reference?.sha256 !== sha256)
        throw new OperatorFault('OtherFormat', `this release writes minute ${segment.minute} in other bytes`)
      const previous = tail?.minute ?? null
      const entry = await append(log, tail, segment, reference)
      if (entry === 'lost')
        throw new OperatorFault('LogTaken', 'another process writes this log: stop it, or let it catch up')
      yield { entry, segment, previous }
      tail = entry
    }
  }
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
