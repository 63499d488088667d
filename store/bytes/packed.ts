/** Records of integers in as few bytes as their values need. */

import { StoreFault } from '../aws/fault.ts'

/** How a value is written and read. */
export type Codec<V, Kept> = { readonly write: (value: V) => Kept; readonly read: (kept: Kept) => V }

/** The constructor of each field of a record of integers, in order. */
export type Numbers<V> = { readonly [N in keyof V]-?: (value: bigint) => V[N] }
/** A record of integers. */
type Whole<V> = { readonly [N in keyof V]: number | bigint }

/** Records of integers in as few bytes as their values need. Reading throws UnreadableBytesError for bytes of other fields. */
export function packedList<V extends Whole<V>>(fields: Numbers<V>): Codec<readonly V[], Uint8Array> {
  const entries = Object.entries(fields) as [keyof V & string, Numbers<V>[keyof V & string]][]
  const width = entries.length
  return {
    write: (records) =>
      integerBytes(records.flatMap((record) => entries.map(([name]) => BigInt(record[name])))),
    read: (bytes) => {
      const values = integersFrom(bytes)
      if (values.length % width !== 0) throw unreadable(values.length, width)
      return Array.from({ length: values.length / width }, (_, at) => {
        const record: Partial<V> = {}
        for (const [field, [name, made]] of entries.entries())
          record[name] = made(values[at * width + field] ?? 0n)
        return record as V
      })
    },
  }
}

/** The same for one record. */
export function packed<V extends Whole<V>>(fields: Numbers<V>): Codec<V, Uint8Array> {
  const list = packedList(fields)
  return {
    write: (record) => list.write([record]),
    read: (bytes) => {
      const [record] = list.read(bytes)
      if (!record) throw unreadable(0, Object.keys(fields).length)
      return record
    },
  }
}

/** The bytes have other fields than this version writes; they must be written again from the log. */
const unreadable = (found: number, width: number) =>
  new StoreFault('UnreadableBytesError', `found ${found} values where ${width} a record are written`)

/**
 * Integers of any size and sign (below 2^2039): a length byte, then the magnitude, most significant byte first, with the
 * sign folded into the lowest bit.
 */
function integerBytes(values: readonly bigint[]): Uint8Array {
  let text = ''
  for (const value of values) {
    const unsigned = value < 0n ? -2n * value - 1n : 2n * value
    const hex = unsigned === 0n ? '' : unsigned.toString(16)
    const magnitude = hex.length % 2 ? `0${hex}` : hex
    text += `${hexOfByte[magnitude.length / 2]}${magnitude}`
  }
  return Buffer.from(text, 'hex')
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function integersFrom(bytes: Uint8Array): bigint[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const values: bigint[] = []
  for (let at = 0; at < buffer.length; ) {
    const length = buffer[at] ?? 0
    const end = at + 1 + length
    // Most values fit a number; reading them as text takes three times as long.
    const isShort = length > 0 && length <= 6
    const unsigned = isShort
      ? BigInt(buffer.readUIntBE(at + 1, length))
      : BigInt(`0x0${buffer.toString('hex', at + 1, end)}`)
    values.push(unsigned & 1n ? -(unsigned >> 1n) - 1n : unsigned >> 1n)
    at = end
  }
  return values
}

/** Numbers of a record, and the record of the same numbers. */
type Columns<V> = {
  readonly numbersOf: (value: V) => readonly bigint[]
  readonly from: (values: readonly bigint[]) => V
}

/** Records of as many numbers each, each number as the difference from that of the record before. */
export function growing<V>(width: number, { numbersOf, from }: Columns<V>): Codec<readonly V[], Uint8Array> {
  return {
    write: (records) => {
      const values = records.flatMap(numbersOf)
      return integerBytes(values.map((value, at) => value - (values[at - width] ?? 0n)))
    },
    read: (bytes) => {
      const values = integersFrom(bytes)
      if (values.length % width !== 0) throw unreadable(values.length, width)
      values.forEach((value, at) => {
        values[at] = value + (values[at - width] ?? 0n)
      })
      return Array.from({ length: values.length / width }, (_, at) =>
        from(values.slice(width * at, width * (at + 1))),
      )
    },
  }
}
