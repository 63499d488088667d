/** The run at rest: CPU and memory of all its processes over ten minutes without readers, on the default market. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, say, table } from './measuring.ts'
import { cpuOf, isReady, memoryOf, startCommand } from './whole-run.ts'

const MINUTES = Number(process.env['MINUTES'] ?? 10)
/** Compilers and collectors are busy with the start for a while after it. */
const SETTLE_MS = 60_000
/** Percent of a core; megabytes. */
const GOALS = { cpu: 5, memory: 400 } as const

export async function run(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'z100-idle-'))
  const [program = '', ...words] = await startCommand(folder)
  const child = spawn(program, words, { cwd: join(import.meta.dirname, '../..'), stdio: 'ignore' })
  const ended = once(child, 'exit')
  const [pid, minutes]: [number, (readonly number[])[]] = [child.pid ?? 0, []]
  while (!(await isReady(folder))) {
    if (child.exitCode !== null) throw new Error(`npm start has ended with status ${child.exitCode}`)
    await sleep(500)
  }
  await sleep(SETTLE_MS)
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    const [cpu, from] = [await cpuOf(pid), performance.now()]
    await sleep(60_000)
    const seconds = (await cpuOf(pid)) - cpu
    minutes.push([seconds, (seconds / (performance.now() - from)) * 100_000, await memoryOf(pid)])
  }
  child.kill('SIGINT')
  await ended
  await rm(folder, { recursive: true })
  say(
    table([['minute', 'CPU s', '% of a core', 'MB'], ...minutes.map((row, at) => [String(at + 1), ...row])]),
  )
  const cpu = minutes.reduce((sum, [, percent = 0]) => sum + percent, 0) / MINUTES
  const memory = Math.max(...minutes.map(([, , megabytes = 0]) => megabytes))
  say(`in all ${cpu.toFixed(2)} % of a core, ${memory.toFixed(0)} MB at most`)
  return [...atMost('CPU at rest', cpu, GOALS.cpu, ' %'), ...atMost('memory', memory, GOALS.memory, ' MB')]
}
