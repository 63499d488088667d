/** `npm run test:long`: everything, with more rounds, and what takes minutes by itself. */
export const isLong = Boolean(process.env['LONG'])

/** How often a test repeats itself: `short` in `npm test`, `long` in `npm run test:long`; the variable `name` chooses for one run. */
export function rounds(name: string, short: number, long = short): number {
  return Number(process.env[name] ?? (isLong ? long : short))
}

/** Milliseconds for so many rounds of one request each: it ends what hangs, on a busy machine too. */
export const timeLimit = (rounds: number): number => 120_000 + rounds * 150
