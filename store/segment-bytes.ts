import type { OwnerChange } from '../market/post-owners.ts'
import type { ReferenceTotals, RunningTotals } from '../market/running-totals.ts'
import type {
  Address,
  BalanceChange,
  Minute,
  References,
  Segment,
  SegmentRow,
  StateField,
  Swap,
  Token,
  TokenChange,
} from '../market/segment.ts'
import {
  blockShape,
  candleShape,
  ownerShape,
  rangesShape,
  referencesShape,
  stateNames,
  stateShape,
  swapFields,
  tokenShape,
} from './codec.ts'
import {
  type Fields,
  integer,
  type Json,
  listOf,
  mapOf,
  nullable,
  plain,
  recordOf,
  tupleOf,
} from './shape.ts'

const count = plain<number>()
const address = plain<Address>()

const totalsShape = recordOf<RunningTotals>({
  firstMinute: nullable(count),
  creators: count,
  posts: count,
  holders: count,
  volume: integer,
  buyVolume: integer,
  creatorVolume: integer,
  trades: count,
  buys: count,
  references: mapOf<Address, ReferenceTotals>(
    tupleOf<ReferenceTotals>({
      creatorCounted: integer,
      creatorPlain: integer,
      postCounted: integer,
      postPlain: integer,
      liquidity: integer,
    }),
  ),
})

const segmentShape = recordOf<Segment>({
  rules: count,
  minute: count,
  firstBlock: count,
  last: blockShape,
  tokens: listOf(recordOf<TokenChange>({ before: nullable(tokenShape), after: tokenShape })),
  rows: listOf(
    recordOf<SegmentRow>({
      token: address,
      description: tokenShape,
      before: stateShape,
      after: stateShape,
      rangesBefore: rangesShape,
      ranges: rangesShape,
      candle: nullable(candleShape),
    }),
  ),
  swaps: listOf(recordOf<Swap>(swapFields)),
  balances: listOf(
    tupleOf<BalanceChange>({ token: address, holder: address, before: integer, after: integer }),
  ),
  owners: listOf(recordOf<OwnerChange>({ owner: address, before: ownerShape, after: ownerShape })),
  totals: recordOf<Segment['totals']>({ before: totalsShape, after: totalsShape }),
  references: referencesShape,
  hooks: listOf(address),
  facts: count,
})

/** The bytes of a segment: JSON in UTF-8 with a fixed order of keys, so that equal segments have equal bytes and one digest. */
export const segmentBytes = (segment: Segment): Uint8Array =>
  Buffer.from(JSON.stringify(segmentShape.write(segment)))

/** The segment that `segmentBytes` wrote. */
export const segmentFrom = (bytes: Uint8Array): Segment =>
  segmentShape.read(JSON.parse(Buffer.from(bytes).toString()) as Json)

/** A token's numbers as a segment has them, amounts in decimal text: few of them are ever needed as numbers. */
export type StateText = { readonly [N in StateField]: string | number }

/** How a minute left what it touched: of a segment all that the snapshot engine takes in. */
export type SegmentCloses = {
  readonly minute: Minute
  readonly tokens: readonly { readonly after: Token }[]
  readonly rows: readonly { readonly token: Address; readonly after: StateText }[]
  readonly references: References
}

const stateTextShape = tupleOf<StateText>(
  Object.fromEntries(stateNames.map((name) => [name, plain<string | number>()])) as Fields<StateText>,
)

const closesShape = recordOf<SegmentCloses>({
  minute: count,
  tokens: listOf(recordOf<SegmentCloses['tokens'][number]>({ after: tokenShape })),
  rows: listOf(recordOf<SegmentCloses['rows'][number]>({ token: address, after: stateTextShape })),
  references: referencesShape,
})

// What closes need not is most of a segment, so it is cut before anything is parsed: swaps, balances, and of a row all but
// its token and how the minute left it. A quote within a text has a backslash before it, so no text contains a key.
const keys = { rows: ',"rows":[', swaps: ',"swaps":[', references: ',"references":[' } as const
const rowKeys = { token: '{"token":', after: ',"after":[' } as const

/** The closes of a segment that `segmentBytes` wrote: a tenth of the work of reading it whole. */
export function closesFrom(bytes: Uint8Array): SegmentCloses {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const swapsAt = buffer.indexOf(keys.swaps)
  const rowsAt = buffer.indexOf(keys.rows)
  const rows = cutRows(buffer.toString('latin1', rowsAt, swapsAt)) // addresses and numbers: no letter takes two bytes
  const rest = buffer.toString('utf8', buffer.lastIndexOf(keys.references))
  const text = `${buffer.toString('utf8', 0, rowsAt)}${keys.rows}${rows.join(',')}]${rest}`
  return closesShape.read(JSON.parse(text) as Json)
}

/** The rows' tokens and how the minute left them, each as JSON text. */
function cutRows(rows: string): readonly string[] {
  const cut: string[] = []
  for (let at = rows.indexOf(rowKeys.token); at >= 0; at = rows.indexOf(rowKeys.token, at + 1)) {
    const after = rows.indexOf(rowKeys.after, at)
    const token = rows.slice(at, rows.indexOf(',', at))
    cut.push(`${token}${rows.slice(after, rows.indexOf(']', after) + 1)}}`)
  }
  return cut
}
