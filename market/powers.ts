const FIRST = 96
const powers = Array.from({ length: FIRST }, (_, at) => 10n ** BigInt(at))

/** Ten to the power of a whole number of 0 or more; the powers that units and decimals need are computed once. */
export const tenTo = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
