/** What `Math` has for numbers only. */

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value)
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
