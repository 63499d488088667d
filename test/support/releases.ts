/** Two releases of the service in one process: one as it is, and one whose rules have been raised and changed. */
import { vi } from 'vitest'
import type { RangeReader } from '../../ingest/read/range.ts'
import type { Bucket, StoredObject } from '../../store/bucket.ts'
import type { ScannedTable } from '../../store/table.ts'
import type { GeneratedChain } from './generated-chain.ts'
import type { ChainNode } from './json-rpc.ts'

/** Blocks come every two seconds. */
const BLOCKS_A_MINUTE = 30

/** What the processes of all releases share. */
export type World = {
  readonly table: ScannedTable
  readonly segments: Bucket
  readonly published: Bucket
  readonly chain: GeneratedChain
  readonly node: ChainNode
  /** Unix seconds. */
  readonly now: () => number
}

const load = async () => {
  const [own, logs, log, tokens, feed, documents, seat, rebuilding, writer, registry, oldTokens, rpc, range] =
    await Promise.all([
      import('../../ingest/writer/own-log.ts'),
      import('../../store/logs.ts'),
      import('../../store/log.ts'),
      import('../../store/tokens.ts'),
      import('../../store/feed.ts'),
      import('../../store/documents.ts'),
      import('../../snapshot/seat.ts'),
      import('../../snapshot/rebuild.ts'),
      import('../../ingest/writer/writer.ts'),
      import('../../ingest/decode/registry.ts'),
      import('../../ingest/decode/old-tokens.ts'),
      import('./json-rpc.ts'),
      import('../../ingest/read/range.ts'),
    ])
  return {
    ...own,
    ...logs,
    ...log,
    ...tokens,
    ...feed,
    ...documents,
    ...seat,
    ...rebuilding,
    ...writer,
    ...registry,
    ...oldTokens,
    ...rpc,
    ...range,
  }
}

type Modules = Awaited<ReturnType<typeof load>>

/** A release: its processes over a world, each as after a start. */
export type Release = ReturnType<typeof releaseOf>

/** The release as it is; `raised`: one with newer rules, that counts and values differently. */
export async function openRelease(raised = false): Promise<Release> {
  vi.resetModules()
  if (raised)
    vi.doMock('../../market/rules.ts', async (original) => {
      const rules = (await original()) as typeof import('../../market/rules.ts')
      return {
        ...rules,
        FOLD_VERSION: rules.FOLD_VERSION + 1,
        RULES_VERSION: rules.RULES_VERSION + 1,
        CAP_PER_LIQUIDITY: rules.CAP_PER_LIQUIDITY - 5n,
        ENGAGEMENT_MIN_MICRO_USD: rules.ENGAGEMENT_MIN_MICRO_USD / 1_000n,
      }
    })
  const modules = await load()
  vi.doUnmock('../../market/rules.ts')
  return releaseOf(modules)
}

const releaseOf = (modules: Modules) => ({
  rules: modules.OWN_RULES,
  publisher: modules.OWN_PUBLISHER,
  logs: (world: Pick<World, 'table'>) => modules.openLogs(world.table),
  /** The documents that the API reads: those of the live log. */
  async answers({ table }: World) {
    const { log } = await modules.openLogs(table).live()
    return modules.openDocuments(modules.inLog(table, log))
  },
  /** The writer of the log, as ingest's main opens it. */
  async startIngest({ table: whole, segments, chain, node, now }: World) {
    const logs = modules.openLogs(whole)
    const own = await modules.openOwnLog({ table: whole, segments, logs, now })
    const table = modules.inLog(whole, own.log)
    const rpc = modules.loneRpc(async (call) => node.ask(call))
    const [log, tokens] = [modules.openLog(table, segments), modules.openTokens(table)]
    const oldTokens = modules.openOldTokens({ rpc, chain: chain.rules }, null)
    const stored = { ...tokens, allTokens: () => modules.tokensOfLog(log) }
    const registry = modules.openRegistry(stored, chain.rules, oldTokens)
    return modules.followChain({
      rpc,
      chain: chain.rules,
      registry,
      ranges: byMinute(modules.openRanges({ rpc, chain: chain.rules, registry }), chain),
      log,
      tokens,
      feed: modules.openFeed(whole, now),
      start: null,
      oldTokens,
      farSeconds: 0,
      isLive: async () => (await logs.live()).log === own.log,
    })
  },
  /** A run of the publisher, as its function is invoked; undefined: there is no log of its rules. */
  async publish(
    { table: whole, segments, published, now }: World,
    warm: NonNullable<Parameters<Modules['rebuild']>[1]['warm']> = {},
  ): Promise<Awaited<ReturnType<Modules['rebuild']>> | undefined> {
    const logs = modules.openLogs(whole)
    const registered = await logs.ofRules(modules.OWN_RULES)
    if (!registered) return undefined
    const { log } = registered
    const [table, bucket] = [modules.inLog(whole, log), modules.bucketOfLog(segments, log)]
    return modules.rebuild(
      {
        own: { logs, log, publisher: modules.OWN_PUBLISHER },
        log: modules.openLog(table, bucket),
        segments: bucket,
        published,
        documents: modules.openDocuments(table),
      },
      { clock: () => 0, now, warm, codeVersion: modules.OWN_RULES },
    )
  },
})

/** Reads at most a minute at once. */
const byMinute = (ranges: RangeReader, { first }: GeneratedChain): RangeReader => ({
  read: (after, head) => ranges.read(after, Math.min(head, (after?.number ?? first) + BLOCKS_A_MINUTE)),
})

/** A document without what the place in a log alone tells. */
export const figuresOf = ({ bytes }: Pick<StoredObject, 'bytes'>): string =>
  Buffer.from(bytes)
    .toString()
    .replace(/"(snapshot_id|log_position|log_switches|corrections)": ?("[^"]*"|\d+)/g, '"$1":0')
