import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { followChain } from '../../ingest/writer/writer.ts'
import type { LogEntry } from '../../market/log.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import type { Segment } from '../../market/segment.ts'
import { openFeed } from '../../store/feed.ts'
import { zip } from '../../store/format.ts'
import { type LogStore, openLog } from '../../store/log.ts'
import { segmentBytes } from '../../store/segment-bytes.ts'
import { openTokens } from '../../store/tokens.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import { rounds } from '../support/rounds.ts'
import { openChain } from './chain.ts'
import { openRandom } from './random.ts'
import { type Disk, openDisk } from './stores.ts'
import { alone, depsOf } from './trial.ts'
import { verdictOf } from './verdict.ts'

/** Writers with older rules and with these on one log, as during a rollout and a rollback. */

/** The release before meets what it cannot read. */
class OldReleaseEnded extends Error {}

/** Its rules. */
const OLD_RULES = 2
const asOlder = (entry: LogEntry): LogEntry =>
  entry.is === 'rewound' ? entry : { ...entry, rules: OLD_RULES }

/** The log as the release before has it: it writes segments and entries of its rules, and ends at a segment of newer ones. */
function openOldLog(log: LogStore, putBytes: (key: string, bytes: Uint8Array) => Promise<unknown>): LogStore {
  const own = new Map<string, Segment>()
  const asOld = async function* (entries: AsyncGenerator<LogEntry>) {
    // Its own code looks at no rules: here it does, and has to find its own.
    for await (const entry of entries) yield entry.is === 'sealed' ? { ...entry, rules: FOLD_VERSION } : entry
  }
  const readSegment: LogStore['readSegment'] = async ({ key }) => {
    const segment = own.get(key)
    if (!segment) throw new OldReleaseEnded()
    return segment
  }
  return {
    ...log,
    entriesAfter: (n) => asOld(log.entriesAfter(n)),
    entriesBefore: (n) => asOld(log.entriesBefore(n)),
    append: (entry) => log.append(asOlder(entry)),
    async putSegment(segment) {
      const bytes = segmentBytes({ ...segment, rules: OLD_RULES })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const key = `segments/old-${segment.minute}-${sha256}`
      own.set(key, segment)
      await putBytes(key, await zip(bytes))
      return { minute: segment.minute, key, sha256 }
    },
    readSegment,
  }
}

async function faultOf(seed: number) {
  const random = openRandom(seed)
  const chain = openChain(random)
  const disk: Disk = openDisk()
  const operate = <T>(act: () => T) => Promise.resolve(act())
  const bucket = memoryBucket()
  const stores = () => ({
    log: openLog(disk.table, bucket),
    tokens: openTokens(disk.table),
    feed: openFeed(disk.table, () => 0),
    operate,
  })
  const startOld = () => {
    const { log, ...rest } = stores()
    return followChain(
      depsOf(chain, { ...rest, log: openOldLog(log, (key, bytes) => bucket.put(key, bytes)) }),
    )
  }
  const startNew = () => followChain(depsOf(chain, stores()))

  let old: ReturnType<typeof followChain> | undefined = startOld()
  let [ended, refolds] = [0, 0]
  const stepOld = async () => {
    try {
      await old?.next()
    } catch (error) {
      if (!(error instanceof OldReleaseEnded)) throw error
      ended += 1
      old = undefined
    }
  }
  chain.grow(10)
  for (let steps = 20 + random.below(20); steps > 0; steps--) {
    if (random.percent(40)) chain.turn()
    await stepOld()
  }
  const young = startNew()
  for (let steps = 60; steps > 0; steps--) {
    if (random.percent(30)) chain.turn()
    if (random.percent(10)) old ??= startOld()
    if (random.percent(50)) await stepOld()
    else {
      const { value: progress } = await young.next()
      if (progress?.is === 'rewound' && progress.entry.is === 'rewound' && progress.entry.cause === 'rules')
        refolds += 1
    }
  }
  chain.grow(4)
  for await (const { is } of young) if (is === 'idle') break
  return { refolds, fault: verdictOf(disk, await alone(chain), chain.isCanonical), ended, disk }
}

describe('writers of two versions side by side', () => {
  it('leave the log and the tables of the newer one, with any minutes sealed by the older one before and meanwhile', async () => {
    let [ended, refolds] = [0, 0]
    for (let seed = 1; seed <= rounds('VERSION_RUNS', 10, 400); seed++) {
      const outcome = await faultOf(seed)
      expect(outcome.fault, `seed ${seed}`).toBeUndefined()
      ended += outcome.ended
      refolds += outcome.refolds
    }
    expect(ended).toBeGreaterThan(0)
    // The newer one says that it folds minutes of the older one again.
    expect(refolds).toBeGreaterThan(0)
  })
})
