import { append, appendRewind } from '../../../ingest/writer/commit.ts'
import { materializeEntry } from '../../../ingest/writer/materialize.ts'
import type { LogEntry, SealedEntry } from '../../../market/log.ts'
import type { Segment } from '../../../market/segment.ts'
import type { Bucket } from '../../../store/aws/bucket.ts'
import type { Table } from '../../../store/aws/table.ts'
import { openLog } from '../../../store/log/log.ts'

/** The only writer of a log: it commits and materializes segments one by one, and rolls the newest back. */
export function openCommits(table: Table, bucket: Bucket) {
  const log = openLog(table, bucket)
  let tail: LogEntry | undefined
  const materialized = async <E extends LogEntry>(entry: E | 'lost' | undefined): Promise<E> => {
    if (!entry || entry === 'lost') throw new Error('nothing was written')
    await materializeEntry(log, entry, tail?.minute ?? null)
    tail = entry
    return entry
  }
  return {
    tail: () => tail!,
    commit: async (segment: Segment): Promise<SealedEntry> =>
      materialized(await append(log, tail, segment, await log.putSegment(segment))),
    /** Rolls back the minutes that end after a block. */
    rollBackAfter: async (block: number): Promise<LogEntry> =>
      materialized(await appendRewind(log, tail!, async (last) => last.number <= block)),
  }
}
