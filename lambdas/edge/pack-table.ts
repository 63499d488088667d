import type { EdgeParameter, EdgeTable } from './canonical.js'
import type { PackedOperation, PackedTable } from './packed-table.js'

/** A word of the table holds a mark that separates words. */
export class UnpackableWordError extends Error {
  constructor(text: string) {
    super(`The edge cannot carry the parameter ${text}: no word may hold a colon or a comma`)
    this.name = 'UnpackableWordError'
  }
}

/** The table as the edge's function carries it. Throws UnpackableWordError. */
export function packed(table: EdgeTable): PackedTable {
  const parameters: string[] = []
  const numberOf = (parameter: EdgeParameter): number => {
    const text = textOf(parameter)
    if (!parameters.includes(text)) parameters.push(text)
    return parameters.indexOf(text)
  }
  const operations = Object.entries(table).map(([path, { axes, rest }]): [string, PackedOperation] => [
    path,
    [axes.map(numberOf), rest.map(withoutValues).map(numberOf)],
  ])
  return [parameters, Object.fromEntries(operations)]
}

/** The edge asks of the others whether they have their default. */
const withoutValues = (parameter: EdgeParameter): EdgeParameter => ({ ...parameter, values: null })

function textOf({ names, values, fallback, same }: EdgeParameter): string {
  const parts = [names, values ?? [], fallback === null ? [] : [fallback], same ?? []]
  const wrong = parts.flat().find((word) => word === '' || /[:,]/.test(word))
  if (wrong !== undefined) throw new UnpackableWordError(JSON.stringify(names))
  return parts.join(':').replace(/:+$/, '')
}
