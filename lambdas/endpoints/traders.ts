import {
  joinedTraders,
  largestVolumeFirst,
  type TraderSums,
  traderOfSwap,
} from '../../market/board/traders.ts'
import { HOUR_SECONDS, hourOfMinute } from '../../market/calendar.ts'
import { coverageFrom, isImported } from '../../market/coverage.ts'
import { supplyPercentE4 } from '../../market/fold/holders.ts'
import type { Address, Minute, Token } from '../../market/segment.ts'
import { asOf, type Period, startOf } from '../../market/window.ts'
import { type TraderRow, traderSumFields, tradersFields } from '../../schemas/records/wallets.ts'
import { rowWriter, sortKeys } from '../../schemas/values/field.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { readHourTraders, TRADERS_ROUND_UNITS } from '../../store/items/hour-traders.ts'
import { MovedOnError, type ReadableMinute, readApplied } from '../../store/log/applied-read.ts'
import {
  type ApiEndpoint,
  answerAt,
  type EndpointRequest,
  numberOf,
  type ReadStores,
} from '../api/endpoint.ts'
import { readBudget, withAllReadsCounted } from '../api/read-budget.ts'
import { readerOf, readToken, type TokenReader } from './token.ts'

/** Swaps read of the minutes of an hour that is not whole in the period, newest first; a minute more than it has. */
const EDGE = { limit: 500, rows: 61 } as const
/** What they cost at most where they are old, in read units. */
const EDGE_UNITS = 30

const write = rowWriter(tradersFields)

/** GET /v1/tokens/{id}/traders: by whole hours as they were summed, and by minutes at both ends. */
export const traders: ApiEndpoint = async (asked, allStores) => {
  const { at, value } = await readApplied(allStores.log, async (now) => {
    const { stores, units } = withAllReadsCounted(allStores)
    const reader = readerOf(stores)
    const token = await readToken(reader, asked.id, now)
    const [limit, offset] = [numberOf(asked, 'limit'), numberOf(asked, 'offset')]
    const period = asked.query['timeframe'] as Period
    const start = startOf(now.minute, period)
    const mayCost = (more: number) => units() + more + limit / 2 <= readBudget.units
    const from = Math.max(start, coverageFrom(token) ?? 0)
    const found = await readParts({ reader, stores, mayCost }, token, { from, now })
    const ranked = [...joinedTraders(found.parts).values()].sort(largestVolumeFirst)
    const page = orderedBy(asked, ranked).slice(offset, offset + limit)
    const held = await readBalances(stores, token.address, { traders: page, now })
    const { supply } = await reader.history.stateAt(token.address, now.minute)
    const ranks = new Map(ranked.map((each, at) => [each, at + 1]))
    const rows = page.map((each, index): TraderRow => {
      const balance = held.get(each.trader) ?? (isImported(token) ? null : 0n)
      const place = { rank: ranks.get(each) ?? 0, position: offset + index + 1 }
      return { ...each, ...place, balance, percentE4: balance && supplyPercentE4(balance, supply) }
    })
    return {
      token: token.address,
      period,
      from: found.from,
      asOf: asOf(now.minute),
      isWhole: found.from === start,
      traders: ranked,
      offset,
      next: offset + limit < ranked.length ? offset + limit : null,
      rows,
    }
  })
  return answerAt(at, { text: write(value) })
}

type Reading = {
  readonly reader: TokenReader
  readonly stores: ReadStores
  /** Whether the answer may cost this many read units more. */
  readonly mayCost: (units: number) => boolean
}

/** Parts of the traders' sums since `from` (Unix seconds). */
type Parts = { readonly from: number; readonly parts: readonly TraderSums[] }

/** What was traded since a time, newest first, as far back as one answer may read. */
async function readParts(
  { reader, stores, mayCost }: Reading,
  { address }: Token,
  { from, now }: { readonly from: number; readonly now: ReadableMinute },
): Promise<Parts> {
  const [first, open] = [Math.floor(from / 60), hourOfMinute(now.minute)]
  const edge = { from: Math.max(first, open * 60), to: now.minute }
  const newest = await readEdge(reader, address, edge)
  if (newest.from > edge.from * 60 || first >= open * 60)
    return { ...newest, from: Math.max(from, newest.from) }
  const parts = [...newest.parts]
  const whole = { first: Math.ceil(first / 60), last: open - 1 }
  let reached = open
  for await (const round of whole.first < open ? readHourTraders(stores, address, whole) : []) {
    parts.push(...round.traders)
    reached = round.from
    if (reached > whole.first && !mayCost(TRADERS_ROUND_UNITS)) return { parts, from: reached * HOUR_SECONDS }
  }
  if (first === reached * 60) return { parts, from }
  if (!mayCost(EDGE_UNITS)) return { parts, from: reached * HOUR_SECONDS }
  const oldest = await readEdge(reader, address, { from: first, to: reached * 60 - 1 })
  return { parts: [...parts, ...oldest.parts], from: Math.max(from, oldest.from) }
}

/** The same from the minutes of an hour; a minute that could not be read whole is left out. */
async function readEdge(
  { history }: TokenReader,
  token: Address,
  span: { readonly from: Minute; readonly to: Minute },
): Promise<Parts> {
  const before = { place: null, seconds: Number.POSITIVE_INFINITY }
  const { swaps, isCut } = await history.newestSwaps(token, { ...span, ...EDGE, before })
  const last = swaps.at(-1)
  const from = isCut && last ? Math.floor(last.timestamp / 60) + 1 : span.from
  const whole = swaps.filter(({ timestamp }) => timestamp >= from * 60)
  return { from: from * 60, parts: whole.map(traderOfSwap) }
}

/** Traders in the order asked for, by what is printed; equal ones stay in the order of the list. */
function orderedBy({ query }: EndpointRequest, ranked: readonly TraderSums[]): readonly TraderSums[] {
  const key = sortKeys(traderSumFields)[query['sort_by'] ?? ''] ?? ''
  const sign = query['sort_order'] === 'asc' ? 1 : -1
  const printed = new Map(ranked.map((each) => [each, Number(traderSumFields[key]?.write(each))]))
  return ranked.toSorted((a, b) => sign * ((printed.get(a) ?? 0) - (printed.get(b) ?? 0)))
}

/** What traders hold now. Throws MovedOnError if a later minute has changed it. */
async function readBalances(
  { past }: ReadStores,
  token: Address,
  { traders, now }: { readonly traders: readonly TraderSums[]; readonly now: ReadableMinute },
): Promise<ReadonlyMap<Address, bigint>> {
  const keys = new Map(traders.map(({ trader }) => [marketKeys.balance(token, trader).sk, trader]))
  const balances = traders.map(({ trader }) => marketKeys.balance(token, trader))
  const items = await past.readMany(balances, { withTombs: true })
  if (items.some(({ pos }) => Number(pos ?? 0) > now.n)) throw new MovedOnError()
  // Sold, or what has no balance: 0.
  return new Map(
    items.map(({ sk, balance = 0 }) => [keys.get(sk) as Address, BigInt(String(balance))] as const),
  )
}
