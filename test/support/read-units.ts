import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../cdk/README.md', import.meta.url), 'utf8')
const table = readme.slice(readme.indexOf('### What an answer reads')).split('\n')
const rows = table.flatMap((line) => line.match(/^\| (`.*`) \| (\d+) \|/)?.slice(1, 3) ?? [])

/** Read units that an answer may cost, by operation, as cdk/README.md says. */
export const readUnits: ReadonlyMap<string, number> = new Map(
  rows.flatMap((names, at) =>
    at % 2
      ? []
      : [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, Number(rows[at + 1])] as const),
  ),
)
