import { crc32, inflateSync } from 'node:zlib'

/** A PNG as any reader takes it apart: its size, and the colour of each pixel. */
export type Pixels = {
  readonly width: number
  readonly height: number
  readonly colours: readonly number[]
  readonly at: (x: number, y: number) => number
}

/** Reads a PNG of one byte a pixel with a palette. Throws if a signature, checksum, length or filter is not as PNG has it. */
export function pixelsOf(png: Uint8Array): Pixels {
  const bytes = Buffer.from(png)
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== bytes.readUInt32BE(at + 8 + length))
      throw new Error(`${type}: checksum`)
    chunks.set(type, data)
    at += 12 + length
  }
  if ([...chunks.keys()].join() !== 'IHDR,PLTE,IDAT,IEND') throw new Error([...chunks.keys()].join())
  const [header, palette] = [chunks.get('IHDR')!, chunks.get('PLTE')!]
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header.toString('hex', 8) !== '0803000000') throw new Error('format')
  const rows = inflateSync(chunks.get('IDAT')!)
  if (rows.length !== (width + 1) * height) throw new Error('length')
  const colours = Array.from({ length: palette.length / 3 }, (_, at) => palette.readUIntBE(3 * at, 3))
  const at = (x: number, y: number): number => {
    const [filter, number] = [rows[y * (width + 1)], rows[y * (width + 1) + 1 + x]!]
    if (filter !== 0 || number >= colours.length) throw new Error(`row ${y}`)
    return colours[number]!
  }
  return { width, height, colours, at }
}

/** Whether two pictures differ within a part. */
export function differ(
  a: Pixels,
  b: Pixels,
  part: { left: number; top: number; right: number; bottom: number },
) {
  for (let y = part.top; y < part.bottom; y++)
    for (let x = part.left; x < part.right; x++) if (a.at(x, y) !== b.at(x, y)) return true
  return false
}
