/** Parts of a gzip body (RFC 1952) that can be concatenated incrementally: a decoder can deliver each block at once. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'

/** A checksum of bytes: their CRC-32 and their number. */
type Sum = { readonly crc: number; readonly length: number }

/** The checksum of no bytes. */
const NOTHING: Sum = { crc: 0, length: 0 }

/** The checksum after more bytes. */
const withBytes = ({ crc, length }: Sum, bytes: Buffer): Sum => ({
  crc: crc32(bytes, crc),
  length: length + bytes.length,
})

/**
 * The checksum after a part of another sequence, given that sequence's checksums before and after the part, without its
 * bytes. CRC is linear: `from` is removed from `to` in the same step that advances `own`.
 */
function withPart(own: Sum, { from, to }: { readonly from: Sum; readonly to: Sum }): Sum {
  const length = to.length - from.length
  return { crc: (movedOn(own.crc ^ from.crc, length) ^ to.crc) >>> 0, length: own.length + length }
}

/** The polynomial of CRC-32; as for all below, the lowest power is in the highest bit. */
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

/** x to the powers 1, 2, 4, …; they repeat after 32. */
const squares = [ONE >>> 1]
for (let power = ONE >>> 1; squares.length < 32; squares.push(power)) power = product(power, power)

/** Advances a checksum by a number of bytes. */
function movedOn(crc: number, bytes: number): number {
  let moved = crc
  for (let [left, at] = [bytes, BYTE_POWER]; left > 0; left = Math.floor(left / 2), at++) {
    if (left % 2 === 1) moved = product(squares[at % squares.length] ?? 0, moved)
  }
  return moved
}

/** Header of a gzip body: deflate, no name, no time, no system. */
const GZIP_HEAD: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Below this size deflating gains little, so blocks are stored. */
const DEFLATED_FROM = 256
/**
 * A full flush: no later block refers back into this one, so a body may begin before any block. A small window, because
 * initialising it is half of the cost of a lone swap.
 */
const deflating = { level: 6, windowBits: 13, memLevel: 6, finishFlush: constants.Z_FULL_FLUSH }
/** An empty stored block, at which a decoder delivers its output. deflateRawSync ends with one, too. */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff])

/** Bytes as non-final blocks of a body. */
function gzipBlock(bytes: Buffer): Buffer {
  if (bytes.length >= DEFLATED_FROM) return deflateRawSync(bytes, deflating)
  const head = Buffer.from([0, bytes.length, 0, ~bytes.length, 0xff])
  return Buffer.concat([head, bytes, FLUSH])
}

/** The final, empty block and the trailer. */
function gzipEnd({ crc, length }: Sum): Buffer {
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(crc, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  return end
}

type Deflated = { readonly plain: Buffer; readonly block: Buffer }

/** Cache size in bytes: the last minutes of a busy market, in the slices that replays send. */
const KEPT_BYTES = 4 * 1_024 * 1_024

/** By checksum. */
const recent = new LRUCache<number, Deflated>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ plain, block }) => plain.length + block.length,
})

/**
 * Bytes as blocks, as in gzipBlock, cached by checksum: readers that lost their connections together reconnect together,
 * at the same position.
 */
function recentBlock(bytes: Buffer): Buffer {
  if (bytes.length < DEFLATED_FROM) return gzipBlock(bytes)
  const crc = crc32(bytes)
  const known = recent.get(crc)
  // A checksum does not prove equality.
  if (known?.plain.equals(bytes)) return known.block
  // zlib returns a slice of a 16 KB buffer.
  const block = Buffer.from(new Uint8Array(gzipBlock(bytes)).buffer)
  recent.set(crc, { plain: bytes, block })
  return block
}

/** Blocks deflated once and sent to many readers, who may begin before any block. */
export class SharedGzip {
  #sum = NOTHING

  /** Checksum of all bytes so far. */
  get sum(): Sum {
    return this.#sum
  }

  /** Adds bytes for every following body. */
  block(bytes: Buffer): Buffer {
    this.#sum = withBytes(this.#sum, bytes)
    return gzipBlock(bytes)
  }
}

/** One reader's gzip body: own blocks, and from some time on shared ones, which cost nothing until the next own one. */
export class GzipBody {
  /** Checksum up to the last own block. */
  #sum = NOTHING
  #shared: SharedGzip | null = null
  /** Checksum of the shared blocks at the last own one. */
  #from = NOTHING

  /** Header of the body. */
  begin(bytes: Buffer): Buffer {
    return Buffer.concat([GZIP_HEAD, this.block(bytes)])
  }

  /** An own block; its bytes may be retained and must not change. */
  block(bytes: Buffer): Buffer {
    this.#settle()
    this.#sum = withBytes(this.#sum, bytes)
    return recentBlock(bytes)
  }

  /** From now on every shared block is included. */
  follow(shared: SharedGzip): void {
    this.#settle()
    this.#shared = shared
    this.#from = shared.sum
  }

  /** The final bytes and the trailer with the checksum of everything sent. */
  end(bytes: Buffer): Buffer {
    return Buffer.concat([this.block(bytes), gzipEnd(this.#sum)])
  }

  #settle(): void {
    if (!this.#shared) return
    const to = this.#shared.sum
    this.#sum = withPart(this.#sum, { from: this.#from, to })
    this.#from = to
  }
}

/** Names of gzip in Accept-Encoding; the second is an old alias (RFC 9110 §8.4.1.3). */
const names = ['gzip', 'x-gzip', '*']

/**
 * Whether an Accept-Encoding prefers gzip to plain bytes (RFC 9110 §12.5.3). Without the header plain bytes are sent; an
 * invalid weight excludes its coding.
 */
export function acceptsGzip(header = ''): boolean {
  const weights = new Map(header.split(',').map(weightOf))
  const [gzip = 0] = names.flatMap((name) => weights.get(name) ?? [])
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

function weightOf(part: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = part.toLowerCase().split(';')
  const [, text] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.join(';').trim()) ?? []
  return [coding.trim(), parameters.length === 0 ? 1 : Number(text ?? 0)]
}
