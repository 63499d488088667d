/** Two releases of the service in one process: one as it is, and one whose rules have been raised and changed. */
import { vi } from 'vitest'
import type { Chain } from '../../ingest/client/chains.ts'
import type { RangeReader } from '../../ingest/read/range.ts'
import type { Bucket, StoredObject } from '../../store/bucket.ts'
import type { ScannedTable } from '../../store/table.ts'
import type { GeneratedChain } from './generated-chain.ts'
import type { ChainNode } from './json-rpc.ts'

/** Blocks come every two seconds. */
const BLOCKS_A_MINUTE = 30

/** What the processes of all releases share. */
export type SharedWorld = {
  readonly table: ScannedTable
  readonly segments: Bucket
  readonly published: Bucket
  readonly chain: GeneratedChain
  readonly node: ChainNode
  /** Unix seconds. */
  readonly now: () => number
  /** How many minutes newer rules fold again. */
  readonly refoldedMinutes?: number
}

async function load() {
  const [
    own,
    logs,
    log,
    tokens,
    feed,
    documents,
    role,
    rebuilding,
    writer,
    registry,
    oldTokens,
    rpc,
    range,
    head,
    pushes,
    views,
    verifying,
    clock,
  ] = await Promise.all([
    import('../../ingest/writer/own-log.ts'),
    import('../../store/logs.ts'),
    import('../../store/log.ts'),
    import('../../store/tokens.ts'),
    import('../../store/feed.ts'),
    import('../../store/documents.ts'),
    import('../../snapshot/role.ts'),
    import('../../snapshot/rebuild.ts'),
    import('../../ingest/writer/writer.ts'),
    import('../../ingest/decode/registry.ts'),
    import('../../ingest/decode/old-tokens.ts'),
    import('./json-rpc.ts'),
    import('../../ingest/read/range.ts'),
    import('../../ingest/read/head.ts'),
    import('../../ingest/read/pushes.ts'),
    import('../../ingest/writer/holder-views.ts'),
    import('../../ingest/writer/verifying.ts'),
    import('../../ingest/client/chain-clock.ts'),
  ])
  return {
    ...own,
    ...logs,
    ...log,
    ...tokens,
    ...feed,
    ...documents,
    ...role,
    ...rebuilding,
    ...writer,
    ...registry,
    ...oldTokens,
    ...rpc,
    ...range,
    ...head,
    ...pushes,
    ...views,
    ...verifying,
    ...clock,
  }
}

type Modules = Awaited<ReturnType<typeof load>>

/** A release: its processes over a world, each as after a start. */
export type Release = ReturnType<typeof releaseOf>

type Rules = typeof import('../../market/rules.ts')

/** By these a release counts and values differently. */
const otherRules = ({
  CAP_PER_LIQUIDITY,
  ENGAGEMENT_MIN_MICRO_USD,
}: Rules): Partial<Record<keyof Rules, unknown>> => ({
  CAP_PER_LIQUIDITY: CAP_PER_LIQUIDITY - 5n,
  ENGAGEMENT_MIN_MICRO_USD: ENGAGEMENT_MIN_MICRO_USD / 1_000n,
})

type Raised = {
  /** What every name of a chain is taken for. */
  readonly chain?: Chain
  /** @default otherRules */
  readonly changes?: typeof otherRules
}

/** Loads modules as a release has them whose rules are newer. */
export async function withRaisedRules<T>(
  loading: () => Promise<T>,
  { chain, changes = otherRules }: Raised = {},
): Promise<T> {
  vi.resetModules()
  if (chain)
    vi.doMock('../../ingest/client/chains.ts', async (original) => ({
      ...(await original<typeof import('../../ingest/client/chains.ts')>()),
      chainNamed: () => chain,
    }))
  vi.doMock('../../market/rules.ts', async (original) => {
    const rules = await original<Rules>()
    const { FOLD_VERSION, RULES_VERSION } = rules
    const raised = { FOLD_VERSION: FOLD_VERSION + 1, RULES_VERSION: RULES_VERSION + 1 }
    return { ...rules, ...changes(rules), ...raised }
  })
  // One import alone: vitest registers mocks at the next import, and of several at once one may find none yet.
  await import('../../market/rules.ts')
  const modules = await loading()
  vi.doUnmock('../../market/rules.ts')
  vi.doUnmock('../../ingest/client/chains.ts')
  vi.resetModules()
  return modules
}

/** The release as it is. */
export const openRelease = async (): Promise<Release> => releaseOf(await load())

/** A release with newer rules. */
export const openNewerRelease = async (raised?: Raised): Promise<Release> =>
  releaseOf(await withRaisedRules(load, raised))

const releaseOf = (modules: Modules) => ({
  rules: modules.OWN_RULES,
  publisher: modules.OWN_PUBLISHER,
  logs: (world: Pick<SharedWorld, 'table'>) => modules.openLogs(world.table),
  /** The documents that the API reads: those of the live log. */
  async answers({ table }: SharedWorld) {
    const { log } = await modules.openLogs(table).live()
    return modules.openDocuments(modules.inLog(table, log))
  },
  /** The writer of the log, as ingest's main opens it; beside the service, or as the service has it. */
  async startIngest(world: SharedWorld, { isBeside = true } = {}) {
    const { table: whole, segments, chain, node, now } = world
    const logs = modules.openLogs(whole)
    const own = await modules.openOwnLog({ ...world, logs, isBeside })
    const table = modules.inLog(whole, own.log)
    const rpc = modules.loneRpc(async (call) => node.ask(call))
    const [log, tokens] = [modules.openLog(table, segments), modules.openTokens(table)]
    const oldTokens = modules.openOldTokens({ rpc, chain: chain.rules }, null)
    const stored = { ...tokens, allTokens: () => modules.tokensOfLog(log) }
    const registry = modules.openRegistry(stored, chain.rules, oldTokens)
    const clock = modules.openChainClock(chain.rules.schedule)
    return modules.followChain({
      rpc,
      chain: chain.rules,
      registry,
      clock,
      ranges: byMinute(modules.openRanges({ rpc, chain: chain.rules, registry, clock }), chain),
      head: modules.newestEachTime(rpc),
      pushes: modules.noPushes,
      verification: modules.noVerification,
      holders: modules.noHolderViews,
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
    { table: whole, segments, published, now }: SharedWorld,
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
  ...ranges,
  read: (after, head) => ranges.read(after, Math.min(head, (after?.number ?? first) + BLOCKS_A_MINUTE)),
})

/** A document without what the place in a log alone tells. */
export const figuresOf = ({ bytes }: Pick<StoredObject, 'bytes'>): string =>
  Buffer.from(bytes)
    .toString()
    .replace(/"(snapshot_id|log_position|log_switches|corrections)": ?("[^"]*"|\d+)/g, '"$1":0')
