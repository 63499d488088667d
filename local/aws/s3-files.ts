import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Metadata of an object. `headers` are returned as sent, names in lower case; `modified` is Unix ms. */
export type ObjectRecord = {
  readonly key: string
  readonly etag: string
  readonly size: number
  readonly modified: number
  readonly headers: Readonly<Record<string, string>>
}

type NewObject = { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> }

export type FileObject = { readonly record: ObjectRecord; readonly bytes: Buffer }

/** Decides, under the key's lock, whether a write may replace the current object; throws to refuse. */
export type Guard = (existing: ObjectRecord | undefined) => void

/** A bucket: records in memory, bytes on disk. */
export type BucketFiles = {
  /** Records of the keys with a prefix and after `after`, in the order of their UTF-8 bytes, as S3 lists them. */
  list(prefix: string, after: string): readonly ObjectRecord[]
  /** Record and bytes of the same write, even while it is being replaced. */
  read(key: string): Promise<FileObject | undefined>
  put(key: string, object: NewObject, guard: Guard): Promise<ObjectRecord>
  remove(key: string): Promise<void>
}

export type ObjectFiles = {
  bucket(name: string): BucketFiles | undefined
  create(name: string): Promise<void>
}

/** A record is at most this long in its file: user metadata ≤ 2 KB, a key ≤ 1 KB, headers of the HTTP server's limit of 16 KB. */
const RECORD_LIMIT = 64 * 1024
const TEMPORARY = '.new-'

/**
 * Buckets as folders of `dir`. An object is one file, named by the sha256 of its key: a line of JSON (its record), then its bytes.
 * A write is a temporary file renamed into place, so a reader or a crash sees the old object or the new one, whole.
 */
export async function openStorage(dir: string): Promise<ObjectFiles> {
  await mkdir(dir, { recursive: true })
  const buckets = new Map<string, BucketFiles>()
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) buckets.set(entry.name, await openBucketFiles(join(dir, entry.name)))
  }
  return {
    bucket: (name) => buckets.get(name),
    async create(name) {
      if (buckets.has(name)) return
      await mkdir(join(dir, name), { recursive: true })
      buckets.set(name, await openBucketFiles(join(dir, name)))
    },
  }
}

async function openBucketFiles(folder: string): Promise<BucketFiles> {
  const records = await readRecords(folder)
  const lock = keyLock()
  const path = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'))
  return {
    list: (prefix, after) =>
      [...records.values()]
        .filter(({ key }) => key.startsWith(prefix) && compareUtf8(key, after) > 0)
        .sort((a, b) => compareUtf8(a.key, b.key)),
    read: async (key) => (records.has(key) ? readObject(path(key)) : undefined),
    put: (key, object, guard) =>
      lock(key, async () => {
        guard(records.get(key))
        const record = recordOf(key, object)
        await writeObject(folder, path(key), record, object.bytes)
        records.set(key, record)
        return record
      }),
    remove: (key) =>
      lock(key, async () => {
        if (records.delete(key)) await rm(path(key), { force: true })
      }),
  }
}

/** Serialises the writes of a key, so that a guard and its write are atomic. */
function keyLock(): <T>(key: string, step: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>()
  return (key, step) => {
    const done = (tails.get(key) ?? Promise.resolve()).then(step, step)
    tails.set(key, done)
    const forget = () => tails.get(key) === done && tails.delete(key)
    done.then(forget, forget)
    return done
  }
}

function recordOf(key: string, object: NewObject): ObjectRecord {
  const etag = `"${createHash('md5').update(object.bytes).digest('hex')}"`
  return { key, etag, size: object.bytes.length, modified: Date.now(), headers: object.headers }
}

let temporaries = 0

async function writeObject(folder: string, path: string, record: ObjectRecord, bytes: Buffer): Promise<void> {
  temporaries += 1
  const temporary = join(folder, `${TEMPORARY}${process.pid}-${temporaries}`)
  await writeFile(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(record)}\n`), bytes]))
  await rename(temporary, path)
}

async function readObject(path: string): Promise<FileObject | undefined> {
  const file = await readFile(path).catch(unlessMissing)
  if (file === undefined) return undefined
  const end = file.indexOf('\n')
  return { record: JSON.parse(file.toString('utf8', 0, end)), bytes: file.subarray(end + 1) }
}

/** Removed after its record was read. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function readRecords(folder: string): Promise<Map<string, ObjectRecord>> {
  const records = new Map<string, ObjectRecord>()
  const head = Buffer.alloc(RECORD_LIMIT)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (name.startsWith(TEMPORARY)) await rm(path)
    else {
      const record = readRecord(path, head)
      records.set(record.key, record)
    }
  }
  return records
}

function readRecord(path: string, head: Buffer): ObjectRecord {
  const file = openSync(path, 'r')
  const length = readSync(file, head, 0, head.length, 0)
  closeSync(file)
  return JSON.parse(head.toString('utf8', 0, head.subarray(0, length).indexOf('\n')))
}

function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
