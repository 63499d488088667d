import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

// zlib makes a buffer for every chunk that it gives and joins them in the end. In a loop of its own a megabyte took seven
// times the CPU in chunks of 16 KB, as they are by default, that it took in one.

const LEAST_CHUNK = 16 * 1_024
const LARGEST_CHUNK = 64 * 1_024 * 1_024
/** What comes out may be so many times smaller, mostly. */
const USUAL_GAIN = 8
/** The last four bytes say how long the whole is (RFC 1952); a damaged one may say anything. */
const LENGTH_BYTES = 4

const chunkOf = (bytes: number): number => Math.min(LARGEST_CHUNK, Math.max(LEAST_CHUNK, Math.ceil(bytes)))

const deflated = promisify(gzip)
const inflated = promisify(gunzip)

/** Bytes as gzip; `level` as zlib has them, 1 to 9. */
export const zip = (bytes: Uint8Array, level?: number): Promise<Uint8Array> =>
  deflated(bytes, {
    chunkSize: chunkOf(bytes.length / USUAL_GAIN),
    ...(level === undefined ? {} : { level }),
  })

/** The bytes that `zip` was given. Rejects when these are damaged. */
export function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { buffer, byteOffset, length } = bytes
  const told =
    length < LENGTH_BYTES ? 0 : new DataView(buffer, byteOffset).getUint32(length - LENGTH_BYTES, true)
  // One byte more: a chunk that is full is followed by another.
  return inflated(bytes, { chunkSize: chunkOf(told + 1) })
}
