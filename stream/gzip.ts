/** The parts of a gzip body (RFC 1952) that can be put together as they come: each block is told to the reader at once. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'

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

/** What a body begins with: deflate, no name, no time, no system. */
const GZIP_HEAD: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Below so many bytes deflating gains little: they are stored. */
const DEFLATED_FROM = 256
/**
 * A full flush: nothing after the block refers into it, so a body may begin before any block. The window is no larger
 * than it pays: making it ready is half of what a lone swap costs.
 */
const deflating = { level: 6, windowBits: 13, memLevel: 6, finishFlush: constants.Z_FULL_FLUSH }
/** An empty stored block: there a decoder hands out what it has. deflateRawSync ends with it too. */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff])

/** Bytes as blocks of a body, of which none is the last. */
function gzipBlock(bytes: Buffer): Buffer {
  if (bytes.length >= DEFLATED_FROM) return deflateRawSync(bytes, deflating)
  const head = Buffer.from([0, bytes.length, 0, ~bytes.length, 0xff])
  return Buffer.concat([head, bytes, FLUSH])
}

/** The last block, an empty one, and what a body ends with. */
function gzipEnd({ crc, length }: Sum): Buffer {
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(crc, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  return end
}

type Deflated = { readonly plain: Buffer; readonly block: Buffer }

/** Bytes that are remembered: the last minutes of a busy market, in slices as replays send them. */
const KEPT_BYTES = 4 * 1_024 * 1_024

/** By checksum. */
const recent = new LRUCache<number, Deflated>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ plain, block }) => plain.length + block.length,
})

/**
 * Bytes as blocks, as gzipBlock makes them, deflated once while they are remembered: readers who lost their connections
 * together come back together, to the same place. `sum` is that of the bytes.
 */
function recentBlock(bytes: Buffer, { crc }: Sum): Buffer {
  if (bytes.length < DEFLATED_FROM) return gzipBlock(bytes)
  const known = recent.get(crc)
  // A checksum is no proof.
  if (known?.plain.equals(bytes)) return known.block
  // What zlib gives is the beginning of 16 KB.
  const block = Buffer.from(new Uint8Array(gzipBlock(bytes)).buffer)
  recent.set(crc, { plain: bytes, block })
  return block
}

/** Blocks that are deflated once and sent to many readers: any of them may begin before any block. */
export class SharedGzip {
  #sum = NOTHING

  /** Sum of all bytes so far. */
  get sum(): Sum {
    return this.#sum
  }

  /** The next bytes, for every body that follows. */
  block(bytes: Buffer): Buffer {
    this.#sum = withBytes(this.#sum, bytes)
    return gzipBlock(bytes)
  }
}

/** One reader's gzip body: blocks of its own, and from some time on shared ones, which cost it nothing until its next own one. */
export class GzipBody {
  /** Of all up to the last own block. */
  #sum = NOTHING
  #shared: SharedGzip | null = null
  /** Sum of the shared blocks up to the last own one. */
  #from = NOTHING

  /** The body's beginning. */
  begin(bytes: Buffer): Buffer {
    return Buffer.concat([GZIP_HEAD, this.block(bytes)])
  }

  /** A block of its own; its bytes may be kept, and must not change. */
  block(bytes: Buffer): Buffer {
    this.#settle()
    const sum = withBytes(NOTHING, bytes)
    this.#sum = withPart(this.#sum, { from: NOTHING, to: sum })
    return recentBlock(bytes, sum)
  }

  /** From now on every shared block is sent as well. */
  follow(shared: SharedGzip): void {
    this.#settle()
    this.#shared = shared
    this.#from = shared.sum
  }

  /** The last bytes, and the body's end: what was sent sums up to what it says. */
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

/** Names of gzip in Accept-Encoding; the second is the old one (RFC 9110 §8.4.1.3). */
const names = ['gzip', 'x-gzip', '*']

/**
 * Whether an Accept-Encoding asks for gzip, and not for plain bytes rather (RFC 9110 §12.5.3). Without the header plain
 * bytes are sent; a weight that is none refuses its coding.
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
