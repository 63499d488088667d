/** What the archive's sets are made of: rows of a sealed minute, and what a day or hour did to each token. */
import { type Slot, slotFrom } from '../market/board/candles.ts'
import { pointsOf } from '../market/board/price-points.ts'
import type { PathState } from '../market/board/token-page.ts'
import { isImported } from '../market/coverage.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from '../market/rules.ts'
import type { Address, Minute, References, Segment, SegmentRow, TokenState } from '../market/segment.ts'
import type { ArchivedCandle, ArchivedLaunch, TokenOfSpan } from '../schemas/records/archive-sets.ts'
import type { SwapLine } from '../schemas/records/swap.ts'

/** A sealed minute, and the reference rates before it. */
export type ArchiveMinute = { readonly segment: Segment; readonly ratesBefore: References }

/** The swaps of a minute; names of tokens are not archived with them. */
export const swapsIn = ({ segment: { swaps, references } }: ArchiveMinute): readonly SwapLine[] =>
  swaps.map((swap) => ({
    swap,
    token: { address: swap.token, decimals: TOKEN_DECIMALS, ...unnamed },
    quote: { address: swap.quote, decimals: decimalsOf(references, swap.quote), ...unnamed },
    isConfirmed: true,
  }))

const unnamed = { symbol: null, name: null } as const

const decimalsOf = (references: References, quote: Address): number =>
  references.get(quote)?.decimals ?? TOKEN_DECIMALS

/** The launches of a minute that the log has. */
export const launchesIn = ({ segment: { tokens } }: ArchiveMinute): readonly ArchivedLaunch[] =>
  tokens.flatMap(({ before, after }) => (before || isImported(after) ? [] : [{ token: after }]))

/** The candles of a minute, made as those of the API. */
export function candlesIn(minute: ArchiveMinute): readonly ArchivedCandle[] {
  const { segment } = minute
  const rows = new Map(segment.rows.map((row) => [row.token, row]))
  const volumes = new Map<Address, bigint>()
  for (const { token, amountQuote } of segment.swaps)
    volumes.set(token, (volumes.get(token) ?? 0n) + amountQuote)
  return segment.rows.flatMap((row) => {
    if (!row.candle) return []
    return [{ token: row.token, slot: slotOf(minute, pathOf(row, rows), volumes.get(row.token) ?? 0n) }]
  })
}

/** A row and those of the tokens on its quote path, itself first. */
function pathOf(
  row: SegmentRow,
  rows: ReadonlyMap<Address, SegmentRow>,
): readonly [SegmentRow, ...SegmentRow[]] {
  const path: [SegmentRow, ...SegmentRow[]] = [row]
  while (path.length < QUOTE_POOLS_MAX) {
    const next = rows.get(path.at(-1)?.description.quote ?? row.token)
    if (!next) break
    path.push(next)
  }
  return path
}

function slotOf(
  { segment, ratesBefore }: ArchiveMinute,
  path: readonly [SegmentRow, ...SegmentRow[]],
  volumeQuote: bigint,
): Slot {
  const [own] = path
  const { minute, references } = segment
  const points = pathPoints(path, minute, volumeQuote)
  const currency = (path.at(-1) ?? own).description.quote
  const rateIn = (rates: References): PathState['rate'] => {
    const rate = rates.get(currency)
    return rate ? { usdE36: rate.heldUsdE36, decimals: rate.decimals } : null
  }
  const [token, ...quotes] = path.map(({ description }) => description)
  return slotFrom({
    start: minute * 60,
    end: (minute + 1) * 60,
    asOf: (minute + 1) * 60,
    path: [token ?? own.description, ...quotes],
    quoteDecimals: decimalsOf(references, own.description.quote),
    before: { states: points.map(({ before }) => before), rate: rateIn(ratesBefore) },
    after: { states: path.map(({ after }) => after), rate: rateIn(references) },
    points: points[0]?.points ?? [],
  })
}

/** The state of each token of a path before the minute, and its points in it. */
const pathPoints = (path: readonly SegmentRow[], minute: number, volumeQuote: bigint) =>
  path.map((row) => {
    const [first, ...points] = pointsOf([{ minute, row, volumeQuote }])
    return { before: first?.state ?? row.before, points }
  })

/** The tokens with a row in some minutes, as before the first and after the last of them. */
export function openTokenSpans(first: Minute) {
  const spans = new Map<Address, TokenOfSpan>()
  return {
    add({ segment: { rows } }: ArchiveMinute): void {
      for (const { token: address, description, before, after } of rows) {
        const { launchedAt } = description
        const token = { address, launchedAt }
        spans.set(address, {
          first,
          token,
          before: spans.get(address)?.before ?? earnedOf(before),
          after: { ...earnedOf(after), holders: after.holders, supply: after.supply },
        })
      }
    },
    /** By address. */
    all: (): readonly TokenOfSpan[] =>
      [...spans.values()].sort((a, b) => (a.token.address < b.token.address ? -1 : 1)),
  }
}

/** Of tens of thousands of states only what is archived stays in memory. */
const earnedOf = ({ cumEarnedMicroUsd, cumPostsEarnedMicroUsd }: TokenState) => ({
  cumEarnedMicroUsd,
  cumPostsEarnedMicroUsd,
})
