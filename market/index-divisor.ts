import { divideHalfEven } from './rounding.ts'
import { INDEX_BASE } from './rules.ts'
import type { MicroUsd } from './segment.ts'

/** Index points × 1e8. */
export type PointsE8 = bigint
/** Micro-dollars per index point × 1e18. */
export type DivisorE18 = bigint

const DIVISOR_ONE = 10n ** 18n
const POINT_ONE = 10n ** 8n

/** The index before anything moved it. */
export const baseValueE8: PointsE8 = INDEX_BASE * POINT_ONE

/** The divisor that makes members worth `value` stand at the base. */
export const baseDivisor = (value: MicroUsd): DivisorE18 => divideHalfEven(value * DIVISOR_ONE, INDEX_BASE)

/** The index of members worth `value`. The divisor is above 0. */
export const indexValue = (value: MicroUsd, divisor: DivisorE18): PointsE8 =>
  divideHalfEven(value * DIVISOR_ONE * POINT_ONE, divisor)

/** The divisor that leaves the index where it is when members worth `before` give way to members worth `after`, both above 0, at the same prices. */
export const relinked = (divisor: DivisorE18, { before, after }: Relink): DivisorE18 =>
  divideHalfEven(divisor * after, before)

type Relink = { readonly before: MicroUsd; readonly after: MicroUsd }
