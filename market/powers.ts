const FIRST = 96
const powers = Array.from({ length: FIRST }, (_, at) => 10n ** BigInt(at))

/** Ten to the power of a whole number of 0 or more; those of units and decimals are not computed again. */
export const tenTo = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
