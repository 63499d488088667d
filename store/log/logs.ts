/**
 * Logs of minutes beside each other in one table and one bucket. Each version of the rules folds into a log of its own;
 * readers follow the live one, which one item names. The live feed is shared.
 */

import { FOLD_VERSION, RULES_VERSION } from '../../market/rules.ts'
import type { Minute } from '../../market/segment.ts'
import type { Bucket } from '../aws/bucket.ts'
import type { Item, Table } from '../aws/table.ts'
import { type Key, marketKeys, objectPrefixes } from '../aws/tables.ts'

/** The rules of this release, as logs are registered by. */
export const OWN_RULES = `${FOLD_VERSION}.${RULES_VERSION}`

/** The rules of a publisher, which its name begins with. */
export const rulesOf = (publisher: string): string => publisher.split('/', 1)[0] ?? ''

/** The log that is stored without a prefix. */
export const FIRST_LOG = ''
/** Begins the names of all other logs; no key begins with it otherwise. */
export const LOG_MARK = '@'

/** Where the log of some rules is. */
export type RegisteredLog = {
  readonly rules: string
  readonly log: string
  /** The last minute that was copied from the log before; null: none, all are folded by these rules. */
  readonly copiedTo: Minute | null
  /** Unix seconds. */
  readonly since: number
}

/**
 * What readers follow: a log, and which publisher makes its documents. `switches` counts the changes; `past` are the
 * publishers that have been live.
 */
export type Live = {
  readonly log: string
  readonly publisher: string
  readonly switches: number
  readonly past: readonly string[]
}

/** Before anything is published. */
export const nothingLive: Live = { log: FIRST_LOG, publisher: '', switches: 0, past: [] }

/** How far a publisher has got. `publisher`: its rules and the layout of its checkpoints. Times are Unix seconds. */
export type PublisherProgress = {
  readonly publisher: string
  readonly log: string
  /** The last minute it has folded, and that of its log. */
  readonly minute: Minute | null
  readonly sealed: Minute | null
  readonly at: number
  /** At its first run: when, and its minute then. */
  readonly first: { readonly at: number; readonly minute: Minute | null }
}

/** The logs of a table. */
export type Logs = {
  /** Always a strong read if the table's are. */
  live(): Promise<Live>
  /** Makes another log or publisher live; false: somebody else changed it since `before` was read. */
  putLive(next: Omit<Live, 'switches'>, before: Live): Promise<boolean>
  ofRules(rules: string): Promise<RegisteredLog | undefined>
  all(): Promise<readonly RegisteredLog[]>
  /** Registers the log of some rules, unless they have one; returns the registered one. */
  register(log: RegisteredLog): Promise<RegisteredLog>
  /** The log that was last begun in a table without one: until it is registered, nobody reads it. */
  unfinished(): Promise<string | undefined>
  putUnfinished(log: string): Promise<void>
  publishers(): Promise<readonly PublisherProgress[]>
  putProgress(progress: Omit<PublisherProgress, 'first'>): Promise<void>
}

/** Opens the register of a Market table. */
export function openLogs(table: Table): Logs {
  const read = async <T>(key: Key): Promise<T | undefined> => contentOf<T>(await table.read(key))
  const list = async <T>({ pk }: Key): Promise<T[]> => {
    const found: T[] = []
    for await (const item of table.query({ pk })) found.push(contentOf<T>(item) as T)
    return found
  }
  const ofRules = (rules: string) => read<RegisteredLog>(marketKeys.logOf(rules))
  return {
    ofRules,
    live: async () => (await read<Live>(marketKeys.live)) ?? nothingLive,
    putLive(next, { switches }) {
      const live: Live = { ...next, switches: switches + 1 }
      return table.put(itemOf(marketKeys.live, live, live.switches), { olderThan: live.switches })
    },
    all: () => list<RegisteredLog>(marketKeys.logOf('')),
    async register(log) {
      await table.put(itemOf(marketKeys.logOf(log.rules), log), 'absent')
      return (await ofRules(log.rules)) ?? log
    },
    unfinished: async () => (await read<{ log: string }>(marketKeys.unfinishedLog))?.log,
    async putUnfinished(log) {
      await table.put(itemOf(marketKeys.unfinishedLog, { log }), { olderThan: 1 })
    },
    publishers: () => list<PublisherProgress>(marketKeys.publisher('')),
    async putProgress(progress) {
      const key = marketKeys.publisher(progress.publisher)
      const { at, minute } = progress
      const first = (await read<PublisherProgress>(key))?.first ?? { at, minute }
      await table.put(itemOf(key, { ...progress, first }, at), { olderThan: at })
    },
  }
}

const itemOf = (key: Key, content: object, pos?: number): Item => ({
  ...key,
  ...(pos === undefined ? {} : { pos }),
  content: JSON.stringify(content),
})
const contentOf = <T>(item: Item | undefined): T | undefined =>
  item && (JSON.parse(String(item['content'])) as T)

/** What is known of the live log stays in use for so many milliseconds. */
const LIVE_MS = 5_000
/** While there is none yet: whoever waits for the first one shall not wait longer. */
const UNKNOWN_MS = 250

/** The live log, read at most once in five seconds; `clock` in milliseconds. */
export function keepLive(logs: Pick<Logs, 'live'>, clock: () => number = Date.now): () => Promise<Live> {
  let last: { readonly at: number; readonly live: Promise<Live> } | undefined
  let keptMs = LIVE_MS
  return () => {
    if (!last || clock() - last.at >= keptMs || clock() < last.at) last = { at: clock(), live: logs.live() }
    const { live } = last
    live.then(
      ({ switches }) => {
        keptMs = switches === 0 ? UNKNOWN_MS : LIVE_MS
      },
      () => {
        last = undefined
      },
    )
    return live
  }
}

/** The table as the processes of one log have it: that log's name is in front of every partition key. */
export function inLog(table: Table, log: string): Table {
  if (log === FIRST_LOG) return table
  const prefix = `${log}#`
  const outer = <K extends Key>(key: K): K => ({ ...key, pk: prefix + key.pk })
  const inner = (item: Item): Item => ({ ...item, pk: item.pk.slice(prefix.length) })
  return {
    async read(key) {
      const item = await table.read(outer(key))
      return item && inner(item)
    },
    put: (item, condition) => table.put(outer(item), condition),
    async *query(span) {
      for await (const item of table.query({ ...span, pk: prefix + span.pk })) yield inner(item)
    },
    readMany: async (keys, options) => (await table.readMany(keys.map(outer), options)).map(inner),
  }
}

/** What each log has of its own in the bucket of segments; the segments themselves have their contents' digest as names. */
const ownPrefixes = [
  objectPrefixes.recentCheckpoints,
  objectPrefixes.dailyCheckpoints,
  objectPrefixes.index,
] as const

/** The bucket of segments as the processes of one log have it: checkpoints and index records are that log's. */
export function bucketOfLog(bucket: Bucket, log: string): Bucket {
  const name = log === FIRST_LOG ? '' : `${log}/`
  const prefixOf = (key: string) => ownPrefixes.find((prefix) => key.startsWith(prefix))
  const outer = (key: string): string => {
    const prefix = prefixOf(key)
    return prefix === undefined ? key : `${prefix}${name}${key.slice(prefix.length)}`
  }
  return {
    read: (key) => bucket.read(outer(key)),
    put: (key, bytes, options) => bucket.put(outer(key), bytes, options),
    async *list(prefix, startAfter) {
      const listed = bucket.list(outer(prefix), startAfter === undefined ? undefined : outer(startAfter))
      for await (const { key, size } of listed) {
        const own = prefixOf(key)
        const rest = key.slice((own ?? '').length)
        if (own === undefined || name !== '')
          yield { key: (own ?? '') + rest.slice(own ? name.length : 0), size }
        else if (!rest.startsWith(LOG_MARK)) yield { key, size }
      }
    },
    remove: (key) => bucket.remove(outer(key)),
  }
}
