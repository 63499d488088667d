/**
 * Prices at the ends of the last UTC hours, of any active token. Only what has changed is kept: of each hour, the pools
 * as they were before their first row in it.
 */
import { hourOfMinute } from '../../market/calendar.ts'
import { memoized } from '../../market/memoized.ts'
import { priceAlong, routeFrom } from '../../market/route.ts'
import { INDEX_CLOSES } from '../../market/rules.ts'
import type { Address, Coin, Minute, References, TokenState, UsdE36 } from '../../market/segment.ts'
import { referencesShape, tokenLine } from '../../store/bytes/codec.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import { integer, type Json, listOf, mapOf, plain, recordOf } from '../../store/bytes/shape.ts'
import { type ActiveMarket, descriptionChanges } from './active-market.ts'

type PoolThen = Pick<Coin, 'quote' | 'isCurrency0'> & Pick<TokenState, 'sqrtPriceX96'>

/** The end of an hour: the rates then, and the pools that have changed in the hour after it, as they were. */
export type HourClose = {
  /** The hour that begins at this close, counted from 1970. */
  readonly hour: number
  readonly references: References
  readonly changed: Map<Address, PoolThen>
}

const poolShape = recordOf<PoolThen>({ quote: plain(), isCurrency0: plain(), sqrtPriceX96: integer })

const closesShape = listOf(
  recordOf<Omit<HourClose, 'changed'> & { readonly changed: ReadonlyMap<Address, PoolThen> }>({
    hour: plain(),
    references: referencesShape,
    changed: mapOf<Address, PoolThen>(poolShape),
  }),
)

/** The closes for a checkpoint. */
export const hourClosesJson = (closes: readonly HourClose[]): Json => closesShape.write(closes)

/** Reads what `hourClosesJson` wrote. */
export const hourClosesFrom = (json: Json): HourClose[] =>
  closesShape.read(json).map((close) => ({ ...close, changed: new Map(close.changed) }))

/** Before a minute is applied: adds the hours that began after `last` and up to it. Keeps the last INDEX_CLOSES. */
export function addHours(
  closes: HourClose[],
  references: References,
  { last, minute }: { readonly last: Minute | null; readonly minute: Minute },
): void {
  if (last === null) return
  const newest = hourOfMinute(minute)
  for (let hour = Math.max(hourOfMinute(last), newest - INDEX_CLOSES) + 1; hour <= newest; hour++)
    closes.push({ hour, references, changed: new Map() })
  closes.splice(0, closes.length - INDEX_CLOSES)
}

/** Notes the pools that a minute changes for the first time in its hour. */
export function noteChanged(closes: readonly HourClose[], segment: SegmentStates): void {
  const changed = closes.at(-1)?.changed
  if (!changed) return
  const descriptions = descriptionChanges(segment)
  for (const row of segment.rows.filter(({ token }) => !changed.has(token))) {
    const { quote, isCurrency0 } = descriptions.get(row.token) ?? row.description
    changed.set(row.token, { quote, isCurrency0, sqrtPriceX96: row.before.sqrtPriceX96 })
  }
}

/** A token's prices at the closes, oldest first; null: it had none, as before its launch. */
export function closePricesOf(
  closes: readonly HourClose[],
  { byAddress, descriptions, states }: ActiveMarket,
): (token: Address) => readonly (UsdE36 | null)[] {
  const poolsOf = memoized((token: Address): readonly PoolThen[] => {
    const number = byAddress.get(token) as number
    const { quote, isCurrency0 } = tokenLine.read(descriptions[number] as string)
    let pool: PoolThen = { quote, isCurrency0, sqrtPriceX96: states.read('sqrtPriceX96', number, 0) }
    const backwards: PoolThen[] = []
    for (const { changed } of closes.toReversed()) {
      pool = changed.get(token) ?? pool
      backwards.push(pool)
    }
    return backwards.reverse()
  })
  const steps = (references: References, at: number) => ({
    references,
    poolOf: (token: Address) => ({ ...(poolsOf(token)[at] as PoolThen), reserveQuote: 0n }),
    tokenOf: (quote: Address) => (byAddress.has(quote) ? quote : undefined),
  })
  return memoized((token: Address) =>
    closes.map(({ references }, at) => priceAlong(routeFrom(token, steps(references, at))) || null),
  )
}
