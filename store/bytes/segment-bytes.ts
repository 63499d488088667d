import type {
  Address,
  BalanceChange,
  MinuteRow,
  OwnerChange,
  ReferenceTotals,
  RunningTotals,
  Segment,
  SegmentRow,
  Swap,
  TokenChange,
} from '../../market/segment.ts'
import {
  blockShape,
  candleShape,
  ownerShape,
  rangesShape,
  referencesShape,
  stateShape,
  swapShapes,
  tokenShape,
} from './codec.ts'
import { unversioned, versioned } from './format.ts'
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

/** Totals of the market. */
export const totalsShape = recordOf<RunningTotals>({
  coverageFrom: nullable(count),
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

const changesShape = listOf(recordOf<TokenChange>({ before: nullable(tokenShape), after: tokenShape }))

/** The first line of a segment: everything but rows, swaps and balances. */
type Head = Omit<Segment, 'rows' | 'swaps' | 'balances'>

const headShape = recordOf<Head>({
  rules: count,
  minute: count,
  firstBlock: count,
  last: blockShape,
  tokens: changesShape,
  owners: listOf(recordOf<OwnerChange>({ owner: address, before: ownerShape, after: ownerShape })),
  totals: recordOf<Segment['totals']>({ before: totalsShape, after: totalsShape }),
  references: referencesShape,
  hooks: listOf(address),
  facts: count,
})

const rowFields: Fields<MinuteRow> = {
  token: address,
  before: stateShape,
  after: stateShape,
  rangesBefore: rangesShape,
  ranges: rangesShape,
  candle: nullable(candleShape),
}
const rowsShape = listOf(recordOf<SegmentRow>({ ...rowFields, description: tokenShape }))
const swapsShape = listOf(recordOf<Swap>(swapShapes))
const balancesShape = listOf(
  tupleOf<BalanceChange>({ token: address, holder: address, before: integer, after: integer }),
)

/**
 * The bytes of a segment: its version, then four lines of JSON in UTF-8: head, rows, swaps, balances. A reader that does
 * not need swaps and balances, most of the bytes, does not parse them. Keys are in a fixed order, so equal segments have
 * equal bytes and one digest.
 */
export function segmentBytes(segment: Segment): Uint8Array {
  const { rows, swaps, balances } = segment
  const lines = [
    headShape.write(segment),
    rowsShape.write(rows),
    swapsShape.write(swaps),
    balancesShape.write(balances),
  ]
  return versioned(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')))
}

/** The first lines of a segment, parsed. */
function linesOf(text: Buffer, wanted: 2 | 4): readonly Json[] {
  const lines: Json[] = []
  for (let from = 0; lines.length < wanted; ) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    lines.push(JSON.parse(text.toString('utf8', from, to)) as Json)
    from = to + 1
  }
  return lines
}

/** The segment that `segmentBytes` wrote. Throws UnknownFormatError. */
export function segmentFrom(segment: Uint8Array): Segment {
  const [head = null, rows = [], swaps = [], balances = []] = linesOf(unversioned(segment), 4)
  return {
    ...headShape.read(head),
    rows: rowsShape.read(rows),
    swaps: swapsShape.read(swaps),
    balances: balancesShape.read(balances),
  }
}

/** The part of a segment that the snapshot engine needs. */
export type SegmentStates = Pick<Segment, 'minute' | 'tokens' | 'owners' | 'totals' | 'references'> & {
  readonly rows: readonly Pick<SegmentRow, 'token' | 'description' | 'before' | 'after'>[]
}

/** A row that parses the token's state before it only on request: for tokens that enter the window. */
function activeRow(json: Json): SegmentStates['rows'][number] {
  const { token = null, after = null, before = null, description = null } = json as { [name: string]: Json }
  return {
    token: address.read(token),
    after: stateShape.read(after),
    get before() {
      return stateShape.read(before)
    },
    get description() {
      return tokenShape.read(description)
    },
  }
}

/** Reads that part of a segment. Throws UnknownFormatError. */
export function segmentStatesFrom(segment: Uint8Array): SegmentStates {
  const [head = null, rows = []] = linesOf(unversioned(segment), 2)
  const { minute, tokens, owners, totals, references } = headShape.read(head)
  return { minute, tokens, owners, totals, references, rows: (rows as readonly Json[]).map(activeRow) }
}
