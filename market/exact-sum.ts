import { SAFE } from './figures.ts'

/** An exact sum of whole numbers from 0 on, most of which doubles hold exactly. */
export type ExactSum = {
  /** Adds a token's figure: as it is if it is exact as a double, else as the sum finds it exactly. */
  readonly add: (value: number, number: number) => void
  readonly total: () => bigint
}

/** A sum of nothing yet; `exactly` gives a token's figure by its number. */
export function exactSum(exactly: (number: number) => bigint): ExactSum {
  const small = new Float64Array(1) // below SAFE, so exact; in an array, as a variable would put each sum on the heap
  let large = 0n
  return {
    add(value, number) {
      const sum = (small[0] as number) + value
      if (!(value >= 0 && value < SAFE)) large += exactly(number)
      else if (sum < SAFE) small[0] = sum
      else {
        large += BigInt(small[0] as number)
        small[0] = value
      }
    },
    total: () => large + BigInt(small[0] as number),
  }
}
