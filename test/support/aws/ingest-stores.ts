/** Everything that ingest writes to, on this machine's emulators or in memory; and what a reader finds there. */
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { startDynamodb } from '../../../dev/emulators/dynamodb.ts'
import { startS3 } from '../../../dev/emulators/s3.ts'
import { openChainClock } from '../../../ingest/client/chain-clock.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { openRpc } from '../../../ingest/client/rpc.ts'
import { openOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { openRegistry, tokensOfLog } from '../../../ingest/decode/registry.ts'
import { newestEachTime } from '../../../ingest/read/head.ts'
import { logStart } from '../../../ingest/read/log-start.ts'
import { noPushes } from '../../../ingest/read/pushes.ts'
import { openRanges, type RangeReader, type Source } from '../../../ingest/read/range.ts'
import { openReadAhead } from '../../../ingest/read/read-ahead.ts'
import { noHolderViews } from '../../../ingest/writer/holder-views.ts'
import { noVerification, openVerification, type Verification } from '../../../ingest/writer/verifying.ts'
import { followChain, type Progress, type WriterDeps } from '../../../ingest/writer/writer.ts'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import { effectiveEntries } from '../../../market/log.ts'
import type { Block, Segment } from '../../../market/segment.ts'
import { rebuild, type Warm } from '../../../snapshot/rebuild.ts'
import { fromAttributes } from '../../../store/aws/attributes.ts'
import { type Bucket, ensureBucket, openBucket, type StoredObject } from '../../../store/aws/bucket.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { ensureTables, type Item, openTable, type Table } from '../../../store/aws/table.ts'
import { openTokens, type TokenStore } from '../../../store/items/tokens.ts'
import { type Feed, openFeed } from '../../../store/log/feed.ts'
import { type LogStore, openLog } from '../../../store/log/log.ts'
import { inLog, openLogs } from '../../../store/log/logs.ts'
import { tempDir } from '../temp-dir.ts'
import { sdkVariables } from './emulators.ts'
import { memoryBucket } from './memory-stores.ts'

export type IngestStores = {
  readonly table: Table
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly feed: Feed
  readonly segments: Bucket
  readonly published: Bucket
  /** Every item of the table: tombstones, too. */
  items(): Promise<readonly Item[]>
}

const names = { MARKET_TABLE: 'market', SEGMENT_BUCKET: 'segments', PUBLISHED_BUCKET: 'published' }

type Parts = Pick<IngestStores, 'table' | 'segments' | 'published' | 'items'>

const storesOver = ({ table, segments, ...parts }: Parts, clock?: () => number): IngestStores => ({
  table,
  segments,
  ...parts,
  log: openLog(table, segments),
  tokens: openTokens(table),
  feed: openFeed(table, clock),
})

/** Stores in memory, under the same conditions. `clock`: Unix seconds; absent: nothing expires. */
export function memoryStores(clock?: () => number): IngestStores {
  const table = openMemoryTable(clock)
  const items = async () => [...table.items.values()]
  return storesOver({ table, items, segments: memoryBucket(), published: memoryBucket() }, clock)
}

/** DynamoDB in memory and S3 on disk, behind their wires; `env` is what the ingest process beside them needs. */
export async function startStores(): Promise<
  IngestStores & { readonly env: Record<string, string>; stop(): Promise<void> }
> {
  const dynamodb = await startDynamodb()
  const s3 = await startS3({ dir: tempDir() })
  const env = {
    ...names,
    ...sdkVariables,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
  Object.assign(process.env, env)
  await ensureTables([names.MARKET_TABLE])
  for (const bucket of [names.SEGMENT_BUCKET, names.PUBLISHED_BUCKET]) await ensureBucket(bucket)
  const whole = openTable(names.MARKET_TABLE)
  const live = async () => (await openLogs(whole).live()).log
  const stores = storesOver({
    table: inLiveLog(whole, live),
    items: async () => {
      const name = await live()
      const bare = (pk: string) => (name !== '' && pk.startsWith(name) ? pk.slice(name.length + 1) : pk)
      return (await scan(names.MARKET_TABLE)).map((item) => ({ ...item, pk: bare(item.pk) }))
    },
    segments: openBucket(names.SEGMENT_BUCKET),
    published: openBucket(names.PUBLISHED_BUCKET),
  })
  const stop = async () => {
    await Promise.all([dynamodb.stop(), s3.stop()])
  }
  return { ...stores, feed: openFeed(whole), env, stop }
}

/** The table as readers have it: they follow the live log, which a process that begins one names when it is whole. */
function inLiveLog(whole: Table, live: () => Promise<string>): Table {
  const own = async () => inLog(whole, await live())
  return {
    read: async (key) => (await own()).read(key),
    put: async (item, condition) => (await own()).put(item, condition),
    readMany: async (keys) => (await own()).readMany(keys),
    async *query(span) {
      yield* (await own()).query(span)
    },
  }
}

async function scan(table: string): Promise<Item[]> {
  const client = new DynamoDBClient({})
  const pages = paginateScan({ client }, { TableName: table, ConsistentRead: true })
  const items = (await allOf(pages)).flatMap((page) => page.Items ?? [])
  client.destroy()
  return items.map((item) => fromAttributes<Item>(item))
}

type WriterStores = Pick<IngestStores, 'log' | 'tokens' | 'feed'>
type OwnDeps = Pick<WriterDeps, 'rpc' | 'chain'> &
  Partial<WriterDeps> & { readonly readWith?: (source: Source) => RangeReader }

/**
 * What a writer works with as after a start of its process: nothing in memory but what the stores have. From the chain's first
 * block on, and without verification, unless said otherwise.
 */
export function depsOver(
  stores: WriterStores,
  { start = null, readWith = openRanges, ...own }: OwnDeps,
): WriterDeps {
  const oldTokens = openOldTokens(own, start)
  const { log, tokens } = stores
  const registry = openRegistry({ ...tokens, allTokens: () => tokensOfLog(log) }, own.chain, oldTokens)
  const clock = openChainClock(own.chain.schedule)
  const ranges = readWith({ ...own, registry, clock })
  const head = newestEachTime(own.rpc)
  const none = {
    pushes: noPushes,
    verification: noVerification,
    holders: noHolderViews,
    isLive: async () => true,
  }
  return { ...none, ...stores, registry, oldTokens, start, clock, head, ranges, ...own }
}

/** Verification of each minute; gaps are kept in the stores. */
export const verifying = (
  { table }: Pick<IngestStores, 'table'>,
  pauses: Parameters<typeof openVerification>[1] = {},
): Verification => openVerification(table, pauses)

/** A writer of the devnet after block `start`. */
export const startWriter = (
  stores: WriterStores & Partial<Pick<WriterDeps, 'holders'>>,
  rpcUrl: string,
  start: Block | null = null,
): AsyncGenerator<Progress> =>
  followChain(depsOver(stores, { rpc: openRpc([rpcUrl]), chain: chains.devnet, start }))

/** What a service's writer works with, to follow a chain from a block on (null: from its first) into stores. */
export async function verifiedDeps(
  stores: Pick<IngestStores, 'table' | 'log' | 'tokens' | 'feed'>,
  { rpc, chain }: Pick<WriterDeps, 'rpc' | 'chain'>,
  block: number | null,
): Promise<WriterDeps> {
  const source = { rpc, chain, log: stores.log }
  const start = block === null ? null : await logStart(source, { is: 'block', block }, () => {})
  return depsOver(stores, { rpc, chain, start, readWith: openReadAhead, verification: verifying(stores) })
}

/** Lets a writer work until the chain has nothing new for it; what it did. */
export async function untilIdle(writer: AsyncGenerator<Progress>): Promise<Progress['is'][]> {
  const seen: Progress['is'][] = []
  for (;;) {
    const { value, done } = await writer.next()
    if (done || value.is === 'idle') return seen
    seen.push(value.is)
  }
}

/** The entries of a log: the digest of each minute, or where one rolled minutes back. */
export async function digestsOf({ log }: Pick<IngestStores, 'log'>): Promise<readonly string[]> {
  const entries = await allOf(log.entriesAfter(0))
  return entries.map((entry) =>
    entry.is === 'sealed' ? `${entry.minute} ${entry.segment.sha256}` : `rewound at ${entry.n}`,
  )
}

/** The segments of the minutes in force, oldest first. */
export async function segmentsOf({ log }: Pick<IngestStores, 'log'>): Promise<readonly Segment[]> {
  const entries = effectiveEntries(await allOf(log.entriesAfter(0)))
  return Promise.all(entries.map(({ segment }) => log.readSegment(segment)))
}

/** The documents that a rebuild publishes, however long it takes, by name, without what this very log alone tells: their place in it, and what was corrected. */
export async function documentsOf(stores: IngestStores, warm?: Warm): Promise<Record<string, string>> {
  const manifest = await rebuild(stores, { clock: () => 0, ...(warm && { warm }) })
  const texts: Record<string, string> = {}
  for (const name of Object.keys(manifest?.documents ?? {}))
    texts[name] = figuresOf((await stores.published.read(name)) ?? { bytes: Buffer.of() })
  return texts
}

/** A document without what the place in a log alone tells. */
export const figuresOf = ({ bytes }: Pick<StoredObject, 'bytes'>): string =>
  Buffer.from(bytes)
    .toString()
    .replace(/"(snapshot_id|log_position|log_switches|corrections)": ?("[^"]*"|\d+)/g, '"$1":0')

/** The feed, oldest first. */
export const feedOf = ({ feed }: IngestStores): Promise<FeedEntry[]> => allOf(feed.after(0))

/** What readers of the table see of tokens, an item a line; after a rewind NOW does not name its minute. Holder views are left out: the ingest process alone makes them, when it has time. */
export async function visible(
  { items }: Pick<IngestStores, 'items'>,
  isRead: (item: Item) => boolean = () => true,
): Promise<Record<string, string>> {
  const shown = (await items())
    .filter(({ pk, sk, tomb }) => !/^(LOG|SYS|FP?#|A#)/.test(pk) && !/^(HS$|K\d#)/.test(sk) && tomb !== true)
    .filter(isRead)
    .map(({ pk, sk, pos: _pos, minute: _minute, ...item }) => [`${pk}/${sk}`, lineOf(item)] as const)
  return Object.fromEntries(shown)
}

const lineOf = (item: Readonly<Record<string, unknown>>): string =>
  Object.keys(item)
    .filter((name) => item[name] !== undefined)
    .sort()
    .map((name) => `${name}=${textOf(item[name])}`)
    .join(' ')

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
