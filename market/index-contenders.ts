import type { Contender } from './index-review.ts'
import { effectiveCap, marketCapMicroUsd } from './pool.ts'
import { INDEX_AGE_MINUTES, INDEX_LIQUIDITY_MIN_MICRO_USD, INDEX_MEDIAN_MINUTES } from './rules.ts'
import type { Address, MicroUsd, Minute, References, Token, TokenState, UsdE36 } from './segment.ts'
import { asOf } from './window.ts'
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
export type ContendersMarket = {
  readonly minute: Minute
  readonly firstMinute: Minute
  readonly now: Edge<CapField | 'cumTrades' | 'cumVolumeMicroUsd'>
  /** 24 hours, and INDEX_TRADED_DAYS, ago. */
  readonly dayBefore: Edge<'cumVolumeMicroUsd'>
  readonly tradedSince: Edge<'cumTrades'>
  /** Oldest first; at least the sealed minutes of the last INDEX_MEDIAN_MINUTES − 1. */
  readonly recent: readonly MinuteBefore[]
}

/** Effective cap of a quantity of a token at an edge's prices and liquidity. */
export const capAt = (
  edge: Edge<'sqrtPriceX96' | 'reserveQuote'>,
  number: number,
  quantity: bigint,
): MicroUsd => effectiveCap(marketCapMicroUsd(priceAt(edge, number), quantity), pathLiquidityAt(edge, number))

/** Every token that is eligible for the index but for the gate, with its medians. */
export function contendersAt(market: ContendersMarket): readonly Contender[] {
  const { now, dayBefore } = market
  const numbers = [...now.tokens.keys()].filter((number) => isEligible(market, number))
  const medians = mediansAt(market, numbers)
  return numbers.flatMap((number, at) => {
    const [token, median] = [now.tokens[number], medians[at]]
    if (!token || !median) return []
    const supply = now.read('supply', number)
    const priceUsdE36 = priceAt(now, number)
    const volume = now.read('cumVolumeMicroUsd', number) - dayBefore.read('cumVolumeMicroUsd', number)
    const marketCap = marketCapMicroUsd(priceUsdE36, supply)
    return [{ token, supply, priceUsdE36, marketCap, volume24h: volume, ...median }]
  })
}

/** Traded of late, old enough, and with a price and liquidity down to USD: in this order, the cheapest question first. */
function isEligible({ minute, now, tradedSince }: ContendersMarket, number: number): boolean {
  const token = now.tokens[number]
  return (
    token !== undefined &&
    now.read('cumTrades', number) > tradedSince.read('cumTrades', number) &&
    token.launchedAt.timestamp + INDEX_AGE_MINUTES * 60 <= asOf(minute) &&
    priceAt(now, number) > 0n &&
    pathLiquidityAt(now, number) >= INDEX_LIQUIDITY_MIN_MICRO_USD
  )
}

type Medians = Pick<Contender, 'medianCap' | 'medianPriceUsdE36'>
type Look = { readonly cap: MicroUsd; readonly priceUsdE36: UsdE36 }

/** Lower medians over the last clock minutes, each as it stood at its close; a minute without a block as the one before it. */
function mediansAt(market: ContendersMarket, numbers: readonly number[]): readonly Medians[] {
  const { minute, firstMinute } = market
  const first = Math.max(firstMinute, minute - INDEX_MEDIAN_MINUTES + 1)
  const looks: Look[][] = numbers.map(() => [])
  let next = minute + 1
  for (const { from, edge } of lookingBack(market)) {
    const clockMinutes = next - Math.max(from, first)
    for (const [at, number] of numbers.entries()) {
      const cap = capAt(edge, number, edge.read('supply', number))
      const look = { cap, priceUsdE36: priceAt(edge, number) }
      for (let minutes = 0; minutes < clockMinutes; minutes++) looks[at]?.push(look)
    }
    if (from <= first) break
    next = from
  }
  return looks.map((all) => ({
    medianCap: lowerMedian(all.map(({ cap }) => cap)),
    medianPriceUsdE36: lowerMedian(all.map(({ priceUsdE36 }) => priceUsdE36)),
  }))
}

/** The middle value; of two middle ones the lower; 0 of none. */
export function lowerMedian(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[(sorted.length - 1) >> 1] ?? 0n
}

/**
 * The market now and, undoing one sealed minute after the other, at each close before; `from` is the first clock minute it
 * held at. An edge holds until the next one is asked for: they share what is undone.
 */
function* lookingBack({ now, recent }: ContendersMarket): Generator<{ from: Minute; edge: Edge<CapField> }> {
  const { numberOf } = now
  const tokens = [...now.tokens]
  const undone = new Map<number, CapState>()
  const edgeWith = (references: References): Edge<CapField> => ({
    tokens,
    references,
    numberOf,
    read: (field, number) => undone.get(number)?.[field] ?? now.read(field, number),
  })
  let { references } = now
  for (const minute of recent.toReversed()) {
    yield { from: minute.minute, edge: edgeWith(references) }
    for (const [number, state] of numbered(minute.states, numberOf)) undone.set(number, state)
    for (const [number, token] of numbered(minute.tokens, numberOf)) tokens[number] = token
    references = minute.references
  }
  yield { from: Number.NEGATIVE_INFINITY, edge: edgeWith(references) }
}

/** Pairs by token number in place of address. */
const numbered = <V>(
  pairs: readonly (readonly [Address, V])[],
  numberOf: Edge['numberOf'],
): readonly (readonly [number, V])[] =>
  pairs.flatMap(([address, value]) => {
    const number = numberOf(address)
    return number === undefined ? [] : [[number, value] as const]
  })
