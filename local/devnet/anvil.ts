/** The anvil process: started on a free port, ends with its parent, controlled over JSON-RPC. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { OperatorFault } from '../../admin/terminal.ts'
import { askOrigin } from '../aws/cloudfront-origin.ts'
import { type Emulator, listen } from '../aws/listening.ts'
import { freePort } from '../parts.ts'
import { create2Deployer } from './contracts.ts'

type Call = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

// github.com/Arachnid/deterministic-deployment-proxy, runtime code
const create2DeployerCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
const ZERO = `0x${'0'.repeat(64)}`
// keccak256 of the empty trie and of the empty list
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/**
 * A chain of one empty block, served over JSON-RPC on its own port, for anvil to fork; anvil asks it for every unknown
 * address. For a chain of its own, anvil hashes the whole state at every block, even an empty one: 20 ms with a few
 * hundred tokens, so an hour of blocks takes 12 s to replay. For a fork it does not: 0.2 ms. `timestamp` is Unix
 * seconds.
 */
function startEmptyChain(timestamp: number): Promise<Emulator> {
  const answer = answering(genesisBlock(timestamp))
  // Keeps idle connections open: closing one just when anvil reuses it would fail the call of anvil's own client.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    json(request)
      .then((asked) => {
        const text = JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked as Call))
        response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      })
      // Only clients other than anvil send malformed calls.
      .catch(() => response.writeHead(400).end())
  })
  return listen('empty chain', server)
}

function answering(block: ReturnType<typeof genesisBlock>) {
  const codeOf = (address: unknown) =>
    String(address).toLowerCase() === create2Deployer ? create2DeployerCode : '0x'
  const results: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_chainId: () => '0x7a69',
    net_version: () => '31337',
    eth_blockNumber: () => block.number,
    eth_gasPrice: () => '0x0',
    eth_getBlockByNumber: ([number]) => (number === block.number || number === 'latest' ? block : null),
    eth_getBlockByHash: ([hash]) => (hash === block.hash ? block : null),
    eth_getAccountInfo: ([address]) => ({ balance: '0x0', nonce: '0x0', code: codeOf(address) }),
    eth_getBalance: () => '0x0',
    eth_getTransactionCount: () => '0x0',
    eth_getCode: ([address]) => codeOf(address),
    eth_getStorageAt: () => ZERO,
    eth_getLogs: () => [],
    eth_getBlockReceipts: () => [],
    eth_getTransactionByHash: () => null,
    eth_getTransactionReceipt: () => null,
  }
  return ({ id, method, params = [] }: Call) => {
    const result = results[method]
    return result
      ? { jsonrpc: '2.0', id, result: result(params) }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: `the empty chain has no ${method}` } }
  }
}

function genesisBlock(timestamp: number) {
  return {
    number: '0x0',
    // Any hash will do; including the time makes chains differ from their first block on.
    hash: `0x${timestamp.toString(16).padStart(64, '0')}`,
    parentHash: ZERO,
    sha3Uncles: NO_UNCLES,
    logsBloom: `0x${'0'.repeat(512)}`,
    transactionsRoot: EMPTY_TRIE,
    stateRoot: EMPTY_TRIE,
    receiptsRoot: EMPTY_TRIE,
    withdrawalsRoot: EMPTY_TRIE,
    miner: `0x${'0'.repeat(40)}`,
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x',
    size: '0x0',
    gasLimit: '0x3b9aca00',
    gasUsed: '0x0',
    timestamp: `0x${timestamp.toString(16)}`,
    mixHash: ZERO,
    nonce: '0x0000000000000000',
    uncles: [],
    transactions: [],
    withdrawals: [],
    baseFeePerGas: '0x0',
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: ZERO,
  }
}

/** A call of a batch. */
export type AnvilCall = { readonly method: string; readonly params: readonly unknown[] }

/** A running anvil. `stop` resolves when the process has ended. */
export type Anvil = {
  readonly rpcUrl: string
  request(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Results in the order of the calls, which anvil executes in any order. */
  batch(calls: readonly AnvilCall[]): Promise<readonly unknown[]>
  /** Resets to before the first mined block, without pending transactions. */
  restart(): Promise<void>
  isRunning(): boolean
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

/** Number of accounts that anvil signs for. */
export const ACCOUNTS = 60
/** Blocks whose state is kept, 2 MB each: the maximum depth of reorgs by others. */
const STATES_KEPT = 6
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
  /** Whether it keeps the state after every block. @default only the newest ones */
  readonly isArchive?: boolean
}

/** Starts anvil. Throws AnvilStart. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const origin = await startEmptyChain(options.genesisTimestamp)
  const life = liveChild(anvilBinary(), argumentsOf(port, origin.url, options), options.onExit)
  const request = async (method: string, params: readonly unknown[] = []) =>
    (await post(rpcUrl, [{ method, params }]))[0]
  let first: unknown
  const anvil: Anvil = {
    ...{ rpcUrl, request },
    batch: (calls) => post(rpcUrl, calls),
    restart: async () => {
      await request('anvil_dropAllTransactions')
      await request('evm_revert', [first])
      first = await request('evm_snapshot')
    },
    isRunning: () => !life.hasEnded(),
    stop: async () => {
      await life.stop()
      await origin.stop()
    },
  }
  await untilAnswering(anvil, life.hasEnded)
  first = await request('evm_snapshot')
  return anvil
}

function argumentsOf(port: number, forkUrl: string, options: AnvilOptions): string[] {
  const values = {
    port,
    'fork-url': forkUrl,
    'fork-block-number': 0,
    timestamp: options.genesisTimestamp,
    accounts: ACCOUNTS,
    ...(options.isArchive ? {} : { 'prune-history': STATES_KEPT }),
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
  ]
  return [...words, ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])]
}

function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  const require = createRequire(import.meta.url)
  try {
    // Uses the program in the platform package, since the wrapper of @foundry-rs/anvil would be a second Node process.
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/anvil`)
  } catch (cause) {
    throw anvilStart(`${name} is not installed`, { cause })
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

async function untilAnswering(anvil: Anvil, hasEnded: () => boolean): Promise<void> {
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
