import { LRUCache } from 'lru-cache'
import type { Sum } from './checksum.ts'
import { DEFLATED_FROM, gzipBlock } from './gzip.ts'

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
export function recentBlock(bytes: Buffer, { crc }: Sum): Buffer {
  if (bytes.length < DEFLATED_FROM) return gzipBlock(bytes)
  const known = recent.get(crc)
  // A checksum is no proof.
  if (known?.plain.equals(bytes)) return known.block
  const block = gzipBlock(bytes)
  recent.set(crc, { plain: bytes, block })
  return block
}
