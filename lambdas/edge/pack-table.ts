import type { EdgeParameter, EdgeTable } from './canonical.js'
import { FIRST_LETTER, type PackedTable } from './packed-table.js'

/** A word of the table holds a mark that separates words. */
export class UnpackableWordError extends Error {
  constructor(text: string) {
    super(`The edge cannot carry the parameter ${text}: no word may hold a colon or a comma`)
    this.name = 'UnpackableWordError'
  }
}

/** Parameters that letters can name, and axes that a digit can count. */
const MOST_PARAMETERS = 26
const MOST_AXES = 9

/** The table has more different parameters, or an operation more axes, than the edge can carry. */
export class UnpackableTableError extends Error {
  constructor(path: string) {
    super(
      `The edge cannot carry ${path}: it knows ${MOST_PARAMETERS} parameters in all and ${MOST_AXES} axes of one`,
    )
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
    const numbers = [...axes.map(numberOf), ...rest.map(withoutValues).map(numberOf)]
    if (parameters.length > MOST_PARAMETERS || axes.length > MOST_AXES) throw new UnpackableTableError(path)
    return [path, axes.length + numbers.map((number) => String.fromCharCode(FIRST_LETTER + number)).join('')]
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
