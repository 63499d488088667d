type Typed = Float64Array | Int32Array | Uint32Array | Uint8Array

/** What a full array grows by: room to spare is memory that nothing uses. */
export const GROWTH = 1.25

/** The array, or a longer copy, with room for `index`. New elements are 0. */
export function grown<Array extends Typed>(array: Array, index: number): Array {
  if (index < array.length) return array
  const make = array.constructor as new (length: number) => Array
  const longer = new make(Math.max(256, index + 1, Math.ceil(array.length * GROWTH)))
  longer.set(array)
  return longer
}
