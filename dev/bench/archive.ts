/** What the archive of a day costs: CPU and memory of its writer, and bytes a row. */
import { tempDir } from '../../test/support/temp-dir.ts'
import type { ArchiveCost } from './archive-once.ts'
import { atMost, runScript, say, table } from './measuring.ts'

const SWAPS = 100_000
const GOAL_CPU_MS = 20_000
const GOAL_MB = 300
const GOAL_BYTES_A_SWAP = 80
/** What the work needs: without a limit V8 collects its garbage later, and the process grows. */
const HEAP = '--max-old-space-size=128'

/** Writes and archives a day; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const folder = tempDir()
  await runScript('archive-generate.ts', [folder, SWAPS])
  const { cpuMs, wallMs, megabytes, files } = await runScript<ArchiveCost>('archive-once.ts', [folder], {
    flags: [HEAP],
  })
  say(`CPU ${Math.round(cpuMs)} ms, ${Math.round(wallMs)} ms in all, ${Math.round(megabytes)} MB at most`)
  say(
    table([
      ['set', 'rows', 'bytes', 'bytes a row'],
      ...files.map(({ set, rows, bytes }) => [
        set,
        String(rows),
        String(bytes),
        rows > 0 ? (bytes / rows).toFixed(1) : '-',
      ]),
    ]),
  )
  const swaps = files.find(({ set }) => set === 'swaps')
  return [
    ...atMost('CPU', cpuMs, GOAL_CPU_MS, ' ms'),
    ...atMost('memory', megabytes, GOAL_MB, ' MB'),
    ...atMost('a swap', (swaps?.bytes ?? Number.NaN) / (swaps?.rows ?? 1), GOAL_BYTES_A_SWAP, ' bytes'),
  ]
}
