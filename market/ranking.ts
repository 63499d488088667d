import { SAFE } from './figures.ts'
import { BOARD_SIZE } from './rules.ts'
import type { Token } from './segment.ts'

/** What a list is ordered by, as an exact ratio; null stands last. */
export type Score = { readonly over: bigint; readonly under: bigint } | null

/** A token in a ranked list. */
export type Place = { readonly number: number; readonly token: Token }

/** One of the things that a list is ordered by, descending; nothing is below 0, and null is 0. */
export type Key = {
  /** Values of tokens; a loop of its own for each key, as one for all would be several times slower. */
  readonly fill: (numbers: Int32Array, into: Float64Array) => void
  /** True when values below SAFE are exact; all others are within MARGIN. */
  readonly isWhole: boolean
  readonly exactly: (number: number) => Score
}

/** More than any chain of doubles here is off: the longest is a sum over the posts of one creator. */
const MARGIN = 2 ** -30

/** Numbers of a list's contenders, and an array to put their scores in. */
export type Contenders = { readonly numbers: Int32Array; readonly scores: Float64Array }

/** The first `size` of the contenders in the total order: by the keys, then by launch. */
export function ranked(
  tokens: readonly Token[],
  contenders: Contenders,
  keys: readonly Key[],
  size = BOARD_SIZE,
): readonly Place[] {
  const numbers = Int32Array.from(preselected(contenders, keys, size))
  const figures = keys.map((key) => valuesOf(key, numbers))
  const places = Array.from(numbers, (number, at) => ({ at, number, token: tokens[number] as Token }))
  const compare = (a: (typeof places)[number], b: (typeof places)[number]): number => {
    for (const [at, key] of keys.entries()) {
      const values = figures[at] as Float64Array
      const order = byKey(key, [values[a.at] as number, a.number], [values[b.at] as number, b.number])
      if (order !== 0) return order
    }
    return byLaunch(a.token, b.token)
  }
  return places
    .sort(compare)
    .slice(0, size)
    .map(({ number, token }) => ({ number, token }))
}

function valuesOf(key: Key, numbers: Int32Array): Float64Array {
  const values = new Float64Array(numbers.length)
  key.fill(numbers, values)
  return values
}

/** A few of the contenders, the first `size` among them. Those equal to the last that is surely in are told apart by the next key. */
function preselected({ numbers, scores }: Contenders, keys: readonly Key[], size: number): readonly number[] {
  const [key, ...others] = keys
  if (!key || numbers.length <= size) return [...numbers]
  const values = scores.subarray(0, numbers.length)
  key.fill(numbers, values)
  const last = nthLargest(values, size)
  const isExact = last === 0 || (key.isWhole && last < SAFE)
  const least = isExact ? last : last * (1 - 4 * MARGIN)
  const chosen: number[] = []
  const equals: number[] = []
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    if (value < least) continue
    if (isExact && value === last) equals.push(numbers[at] as number)
    else chosen.push(numbers[at] as number)
  }
  return [...chosen, ...preselected({ numbers: Int32Array.from(equals), scores }, others, size)]
}

/** The nth largest of at least n numbers. */
export function nthLargest(values: Float64Array, n: number): number {
  const largest = new Float64Array(n * 5)
  let size = 0
  let least = Number.NEGATIVE_INFINITY
  const cut = () => {
    largest.subarray(0, size).sort()
    largest.copyWithin(0, size - n, size)
    size = n
    least = largest[0] as number
  }
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    if (value <= least) continue
    largest[size++] = value
    if (size === largest.length) cut()
  }
  if (size > n) cut()
  return Math.min(...largest.subarray(0, n))
}

/** Whether a figure that is no whole number lies above a bound; null when only exact numbers can tell. */
export function isAbove(value: number, bound: number): boolean | null {
  if (value * (1 - MARGIN) > bound) return true
  return value * (1 + MARGIN) < bound ? false : null
}

type Valued = readonly [value: number, number: number]

function byKey(key: Key, [x, a]: Valued, [y, b]: Valued): number {
  if (key.isWhole && x < SAFE && y < SAFE) return y - x
  if (isAbove(x, y * (1 + MARGIN))) return -1
  if (isAbove(y, x * (1 + MARGIN))) return 1
  return x === 0 && y === 0 ? 0 : byScore(key.exactly(a), key.exactly(b))
}

/** Values that stand in an array by token number. */
export const gathered =
  (values: Float64Array | Uint32Array): Key['fill'] =>
  (numbers, into) => {
    for (let at = 0; at < numbers.length; at++) into[at] = values[numbers[at] as number] as number
  }

function byScore(a: Score, b: Score): number {
  if (!a || !b) return Number(!a) - Number(!b)
  const [left, right] = [a.over * b.under, b.over * a.under]
  return left > right ? -1 : left < right ? 1 : 0
}

/** Order of creation: block, log, and (never needed on one chain) address. */
export function byLaunch(a: Token, b: Token): number {
  return (
    a.launchedAt.blockNumber - b.launchedAt.blockNumber ||
    a.launchedAt.logIndex - b.launchedAt.logIndex ||
    (a.address < b.address ? -1 : a.address > b.address ? 1 : 0)
  )
}
