/** What a rebuild costs: ranking beside DuckDB, CPU, memory, and what is asked of bucket and table, by the number of tokens. */
import { execFile } from 'node:child_process'
import { freemem } from 'node:os'
import { promisify } from 'node:util'
import { startDynalite } from '../support/stand-ins.ts'
import type { RebuildCost } from './rebuild-once.ts'
import { median, say, table } from './rounds.ts'

/** Sizes of markets; only gates can be missed. Two differ in swaps alone: what is read follows these. A larger one is left out where there is less memory free. */
const sizes = [
  { tokens: 20_000, swapsPerSecond: 2, minutes: 41, isGate: false, needsGb: 1 },
  { tokens: 20_000, swapsPerSecond: 10, minutes: 41, isGate: false, needsGb: 1 },
  { tokens: 100_000, swapsPerSecond: 10, minutes: 41, isGate: true, needsGb: 2 },
  { tokens: 1_000_000, swapsPerSecond: 100, minutes: 26, isGate: false, needsGb: 10 },
] as const
type Size = (typeof sizes)[number]

const GOAL_RATIO = 0.35
/** CPU of a whole rebuild: seconds, and seconds a token. */
const GOAL_CPU = { once: 0.3, aToken: 0.3e-6 }
const GOAL_READ_UNITS = 20

/** Runs every size in a process of its own; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const dynalite = await startDynalite()
  const missed: string[] = []
  try {
    const columns: Record<string, string>[] = []
    for (const size of sizes) {
      const name = `${size.tokens} tokens × ${size.swapsPerSecond} swaps/s`
      if (freemem() < size.needsGb * 2 ** 30) {
        say(`skipped: ${name} needs ${size.needsGb} GB of free memory`)
        continue
      }
      const cost = await costOf(size)
      columns.push({ '': name, ...figuresOf(cost) })
      if (cost.ranking.peerMs === null)
        say('skipped: DuckDB is not installed; npm install --prefix test/bench')
      if (size.isGate) missed.push(...missedBy(size, cost))
      say(`${name}: ${JSON.stringify(cost)}`)
    }
    const rows = Object.keys(columns[0] ?? {})
    say(table(rows.map((row) => [row, ...columns.map((column) => column[row] ?? '')])))
  } finally {
    await dynalite.stop()
  }
  return missed
}

async function costOf({ tokens, swapsPerSecond, minutes }: Size): Promise<RebuildCost> {
  const script = new URL('rebuild-once.ts', import.meta.url).pathname
  const flags = ['--expose-gc', '--max-old-space-size=12000', '--import', 'tsx']
  const asked = [...flags, script, ...[tokens, swapsPerSecond, minutes].map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, asked, { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as RebuildCost
}

const ms = (value: number): string => `${value.toFixed(1)} ms`

function figuresOf({
  cold,
  warm,
  twins,
  imageCpuMs,
  imageMb,
  peakMb,
  ranking,
}: RebuildCost): Record<string, string> {
  return {
    'ranking, CPU': ms(ranking.oursMs),
    'the same by DuckDB, 1 thread, CPU': ranking.peerMs === null ? 'skipped' : ms(ranking.peerMs),
    'ratio: median [lowest, highest]': spread(ranking.ratios),
    'ranking and valuation, CPU': ms(ranking.valuedMs),
    'its ratio to DuckDB without valuation': spread(ranking.valuedRatios),
    'whole rebuild, CPU': ms(warm.cpuMs),
    'whole rebuild, wall': ms(warm.wallMs),
    "with the tables' twins, CPU": ms(twins.cpuMs),
    "with the tables' twins, wall": ms(twins.wallMs),
    'with an image, CPU': imageCpuMs === null ? '–' : ms(imageCpuMs),
    'cold start and rebuild, CPU': ms(cold.cpuMs),
    'cold start and rebuild, wall': ms(cold.wallMs),
    'peak memory of the process': `${peakMb.toFixed(0)} MB`,
    image: `${imageMb.toFixed(1)} MB`,
    'GETs a minute': `${warm.gets} (${warm.getKb.toFixed(0)} kB)`,
    'PUTs a minute': `${warm.puts}`,
    'read units a minute': `${warm.readUnits}`,
    'write units a minute': `${warm.writeUnits}`,
    "write units a minute with the tables' twins": `${twins.writeUnits}`,
  }
}

const spread = (ratios: readonly number[]): string =>
  ratios.length === 0
    ? 'skipped'
    : `${median(ratios).toFixed(2)}x [${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}]`

function missedBy({ tokens }: Size, { warm, twins, ranking: { ratios } }: RebuildCost): string[] {
  const cpuMs = 1_000 * (GOAL_CPU.once + GOAL_CPU.aToken * tokens)
  const goals = [
    { name: `ranking ≤ ${GOAL_RATIO}x DuckDB`, isMet: ratios.length === 0 || median(ratios) <= GOAL_RATIO },
    { name: `CPU of a rebuild ≤ ${ms(cpuMs)}`, isMet: warm.cpuMs <= cpuMs },
    { name: `the same with the tables' twins ≤ ${ms(cpuMs)}`, isMet: twins.cpuMs <= cpuMs },
    { name: `read units of a rebuild ≤ ${GOAL_READ_UNITS}`, isMet: warm.readUnits <= GOAL_READ_UNITS },
  ]
  return goals.filter(({ isMet }) => !isMet).map(({ name }) => name)
}
