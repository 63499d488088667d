import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { StoreFault } from './fault.ts'
import type { Item } from './table.ts'

/**
 * Version of everything that is stored in a form of its own: the first byte of a segment, the attribute `v` of an item.
 * Readers know the version before as well, so that a new release may meet what an old one wrote. What a newer release wrote
 * they refuse: nobody goes on from what he cannot read.
 */
export const FORMAT_VERSION = 3

/** Bytes behind their version. */
export const versioned = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(FORMAT_VERSION), bytes])

/** What `versioned` put behind a version. Throws NewerFormatError, OlderFormatError. */
export function unversioned(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  assertReadable(buffer.readUInt8())
  return buffer.subarray(1)
}

/** Throws NewerFormatError, OlderFormatError for an item that this release does not read. */
export const assertReadableItem = (item: Item): void => assertReadable(Number(item['v'] ?? 1))

function assertReadable(version: number): void {
  const least = FORMAT_VERSION - 1
  // Version 1 wrote none: its segments begin with "{".
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

/** zlib makes a buffer for every chunk that it gives: in chunks of 16 KB, as they are by default, a megabyte takes twice the CPU. */
const chunkSize = 256 * 1_024

const deflated = promisify(gzip)
const inflated = promisify(gunzip)

/** Bytes as gzip; `level` as zlib has them, 1 to 9. A copy: zlib gives the beginning of a whole chunk. */
export const zip = async (bytes: Uint8Array, level?: number): Promise<Uint8Array> =>
  Buffer.from(await deflated(bytes, { chunkSize, ...(level === undefined ? {} : { level }) }))

/** The bytes that `zip` was given. Rejects when these are damaged. */
export const unzip = (bytes: Uint8Array): Promise<Uint8Array> => inflated(bytes, { chunkSize })
