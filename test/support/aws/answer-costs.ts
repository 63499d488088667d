import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

const readme = readFileSync(new URL('../../../cdk/README.md', import.meta.url), 'utf8')
const table = readme.slice(readme.indexOf('### What an answer costs')).split('\n')
const rows = table.flatMap((line) => line.match(/^\| (`.*`) \| (\d+) \|/)?.slice(1, 3) ?? [])

/** Milliseconds of the processor that an answer may cost, on an idle machine. */
const CPU_MS = 50

/** Read units that an answer may cost, by operation, as cdk/README.md says. */
export const readUnits: ReadonlyMap<string, number> = new Map(
  rows.flatMap((names, at) =>
    at % 2
      ? []
      : [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, Number(rows[at + 1])] as const),
  ),
)

/** Holds an answer to what its operation may cost. `SAY_COSTS=1` prints it, and then time counts too: a busy machine takes longer. */
export function expectWithinCosts(
  operation: string,
  { units, cpuMs }: { readonly units: number; readonly cpuMs: number },
): void {
  expect(units).toBeLessThanOrEqual(readUnits.get(operation) ?? 0)
  if (!process.env['SAY_COSTS']) return
  process.stderr.write(`${operation}: ${units} units, ${cpuMs.toFixed(1)} ms\n`)
  expect(cpuMs).toBeLessThanOrEqual(CPU_MS)
}
