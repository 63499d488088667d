/** Seeded random numbers: the same seed gives the same market. */

/** A stream of random draws. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform in 0 … below − 1. */
  below(count: number): number
  chance(probability: number): boolean
  /** A random item. Throws a RangeError for an empty list. */
  pick<Item>(items: readonly Item[]): Item
  /** Log-normal around its median; `spread` is the standard deviation of the logarithm. */
  amount(median: number, spread: number): number
  /** Poisson: the number of events in an interval that expects `mean`. */
  count(mean: number): number
}

/** A stream determined by its arguments, such as a seed and a block number. */
export function randomFrom(...words: readonly number[]): Random {
  // splitmix32, seeded by mixing the arguments into its state
  let state = 0
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  for (const word of words) {
    state = (state ^ word) | 0
    next()
    state = Math.imul(state ^ Math.floor(next() * 2 ** 32), 0x85ebca6b)
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    amount: (median, spread) => median * Math.exp(spread * normal(next)),
    count: (mean) => poisson(next, mean),
  }
}

/** Index 0 … count − 1 of decreasing popularity: weight of the k-th is 1 / (k + 1)^exponent. */
export function zipf(random: Random, count: number, exponent = 0.8): number {
  // Inverse of the continuous law; exact enough for a market.
  const power = 1 - exponent
  const top = (count + 1) ** power - 1
  return Math.min(count - 1, Math.floor((1 + random.next() * top) ** (1 / power)) - 1)
}

// Box and Muller
function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

// Knuth: products of uniforms until they fall below e^-mean
function poisson(next: () => number, mean: number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = next(); product > limit; product *= next()) count++
  return count
}
