import type { EdgeParameter, EdgeTable } from './canonical.js'
import { type PackedTable, RADIX } from './packed-table.js'

/** A word of the table holds a mark that separates words. */
export class UnpackableWordError extends Error {
  constructor(text: string) {
    super(`The edge cannot carry the parameter ${text}: no word may hold a colon or a comma`)
    this.name = 'UnpackableWordError'
  }
}

/** The table has more different parameters than a digit can name. */
export class UnpackableTableError extends Error {
  constructor(path: string) {
    super(`The edge cannot carry ${path}: it knows ${RADIX} different parameters at most`)
    this.name = 'UnpackableTableError'
  }
}

/** The table as the edge's function carries it. Throws UnpackableWordError and UnpackableTableError. */
export function packed(table: EdgeTable): PackedTable {
  const parameters: string[] = []
  const numberOf = (parameter: EdgeParameter): number => {
    const text = textOf(parameter)
    if (!parameters.includes(text)) parameters.push(text)
    return parameters.indexOf(text)
  }
  const operations = Object.entries(table).map(([path, { axes, rest }]): [string, string] => {
    const numbers = [axes.length, ...axes.map(numberOf), ...rest.map(withoutValues).map(numberOf)]
    if (Math.max(...numbers) >= RADIX) throw new UnpackableTableError(path)
    return [path, numbers.map((number) => number.toString(RADIX)).join('')]
  })
  return [parameters, Object.fromEntries(operations)]
}

/** The edge asks of the others whether they have their default. */
const withoutValues = (parameter: EdgeParameter): EdgeParameter => ({ ...parameter, values: null })

function textOf({ names, values, fallback, same }: EdgeParameter): string {
  const parts = [names, fallback === null ? [] : [fallback, ...(same ?? [])], values ?? []]
  const wrong = parts.flat().find((word) => word === '' || /[:,]/.test(word))
  if (wrong !== undefined) throw new UnpackableWordError(JSON.stringify(names))
  return parts.join(':').replace(/:+$/, '')
}
