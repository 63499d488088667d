import { createHash } from 'node:crypto'
import { type Kept, openKept } from './kept-json.ts'
import { type Emulator, listen } from './listening.ts'
import { jsonOf, type WireCall, WireError, type WireRoutes, wireServer } from './rest-wire.ts'

export type KeyValueStoreOptions = {
  readonly port?: number
  /** File of the entries; absent: in memory. */
  readonly file?: string
}

/** A KeyValueStore of CloudFront, with the read operation for functions. */
export type KeyValueStore = Emulator & { get(key: string): string | undefined }

type Entries = Readonly<Record<string, string>>
type WireEntry = { readonly Key: string; readonly Value: string }

/** Limits of a store and of one update (CloudFront Developer Guide, "Quotas"), in bytes and entries. */
const KEY_BYTES = 512
const VALUE_BYTES = 1_024
const STORE_BYTES = 5 * 1_024 * 1_024
const UPDATE_KEYS = 50
const LIST_MAX = 50

/** A KeyValueStore behind its data API: DescribeKeyValueStore, ListKeys, GetKey, UpdateKeys. Functions see writes immediately. */
export async function startKeyValueStore(options: KeyValueStoreOptions = {}): Promise<KeyValueStore> {
  const kept = await openKept<Entries>(options.file, {})
  const emulator = await listen('keyvaluestore', wireServer(routesOf(kept)), options)
  return { ...emulator, get: (key) => (Object.hasOwn(kept.value, key) ? kept.value[key] : undefined) }
}

const STORE = '/key-value-stores/{arn}'

const routesOf = (kept: Kept<Entries>): WireRoutes => ({
  [`GET ${STORE}`]: ({ bound }) => ({
    body: { ...sizesOf(kept.value), KvsARN: bound['arn'], Created: 0, Status: 'READY' },
    headers: { etag: etagOf(kept.value) },
  }),
  [`GET ${STORE}/keys`]: (call) => ({ body: pageOf(kept.value, call) }),
  [`GET ${STORE}/keys/{key}`]: ({ bound: { key = '' } }) => ({
    body: { ...sizesOf(kept.value), Key: key, Value: entryOf(kept.value, key) },
  }),
  [`POST ${STORE}/keys`]: async (call) => {
    const next = changed(kept.value, call)
    await kept.keep(next)
    return { body: sizesOf(next), headers: { etag: etagOf(next) } }
  },
})

/** The entries after an update, which is applied completely or not at all. */
function changed(entries: Entries, call: WireCall): Entries {
  const { Puts = [], Deletes = [] } = jsonOf(call) as {
    readonly Puts?: readonly WireEntry[]
    readonly Deletes?: readonly Pick<WireEntry, 'Key'>[]
  }
  const condition = call.headers['if-match']
  if (condition === undefined) throw invalid('If-Match is missing')
  if (condition !== etagOf(entries)) throw new WireError(409, 'ConflictException', 'The ETag is not current')
  if (Puts.length + Deletes.length > UPDATE_KEYS) throw invalid(`an update has at most ${UPDATE_KEYS} keys`)
  for (const { Key, Value } of Puts) {
    if (Key === '' || Buffer.byteLength(Key) > KEY_BYTES) throw invalid(`a key has 1 to ${KEY_BYTES} bytes`)
    if (Buffer.byteLength(Value) > VALUE_BYTES) throw invalid(`a value has at most ${VALUE_BYTES} bytes`)
  }
  const next = new Map(Object.entries(entries))
  for (const { Key } of Deletes) {
    entryOf(entries, Key)
    next.delete(Key)
  }
  for (const { Key, Value } of Puts) next.set(Key, Value)
  const result = Object.fromEntries(next)
  if (sizesOf(result).TotalSizeInBytes <= STORE_BYTES) return result
  throw new WireError(402, 'ServiceQuotaExceededException', `a store has at most ${STORE_BYTES} bytes`)
}

function entryOf(entries: Entries, key: string): string {
  const value = Object.hasOwn(entries, key) ? entries[key] : undefined
  if (value === undefined) throw new WireError(404, 'ResourceNotFoundException', 'There is no such key')
  return value
}

function pageOf(entries: Entries, { query }: WireCall) {
  const after = query.get('NextToken') ?? ''
  const keys = Object.keys(entries).filter((key) => key > after)
  const page = keys.sort().slice(0, Math.min(LIST_MAX, Number(query.get('MaxResults') ?? LIST_MAX)))
  const Items = page.map((Key) => ({ Key, Value: entries[Key] }))
  return page.length < keys.length ? { Items, NextToken: page.at(-1) } : { Items }
}

const sizesOf = (entries: Entries) => ({
  ItemCount: Object.keys(entries).length,
  TotalSizeInBytes: Buffer.byteLength(Object.entries(entries).flat().join('')),
})

const etagOf = (entries: Entries): string =>
  createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 16)

const invalid = (message: string): WireError => new WireError(400, 'ValidationException', message)
