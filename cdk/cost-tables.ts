/** What cdk/cost.ts computes, as cdk/README.md has it. */
import { type Stage, stages } from './config.ts'
import { assumptions, costLines, DAYS, loads, monthUsd } from './cost.ts'

/** What a stage may have beyond its numbers, or do without, and what that buys. */
const choicesOfMoney: readonly {
  readonly what: string
  readonly buys: string
  readonly of: (stage: Stage) => Stage
}[] = [
  {
    what: 'no stream',
    buys: 'nothing: readers ask for recent swaps, a minute old',
    of: (stage) => ({ ...stage, stream: null }),
  },
  {
    what: 'one more task of the stream',
    buys: 'from the second on, no reader loses the stream when a task or a zone fails; room for `readersPerTask` more',
    of: (stage) => ({
      ...stage,
      stream: stage.stream && { ...stage.stream, minTasks: stage.stream.minTasks + 1 },
    }),
  },
  {
    what: 'an ingest task of twice the size',
    buys: 'twice the swaps a second, and half the time to catch up',
    of: (stage) => ({
      ...stage,
      ingest: { cpu: 2 * stage.ingest.cpu, memoryMb: 2 * stage.ingest.memoryMb },
    }),
  },
  {
    what: 'tasks that are not moved',
    buys: 'no pause of two minutes when Fargate needs its room for others',
    of: (stage) => ({ ...stage, areTasksSpot: false }),
  },
  {
    what: 'the firewall',
    buys: 'a bound on what one address, or one key, can ask and cost',
    of: (stage) => ({ ...stage, hasFirewall: true }),
  },
  {
    what: 'copies in a second region',
    buys: 'accounts two hours old at most and every segment, after the loss of a region’s data',
    of: (stage) => ({ ...stage, copiesRegion: 'us-west-2' }),
  },
]

const dollars = (usd: number): string => (usd < 10 ? usd.toFixed(1) : Math.round(usd).toLocaleString('en-US'))
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The bill as a table in Markdown, a column for each load. */
export function costTable(stage: Stage): string {
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

/** What each further dollar buys, or one less gives up: a line for each choice that changes the idle bill, and the stages that it would change. */
export function choiceTable(): string {
  const [idle] = loads
  const rows = choicesOfMoney.map(({ what, buys, of }) => [
    what,
    ...Object.values(stages).map((stage) => {
      const more = idle ? monthUsd(idle, of(stage)) - monthUsd(idle, stage) : 0
      return Math.abs(more) < 0.05 ? 'has it' : `${more > 0 ? '+' : '−'}${dollars(Math.abs(more))}`
    }),
    buys,
  ])
  const head = ['A month, idle', ...Object.keys(stages), 'buys']
  return [line(head), line(['---', ...Object.keys(stages).map(() => '---:'), '---']), ...rows.map(line)].join(
    '\n',
  )
}

/** All that the section on cost in cdk/README.md has from these numbers, by its mark there. */
export const costTexts = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(stages).map(([name, stage]) => [`cost ${name}`, costTable(stage)])),
  'cost choices': choiceTable(),
})
