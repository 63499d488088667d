import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Segment } from '../../market/segment.ts'
import { segmentBytes } from '../../store/segment-bytes.ts'
import type { Item } from '../../store/table.ts'

/** What the release before wrote. */

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/version-2/${name}`, import.meta.url))

/** A segment as it lay in the bucket, uncompressed. */
export const segmentOfVersion2 = (): Uint8Array => gunzipSync(fixture('segment.gz'))

type Stored = string | number | boolean | { readonly base64: string } | { readonly bigint: string }

const attributeOf = (stored: Stored) => {
  if (typeof stored !== 'object') return stored
  return 'base64' in stored ? new Uint8Array(Buffer.from(stored.base64, 'base64')) : BigInt(stored.bigint)
}

/** The items of the same minute, its entry of the log, and the feed's entry of its block. */
export const itemsOfVersion2 = (): readonly Item[] =>
  (JSON.parse(fixture('items.json').toString()) as Record<string, Stored>[]).map(
    (item) =>
      Object.fromEntries(Object.entries(item).map(([name, stored]) => [name, attributeOf(stored)])) as Item,
  )

type Row = { readonly before: readonly unknown[]; readonly after: readonly unknown[] }

/** Fields at the end of a state that version 2 did not have. */
const ADDED_FIELDS = 3

/** Bytes of a segment as version 2 wrote them: with shorter states. */
export function bytesOfVersion2(segment: Segment): Uint8Array {
  const [head, rows, ...rest] = Buffer.from(segmentBytes(segment)).subarray(1).toString().split('\n')
  const oldRows = (JSON.parse(rows as string) as readonly Row[]).map(({ before, after, ...row }) => ({
    ...row,
    before: before.slice(0, -ADDED_FIELDS),
    after: after.slice(0, -ADDED_FIELDS),
  }))
  return Buffer.concat([Buffer.of(2), Buffer.from([head, JSON.stringify(oldRows), ...rest].join('\n'))])
}
