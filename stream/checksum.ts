import { crc32 } from 'node:zlib'

/** What bytes sum up to: their CRC-32 and how many they are. */
export type Sum = { readonly crc: number; readonly length: number }

/** The sum of no bytes. */
export const NOTHING: Sum = { crc: 0, length: 0 }

/** The sum of what was summed up, and bytes after it. */
export const withBytes = ({ crc, length }: Sum, bytes: Buffer): Sum => ({
  crc: crc32(bytes, crc),
  length: length + bytes.length,
})

/**
 * The sum of what was summed up, and after it the part of another sequence that lies between two sums of that sequence,
 * whose bytes are not needed. A checksum is linear: `from` is taken out of `to` in the same step that moves `own` on.
 */
export function withPart(own: Sum, { from, to }: { readonly from: Sum; readonly to: Sum }): Sum {
  const length = to.length - from.length
  return { crc: (movedOn(own.crc ^ from.crc, length) ^ to.crc) >>> 0, length: own.length + length }
}

/** The polynomial of CRC-32, its lowest power in the highest bit, as are all of those below. */
const POLYNOMIAL = 0xedb88320
/** The power 0. */
const ONE = 0x80000000
/** Bits of a byte, as a power of two. */
const BYTE_POWER = 3

/** a × b modulo the polynomial. */
function product(a: number, b: number): number {
  let [sum, power] = [0, b]
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= power
    power = power & 1 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1
  }
  return sum
}

/** x to the powers 1, 2, 4, …; after 32 of them they come again. */
const squares = [ONE >>> 1]
for (let power = ONE >>> 1; squares.length < 32; squares.push(power)) power = product(power, power)

/** A checksum moved on by so many bytes: its share of the sum when they follow. */
function movedOn(crc: number, bytes: number): number {
  let moved = crc
  for (let [left, at] = [bytes, BYTE_POWER]; left > 0; left = Math.floor(left / 2), at++) {
    if (left % 2 === 1) moved = product(squares[at % squares.length] ?? 0, moved)
  }
  return moved
}
