import { SAFE } from './figures.ts'

/** An exact sum of whole numbers from 0 on, most of which doubles hold exactly. */
export type ExactSum = {
  /** Adds a token's figure: as it is if it is exact as a double, else as the sum finds it exactly. */
  readonly add: (value: number, number: number) => void
  readonly total: () => bigint
}

/** A sum of nothing yet; `exactly` gives a token's figure by its number. */
export function exactSum(exactly: (number: number) => bigint): ExactSum {
  let small = 0 // below SAFE, so exact
  let large = 0n
  return {
    add(value, number) {
      if (!(value >= 0 && value < SAFE)) large += exactly(number)
      else if (small + value < SAFE) small += value
      else {
        large += BigInt(small)
        small = value
      }
    },
    total: () => large + BigInt(small),
  }
}
