import { windowNames } from '../market/window.ts'

/**
 * A value as it is now and as it was at each window start, in the order of `windows`. A window start shares the value of the
 * one after it until they differ, so a token that nobody trades holds one.
 */
export type Windowed<V> = V[]

/** The same value now and at every window start. */
export const sameAtAll = <V>(value: V): Windowed<V> => windowNames.map(() => value)

/** Puts a new value of now. The first `moving` places are now and the window starts that lie no earlier than its minute. */
export function change<V>(values: Windowed<V>, next: V, moving: number): void {
  for (let at = 0; at < moving; at++) values[at] = next
}

/** The values that differ, newest first, and for each place which of them it has, as a text of digits. */
export function distinctIn<V>(values: Windowed<V>): {
  readonly distinct: readonly V[]
  readonly places: string
} {
  const distinct = [...new Set(values)]
  return { distinct, places: values.map((value) => distinct.indexOf(value)).join('') }
}

/** The values from what `distinctIn` gave. */
export const fromDistinct = <V>(distinct: readonly V[], places: string): Windowed<V> =>
  [...places].map((digit) => distinct[Number(digit)] as V)

const FIRST_CAPACITY = 1_024

/** A whole number for each token at each place, in one array a place: what reads all tokens of a place touches nothing else. */
export class Slots {
  #columns: readonly Int32Array[] = windowNames.map(() => new Int32Array(FIRST_CAPACITY))

  /** Of all tokens at a place, by number; some beyond the last token. Until `put` adds one. */
  column(at: number): Int32Array {
    return this.#columns[at] as Int32Array
  }

  of(number: number): Windowed<number> {
    return this.#columns.map((column) => column[number] as number)
  }

  put(number: number, slots: Windowed<number>): void {
    if (number >= this.column(0).length) this.#columns = this.#columns.map(doubled)
    for (const [at, column] of this.#columns.entries()) column[number] = slots[at] as number
  }
}

function doubled(column: Int32Array): Int32Array {
  const larger = new Int32Array(2 * column.length)
  larger.set(column)
  return larger
}
