import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Segment, stateFields } from '../../market/segment.ts'
import { segmentBytes } from '../../store/segment-bytes.ts'
import type { Item } from '../../store/table.ts'

/** What the release before wrote. */

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/version-1/${name}`, import.meta.url))

/** A segment as it lay in the bucket, uncompressed. */
export const segmentOfVersion1 = (): Uint8Array => gunzipSync(fixture('segment.json.gz'))

type Stored = string | number | boolean | { readonly base64: string } | { readonly bigint: string }

const attributeOf = (stored: Stored) => {
  if (typeof stored !== 'object') return stored
  return 'base64' in stored ? new Uint8Array(Buffer.from(stored.base64, 'base64')) : BigInt(stored.bigint)
}

/** The items of the same minute, its entry of the log, and the feed's entry of its block. */
export const itemsOfVersion1 = (): readonly Item[] =>
  (JSON.parse(fixture('items.json').toString()) as Record<string, Stored>[]).map(
    (item) =>
      Object.fromEntries(Object.entries(item).map(([name, stored]) => [name, attributeOf(stored)])) as Item,
  )

type Row = {
  readonly description: unknown
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}

/** Bytes of a segment as version 1 wrote them: one JSON object, without descriptions, owners, totals and the last swap. */
export function bytesOfVersion1(segment: Segment): Uint8Array {
  const [head, rows, swaps, balances] = Buffer.from(segmentBytes(segment))
    .subarray(1)
    .toString()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  const added = Object.keys(stateFields).indexOf('lastSwapMinute')
  const without = (state: readonly unknown[]) => state.filter((_, at) => at !== added)
  const oldRows = (rows as readonly Row[]).map(({ description: _, before, after, ...row }) => ({
    ...row,
    before: without(before),
    after: without(after),
  }))
  const { minute, firstBlock, last, tokens, references, hooks, facts } = head as Record<string, unknown>
  const old = { minute, firstBlock, last, tokens, rows: oldRows, swaps, balances, references, hooks, facts }
  return Buffer.from(JSON.stringify(old))
}
