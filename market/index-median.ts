import { effectiveCap, marketCapMicroUsd } from './pool.ts'
import { INDEX_MEDIAN_MINUTES, QUOTE_POOLS_MAX } from './rules.ts'
import type { Address, MicroUsd, Minute, References, Token, TokenState, UsdE36 } from './segment.ts'
import { type Edge, pathLiquidityAt, priceAt } from './worth.ts'

type CapField = 'sqrtPriceX96' | 'supply' | 'reserveQuote'
/** What an effective cap is made from, besides the references and the tokens themselves. */
export type CapState = Pick<TokenState, CapField>

/** What a sealed minute changed, as it stood before: enough to undo it. Tokens launched in it are left out of `tokens`. */
export type MinuteBefore = {
  readonly minute: Minute
  readonly references: References
  readonly tokens: readonly (readonly [Address, Token])[]
  readonly states: readonly (readonly [Address, CapState])[]
}

/** The market at a minute's close and what is needed to look back. */
export type RecentMarket = {
  readonly minute: Minute
  /** Of the log. */
  readonly firstMinute: Minute
  readonly now: Edge<CapField>
  /** Oldest first; at least the sealed minutes of the last INDEX_MEDIAN_MINUTES − 1. */
  readonly recent: readonly MinuteBefore[]
}

/** Effective cap of a quantity of a token at an edge's prices and liquidity. */
export const capAt = (
  edge: Edge<'sqrtPriceX96' | 'reserveQuote'>,
  number: number,
  quantity: bigint,
): MicroUsd => effectiveCap(marketCapMicroUsd(priceAt(edge, number), quantity), pathLiquidityAt(edge, number))

/** The middle value; of two middle ones the lower; 0 of none. */
export function lowerMedian(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[(sorted.length - 1) >> 1] ?? 0n
}

export type Medians = { readonly medianCap: MicroUsd; readonly medianPriceUsdE36: UsdE36 }

/**
 * Lower medians of effective cap and price over the last clock minutes, each as it stood at its close; a minute without a
 * block as the one before it, minutes before the log not at all. By token number.
 *
 * A token that nothing touched in that time, nor the pools on its path, moves with the rate of its reference alone and
 * never against it: its median is its value at the median rate. Only the others are looked at minute by minute.
 */
export function mediansAt(market: RecentMarket, numbers: readonly number[]): ReadonlyMap<number, Medians> {
  const spans = spansOf(market)
  const isTouched = touchesOf(market)
  const atMedianRates = { ...market.now, references: medianReferences(market.now.references, spans) }
  return new Map([
    ...numbers
      .filter((number) => !isTouched(number))
      .map((number) => [number, valueAt(atMedianRates, number)] as const),
    ...mediansByMinute(market.now, spans, numbers.filter(isTouched)),
  ])
}

const valueAt = (edge: Edge<CapField>, number: number): Medians => ({
  medianCap: capAt(edge, number, edge.read('supply', number)),
  medianPriceUsdE36: priceAt(edge, number),
})

/** Clock minutes over which the market stood still; `undo` leads to the span before. */
export type Span = {
  readonly clockMinutes: number
  readonly references: References
  readonly undo: MinuteBefore | null
}

/** The spans of the last clock minutes, newest first. */
export function spansOf({ minute, firstMinute, now, recent }: RecentMarket): readonly Span[] {
  const first = Math.max(firstMinute, minute - INDEX_MEDIAN_MINUTES + 1)
  const spans: Span[] = []
  let [next, references] = [minute + 1, now.references]
  for (const undo of [...recent.toReversed(), null]) {
    const from = Math.max(undo?.minute ?? first, first)
    spans.push({ clockMinutes: next - from, references, undo })
    if (!undo || from === first) break
    ;[next, references] = [from, undo.references]
  }
  return spans
}

/** Each value as often as its span has clock minutes. */
const perMinute = <V>(spans: readonly Span[], give: (span: Span, at: number) => V): readonly V[] =>
  spans.flatMap((span, at) => Array.from({ length: span.clockMinutes }, () => give(span, at)))

/** The references of now, each at the median of its rates. */
const medianReferences = (now: References, spans: readonly Span[]): References =>
  new Map(
    [...now].map(([currency, rate]) => {
      const rates = perMinute(spans, ({ references }) => references.get(currency)?.heldUsdE36 ?? 0n)
      return [currency, { ...rate, heldUsdE36: lowerMedian(rates) }]
    }),
  )

/** Whether a recent minute touched a token or a token on its path to USD. */
function touchesOf({ now, recent }: RecentMarket): (number: number) => boolean {
  const touched = new Set(
    recent.flatMap(({ tokens, states }) => [...tokens, ...states].map(([address]) => now.numberOf(address))),
  )
  const isTouched = (number: number | undefined, depth: number): boolean => {
    const token = now.tokens[number ?? -1]
    if (number === undefined || !token || depth === 0) return false
    return touched.has(number) || isTouched(now.numberOf(token.quote), depth - 1)
  }
  return (number) => isTouched(number, QUOTE_POOLS_MAX)
}

/** Medians of tokens, by undoing one sealed minute after the other. */
function mediansByMinute(
  now: Edge<CapField>,
  spans: readonly Span[],
  numbers: readonly number[],
): readonly (readonly [number, Medians])[] {
  const tokens = [...now.tokens]
  const undone = new Map<number, CapState>()
  const looks = spans.map(({ references, undo }) => {
    const read: Edge<CapField>['read'] = (field, number) =>
      undone.get(number)?.[field] ?? now.read(field, number)
    const edge = { tokens, references, numberOf: now.numberOf, read }
    const values = numbers.map((number) => valueAt(edge, number))
    for (const [number, state] of numbered(now, undo?.states ?? [])) undone.set(number, state)
    for (const [number, token] of numbered(now, undo?.tokens ?? [])) tokens[number] = token
    return values
  })
  return numbers.map((number, at) => {
    const values = perMinute(spans, (_span, span) => looks[span]?.[at])
    const medianOf = (field: keyof Medians) => lowerMedian(values.map((value) => value?.[field] ?? 0n))
    return [number, { medianCap: medianOf('medianCap'), medianPriceUsdE36: medianOf('medianPriceUsdE36') }]
  })
}

/** Pairs by token number in place of address. */
export const numbered = <V>(
  { numberOf }: Pick<Edge, 'numberOf'>,
  pairs: readonly (readonly [Address, V])[],
): readonly (readonly [number, V])[] =>
  pairs.flatMap(([address, value]) => {
    const number = numberOf(address)
    return number === undefined ? [] : [[number, value] as const]
  })
