/** The parts of a gzip body (RFC 1952) that can be put together as they come: each block is told to the reader at once. */
import { constants, deflateRawSync } from 'node:zlib'
import type { Sum } from './checksum.ts'

/** What a body begins with: deflate, no name, no time, no system. */
export const GZIP_HEAD: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Below so many bytes deflating gains little: they are stored. */
export const DEFLATED_FROM = 256
/**
 * A full flush: nothing after the block refers into it, so a body may begin before any block. The window is no larger
 * than it pays: making it ready is half of what a lone swap costs.
 */
const deflating = { level: 6, windowBits: 13, memLevel: 6, finishFlush: constants.Z_FULL_FLUSH }
/** An empty stored block: there a decoder hands out what it has. deflateRawSync ends with it too. */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff])

/** Bytes as blocks of a body, of which none is the last. */
export function gzipBlock(bytes: Buffer): Buffer {
  if (bytes.length >= DEFLATED_FROM) return deflateRawSync(bytes, deflating)
  const head = Buffer.from([0, bytes.length, 0, ~bytes.length, 0xff])
  return Buffer.concat([head, bytes, FLUSH])
}

/** The last block, an empty one, and what a body ends with. */
export function gzipEnd({ crc, length }: Sum): Buffer {
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(crc, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  return end
}
