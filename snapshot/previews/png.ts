import { crc32, deflateSync } from 'node:zlib'
import { PREVIEW_SIZE } from '../../schemas/pages/previews.ts'
import type { Raster } from './canvas.ts'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Eight bits a pixel, which number a colour of the palette; the rest has one value each (PNG, 11.2.2). */
const FORMAT = [8, 3, 0, 0, 0]
/** The filter None: numbers of colours have no order that another one could use (PNG, 12.7). */
const NONE = 0

/** A PNG of PREVIEW_SIZE. */
export function pngOf({ pixels, palette }: Raster): Uint8Array {
  const { width, height } = PREVIEW_SIZE
  const header = Buffer.alloc(8 + FORMAT.length)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(FORMAT, 8)
  const rows = Buffer.alloc((width + 1) * height, NONE)
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Length, type, data and checksum (PNG, 5.3). */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
