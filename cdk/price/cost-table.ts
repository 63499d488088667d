import { type Stage, stages } from '../config.ts'
import { alarmMetricsOf } from '../watch/alarms.ts'
import { costLines, DAYS, monthUsd, rebuildGbSeconds, stageMetrics } from './cost.ts'
import { assumptions, type Load, loads } from './cost-assumptions.ts'
import { prices } from './prices.ts'

/** What a stage pays for when another one of the account has used up the free amounts. */
const freeUsd = (load: Load, stage: Stage): number =>
  Math.min(rebuildGbSeconds(load, stage), prices.lambdaFreeGbSeconds) * prices.lambdaGbSecond +
  Math.min(alarmMetricsOf(stage), prices.freeAlarms) * prices.alarmMonth +
  Math.min(stageMetrics(stage), prices.freeMetrics) * prices.metricMonth

/** Millions of document reads a month from which CloudFront's flat-rate plan Business is cheaper than its list prices. */
function breakEvenMillions(stage: Stage): number {
  const edge = costLines.filter(({ part }) => /^(Edge: (requests|bytes)|Firewall)/.test(part))
  const [idle] = loads as readonly [Load, ...Load[]]
  const usd = (millions: number): number =>
    edge.reduce((sum, line) => sum + line.usd({ ...idle, documentReads: millions * 1e6 }, stage), 0)
  let millions = 1
  while (usd(millions) < prices.businessPlanMonth) millions++
  return millions
}

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
  const callsPerDay = 86_400_000 / stage.pollMs + assumptions.rpcCallsBesidePolls
  const calls = (callsPerDay * DAYS) / 1e6
  const [idle] = loads as readonly [Load, ...Load[]]
  return [
    ...[line(head), line(rule), ...rows.map(line), line(['**Sum**', '', ...sums, ''])],
    ...[
      '',
      `The chain’s endpoints are paid elsewhere: ${calls.toFixed(1)}M calls a month at \`pollMs\` ${stage.pollMs}, while nothing is caught up on; beyond a provider’s free calls $${dollars(calls * prices.endpointMillionCalls)} at Alchemy’s list. Where another stage of the account uses up the free amounts, this one costs $${dollars(freeUsd(idle, stage))} more. CloudFront’s plan Business ($${prices.businessPlanMonth} a month for edge, bytes and firewall) is cheaper from ${breakEvenMillions(stage)}M document reads a month.`,
    ],
  ].join('\n')
}

/** The tables in the section on cost of cdk/README.md, by their marks there. */
export const costTexts = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(stages).map(([name, stage]) => [`cost ${name}`, costTable(stage)]))
