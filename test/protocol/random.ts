/** Chance from a seed: equal seeds give equal runs. */
export type Chances = {
  /** An integer from 0 to below `bound`. */
  below(bound: number): number
  /** True so many times in a hundred, on average. */
  percent(chance: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mulberry32: 32 bits of state, enough for what is tried here. */
export function openRandom(seed: number): Chances {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (bound) => Math.floor(next() * bound),
    percent: (chance) => next() * 100 < chance,
    pick: (list) => list[Math.floor(next() * list.length)]!,
  }
}
