/**
 * `start`: from the command to a board: seconds and CPU until `npm start` is ready, with new data and with kept data, beside `npm ci` and a
 * bare anvil with a bare dynalite in the same rounds; and the longest time for which the terminal said nothing.
 * `idle`: CPU and memory of the run at rest.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '../devnet/anvil.ts'
import { startDynamodb } from '../emulators/dynamodb.ts'
import { freePort } from '../emulators/free-port.ts'
import { atMost, inTurns, median, ratios, say, table } from './measuring.ts'

const ROOT = join(import.meta.dirname, '../..')
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
/** A run that is not ready by then has failed. */
const TIMEOUT_MS = 1_200_000

/** Of npm ci in the same round; the pause in seconds. At rest, percent of a core and megabytes. */
const GOALS = { new: 0.4, kept: 0.15, pause: 2, idleCpu: 5, idleMemory: 400 } as const

const MINUTES = Number(process.env['MINUTES'] ?? 10)
/** Compilers and collectors are busy with the start for a while after it. */
const SETTLE_MS = 60_000

type Measured = { readonly seconds: number; readonly cpu: number; readonly pause: number }

/** `npm start` on this data without npm, which would not pass the end on. */
async function startCommand(dataDir: string): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return ['sh', '-c', `exec env ${scripts.start} --port ${await freePort()} --data-dir ${dataDir}`]
}

/** Whether the run on this data has said that it is ready. */
const isReady = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, 'ready.json')).then(
    () => true,
    () => false,
  )

/** Clock ticks a second, in which the kernel counts CPU. */
const TICKS = 100

/** CPU seconds of a process and of all that it started, ended children included. */
const cpuOf = (pid: number): Promise<number> =>
  sumOf(pid, async (one) => {
    const text = await readFile(`/proc/${one}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  })

/** Megabytes that a process and all that it started hold; pages that several share are counted once. */
const memoryOf = (pid: number): Promise<number> =>
  sumOf(pid, async (one) => {
    const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(await readFile(`/proc/${one}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1_024
  })

/** The sum over a process and its descendants; those that have ended meanwhile count nothing. */
async function sumOf(pid: number, measure: (pid: number) => Promise<number>): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const childrenOf = (thread: string) =>
    readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')
  const children = (await Promise.all(threads.map(childrenOf))).join(' ').split(' ').filter(Boolean)
  const sums = await Promise.all(children.map((child) => sumOf(Number(child), measure)))
  return sums.reduce((sum, one) => sum + one, await measure(pid).catch(() => 0))
}

/** Runs a command until `isReady`, then ends it (a command that ends by itself is ready then). */
async function timed(
  command: readonly string[],
  { cwd = ROOT, isReady }: { readonly cwd?: string; readonly isReady?: () => Promise<boolean> },
): Promise<Measured> {
  const from = performance.now()
  const [program = '', ...words] = command
  const child: ChildProcess = spawn(program, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let [saidAt, pause, cpu, output] = [from, 0, 0, '']
  const heard = (text = '') => {
    const now = performance.now()
    pause = Math.max(pause, (now - saidAt) / 1_000)
    saidAt = now
    output = (output + text).slice(-2_000)
  }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => heard(String(text)))
  while (child.exitCode === null && !(await isReady?.()) && performance.now() - from < TIMEOUT_MS) {
    cpu = Math.max(cpu, await cpuOf(child.pid ?? 0))
    await sleep(50)
  }
  heard()
  if (isReady ? !(await isReady()) : child.exitCode !== 0) throw new Error(`${command.join(' ')}: ${output}`)
  const seconds = (performance.now() - from) / 1_000
  cpu = Math.max(cpu, await cpuOf(child.pid ?? 0))
  child.kill('SIGINT')
  await ended
  return { seconds, cpu, pause }
}

/** A run on this data, until it is ready. */
async function start(dataDir: string): Promise<Measured> {
  return timed(await startCommand(dataDir), { isReady: () => isReady(dataDir) })
}

/** The packages of the lock, into a folder of their own. */
async function install(folder: string): Promise<Measured> {
  for (const file of ['package.json', 'package-lock.json', '.npmrc', 'clients/typescript/package.json'])
    await cp(join(ROOT, file), join(folder, file))
  return timed(['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder })
}

/** What the run stands on, with nothing in it, each asked once. */
async function bare(): Promise<Measured> {
  const [from, before] = [performance.now(), await cpuOf(process.pid)]
  const anvil = await startAnvil({ genesisTimestamp: Math.floor(Date.now() / 1_000), onExit: () => {} })
  const dynamodb = await startDynamodb()
  await fetch(dynamodb.url)
  const seconds = (performance.now() - from) / 1_000
  const cpu = (await cpuOf(process.pid)) - before
  await Promise.all([anvil.stop(), dynamodb.stop()])
  return { seconds, cpu, pause: 0 }
}

export async function run(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'z100-start-'))
  const kept = join(folder, 'kept')
  await start(kept)
  const measures = {
    'npm ci': (round: number) => install(join(folder, `packages-${round}`)),
    'anvil and dynalite, bare': () => bare(),
    'npm start, new data': (round: number) => start(join(folder, `new-${round}`)),
    'npm start, kept data': () => start(kept),
  }
  type Name = keyof typeof measures
  const names = Object.keys(measures) as Name[]
  const results = await inTurns(names, { rounds: ROUNDS }, (name, round) => measures[name](round))
  await rm(folder, { recursive: true, force: true })
  const secondsOf = (name: Name) => results[name].map(({ seconds }) => seconds)
  const share = (name: Name) => median(ratios(secondsOf(name), secondsOf('npm ci')))
  say(
    table([
      ['', 'seconds', 'CPU s', 'of npm ci', 'longest pause s'],
      ...names.map((name) => [
        name,
        median(secondsOf(name)),
        median(results[name].map(({ cpu }) => cpu)),
        share(name),
        Math.max(...results[name].map(({ pause }) => pause)),
      ]),
    ]),
  )
  const started = ['npm start, new data', 'npm start, kept data'] as const
  const pause = Math.max(...started.flatMap((name) => results[name].map((one) => one.pause)))
  return [
    ...atMost('npm start, new data, of npm ci', share('npm start, new data'), GOALS.new),
    ...atMost('npm start, kept data, of npm ci', share('npm start, kept data'), GOALS.kept),
    ...atMost('longest pause of the terminal', pause, GOALS.pause, ' s'),
  ]
}

/** The run at rest: no readers, the default market. */
export async function runIdle(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'z100-idle-'))
  const [program = '', ...words] = await startCommand(folder)
  const child = spawn(program, words, { cwd: ROOT, stdio: 'ignore' })
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
  return [
    ...atMost('CPU at rest', cpu, GOALS.idleCpu, ' %'),
    ...atMost('memory', memory, GOALS.idleMemory, ' MB'),
  ]
}
