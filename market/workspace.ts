import type { Moment, Timeframe } from './window.ts'

/**
 * Arrays that ranking computes in, by token number. Whoever ranks every minute keeps them from one run to the next: at a
 * million tokens a fresh set costs more than the computing. Their content means nothing between runs.
 */
export type Workspace = {
  readonly capacity: number
  /** Counted of a creator token and of its posts, in micro-dollars. */
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
