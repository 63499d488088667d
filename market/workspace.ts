import type { Moment, Timeframe } from './window.ts'

/**
 * Arrays that ranking computes in, by token number. Whoever ranks every minute keeps them from one run to the next: at a
 * million tokens a fresh set costs more than the computing. Their content means nothing between runs.
 */
export type Workspace = {
  readonly capacity: number
  /** How many tokens have a price. */
  priced: number
  /** Their numbers, each after the one it is priced in. */
  readonly order: Int32Array
  /** Pools between a token and a reference currency; 0: no route, or not known yet. */
  readonly depth: Uint8Array
  /** Number of the token that a priced token is priced in; -1: a reference currency. */
  readonly quoted: Int32Array
  /** USD × 1e36 of a base unit of what it is priced in. */
  readonly quoteUnit: Float64Array
  /** Micro-dollars. */
  readonly marketCap: Float64Array
  /** Effective cap in micro-dollars. */
  readonly counted: Float64Array
  /** USD of the quote side of a token's pool, in micro-dollars. */
  readonly quoteSide: Float64Array
  /** Least quote-side liquidity on the path to USD, in micro-dollars. */
  readonly liquidity: Float64Array
  /** Counted of a creator token and of its posts. */
  readonly portfolio: Float64Array
  /** Numbers that are being sorted out. */
  readonly contenders: Int32Array
  /** Of each moment that is ranked: USD × 1e36 of a base unit of each token. */
  readonly units: Readonly<Record<Moment | Timeframe, Float64Array>>
}

/** A workspace for at least `count` tokens: the one given, if it is large enough. */
export function workspaceFor(count: number, standing?: Workspace): Workspace {
  if (standing && standing.capacity >= count) return standing
  const capacity = Math.max(1024, Math.ceil(count * 1.25))
  const doubles = () => new Float64Array(capacity)
  return {
    capacity,
    priced: 0,
    order: new Int32Array(capacity),
    depth: new Uint8Array(capacity),
    quoted: new Int32Array(capacity),
    quoteUnit: doubles(),
    marketCap: doubles(),
    counted: doubles(),
    quoteSide: doubles(),
    liquidity: doubles(),
    portfolio: doubles(),
    contenders: new Int32Array(capacity),
    units: {
      now: doubles(),
      '1h': doubles(),
      '4h': doubles(),
      '24h': doubles(),
      '7d': doubles(),
      '30d': doubles(),
    },
  }
}
