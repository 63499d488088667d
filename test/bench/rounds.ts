/** Rounds of a measurement, and what is said of them. */

/** The middle value; of an even number the upper one of the two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** A line of output. */
export const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Lines of columns: the first to the left, the others to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell)))
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return texts.map(line).join('\n')
}
