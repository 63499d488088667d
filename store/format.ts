import type { Item } from './table.ts'

/**
 * Version of everything that is stored in a form of its own: the first byte of a segment, the attribute `v` of an item.
 * Readers know the version before as well, so that a new release may meet what an old one wrote. What a newer release wrote
 * they refuse: nobody goes on from what he cannot read.
 */
export const FORMAT_VERSION = 2

/** What version 1 wrote has no version: its segments begin with "{". */
const LEAST_TEXT_BYTE = 0x20

/** Bytes behind their version. */
export const versioned = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(FORMAT_VERSION), bytes])

/** The version of bytes, and what follows it. Throws NewerFormatError. */
export function unversioned(bytes: Uint8Array): { readonly version: number; readonly bytes: Buffer } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [first = LEAST_TEXT_BYTE] = buffer
  if (first >= LEAST_TEXT_BYTE) return { version: 1, bytes: buffer }
  return { version: readable(first), bytes: buffer.subarray(1) }
}

/** The version of an item. Throws NewerFormatError. */
export const versionOf = (item: Item): number => readable(Number(item['v'] ?? 1))

function readable(version: number): number {
  if (version > FORMAT_VERSION) throw new NewerFormatError(version)
  return version
}

/** A newer release wrote this. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError'
  constructor(version: number) {
    super(`this is of format ${version}, and this release reads up to ${FORMAT_VERSION}: run a newer one`)
  }
}
