import { SAFE } from './figures.ts'
import { grown } from './grown.ts'
import { BOARD_SIZE } from './rules.ts'
import type { Token } from './segment.ts'

/** What a list is ordered by, as an exact ratio; null stands last. */
export type Score = { readonly over: bigint; readonly under: bigint } | null

/** A token in a ranked list. */
export type Place = { readonly number: number; readonly token: Token }

/** One of the things that a list is ordered by, descending; nothing is below 0, and null is 0. */
export type Key = {
  /** Values of tokens, -Infinity for those that do not contend; a loop of its own for each key, as one for all is several times slower. */
  readonly fill: (numbers: Int32Array, into: Float64Array) => void
  /** True when values below SAFE are exact; all others are within MARGIN. */
  readonly isWhole: boolean
  readonly exactly: (number: number) => Score
}

/** More than any chain of doubles here is off: the longest is a sum over the posts of one creator. */
const MARGIN = 2 ** -30

/** The first `size` of the contenders in the total order: by the keys, then by launch. */
export function ranked(
  tokens: readonly Token[],
  contenders: Int32Array,
  keys: readonly Key[],
  size = BOARD_SIZE,
): readonly Place[] {
  const numbers = preselected(contenders, keys, size)
  const compare = comparing(tokens, numbers, keys)
  return Array.from(numbers.keys())
    .sort(compare)
    .slice(0, size)
    .map((at) => {
      const number = numbers[at] as number
      return { number, token: tokens[number] as Token }
    })
}

/** The total order of tokens, by their places in `numbers`. */
function comparing(tokens: readonly Token[], numbers: Int32Array, keys: readonly Key[]) {
  const figures = keys.map((key) => {
    const values = new Float64Array(numbers.length)
    key.fill(numbers, values)
    return { key, values }
  })
  return (a: number, b: number): number => {
    const x = numbers[a] as number
    const y = numbers[b] as number
    for (const { key, values } of figures) {
      const order =
        byFigures(key, values[a] as number, values[b] as number) ?? byScore(key.exactly(x), key.exactly(y))
      if (order !== 0) return order
    }
    return byLaunch(tokens[x] as Token, tokens[y] as Token)
  }
}

/** Contenders whose values are worked out together: few enough to stay in the processor's cache. */
const CHUNK = 1_024

/** A few of the contenders, the first `size` among them. Those equal to the last that is surely in are told apart by the next key. */
function preselected(contenders: Int32Array, keys: readonly Key[], size: number): Int32Array {
  const [key, ...others] = keys
  if (!key) return contenders
  const { numbers, values, last } = leadersOf(contenders, key, size)
  if (numbers.length <= size || !isExact(key, last)) return numbers
  const chosen = numbers.filter((_, at) => values[at] !== last)
  const equals = numbers.filter((_, at) => values[at] === last)
  return Int32Array.from([...chosen, ...preselected(equals, others, size - chosen.length)])
}

type Leaders = { readonly numbers: Int32Array; readonly values: Float64Array; readonly last: number }

/** The contenders that may be among the first `size` by one key, and the value of the last that surely is. */
function leadersOf(contenders: Int32Array, key: Key, size: number): Leaders {
  const found = new Float64Array(CHUNK)
  let [numbers, values] = [new Int32Array(4 * size + CHUNK), new Float64Array(4 * size + CHUNK)]
  let [count, enough, least, last] = [0, 4 * size, -Number.MAX_VALUE, -Infinity]
  for (let from = 0; from < contenders.length; from += CHUNK) {
    const chunk = contenders.subarray(from, from + CHUNK)
    key.fill(chunk, found)
    numbers = grown(numbers, count + CHUNK)
    values = grown(values, count + CHUNK)
    for (let at = 0; at < chunk.length; at++) {
      const value = found[at] as number
      if (value < least) continue
      numbers[count] = chunk[at] as number
      values[count++] = value
    }
    const isEnd = from + CHUNK >= contenders.length
    if (count <= size || (count < enough && !isEnd)) continue
    last = nthLargest(values.subarray(0, count), size)
    least = leastOf(key, last)
    count = kept(numbers, values, { count, least })
    enough = Math.max(4 * size, 2 * count)
  }
  return { numbers: numbers.subarray(0, count), values: values.subarray(0, count), last }
}

/** Moves the numbers whose value is not below the least to the front; how many there are. */
function kept(
  numbers: Int32Array,
  values: Float64Array,
  { count, least }: { readonly count: number; readonly least: number },
): number {
  let left = 0
  for (let at = 0; at < count; at++) {
    const value = values[at] as number
    if (value < least) continue
    numbers[left] = numbers[at] as number
    values[left++] = value
  }
  return left
}

/** The least value that may yet stand before an exact number whose figure is `last`. */
const leastOf = (key: Key, last: number): number => (isExact(key, last) ? last : last * (1 - 4 * MARGIN))

const isExact = (key: Key, value: number): boolean => value === 0 || (key.isWhole && value < SAFE)

/** The nth largest of at least n numbers: quickselect on a copy. */
export function nthLargest(numbers: Float64Array, n: number): number {
  const values = numbers.slice()
  const wanted = n - 1
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] as number) > pivot) left += 1
      while ((values[right] as number) < pivot) right -= 1
      if (left > right) break
      const value = values[left] as number
      values[left++] = values[right] as number
      values[right--] = value
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted] as number
}

/** Whether a figure that is no whole number lies above a bound; null when only exact numbers can tell. */
export function isAbove(value: number, bound: number): boolean | null {
  if (value * (1 - MARGIN) > bound) return true
  return value * (1 + MARGIN) < bound ? false : null
}

/** The order by figures alone; undefined when they are too close to tell. */
function byFigures(key: Key, x: number, y: number): number | undefined {
  if ((key.isWhole && x < SAFE && y < SAFE) || (x === 0 && y === 0)) return y - x
  if (isAbove(x, y * (1 + MARGIN))) return -1
  return isAbove(y, x * (1 + MARGIN)) ? 1 : undefined
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
