import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DamagedFileError } from './damaged-file.ts'
import { openQueue } from './queue.ts'

/** Metadata of an object. `headers` are returned as sent, names in lower case; `modified` is Unix ms. */
export type ObjectRecord = {
  readonly key: string
  readonly etag: string
  readonly size: number
  readonly modified: number
  readonly headers: Readonly<Record<string, string>>
}

export type FileObject = { readonly record: ObjectRecord; readonly bytes: Buffer }

/** A bucket: records in memory, bytes on disk. */
export type BucketFiles = {
  /** Records of the keys with a prefix and after `after`, in key order. */
  list(prefix: string, after: string): readonly ObjectRecord[]
  /** Record and bytes of the same write, even while it is being replaced. */
  read(key: string): Promise<FileObject | undefined>
  /** `guard` decides whether the write may replace the current object; it throws to refuse. */
  put(
    key: string,
    object: Pick<FileObject, 'bytes'> & Pick<ObjectRecord, 'headers'>,
    guard: (existing: ObjectRecord | undefined) => void,
  ): Promise<ObjectRecord>
  remove(key: string): Promise<void>
}

/** A record is at most this long in its file: user metadata ≤ 2 KB, a key ≤ 1 KB, headers of the HTTP server's limit of 16 KB. */
const RECORD_LIMIT = 64 * 1024
const TEMPORARY = '.new-'

/**
 * A bucket in a folder, created if missing. An object is one file, named by the sha256 of its key: a line of JSON (its record), then its
 * bytes. Throws DamagedFileError for any other file, and `read` for bytes that differ from their ETag. A write is a temporary file renamed into place, so a reader or a crash sees the old object or the new one, whole.
 */
export async function openBucketFiles(folder: string): Promise<BucketFiles> {
  await mkdir(folder, { recursive: true })
  const records = await readRecords(folder)
  const inTurn = openQueue()
  const path = (key: string) => join(folder, fileName(key))
  return {
    list: (prefix, after) =>
      [...records.values()]
        .filter(({ key }) => key.startsWith(prefix) && key > after)
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
    read: async (key) => (records.has(key) ? readObject(path(key)) : undefined),
    put: (key, { bytes, headers }, guard) =>
      inTurn(async () => {
        guard(records.get(key))
        const record = { key, etag: etagOf(bytes), size: bytes.length, modified: Date.now(), headers }
        const temporary = join(folder, `${TEMPORARY}${process.pid}`)
        await writeFile(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(record)}\n`), bytes]))
        await rename(temporary, path(key))
        records.set(key, record)
        return record
      }),
    remove: (key) =>
      inTurn(async () => {
        if (records.delete(key)) await rm(path(key), { force: true })
      }),
  }
}

async function readObject(path: string): Promise<FileObject | undefined> {
  const file = await readFile(path).catch(unlessMissing)
  if (file === undefined) return undefined
  const end = file.indexOf('\n')
  const record = recordIn(file.subarray(0, end), path)
  const bytes = file.subarray(end + 1)
  if (record.etag !== etagOf(bytes))
    throw new DamagedFileError(path, `damaged: the bytes of ${record.key} are not those of its ETag`)
  return { record, bytes }
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`

/** The record in the first line of a file. Throws DamagedFileError. */
function recordIn(line: Buffer, path: string): ObjectRecord {
  try {
    const record = JSON.parse(line.toString('utf8')) as ObjectRecord
    if (basename(path) === fileName(record.key)) return record
  } catch {
    // Named below.
  }
  throw new DamagedFileError(path, 'not an object of this bucket')
}

const fileName = (key: string) => createHash('sha256').update(key).digest('hex')

/** Removed after its record was read. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function readRecords(folder: string): Promise<Map<string, ObjectRecord>> {
  const records = new Map<string, ObjectRecord>()
  const head = Buffer.alloc(RECORD_LIMIT)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith(TEMPORARY)) await rm(path)
    else if (!entry.isFile()) throw new DamagedFileError(path, 'not an object of this bucket')
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
  const end = head.subarray(0, length).indexOf('\n')
  return recordIn(head.subarray(0, Math.max(0, end)), path)
}
