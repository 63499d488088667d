/**
 * From the command to a board: seconds and CPU until `npm start` is ready, with new data and with kept data, beside `npm ci` and a
 * bare anvil with a bare dynalite in the same rounds; and the longest time for which the terminal said nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '../devnet/anvil.ts'
import { startDynamodb } from '../emulators/dynamodb.ts'
import { atMost, inTurns, median, ratios, say, table } from './measuring.ts'
import { cpuOf, isReady, startCommand } from './whole-run.ts'

const ROOT = join(import.meta.dirname, '../..')
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
/** A run that is not ready by then has failed. */
const TIMEOUT_MS = 1_200_000

/** Of npm ci in the same round; the pause in seconds. */
const GOALS = { new: 0.4, kept: 0.15, pause: 2 } as const

type Measured = { readonly seconds: number; readonly cpu: number; readonly pause: number }

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
