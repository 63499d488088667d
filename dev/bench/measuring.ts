/** What the benchmarks share: contestants in turns, processes of their own, CPU time, tables and goals. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/** The middle value; of an even number the upper one of the two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Round by round, the first values divided by the second. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): readonly number[] =>
  theirs.map((value, round) => (ours[round] ?? Number.NaN) / value)

/** Prints a line. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Lines of columns: the first to the left, the others to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell)))
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return texts.map(line).join('\n')
}

/** A missed goal, as `main.ts` prints it; none if the value is at most `most`. */
export const atMost = (name: string, value: number, most: number, unit = ''): readonly string[] =>
  value > most ? [`${name}: ${value.toFixed(2)}${unit}, at most ${most}${unit}`] : []

/** A missed goal, as `main.ts` prints it; none if the value is at least `least`. */
export const atLeast = (name: string, value: number, least: number, unit = ''): readonly string[] =>
  value < least ? [`${name}: ${value.toFixed(2)}${unit}, at least ${least}${unit}`] : []

/** Milliseconds: CPU of all threads of this process, and elapsed. */
export type Time = { readonly cpuMs: number; readonly wallMs: number }

/** Starts to measure; the function it gives tells the time since then. */
export function startTimer(): () => Time {
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - wall }
  }
}

/** What some work takes. */
export async function timeOf(work: () => unknown): Promise<Time> {
  const time = startTimer()
  await work()
  return time()
}

/** Measures all contestants in each round, a different one first each time. Rounds below 0 warm up: their results are dropped. */
export async function inTurns<Name extends string, Result>(
  names: readonly Name[],
  { rounds, warmUp = 0 }: { readonly rounds: number; readonly warmUp?: number },
  measure: (name: Name, round: number) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await measure(name, round)
      if (round >= 0) results[name].push(result)
    }
  }
  return results
}

/** Path of a file in this folder. */
export const here = (file: string): string => new URL(file, import.meta.url).pathname

/** Whether one of the systems we compare with is installed; if not, prints how to install it. */
export function isInstalled(name: string): boolean {
  const isHere = existsSync(here(`node_modules/${name}`))
  if (!isHere) say(`skipped: ${name} is not installed (npm ci --prefix dev/bench)`)
  return isHere
}

/** A script that has not ended by then is stopped. */
const TIMEOUT_MS = 60 * 60_000

/** Runs a script of this folder in a process of its own; what its last line says as JSON. */
export async function runScript<Result>(
  file: string,
  args: readonly (string | number)[],
  {
    env = process.env,
    flags = [],
  }: { readonly env?: NodeJS.ProcessEnv; readonly flags?: readonly string[] } = {},
): Promise<Result> {
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : []
  const words = [...flags, ...loader, here(file), ...args.map(String)]
  const options = { env, maxBuffer: 2 ** 24, timeout: TIMEOUT_MS }
  const { stdout } = await promisify(execFile)(process.execPath, words, options)
  return JSON.parse(stdout.trim().split('\n').at(-1) || 'null') as Result
}

/** The most memory that the process held while it was watched, in megabytes. */
export function watchMemory() {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss() / 2 ** 20)
  }
  const timer = setInterval(look, 20)
  return {
    stop() {
      look()
      clearInterval(timer)
      return peak
    },
  }
}
