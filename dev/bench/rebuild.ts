/** What a rebuild costs: CPU, memory, and what is asked of bucket and table, by the number of tokens. */
import { rm } from 'node:fs/promises'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { bundle, writeBundle } from '../../lambdas/build/bundles.ts'
import { LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import { REBUILD_SEMI_SPACE_MB } from '../../schemas/deployment/stages.ts'
import { startDynalite } from '../../test/support/aws/emulators.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { atMost, runScript, say, table } from './measuring.ts'
import type { RebuildCost } from './rebuild-once.ts'

/** Sizes of markets: tokens active in 30 days, and ever. A larger one is left out where there is less memory free. */
const sizes = [
  { active: 100_000, ever: 100_000, swapsPerSecond: 10, minutes: 20, needsGb: 2 },
  { active: 600_000, ever: 600_000, swapsPerSecond: 20, minutes: 20, needsGb: 4 },
  { active: 600_000, ever: 5_000_000, swapsPerSecond: 20, minutes: 20, needsGb: 4 },
] as const
type Size = (typeof sizes)[number]

/** CPU of a whole rebuild by active tokens; memory of the process; and a cold start from a checkpoint. */
const GOAL_CPU_MS: Readonly<Record<number, number>> = { 100000: 1_300, 600000: 4_000 }
const GOAL_MB = 2_000
const GOAL_COLD_MS = 20_000
const GOAL_SEGMENTS_MINUTES = 15
/** What 5,000,000 tokens ever may cost of what 600,000 do, with the same activity. */
const GOAL_EVER = 1.05
const GOAL_READ_UNITS = 20
/** Options of node for the processes that are measured. */
const flags = ['--max-old-space-size=2600', `--max-semi-space-size=${REBUILD_SEMI_SPACE_MB}`]

/** Runs every size in a process of its own, or those whose names contain ROWS; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const dynalite = await startDynalite()
  const missed: string[] = []
  try {
    const columns: Record<string, string>[] = []
    const costs: { size: Size; cost: RebuildCost }[] = []
    for (const size of sizes) {
      const name = `${size.active} active of ${size.ever} × ${size.swapsPerSecond} swaps/s`
      if (!name.includes(process.env['ROWS'] ?? '')) continue
      if (freemem() < size.needsGb * 2 ** 30) {
        say(`skipped: ${name} needs ${size.needsGb} GB of free memory`)
        continue
      }
      const cost = await costOf(size)
      columns.push({ '': name, ...figuresOf(cost) })
      missed.push(...missedBy(size, cost))
      costs.push({ size, cost })
      say(`${name}: ${JSON.stringify(cost)}`)
    }
    missed.push(...missedByEver(costs))
    const rows = Object.keys(columns[0] ?? {})
    say(table(rows.map((row) => [row, ...columns.map((column) => column[row] ?? '')])))
  } finally {
    await dynalite.stop()
  }
  return missed
}

async function costOf({ active, ever, swapsPerSecond, minutes }: Size): Promise<RebuildCost> {
  const folder = tempDir()
  try {
    await runScript('rebuild-generate.ts', [folder, active, ever, swapsPerSecond, minutes], { flags })
    return await runScript<RebuildCost>(await bundledOnce(folder), [folder], { flags })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The script as one file, made as what is deployed is made: without its checks of types, validators are functions. */
async function bundledOnce(folder: string): Promise<string> {
  const target = { name: 'rebuild-once', entry: 'dev/bench/rebuild-once.ts', isService: true }
  await writeBundle(await bundle(target), folder)
  return join(folder, 'bundles/rebuild-once/index.mjs')
}

/** Minutes of CPU for all segments of 30 days. */
const minutesOfAll = (segmentCpuMs: number): number => (segmentCpuMs * LONGEST_WINDOW_MINUTES) / 60_000
const ms = (value: number): string => `${value.toFixed(1)} ms`

function figuresOf(cost: RebuildCost): Record<string, string> {
  const { cold, segmentCpuMs, warm, lists, peakMb } = cost
  return {
    'whole rebuild, CPU': ms(warm.cpuMs),
    "with the tables' lists, CPU": ms(lists.cpuMs),
    'cold start and rebuild, CPU': ms(cold.cpuMs),
    'cold start and rebuild, wall': ms(cold.wallMs),
    'a segment at a cold start without a checkpoint, CPU': ms(segmentCpuMs),
    'all of 30 days, CPU': `${minutesOfAll(segmentCpuMs).toFixed(1)} min`,
    'peak memory of the process': `${peakMb.toFixed(0)} MB`,
    'read units a minute': `${warm.readUnits}`,
  }
}

function missedBy(
  { active }: Size,
  { cold, segmentCpuMs, warm, lists, peakMb }: RebuildCost,
): readonly string[] {
  const cpuMs = GOAL_CPU_MS[active] ?? 0
  return [
    ...atMost('CPU of a rebuild', warm.cpuMs, cpuMs, ' ms'),
    ...atMost("CPU with the tables' lists", lists.cpuMs, cpuMs, ' ms'),
    ...atMost('memory', peakMb, GOAL_MB, ' MB'),
    ...atMost('CPU of a cold start from a checkpoint', cold.cpuMs, GOAL_COLD_MS, ' ms'),
    ...atMost('CPU of a cold start from segments', minutesOfAll(segmentCpuMs), GOAL_SEGMENTS_MINUTES, ' min'),
    ...atMost('read units of a rebuild', warm.readUnits, GOAL_READ_UNITS),
  ].map((goal) => `${active} active: ${goal}`)
}

/** What tokens that nobody trades cost: the two largest markets differ in them alone. */
function missedByEver(costs: readonly { size: Size; cost: RebuildCost }[]): string[] {
  const [few, many] = costs.filter(({ size }) => size.active === 600_000)
  if (!few || !many) return []
  const ratios = {
    CPU: many.cost.warm.cpuMs / few.cost.warm.cpuMs,
    memory: many.cost.peakMb / few.cost.peakMb,
  }
  say(`5,000,000 ever by 600,000 ever: CPU ${ratios.CPU.toFixed(2)}x, memory ${ratios.memory.toFixed(2)}x`)
  return Object.entries(ratios).flatMap(([name, ratio]) =>
    atMost(`${name} at 5,000,000 ever, as a share of that at 600,000`, ratio, GOAL_EVER),
  )
}
