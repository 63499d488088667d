/** Every test has up to three forms. Short, in `npm test`: one case of each kind. Whole, in `npm run test:whole`: all cases. Long, in `npm run test:long`: many random rounds, and what takes minutes by itself. */
export const isLong = Boolean(process.env['LONG'])
export const isWhole = isLong || Boolean(process.env['WHOLE'])

/** How often a test repeats itself: `short`, or `long` in the long form; the variable ROUNDS sets it for a test that is run by its name. */
export function rounds(short: number, long = short): number {
  return Number(process.env['ROUNDS'] ?? (isLong ? long : short))
}

/** Cases that are met in the same way: all of them in the whole form, the first `short` in `npm test`. */
export const casesOf = <T>(all: readonly T[], short: number): readonly T[] =>
  isWhole ? all : all.slice(0, short)
