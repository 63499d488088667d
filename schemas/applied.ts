import type { Operation } from './operations.ts'

/** What of a request its answer repeats: the order of its list, `market_cap;desc`, and the length of time that it is of. */
export type Applied = { readonly sort?: string; readonly period?: string }

/** Where a list's order is chosen and what it is ordered by is not: swaps stand in the order of time. */
const OWN_SORT = 'timestamp'

/** What an operation does with a request: of its parameters in canonical spelling, by their first names; absent ones have their default. */
export function appliedOf(
  { axes, rest }: Pick<Operation, 'axes' | 'rest'>,
  sent: Readonly<Record<string, string | undefined>>,
): Applied {
  const known = [...(axes ?? []), ...rest].map(
    ({ names, fallback }) => [names[0], sent[names[0]] ?? fallback] as const,
  )
  const { timeframe, sort_by: sort, sort_order: order } = Object.fromEntries(known)
  return {
    ...(order ? { sort: `${sort ?? OWN_SORT};${order}` } : {}),
    ...(timeframe ? { period: timeframe } : {}),
  }
}
