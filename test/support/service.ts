/** `npm start` as a child of a test: started, waited for, interrupted, killed; its output is kept for the reason of a failure. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DevnetOptions } from '../../dev/devnet/chain.ts'
import { freePort } from '../../dev/emulators/free-port.ts'
import type { Ready } from '../../dev/local/service.ts'
import { RISING_MIN_WALLET_HOURS } from '../../market/rules.ts'
import { startQuietDevnet } from './chain/quiet-devnet.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const READY_WITHIN_MS = 300_000
const ENDED_WITHIN_MS = 120_000
/** Minutes before the start that a smaller past ends. */
const BOUGHT_AGO_MS = 120_000
/** Characters of output that a failure shows. */
const SHOWN = 8_000

export type Service = {
  /** Resolves when ready.json is there; rejects with the output when the run ends before, or after five minutes. */
  readonly ready: Ready
  /** The run and all its descendants: ids and kilobytes of resident memory. */
  processes(): readonly { readonly pid: number; readonly rssKb: number }[]
  /** Ctrl-C: SIGINT to the whole foreground group, or to the main process alone. The exit code. */
  interrupt(whom: 'group' | 'main'): Promise<number | null>
  /** SIGKILL to every process of the run, at once. */
  kill(): Promise<void>
  output(): string
}

/** The run ended, or did not come up; the message ends with its last output. */
class ServiceError extends Error {
  override readonly name = 'ServiceError'
  constructor(what: string, output: string) {
    super(`${what}\n--- output\n${output}`)
  }
}

/** What `npm start` gives to node: variables and arguments. */
function startCommand() {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const words = String(scripts.start).split(' ')
  const at = words.indexOf('node')
  return {
    env: Object.fromEntries(words.slice(0, at).map((word) => word.split('='))),
    args: words.slice(at + 1),
  }
}

/** Starts the service on a data directory and a free port, and waits until it is ready. */
export async function startServiceProcess(options: {
  readonly dataDir: string
  readonly seed: number
  /** Further options of `npm start`. */
  readonly flags?: readonly string[]
  /** Variables beside those of the test. */
  readonly env?: Readonly<Record<string, string>>
  /** Another past of the chain than `npm start` makes: a smaller one is ready sooner. */
  readonly history?: NonNullable<DevnetOptions['history']>
}): Promise<Service> {
  const { history, dataDir, seed } = options
  if (history) {
    const made = await startQuietDevnet({ dataDir, seed, history, now: () => Date.now() - BOUGHT_AGO_MS })
    // Of few trades none may be of the last hour: five tokens are bought, each by as many as a rising one needs.
    for (const { address: token } of made.tokens('creator').slice(0, 5))
      for (const wallet of made.wallets.slice(0, RISING_MIN_WALLET_HOURS))
        await made.buy({ token, wallet, usd: 100 })
    // Without a new block the run begins with figures that are too old.
    await made.mineBlock(Math.floor(Date.now() / 1_000) - 60, [])
    await made.stop()
  }
  const command = startCommand()
  const { flags = [] } = options
  const market = flags.includes('--rpc-url') ? [] : ['--seed', `${seed}`, '--odd']
  const own = ['--data-dir', dataDir, '--port', `${await freePort()}`]
  const args = [...command.args, ...own, ...market, ...flags]
  const readyFile = join(dataDir, 'ready.json')
  rmSync(readyFile, { force: true })
  // A group of its own, as a terminal would give it: signals to it reach every process of the run, and no other.
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...command.env, ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output = (output + text).slice(-SHOWN)
    })
  const pid = child.pid!
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const processes = () => descendantsOf(pid)
  const ended = async () => {
    const code = await Promise.race([exited, sleep(ENDED_WITHIN_MS, 'still running' as const)])
    if (code === 'still running') throw new ServiceError('the run did not end', output)
    return code
  }
  const service = {
    processes,
    output: () => output,
    interrupt: (whom: 'group' | 'main') => {
      process.kill(whom === 'group' ? -pid : pid, 'SIGINT')
      return ended()
    },
    kill: async () => {
      const all = processes().map((each) => each.pid)
      for (const each of all) kill(each)
      await ended()
    },
  }
  try {
    return { ...service, ready: await readyFrom(readyFile, exited, () => output) }
  } catch (error) {
    if (child.exitCode === null) await service.kill()
    throw error
  }
}

async function readyFrom(path: string, exited: Promise<unknown>, output: () => string): Promise<Ready> {
  let hasEnded = false
  exited.then(() => {
    hasEnded = true
  })
  const started = Date.now()
  while (!existsSync(path)) {
    if (hasEnded) throw new ServiceError('the run ended before it was ready', output())
    if (Date.now() - started > READY_WITHIN_MS) throw new ServiceError('not ready in time', output())
    await sleep(100)
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Ready
}

/** A process and all below it, by the parents that `ps` tells; a process that has ended is not among them. */
export function descendantsOf(root: number): { readonly pid: number; readonly rssKb: number }[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => !state?.startsWith('Z'))
    .map(([pid, parent, rssKb]) => ({ pid: Number(pid), parent: Number(parent), rssKb: Number(rssKb) }))
  const family = new Set([root])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return all.filter(({ pid }) => family.has(pid))
}

/** SIGKILL; one that has ended meanwhile is as wanted. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Of some process ids, those that still run. */
export const stillRunning = (pids: readonly number[]): number[] =>
  pids.filter((pid) => descendantsOf(pid).some((each) => each.pid === pid))
