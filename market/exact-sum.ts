import { SAFE } from './figures.ts'

/** An exact sum of whole numbers from 0 on, most of which doubles hold exactly. */
export type ExactSum = {
  /** Adds a number: as a double if that is exact, else as `exactly` gives it. */
  readonly add: (value: number, exactly: () => bigint) => void
  readonly total: () => bigint
}

/** A sum of nothing yet. */
export function exactSum(): ExactSum {
  let small = 0 // below SAFE, so exact
  let large = 0n
  return {
    add(value, exactly) {
      if (!(value >= 0 && value < SAFE)) large += exactly()
      else if (small + value < SAFE) small += value
      else {
        large += BigInt(small)
        small = value
      }
    },
    total: () => large + BigInt(small),
  }
}
