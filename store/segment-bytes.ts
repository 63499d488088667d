import type { OwnerChange } from '../market/post-owners.ts'
import type { ReferenceTotals, RunningTotals } from '../market/running-totals.ts'
import type {
  Address,
  BalanceChange,
  MinuteRow,
  Segment,
  SegmentRow,
  Swap,
  TokenChange,
} from '../market/segment.ts'
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
import type { Fields } from './shape.ts'
import { integer, type Json, listOf, mapOf, nullable, plain, recordOf, tupleOf } from './shape.ts'

const count = plain<number>()
const address = plain<Address>()

/** Totals of the market. */
export const totalsShape = recordOf<RunningTotals>({
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

/** The first line of a segment: all that is not a row, a swap or a balance. */
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
 * The bytes of a segment: its version, then four lines of JSON in UTF-8, the head, the rows, the swaps and the balances, so that
 * who needs no swaps and balances, most of it, parses none. Keys have a fixed order: equal segments have equal bytes and one digest.
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

/** The segment that `segmentBytes` wrote. Throws NewerFormatError, OlderFormatError. */
export function segmentFrom(segment: Uint8Array): Segment {
  const [head = null, rows = [], swaps = [], balances = []] = linesOf(unversioned(segment), 4)
  return {
    ...headShape.read(head),
    rows: rowsShape.read(rows),
    swaps: swapsShape.read(swaps),
    balances: balancesShape.read(balances),
  }
}

/** What was active in a minute: of a segment all that the snapshot engine takes in. */
export type Activity = Pick<Segment, 'minute' | 'tokens' | 'owners' | 'totals' | 'references'> & {
  readonly rows: readonly Pick<SegmentRow, 'token' | 'description' | 'before' | 'after'>[]
}

/** A row that reads what a token was before and is called only where it is asked for: of tokens that come into the window. */
function activeRow(json: Json): Activity['rows'][number] {
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

/** What was active in the minute of a segment that `segmentBytes` wrote. Throws NewerFormatError, OlderFormatError. */
export function activityFrom(segment: Uint8Array): Activity {
  const [head = null, rows = []] = linesOf(unversioned(segment), 2)
  const { minute, tokens, owners, totals, references } = headShape.read(head)
  return {
    minute,
    tokens,
    owners,
    totals,
    references,
    rows: (rows as readonly Json[]).map(activeRow),
  }
}
