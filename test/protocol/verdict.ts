import type { FeedEntry } from '../../market/feed-entry.ts'
import { effectiveEntries, type LogEntry } from '../../market/log.ts'
import type { Block, Segment, Token } from '../../market/segment.ts'
import type { Item } from '../../store/aws/table.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { feedEntryBytes, logEntryBytes } from '../../store/bytes/codec.ts'
import { itemsOfHourRecords } from '../../store/items/hour-records.ts'
import { itemsOfSpan, marksOfSpans, rollupOf, type SpanName, spanAt } from '../../store/items/price-grains.ts'
import { itemsOf } from '../../store/items/projection.ts'
import { type Disk, isRow, spanOf } from './stores.ts'

/** What was found wrong; undefined: nothing. */
export type ProtocolFault = string | undefined

/** What is made of a thing once. */
function memoized<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>()
  return (key) => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}

/** What readers see of an item: all but its guard, its end, and the minute of NOW, which a rewind does not know. */
const textOf = memoized((item: Item): string => {
  const { pos: _pos, ttl: _ttl, minute: _minute, ...seen } = item
  const attributes = Object.entries(seen).filter(([, value]) => value !== undefined)
  return attributes
    .map(
      ([name, value]) =>
        `${name}=${value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value}`,
    )
    .sort()
    .join(' ')
})

const isStanding = (item: Item): boolean => item['tomb'] !== true
const isOfTokens = ({ pk }: Item): boolean => !/^(LOG|SYS|F#|FP#)/.test(pk)

/** Readers look at rows up to the applied minute and at hours and days that were over before it. */
function isReached(item: Item, applied: number): boolean {
  const span = spanOf(item)
  return span === null ? minuteOf(item) <= applied : span.at < spanAt(span.name, applied)
}

/** Everything that readers of tokens see, by key. */
function visible(disk: Disk): Map<string, string> {
  const applied = appliedOf(disk)?.minute ?? -1
  const items = [...disk.table.items.values()].filter(
    (item) => isOfTokens(item) && isStanding(item) && (spanOf(item) === null || isReached(item, applied)),
  )
  return new Map(items.map((item) => [`${item.pk}/${item.sk}`, textOf(item)] as const))
}

const sorted = ({ table }: Disk, isWanted: (item: Item) => boolean): Item[] =>
  [...table.items.values()].filter(isWanted).sort((a, b) => (a.sk < b.sk ? -1 : 1))

const logEntryOf = memoized((item: Item): LogEntry => logEntryBytes.read(item['entry'] as Uint8Array))

/** The log's entries in order. */
const entriesOf = (disk: Disk): LogEntry[] => sorted(disk, ({ pk }) => pk === 'LOG').map(logEntryOf)

const feedOf = (disk: Disk): FeedEntry[] =>
  sorted(disk, ({ pk }) => pk.startsWith('F#')).map((item) =>
    feedEntryBytes.read(item['entry'] as Uint8Array),
  )

type Position = { readonly pos: number; readonly minute: number; readonly last: unknown }

function appliedOf({ table }: Disk): Position | undefined {
  const { pk, sk } = marketKeys.applied
  const item = table.items.get(JSON.stringify([pk, sk]))
  return item && { pos: Number(item['pos']), minute: Number(item['minute'] ?? -1), last: item['last'] }
}

/**
 * A reader that reads up to APPLIED now: the rows up to its minute must be those of the log up to its
 * entry, all of them and no others. Keeps what it has worked out, so it is asked again and again.
 */
export function openFeedReader(disk: Disk): () => ProtocolFault {
  const rowsOf = memoized((segment: Segment) =>
    itemsOf(segment)
      .filter(isRow)
      .map((item) => [`${item.pk}/${item.sk}`, textOf(item)] as const),
  )
  const rowsUpTo = (n: number) => {
    const entries = effectiveEntries(entriesOf(disk).filter((entry) => entry.n <= n))
    const segments = entries.map(({ segment }) => disk.objects.get(segment.key)!)
    const spans = spansOf(segments).map((item) => [`${item.pk}/${item.sk}`, textOf(item)] as const)
    return new Map([...segments.flatMap(rowsOf), ...spans])
  }
  let [looked, log] = ['', '']
  let wanted: ReadonlyMap<string, string> = new Map()
  return () => {
    const applied = appliedOf(disk)
    if (!applied) return undefined
    const place = `${applied.pos} ${disk.puts.entries}`
    const state = `${place} ${disk.puts.rows}`
    if (state === looked) return undefined
    if (place !== log) wanted = rowsUpTo(Math.ceil(applied.pos))
    ;[looked, log] = [state, place]
    const rows = [...disk.table.items.values()].filter(
      (item) => isRow(item) && isStanding(item) && isReached(item, applied.minute),
    )
    const seen = new Map(rows.map((item) => [`${item.pk}/${item.sk}`, textOf(item)]))
    const difference = differenceOf(seen, wanted)
    return difference && `a reader at APPLIED ${applied.pos} sees ${difference}`
  }
}

/** What tokens did in the hours and days that are over. */
const spansOf = (segments: readonly Segment[]): Item[] =>
  segments.flatMap(({ minute }, at) => {
    const previous = segments[at - 1]?.minute
    if (previous === undefined) return []
    return (['hour', 'day'] as const satisfies readonly SpanName[]).flatMap((name) => {
      const span = spanAt(name, previous)
      if (span === spanAt(name, minute)) return []
      const inside = segments.filter((other) => spanAt(name, other.minute) === span)
      const records = name === 'hour' ? itemsOfHourRecords(span, inside) : []
      return [
        ...itemsOfSpan(name, span, rollupOf(inside)),
        ...records,
        ...marksOfSpans(name, previous, minute),
      ]
    })
  })

const minuteOf = ({ sk }: Item): number => Number(sk.slice(2, 10))

function differenceOf(seen: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): ProtocolFault {
  for (const [key, text] of wanted) {
    if (!seen.has(key)) return `nothing at ${key}`
    if (seen.get(key) !== text) return `something else at ${key}`
  }
  for (const key of seen.keys()) if (!wanted.has(key)) return `what should not be at ${key}`
  return undefined
}

/** Compares what many writers left behind at rest with what one writer makes of the same chain alone. */
export function verdictOf(disk: Disk, alone: Disk, isCanonical: (block: Block) => boolean): ProtocolFault {
  return (
    logFault(disk, alone, isCanonical) ??
    appliedFault(disk, alone) ??
    differenceOf(visible(disk), visible(alone)) ??
    feedFault(disk, alone)
  )
}

function logFault(disk: Disk, alone: Disk, isCanonical: (block: Block) => boolean): ProtocolFault {
  const entries = entriesOf(disk)
  if (entries.some(({ n }, at) => n !== at + 1)) return 'the log is not dense'
  const sealed = effectiveEntries(entries)
  if (sealed.some(({ last }) => !isCanonical(last))) return 'an orphaned minute is in force'
  const textOfEntry = ({ minute, firstBlock, segment }: (typeof sealed)[number]) =>
    `${minute} from ${firstBlock}: ${segment.sha256}`
  const [ours, theirs] = [sealed, effectiveEntries(entriesOf(alone))].map((list) => list.map(textOfEntry))
  const at = ours!.findIndex((text, index) => text !== theirs![index])
  if (at >= 0) return `the log has ${ours![at]} where it should have ${theirs![at]}`
  return ours!.length === theirs!.length ? undefined : `the log ends after ${ours!.length} minutes`
}

function appliedFault(disk: Disk, alone: Disk): ProtocolFault {
  const [ours, theirs] = [appliedOf(disk), appliedOf(alone)]
  if (ours && ours.pos !== entriesOf(disk).length) return `APPLIED rests at ${ours.pos}`
  return ours?.last === theirs?.last ? undefined : 'APPLIED is not the last minute'
}

/** Blocks in force after all retractions, in the feed's order, with their swaps. */
function blocksInForce(disk: Disk): string[] | { readonly fault: string } {
  const blocks: Extract<FeedEntry, { is: 'block' }>[] = []
  for (const [at, entry] of feedOf(disk).entries()) {
    if (entry.seq !== at + 1) return { fault: `the feed has ${entry.seq} at ${at + 1}` }
    const standing = blocks.findIndex(({ block }) => block.hash === entry.block.hash)
    if (entry.is === 'block' && standing >= 0)
      return { fault: `feed entry ${entry.seq} publishes a block again` }
    if (entry.is === 'retract' && standing < 0) return { fault: `feed entry ${entry.seq} retracts nothing` }
    const newest = blocks.at(-1)?.block.number ?? -1
    if (entry.is === 'block' && entry.block.number <= newest)
      return { fault: `feed entry ${entry.seq} is out of order` }
    if (entry.is === 'block') blocks.push(entry)
    else blocks.splice(standing, 1)
  }
  // Names are published until the token is stored, so they depend on when a block was published.
  return blocks.map(({ seq: _, names: _names, launches, ...block }) =>
    JSON.stringify({ ...block, ...(launches && { launches: launches.map(asLaunched) }) }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  )
}

/**
 * A launch without what later logs of its minute may change, a rename, a new URI or a migration: published is the token as far as
 * the minute was read by then, and a block is not retracted for it.
 */
function asLaunched(token: Token) {
  const {
    name: _,
    symbol: _symbol,
    nameSince: _nameSince,
    symbolSince: _symbolSince,
    uri: _uri,
    poolId: _pool,
    hook: _hook,
    migrations: _moves,
    ...fixed
  } = token
  return fixed
}

function feedFault(disk: Disk, alone: Disk): ProtocolFault {
  const [ours, theirs] = [blocksInForce(disk), blocksInForce(alone)]
  if ('fault' in ours) return ours.fault
  if ('fault' in theirs) return theirs.fault
  const missing = theirs.find((block) => !ours.includes(block))
  if (missing) return `the feed lacks ${missing.slice(0, 120)}`
  const surplus = ours.find((block) => !theirs.includes(block))
  if (surplus) return `the feed has ${surplus.slice(0, 120)}`
  return ours.every((block, at) => block === theirs[at]) ? undefined : 'the feed is out of order'
}
