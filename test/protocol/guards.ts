import { readHeader } from '../../ingest/client/headers.ts'
import { materializeEntry } from '../../ingest/writer/materialize.ts'
import type { WriterDeps } from '../../ingest/writer/writer.ts'
import type { LogEntry, SegmentReference } from '../../market/log.ts'
import type { Segment } from '../../market/segment.ts'
import type { Condition, Item, Key, Table } from '../../store/aws/table.ts'
import type { Feed } from '../../store/log/feed.ts'
import type { LogStore } from '../../store/log/log.ts'
import { hash } from '../support/market/facts.ts'
import { referenceOf } from './stores.ts'
import type { Removal } from './trial.ts'

/** Changes what is put, under which condition. */
const putting = (change: (item: Item, condition: Condition) => Condition | 'nothing'): Removal => ({
  table: (table: Table) => ({
    ...table,
    async put(item, condition) {
      const changed = change(item, condition)
      return changed === 'nothing' ? true : table.put(item, changed)
    },
  }),
})

const always: Condition = { olderThan: Number.POSITIVE_INFINITY }
const isApplied = ({ pk, sk }: Key): boolean => pk === 'SYS' && sk === 'APPLIED'
const isFeed = ({ pk }: Key): boolean => pk.startsWith('F#')

const logging = (change: (log: LogStore) => Partial<LogStore>): Removal => ({
  deps: (deps: WriterDeps) => ({ ...deps, log: { ...deps.log, ...change(deps.log) } }),
})

/** Cuts what a rewind names, for its writer as for the others. */
function naming(orphaned: number, entry: LogEntry): LogEntry {
  if (entry.is === 'rewound') (entry.orphaned as SegmentReference[]).splice(orphaned)
  return entry
}

/** A feed in which others only ever tell of blocks. */
function deafTo(feed: Feed): Feed {
  const own = new Set<number>()
  const nothing = { number: Number.MAX_SAFE_INTEGER, hash: hash(0), timestamp: 0 }
  return {
    ...feed,
    append: async (entry) => {
      const isOurs = await feed.append(entry)
      if (isOurs) own.add(entry.seq)
      return isOurs
    },
    async *after(seq) {
      for await (const entry of feed.after(seq)) {
        yield entry.is === 'block' || own.has(entry.seq) ? entry : { ...entry, block: nothing }
      }
    },
  }
}

/** Every guard of the protocol, by its number in ingest/writer/SPEC.md and what is so without it. */
export const removals: Readonly<Record<string, Removal>> = {
  'L1: an entry of the log is put over another': putting((item, condition) =>
    item.pk === 'LOG' ? always : condition,
  ),
  'F1: an entry of the feed is put over another': putting((item, condition) =>
    isFeed(item) ? always : condition,
  ),
  'A3: a row is put over a newer one': putting((item, condition) =>
    condition === 'absent' || isApplied(item) ? condition : always,
  ),
  'A4: APPLIED is put over a newer one': putting((item, condition) => (isApplied(item) ? always : condition)),
  'A5: a tombstone leaves nothing behind': {
    table: (table) => ({
      ...table,
      put: (item, condition) => {
        const { pos: _, ...unguarded } = item
        return table.put(item['tomb'] === true ? (unguarded as Item) : item, condition)
      },
    }),
  },
  'A6: APPLIED is not lowered before minutes are rolled back': putting((item, condition) =>
    isApplied(item) && !Number.isInteger(item['pos']) ? 'nothing' : condition,
  ),
  'A7: a lowered APPLIED counts as reached': logging((log) => ({
    applied: async () => {
      const applied = await log.applied()
      return applied && { ...applied, isLowered: false }
    },
  })),
  'A2: APPLIED moves at the commit, before the rows': logging((log) => ({
    append: async (entry) => {
      const isOurs = await log.append(entry)
      if (isOurs) await log.putApplied({ ...entry, isLowered: false })
      return isOurs
    },
  })),
  'A1: rows are materialized before the commit': logging((log) => ({
    append: async (entry) => {
      if (entry.is === 'sealed') await materializeEntry(log, entry, null)
      return log.append(entry)
    },
  })),
  'L3: the commit comes before its segment': logging((log) => {
    const late = new Map<string, Segment>()
    return {
      putSegment: async (segment) => {
        const reference = referenceOf(segment)
        late.set(reference.key, segment)
        return reference
      },
      append: async (entry) => {
        const isOurs = await log.append(entry)
        const segment = entry.is === 'sealed' && late.get(entry.segment.key)
        if (segment) await log.putSegment(segment)
        return isOurs
      },
    }
  }),
  'L4: rows of orphaned minutes stay': logging((log) => ({
    append: (entry) => log.append(naming(0, entry)),
  })),
  'L4: only the newest orphaned minute is rolled back': logging((log) => ({
    append: (entry) => log.append(naming(1, entry)),
  })),
  'L2: the loser of an entry goes on as if it had won': logging((log) => ({
    append: async (entry) => (await log.append(entry)) || true,
  })),
  'A8: what is in the log counts as materialized': logging((log) => ({
    applied: async () => {
      const tail = await log.tail()
      return tail && { ...tail, isLowered: false }
    },
  })),
  'A9: reads of tokens may be behind': {
    table: (table, random) => {
      const seen = new Map<string, readonly Item[]>()
      return {
        ...table,
        async readMany(keys) {
          const id = JSON.stringify(keys)
          const items = await table.readMany(keys)
          const given = random.percent(30) ? (seen.get(id) ?? items) : items
          seen.set(id, items)
          return given
        },
      }
    },
  },
  'L5: a range need not follow on from what was read': {
    deps: (deps) => ({
      ...deps,
      ranges: {
        ...deps.ranges,
        read: async (after, to) =>
          deps.ranges.read(after && ((await readHeader(deps.rpc, after.number)) ?? null), to),
      },
    }),
  },
  'F2: retractions by others are ignored': { deps: (deps) => ({ ...deps, feed: deafTo(deps.feed) }) },
  'F3: a feed is opened as if it were empty': {
    deps: (deps) => ({ ...deps, feed: { ...deps.feed, before: async function* () {} } }),
  },
}
