/** What cdk/cost.ts computes, as cdk/README.md has it. */
import { type Stage, stages } from './config.ts'
import { assumptions, costLines, DAYS, loads, monthUsd } from './cost.ts'

const dollars = (usd: number): string => (usd < 10 ? usd.toFixed(1) : Math.round(usd).toLocaleString('en-US'))
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The bill as a table in Markdown, a column for each load. */
function costTable(stage: Stage): string {
  const rows = costLines.map(({ part, formula, usd, less }) => [
    part,
    formula,
    ...loads.map((load) => dollars(usd(load, stage))),
    less,
  ])
  const head = ['Part', 'By', ...loads.map(({ name }) => name), 'Less by']
  const rule = ['---', '---', ...loads.map(() => '---:'), '---']
  const sums = loads.map((load) => dollars(monthUsd(load, stage)))
  const calls = ((assumptions.rpcCallsPerDay * DAYS) / 1e6).toFixed(1)
  return [
    ...[line(head), line(rule), ...rows.map(line), line(['**Sum**', '', ...sums, ''])],
    ...[
      '',
      `The chain’s endpoints are paid elsewhere: ${calls}M calls a month while nothing is caught up on.`,
    ],
  ].join('\n')
}

/** The tables in the section on cost of cdk/README.md, by their marks there. */
export const costTexts = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(stages).map(([name, stage]) => [`cost ${name}`, costTable(stage)]))
