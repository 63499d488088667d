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

/** The values that `distinctIn` told apart. */
export const fromDistinct = <V>(distinct: readonly V[], places: string): Windowed<V> =>
  [...places].map((digit) => distinct[Number(digit)] as V)
