import { hourOfMinute } from '../../market/calendar.ts'
import { isImported } from '../../market/coverage.ts'
import { asOf } from '../../market/window.ts'
import { type HolderStep, holderStepFields } from '../../schemas/records/holder-history.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import {
  type HolderSample,
  readHolderSamples,
  readTokenHours,
  type TokenHour,
} from '../../store/items/hour-records.ts'
import { type ReadableMinute, readApplied } from '../../store/log/applied-read.ts'
import { type ApiEndpoint, answerAt, type ReadStores, rowsText } from '../api/endpoint.ts'
import { readerOf, readToken } from './token.ts'

/** Hours of a step, and the number of steps. */
const grids = { '1h': { hours: 1, steps: 168 }, '1d': { hours: 24, steps: 60 } } as const
/** Hours whose items may not have reached every replica: they are read strongly. */
const UNSETTLED_HOURS = 2

const write = rowWriter(holderStepFields)

/** GET /v1/tokens/{id}/holders/history: steps of UTC time, from the token's launch on. */
export const holderHistory: ApiEndpoint = async (asked, stores) => {
  const grid = grids[asked.query['interval'] as keyof typeof grids]
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const token = await readToken(reader, asked.id, now)
    const open = hourOfMinute(now.minute)
    const lastStep = Math.floor(open / grid.hours)
    const launched = Math.floor(token.launchedAt.timestamp / 3_600 / grid.hours)
    const firstStep = Math.max(lastStep - grid.steps + 1, launched)
    const range = { first: firstStep * grid.hours, last: open }
    const [state, records, samples] = await Promise.all([
      reader.history.stateAt(token.address, now.minute),
      readRecords(stores, token.address, range),
      readHolderSamples(stores.past, token.address, { ...range, n: now.n }),
    ])
    // Before the first change the number was as it found it; without any it is as before the open hour.
    const initial =
      records[0]?.holdersBefore ?? (await reader.history.stateAt(token.address, open * 60 - 1)).holders
    const known = { now, records, samples, initial, holders: state.holders, isUnknown: isImported(token) }
    return Array.from({ length: lastStep - firstStep + 1 }, (_, n) =>
      stepOf(firstStep + n, grid.hours, known),
    )
  })
  const rows = value.map(write)
  const page = { list: rowsText(rows), total: rows.length, offset: 0, limit: Math.max(1, rows.length) }
  return answerAt(at, { page })
}

/** A token's records of the completed hours in a range (inclusive, its last one open), oldest first. */
export async function readRecords(
  { table, past }: Pick<ReadStores, 'table' | 'past'>,
  token: Parameters<typeof readTokenHours>[1],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly TokenHour[]> {
  const settled = last - 1 - UNSETTLED_HOURS
  const [older, newer] = await Promise.all([
    first <= settled ? readTokenHours(past, token, { first, last: settled }) : [],
    readTokenHours(table, token, { first: Math.max(first, settled + 1), last: last - 1 }),
  ])
  return [...older, ...newer]
}

type PriorToken = {
  readonly now: ReadableMinute
  readonly records: readonly TokenHour[]
  readonly samples: readonly HolderSample[]
  readonly initial: number
  /** Now. */
  readonly holders: number
  readonly isUnknown: boolean
}

function stepOf(step: number, hours: number, known: PriorToken): HolderStep {
  const { now, records, samples, initial, holders, isUnknown } = known
  const end = (step + 1) * hours
  const isPartial = end * 3_600 > asOf(now.minute)
  // An hour has its record from the first minute of a later one.
  const isNewest = end > hourOfMinute(now.minute)
  const last = records.findLast(({ hour }) => hour < end)
  const then = last?.holders ?? initial
  return {
    start: step * hours * 3_600,
    holders: isUnknown ? null : isNewest ? holders : then,
    top10PercentE4: samples.findLast(({ hour }) => hour < end)?.top10PercentE4 ?? null,
    isPartial,
  }
}
