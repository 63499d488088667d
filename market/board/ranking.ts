import { byLaunch } from '../launch-order.ts'
import { memoized } from '../memoized.ts'
import { BOARD_SIZE, PERCENT_MAX } from '../rules.ts'
import type { Token } from '../segment.ts'
import type { Growth } from './valuation.ts'

/** The score that a list is ordered by, as an exact ratio; null comes last. */
export type Score = { readonly over: bigint; readonly under: bigint } | null

/** A token in a list. */
export type ListedToken = { readonly number: number; readonly token: Token }

/** A key that a list is ordered by, largest first; exact scores are never below 0. */
export type RankingKey = {
  /** Scores as doubles, by number; -1 for null. `isWhole` and `floored` state their accuracy. */
  readonly about: Float64Array
  readonly exactly: (number: number) => Score
  /** Doubles below SAFE equal the exact scores. */
  readonly isWhole?: true
  /** Maximum difference to the exact score by flooring, since the double is not floored. */
  readonly floored?: number
}

/** The key of a whole number, such as a count or the growth of an amount. */
export const wholeKey = ({ about, exactly }: Growth<bigint | number>): RankingKey => ({
  about,
  exactly: (number) => whole(exactly(number)),
  isWhole: true,
})

/** A whole number as a score. */
export const whole = (over: bigint | number): Score => ({ over: BigInt(over), under: 1n })

/** Whole numbers below this are exact as doubles. */
export const SAFE = 2 ** 53

/** Relative error that no chain of roundings here reaches; the longest has some dozens of 2^-53. */
const MARGIN = 2 ** -30

/**
 * The first `size` of the contenders in total order: by the keys, then by launch. Doubles exclude all that cannot be
 * among them; exact integers decide the rest.
 */
export const ranked = (
  contenders: readonly number[],
  tokenOf: (number: number) => Token,
  keys: readonly RankingKey[],
  size = BOARD_SIZE,
): readonly ListedToken[] =>
  rankedNumbers(contenders, tokenOf, { keys, size }).map((number) => ({ number, token: tokenOf(number) }))

/** The numbers of the same; a token's description is read only where its keys are another's. */
export function rankedNumbers(
  contenders: readonly number[],
  tokenOf: (number: number) => Token,
  { keys, size }: { readonly keys: readonly RankingKey[]; readonly size: number },
): readonly number[] {
  const compare = comparing(keys)
  return [...shortlisted(contenders, keys, size)]
    .sort((a, b) => compare(a, b) || byLaunch(tokenOf(a), tokenOf(b)))
    .slice(0, size)
}

/** The contenders that may be among the first `size`. If the last rank is tied and the tie is certain, the next key decides. */
export function shortlisted(
  contenders: readonly number[],
  keys: readonly Omit<RankingKey, 'exactly'>[],
  size: number,
): readonly number[] {
  const [key, ...others] = keys
  if (!key || contenders.length <= size) return contenders
  const { about } = key
  const last = nthLargest(about, contenders, size)
  if (key.isWhole && last < SAFE) {
    const sure = contenders.filter((number) => (about[number] as number) > last)
    const tied = contenders.filter((number) => about[number] === last)
    return [...sure, ...shortlisted(tied, others, size - sure.length)]
  }
  const least = last - Math.abs(last) * MARGIN - (key.floored ?? 0)
  return contenders.filter((number) => (about[number] as number) >= least)
}

/** Units by which a double that stands for a multiple of floored amounts may be too high besides. */
const FLOORED = 100

/**
 * Whether an exact number with the double `value` is at least one with the double `bound`; the exact ones are compared
 * only if the doubles cannot decide.
 */
export function isAtLeast(value: number, bound: number, exactly: () => boolean): boolean {
  const spare = value - bound
  return Math.abs(spare) > (Math.abs(value) + Math.abs(bound)) * MARGIN + FLOORED ? spare > 0 : exactly()
}

/** Whether an exact ratio with the double `value` is above `bound`; it is computed only if the double cannot decide. */
export const isAbove = (value: number, bound: number, exactly: () => boolean): boolean =>
  Math.abs(value - bound) > bound * MARGIN ? value > bound : exactly()

/** PERCENT_MAX in hundredths of a percent. */
const CHANGE_MAX = Number(PERCENT_MAX) * 100

/**
 * The change between two approximate prices in hundredths of a percent, half away from zero, as of the exact ones; null:
 * they are too near to a half, or the change may be beyond PERCENT_MAX.
 */
export function changeAbout(base: number, now: number): number | null {
  const ratio = now / base
  const size = Math.abs(ratio - 1) * 10_000 + 0.5
  const error = ratio * 10_000 * MARGIN
  const rounded = Math.floor(size - error)
  if (rounded !== Math.floor(size + error) || rounded >= CHANGE_MAX) return null
  return ratio < 1 ? -rounded : rounded
}

/** The exact order by the keys; each score is computed once. */
function comparing(keys: readonly RankingKey[]): (a: number, b: number) => number {
  const orders = keys.map(({ about, exactly, isWhole }) => {
    const scoreOf = memoized(exactly)
    return (a: number, b: number): number => {
      const [left, right] = [about[a] as number, about[b] as number]
      if (isWhole && left < SAFE && right < SAFE) return right - left
      return byScore(scoreOf(a), scoreOf(b))
    }
  })
  return (a, b) => {
    for (const order of orders) {
      const found = order(a, b)
      if (found !== 0) return found
    }
    return 0
  }
}

function byScore(a: Score, b: Score): number {
  if (!a || !b) return Number(!a) - Number(!b)
  const [left, right] = [a.over * b.under, b.over * a.under]
  return left > right ? -1 : left < right ? 1 : 0
}

/**
 * The nth largest score of at least n contenders: collects scores above the nth largest so far, and sorts when enough
 * are collected.
 */
function nthLargest(about: Float64Array, contenders: readonly number[], n: number): number {
  const gathered = new Float64Array(4 * n)
  let count = 0
  let least = Number.NEGATIVE_INFINITY
  const settle = () => {
    gathered.subarray(0, count).sort().reverse()
    count = Math.min(count, n)
    if (count === n) least = gathered[n - 1] as number
  }
  for (let at = 0; at < contenders.length; at++) {
    const score = about[contenders[at] as number] as number
    if (score <= least) continue
    gathered[count++] = score
    if (count === gathered.length) settle()
  }
  settle()
  return least
}
