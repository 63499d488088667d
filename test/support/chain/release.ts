/** A release of the service: its processes over a world, each as after a start. Loaded once for each set of rules (releases.ts). */

import { openRanges, type RangeReader } from '../../../ingest/read/range.ts'
import { openOwnLog } from '../../../ingest/writer/own-log.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { OWN_PUBLISHER } from '../../../snapshot/publish/role.ts'
import { rebuild, type Warm } from '../../../snapshot/rebuild.ts'
import type { Bucket } from '../../../store/aws/bucket.ts'
import type { ScannedTable } from '../../../store/aws/table.ts'
import { openTokens } from '../../../store/items/tokens.ts'
import { openFeed } from '../../../store/log/feed.ts'
import { openLog } from '../../../store/log/log.ts'
import { bucketOfLog, inLog, OWN_RULES, openLogs } from '../../../store/log/logs.ts'
import { openDocuments } from '../../../store/published/documents.ts'
import { depsOver } from '../aws/ingest-stores.ts'
import type { GeneratedChain } from './generated-chain.ts'
import { type ChainNode, loneRpc } from './json-rpc.ts'

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

/** The release whose rules were loaded with it. */
export const release = {
  rules: OWN_RULES,
  publisher: OWN_PUBLISHER,
  logs: (world: Pick<SharedWorld, 'table'>) => openLogs(world.table),
  /** The documents that the API reads: those of the live log. */
  async answers({ table }: SharedWorld) {
    const { log } = await openLogs(table).live()
    return openDocuments(inLog(table, log))
  },
  /** The writer of the log, as ingest's main opens it; beside the service, or as the service has it. */
  async startIngest(world: SharedWorld, { isBeside = true } = {}) {
    const { table: whole, segments, chain, node, now } = world
    const logs = openLogs(whole)
    const own = await openOwnLog({ ...world, logs, isBeside })
    const table = inLog(whole, own.log)
    const stores = { log: openLog(table, segments), tokens: openTokens(table), feed: openFeed(whole, now) }
    return followChain(
      depsOver(stores, {
        rpc: loneRpc(async (call) => node.ask(call)),
        chain: chain.rules,
        readWith: (source) => byMinute(openRanges(source), chain),
        farSeconds: 0,
        isLive: async () => (await logs.live()).log === own.log,
      }),
    )
  },
  /** A run of the publisher, as its function is invoked; undefined: there is no log of its rules. */
  async publish(
    { table: whole, segments, published, now }: SharedWorld,
    warm: Warm = {},
  ): Promise<Awaited<ReturnType<typeof rebuild>> | undefined> {
    const logs = openLogs(whole)
    const registered = await logs.ofRules(OWN_RULES)
    if (!registered) return undefined
    const { log } = registered
    const [table, bucket] = [inLog(whole, log), bucketOfLog(segments, log)]
    return rebuild(
      {
        own: { logs, log, publisher: OWN_PUBLISHER },
        log: openLog(table, bucket),
        segments: bucket,
        published,
        documents: openDocuments(table),
      },
      { clock: () => 0, now, warm, codeVersion: OWN_RULES },
    )
  },
}

/** Reads at most a minute at once. */
const byMinute = (ranges: RangeReader, { first }: GeneratedChain): RangeReader => ({
  ...ranges,
  read: (after, head) => ranges.read(after, Math.min(head, (after?.number ?? first) + BLOCKS_A_MINUTE)),
})
