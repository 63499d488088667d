/** numerator / denominator to the nearest integer, halves away from zero. The denominator is above 0. */
export function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -divideHalfAway(-numerator, denominator)
  return (2n * numerator + denominator) / (2n * denominator)
}

/** numerator / denominator to the nearest integer, halves to the even one. The denominator is above 0. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -divideHalfEven(-numerator, denominator)
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  if (twice === denominator) return quotient + (quotient % 2n)
  return twice > denominator ? quotient + 1n : quotient
}
