import { createHash } from 'node:crypto'
import { type Kept, openKept } from './kept-json.ts'
import { type Emulator, listen } from './listening.ts'
import { jsonOf, type WireCall, WireError, type WireRoutes, wireServer } from './rest-wire.ts'

/** A KeyValueStore of CloudFront, with the read operation for functions. */
export type KeyValueStore = Emulator & { get(key: string): string | undefined }

type Entries = Readonly<Record<string, string>>
type WireEntry = { readonly Key: string; readonly Value: string }

/** Limits of a value in bytes, and of the keys of an update or a page (CloudFront Developer Guide, "Quotas"). */
const VALUE_BYTES = 1_024
const KEYS_MAX = 50

/**
 * A KeyValueStore behind its data API: DescribeKeyValueStore, ListKeys, GetKey, UpdateKeys. Functions see writes
 * immediately. `file` keeps the entries; absent: in memory.
 */
export async function startKeyValueStore({ file }: { readonly file?: string } = {}): Promise<KeyValueStore> {
  const kept = await openKept<Entries>(file, {})
  const emulator = await listen('keyvaluestore', wireServer(routesOf(kept)))
  return { ...emulator, get: (key) => (Object.hasOwn(kept.value, key) ? kept.value[key] : undefined) }
}

const STORE = '/key-value-stores/{arn}'

const routesOf = (kept: Kept<Entries>): WireRoutes => ({
  [`GET ${STORE}`]: () => ({ headers: { etag: etagOf(kept.value) } }),
  [`GET ${STORE}/keys`]: (call) => ({ body: pageOf(kept.value, call) }),
  [`GET ${STORE}/keys/{key}`]: ({ bound: { key = '' } }) => ({
    body: { Key: key, Value: entryOf(kept.value, key) },
  }),
  [`POST ${STORE}/keys`]: async (call) => {
    const next = changed(kept.value, call)
    await kept.keep(next)
    return { headers: { etag: etagOf(next) } }
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
  if (Puts.length + Deletes.length > KEYS_MAX) throw invalid(`an update has at most ${KEYS_MAX} keys`)
  if (Puts.some(({ Value }) => Buffer.byteLength(Value) > VALUE_BYTES))
    throw invalid(`a value has at most ${VALUE_BYTES} bytes`)
  const next = new Map(Object.entries(entries))
  for (const { Key } of Deletes) {
    entryOf(entries, Key)
    next.delete(Key)
  }
  for (const { Key, Value } of Puts) next.set(Key, Value)
  return Object.fromEntries(next)
}

function entryOf(entries: Entries, key: string): string {
  const value = Object.hasOwn(entries, key) ? entries[key] : undefined
  if (value === undefined) throw new WireError(404, 'ResourceNotFoundException', 'There is no such key')
  return value
}

function pageOf(entries: Entries, { query }: WireCall) {
  const after = query.get('NextToken') ?? ''
  const keys = Object.keys(entries).filter((key) => key > after)
  const page = keys.sort().slice(0, KEYS_MAX)
  const Items = page.map((Key) => ({ Key, Value: entries[Key] }))
  return page.length < keys.length ? { Items, NextToken: page.at(-1) } : { Items }
}

const etagOf = (entries: Entries): string =>
  createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 16)

const invalid = (message: string): WireError => new WireError(400, 'ValidationException', message)
