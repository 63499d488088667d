import { createHash } from 'node:crypto'
import { type WireAnswer, type WireCall, WireError, type WireRoute, wireServer } from './json-wire.ts'
import { type Kept, openKept } from './kept-json.ts'
import { listen, type StandIn } from './listening.ts'

export type KeyValueStoreOptions = {
  readonly port?: number
  /** Where the entries are kept; none: in memory. */
  readonly file?: string
  /** How long after a write functions read the entry. @default 0 */
  readonly propagationMs?: number
}

/** A KeyValueStore of CloudFront, with the read that functions have. */
export type KeyValueStore = StandIn & { get(key: string): string | undefined }

type Entries = Readonly<Record<string, string>>
type Changes = { readonly puts: Entries; readonly deletes: readonly string[] }

/** Limits of a store (CloudFront Developer Guide, "Quotas"), in bytes, and of one update. */
const KEY_BYTES = 512
const VALUE_BYTES = 1_024
const STORE_BYTES = 5 * 1_024 * 1_024
const UPDATE_KEYS = 50
const LIST_MAX = 50

/** One KeyValueStore behind its data API. Its writes need the store's ETag in If-Match, as CloudFront's do. */
export async function startKeyValueStore(options: KeyValueStoreOptions = {}): Promise<KeyValueStore> {
  const kept = await openKept<Entries>(options.file, {})
  let seen: ReadonlyMap<string, string> = new Map(Object.entries(kept.value))
  const spread = () => {
    seen = new Map(Object.entries(kept.value))
  }
  const onWritten = () => {
    if (options.propagationMs) setTimeout(spread, options.propagationMs).unref()
    else spread()
  }
  const server = wireServer(routesOf(kept, onWritten))
  const standIn = await listen('keyvaluestore', server, options.port)
  return { ...standIn, get: (key) => seen.get(key) }
}

const STORE = '/key-value-stores/{arn}'

function routesOf(kept: Kept<Entries>, onWritten: () => void): readonly WireRoute[] {
  const write = async (call: WireCall, changes: Changes): Promise<WireAnswer> => {
    const next = changed(kept.value, call, changes)
    await kept.keep(next)
    onWritten()
    return { body: sizesOf(next), headers: { etag: etagOf(next) } }
  }
  const nameOf = ({ bound }: WireCall) => bound['key'] ?? ''
  return [
    {
      method: 'GET',
      path: STORE,
      answer: ({ bound }) => ({
        body: { ...sizesOf(kept.value), KvsARN: bound['arn'], Created: 0, Status: 'READY' },
        headers: { etag: etagOf(kept.value) },
      }),
    },
    { method: 'GET', path: `${STORE}/keys`, answer: (call) => ({ body: pageOf(kept.value, call) }) },
    {
      method: 'GET',
      path: `${STORE}/keys/{key}`,
      answer: (call) => ({
        body: { ...sizesOf(kept.value), Key: nameOf(call), Value: standingValue(kept.value, nameOf(call)) },
      }),
    },
    {
      method: 'PUT',
      path: `${STORE}/keys/{key}`,
      answer: (call) => write(call, { puts: { [nameOf(call)]: String(call.body['Value']) }, deletes: [] }),
    },
    {
      method: 'DELETE',
      path: `${STORE}/keys/{key}`,
      answer: (call) => write(call, { puts: {}, deletes: [nameOf(call)] }),
    },
    { method: 'POST', path: `${STORE}/keys`, answer: (call) => write(call, changesOf(call)) },
  ]
}

type WireEntry = { readonly Key: string; readonly Value: string }

function changesOf({ body }: WireCall): Changes {
  const puts = (body['Puts'] ?? []) as readonly WireEntry[]
  const deletes = (body['Deletes'] ?? []) as readonly Pick<WireEntry, 'Key'>[]
  if (puts.length + deletes.length > UPDATE_KEYS) throw invalid(`an update has at most ${UPDATE_KEYS} keys`)
  return {
    puts: Object.fromEntries(puts.map(({ Key, Value }) => [Key, Value])),
    deletes: deletes.map(({ Key }) => Key),
  }
}

/** The entries after a write: all of it, or an error and none of it. */
function changed(entries: Entries, { headers }: WireCall, { puts, deletes }: Changes): Entries {
  const condition = headers['if-match']
  if (condition === undefined) throw invalid('If-Match is missing')
  if (condition !== etagOf(entries)) throw new WireError(409, 'ConflictException', 'The ETag is not current')
  for (const [key, value] of Object.entries(puts)) {
    if (key === '' || Buffer.byteLength(key) > KEY_BYTES) throw invalid(`a key has 1 to ${KEY_BYTES} bytes`)
    if (Buffer.byteLength(value) > VALUE_BYTES) throw invalid(`a value has at most ${VALUE_BYTES} bytes`)
  }
  for (const key of deletes) standingValue(entries, key)
  const left = Object.entries(entries).filter(([key]) => !deletes.includes(key))
  const next = { ...Object.fromEntries(left), ...puts }
  if (sizesOf(next).TotalSizeInBytes > STORE_BYTES) {
    throw new WireError(402, 'ServiceQuotaExceededException', `a store has at most ${STORE_BYTES} bytes`)
  }
  return next
}

function standingValue(entries: Entries, key: string): string {
  const value = Object.hasOwn(entries, key) ? entries[key] : undefined
  if (value === undefined) throw new WireError(404, 'ResourceNotFoundException', 'There is no such key')
  return value
}

function pageOf(entries: Entries, { query }: WireCall) {
  const after = query.get('NextToken') ?? ''
  const keys = Object.keys(entries)
    .filter((key) => key > after)
    .sort()
  const page = keys.slice(0, Math.min(LIST_MAX, Number(query.get('MaxResults') ?? LIST_MAX)))
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
