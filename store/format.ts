import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { StoreFault } from './fault.ts'
import type { Item } from './table.ts'

/**
 * Version of all stored formats: the first byte of a segment, the attribute `v` of an item. Readers also know the
 * previous version, so that a new release can read what an old one wrote. They refuse anything newer.
 */
export const FORMAT_VERSION = 3

/** Bytes with the version in front. */
export const versioned = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(FORMAT_VERSION), bytes])

/** The bytes without the version. Throws NewerFormatError, OlderFormatError. */
export function unversioned(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  assertReadable(buffer.readUInt8())
  return buffer.subarray(1)
}

/** Throws NewerFormatError, OlderFormatError for an item that this release cannot read. */
export const assertReadableItem = (item: Item): void => assertReadable(Number(item['v'] ?? 1))

function assertReadable(version: number): void {
  const least = FORMAT_VERSION - 1
  // Version 1 had no version byte; its segments begin with "{".
  if (version === 1 || version === 0x7b)
    throw new StoreFault(
      'OlderFormatError',
      `this is of format 1, and this release reads from ${least} on: run the release before it first`,
    )
  if (version > FORMAT_VERSION)
    throw new StoreFault(
      'NewerFormatError',
      `this is of format ${version}, and this release reads up to ${FORMAT_VERSION}: run a newer one`,
    )
}

/** zlib allocates a buffer per chunk: with the default of 16 KB, a megabyte takes twice the CPU. */
const chunkSize = 256 * 1_024

const deflated = promisify(gzip)
const inflated = promisify(gunzip)

/** Gzips bytes; `level` 1 to 9. Returns a copy, because zlib returns a slice of a whole chunk. */
export const zip = async (bytes: Uint8Array, level?: number): Promise<Uint8Array> =>
  Buffer.from(await deflated(bytes, { chunkSize, ...(level === undefined ? {} : { level }) }))

/** Ungzips bytes. Rejects damaged ones. */
export const unzip = (bytes: Uint8Array): Promise<Uint8Array> => inflated(bytes, { chunkSize })
