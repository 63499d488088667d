/** The anvil process: started on a free port, ends with its parent, controlled over JSON-RPC. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { OperatorFault } from '../../admin/base/terminal.ts'
import { askOrigin } from '../emulators/cloudfront-origin.ts'
import { freePort } from '../emulators/free-port.ts'
import { startEmptyChain } from './rpc-servers.ts'

/** A call of a batch. */
export type AnvilCall = { readonly method: string; readonly params: readonly unknown[] }

/** JSON-RPC calls to anvil. */
type Calls = {
  request(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Results in the order of the calls, which anvil executes in any order. */
  batch(calls: readonly AnvilCall[]): Promise<readonly unknown[]>
}

/** A running anvil. `stop` resolves when it has ended. */
export type Anvil = Calls & {
  /** Where readers find the chain; it changes when a renewed chain is published. */
  readonly rpcUrl: string
  /**
   * Starts over in a second process, which `fill` gives its blocks: calls go there from now on, while readers stay with
   * the first until `publish`. If `fill` fails, everything stays as it was.
   */
  renew(fill: () => Promise<void>): Promise<void>
  /** Moves readers to the renewed chain, if there is one, and ends the process before it. */
  publish(): Promise<void>
  stop(): Promise<void>
}

/** anvil is not installed for this machine, or did not start. */
const anvilStart = (message: string, options?: ErrorOptions) =>
  new OperatorFault('AnvilStart', message, options)

/** anvil answered a call with an error. */
export class AnvilCallError extends Error {
  override readonly name = 'AnvilCallError'
  constructor(method: string, message: string) {
    super(`${method}: ${message}`)
  }
}

/** Accounts that anvil signs for: the deployer and the traders, then an address for each creator. */
export const TRADING_ACCOUNTS = 60
const ACCOUNTS = TRADING_ACCOUNTS + 140
/** Blocks whose state is readable, by choice. A state is a copy of 2 MB, and of the hash of every block. */
const statesKept = { all: [], recent: ['--prune-history', '6'], newest: ['--prune-history'] } as const
const START_TIMEOUT_MS = 60_000
/**
 * jemalloc options for anvil: one arena, and early release of free memory. Saves 30 of 215 MB after 800 blocks, for no
 * more CPU.
 */
const ALLOCATOR = 'narenas:1,dirty_decay_ms:500,muzzy_decay_ms:0'

// The shell holds the read end of a pipe from us: when we end, in whatever way, the pipe closes and anvil is killed.
const untilParentEnds = `
exec 3<&0
"$@" 3<&- </dev/null >/dev/null &
child=$!
( cat <&3 >/dev/null; kill -9 $child ) >/dev/null 2>&1 &
exec 3<&-
wait $child`

/** Options of anvil: its first block is at `genesisTimestamp` (Unix seconds); `onExit` is called if it ends unexpectedly. */
type AnvilOptions = {
  readonly genesisTimestamp: number
  readonly onExit: (error: Error) => void
  /** Blocks after which the state stays readable. @default recent */
  readonly states?: keyof typeof statesKept
}

/** Starts anvil. Throws AnvilStart. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const origin = await startEmptyChain(options.genesisTimestamp)
  let current = await startProcess(origin.url, options).catch(async (error: unknown) => {
    await origin.stop()
    throw error
  })
  let renewed: AnvilProcess | undefined
  return {
    get rpcUrl() {
      return current.rpcUrl
    },
    request: (method, params) => (renewed ?? current).request(method, params),
    batch: (calls) => (renewed ?? current).batch(calls),
    renew: async (fill) => {
      const before = renewed
      renewed = await startProcess(origin.url, options)
      try {
        await fill()
        await before?.stop()
      } catch (error) {
        await renewed.stop()
        renewed = before
        throw error
      }
    },
    publish: async () => {
      if (!renewed) return
      const before = current
      current = renewed
      renewed = undefined
      await before.stop()
    },
    stop: async () => {
      await renewed?.stop()
      await current.stop()
      await origin.stop()
    },
  }
}

type AnvilProcess = Calls & { readonly rpcUrl: string; stop(): Promise<void> }

async function startProcess(forkUrl: string, options: AnvilOptions): Promise<AnvilProcess> {
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const life = liveChild(anvilBinary(), argumentsOf(port, forkUrl, options), options.onExit)
  const anvil: AnvilProcess = {
    rpcUrl,
    request: async (method, params = []) => (await post(rpcUrl, [{ method, params }]))[0],
    batch: (calls) => post(rpcUrl, calls),
    stop: life.stop,
  }
  await untilAnswering(anvil, life.hasEnded)
  return anvil
}

function argumentsOf(port: number, forkUrl: string, options: AnvilOptions): string[] {
  const values = {
    port,
    'fork-url': forkUrl,
    'fork-block-number': 0,
    timestamp: options.genesisTimestamp,
    accounts: ACCOUNTS,
    'chain-id': 31_337,
    'gas-limit': 1_000_000_000,
    'base-fee': 0,
    'gas-price': 0,
    'slots-in-an-epoch': 4,
  }
  // --order fees: a batch is unordered, so the gas price determines the order (miner.ts).
  const words = [
    '--no-storage-caching',
    '--no-rate-limit',
    '--no-mining',
    '--silent',
    '--no-request-size-limit',
    '--no-cors',
    '--order',
    'fees',
    '--hardfork',
    'cancun',
    ...statesKept[options.states ?? 'recent'],
  ]
  return [...words, ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])]
}

const ARCH = process.arch === 'x64' ? 'amd64' : process.arch

/** The program of the package for this machine; if that is not installed, the one on the PATH. Throws AnvilStart. */
export function anvilBinary(name = `@foundry-rs/anvil-${process.platform}-${ARCH}`): string {
  const require = createRequire(import.meta.url)
  try {
    // Uses the program in the platform package, since the wrapper of @foundry-rs/anvil would be a second Node process.
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/anvil`)
  } catch (cause) {
    const folders = (process.env['PATH'] ?? '').split(delimiter)
    const found = folders.map((folder) => join(folder, 'anvil')).find((file) => existsSync(file))
    if (found) return found
    throw anvilStart(
      `neither ${name} nor an anvil on the PATH is installed (https://getfoundry.sh has one)`,
      { cause },
    )
  }
}

function liveChild(binary: string, args: readonly string[], onExit: (error: Error) => void) {
  // In its own process group: Ctrl-C in the terminal reaches only us, and we stop it in order.
  const child: ChildProcess = spawn('/bin/sh', ['-c', untilParentEnds, 'devnet', binary, ...args], {
    detached: true,
    // anvil must reach the empty chain without a proxy.
    env: { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1', _RJEM_MALLOC_CONF: ALLOCATOR },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const state = { hasEnded: false, isStopping: false, stderr: '' }
  child.stderr?.on('data', (chunk: Buffer) => {
    state.stderr = (state.stderr + chunk.toString()).slice(-2_000)
  })
  const ended = new Promise<void>((resolve) => {
    const end = (code: number | null, signal: string | null) => {
      if (!state.hasEnded && !state.isStopping)
        onExit(
          new OperatorFault(
            'AnvilExit',
            `anvil ended with status ${code ?? signal}${state.stderr.trim() ? `: ${state.stderr.trim()}` : ''}`,
          ),
        )
      state.hasEnded = true
      child.stdin?.destroy()
      resolve()
    }
    child.once('exit', end)
    child.once('error', (error) => end(null, error.message))
  })
  const stop = async () => {
    state.isStopping = true
    child.stdin?.destroy()
    await ended
  }
  return { stop, hasEnded: () => state.hasEnded }
}

async function untilAnswering(anvil: AnvilProcess, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && !hasEnded()) {
    const answer = await anvil.request('eth_chainId').catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await anvil.stop()
  throw anvilStart(`anvil does not answer at ${anvil.rpcUrl}`)
}

type Answer = {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

async function post(rpcUrl: string, calls: readonly AnvilCall[]): Promise<readonly unknown[]> {
  if (calls.length === 0) return []
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const headers = { 'content-type': 'application/json' }
  const said = await askOrigin({ url: rpcUrl, method: 'POST', headers, body })
  if (said.status !== 200) throw new OperatorFault('AnvilSilent', `anvil does not answer at ${rpcUrl}`)
  const answers = JSON.parse(said.body.toString()) as readonly Answer[]
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.map(({ method }, id) => {
    const answer = byId.get(id)
    if (!answer || answer.error) throw new AnvilCallError(method, answer?.error?.message ?? 'no answer')
    return answer.result
  })
}
