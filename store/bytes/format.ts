import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { StoreFault } from '../aws/fault.ts'
import type { Item } from '../aws/table.ts'
import { FORMAT_VERSION } from '../aws/tables.ts'

/** Bytes with the version in front. */
export const versioned = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(FORMAT_VERSION), bytes])

/** The bytes of a text with the version in front: those of a long one are not copied. */
export const versionedText = (text: string): Uint8Array =>
  Buffer.from(String.fromCharCode(FORMAT_VERSION) + text)

/** The bytes without the version. Throws UnknownFormatError. */
export function unversioned(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  assertReadable(buffer.readUInt8())
  return buffer.subarray(1)
}

/** Throws UnknownFormatError for an item of another version. */
export const assertReadableItem = (item: Item): void => assertReadable(Number(item['v']))

function assertReadable(version: number): void {
  if (version === FORMAT_VERSION) return
  throw new StoreFault(
    'UnknownFormatError',
    `this has format ${version}, but this release reads format ${FORMAT_VERSION} only: run the release that wrote it, or begin anew (a run on this machine: delete its folder)`,
  )
}

/** zlib allocates a buffer per chunk: with the default of 16 KB, a megabyte takes twice the CPU. */
const chunkSize = 256 * 1_024

const deflated = promisify(gzip)
const inflated = promisify(gunzip)

/** Gzips bytes; `level` 1 to 9. Returns a copy, because zlib returns a slice of a whole chunk. */
export const zip = async (bytes: Uint8Array, level?: number): Promise<Uint8Array> =>
  Buffer.from(await deflated(bytes, { chunkSize, ...(level === undefined ? {} : { level }) }))

/** What is unpacked of the own objects, at most. */
const UNPACKED_BYTES = 512 * 1_024 * 1_024

/** Ungzips bytes. Rejects damaged ones, and those that have more than `most` bytes. */
export const unzip = (bytes: Uint8Array, most = UNPACKED_BYTES): Promise<Uint8Array> =>
  inflated(bytes, { chunkSize, maxOutputLength: most })
