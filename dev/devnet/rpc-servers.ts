/** JSON-RPC servers around anvil: the empty chain that it forks, and the address that others reach it at. */
import { createServer, type Server } from 'node:http'
import { askOrigin } from '../emulators/cloudfront-origin.ts'
import { type Emulator, listen } from '../emulators/listening.ts'
import { BodyTooLargeError, bodyOf } from '../emulators/request-body.ts'
import { create2Deployer } from './contracts.ts'

type Call = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

const notHere = (id: number, method: string) =>
  refused(id, -32601, `the method ${method} is not available here`)

/** A server of calls and batches; `answer` gets their text too, and returns JSON. */
function rpcServer(
  answer: (asked: Call | readonly Call[], text: string) => Promise<Buffer | string>,
): Server {
  return createServer((request, response) => {
    bodyOf(request)
      .then(String)
      .then((text) => answer(JSON.parse(text), text))
      .then((json) => response.writeHead(200, { 'content-type': 'application/json' }).end(json))
      .catch((error: unknown) => response.writeHead(statusOf(error)).end())
  })
}

const statusOf = (error: unknown): number =>
  error instanceof BodyTooLargeError ? 413 : error instanceof SyntaxError ? 400 : 502

/** The JSON of one answer for each call. */
const answerEach = (asked: Call | readonly Call[], answer: (call: Call) => unknown): string =>
  JSON.stringify('method' in asked ? answer(asked) : asked.map(answer))

/** The answer to a call with an error, by its code in the specification of JSON-RPC. */
const refused = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message },
})

function isCall(value: unknown): value is Call {
  const { method, params = [] } = Object(value)
  return typeof method === 'string' && Array.isArray(params)
}

/**
 * Methods that are passed to anvil: they read the chain, or send a transaction, which the next block includes. Others
 * would change the chain in a way that its journal cannot repeat, such as anvil_setBalance, or end anvil, such as
 * eth_feeHistory of 2^64 blocks.
 */
const passedMethods: ReadonlySet<string> = new Set([
  ...['net_version', 'net_listening', 'web3_clientVersion', 'web3_sha3'],
  ...[
    ...['chainId', 'blockNumber', 'syncing', 'accounts', 'gasPrice', 'maxPriorityFeePerGas', 'getLogs'],
    ...['getBlockByNumber', 'getBlockByHash', 'getBlockReceipts', 'getBlockTransactionCountByNumber'],
    ...[
      'getBlockTransactionCountByHash',
      'getTransactionByHash',
      'getTransactionReceipt',
      'getTransactionCount',
    ],
    ...['getTransactionByBlockNumberAndIndex', 'getTransactionByBlockHashAndIndex', 'getBalance', 'getCode'],
    ...['getStorageAt', 'getProof', 'call', 'estimateGas', 'createAccessList', 'newFilter', 'newBlockFilter'],
    ...['getFilterChanges', 'getFilterLogs', 'uninstallFilter', 'sendTransaction', 'sendRawTransaction'],
  ].map((name) => `eth_${name}`),
])

const headers = { 'content-type': 'application/json' }

/**
 * The address at which readers reach the chain at `rpcUrl`, which a reorg moves, and `methods` of the chain's own. It
 * checks Host and Origin, which anvil does not.
 */
export function startPublicRpc(
  chain: { readonly rpcUrl: string },
  methods: Readonly<Record<string, PublicMethod>>,
): Promise<Emulator> {
  const pass = async (body: string): Promise<Buffer> => {
    const url = chain.rpcUrl
    const answer = await askOrigin({ url, method: 'POST', headers, body })
    if (answer.status === 200) return answer.body
    // The process may have been replaced while it answered.
    if (url !== chain.rpcUrl) return pass(body)
    throw new Error(`anvil does not answer at ${url}`)
  }
  const carryOut = async (call: unknown) => {
    if (!isCall(call)) return refused(Object(call).id, -32600, 'this is no call of JSON-RPC 2.0')
    const { id, method, params = [] } = call
    const own = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!own) return notHere(id, method)
    try {
      return { jsonrpc: '2.0', id, result: await own(params) }
    } catch (error) {
      return refused(id, error instanceof InvalidParametersError ? -32602 : -32603, messageOf(error))
    }
  }
  const server = rpcServer(async (asked, body) => {
    const calls: readonly unknown[] = [asked].flat()
    if (calls.every((call) => isCall(call) && passedMethods.has(call.method))) return pass(body)
    // In a batch with such a method each call is answered here: others are refused.
    if (!Array.isArray(asked)) return JSON.stringify(await carryOut(asked))
    const answers = []
    for (const call of calls) answers.push(await carryOut(call))
    return JSON.stringify(answers)
  })
  return listen('chain', server)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

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
export async function startEmptyChain(timestamp: number): Promise<Emulator> {
  const answer = answering(genesisBlock(timestamp))
  const server = rpcServer(async (asked) => answerEach(asked, answer))
  const emulator = await listen('empty chain', server)
  // Keeps idle connections open: closing one just when anvil reuses it would fail the call of anvil's own client.
  server.keepAliveTimeout = 0
  return emulator
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
    return result ? { jsonrpc: '2.0', id, result: result(params) } : notHere(id, method)
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

/** Carries out a call with these parameters and returns its result. Throws InvalidParametersError. */
export type PublicMethod = (parameters: readonly unknown[]) => Promise<unknown>

/** A call has parameters that it cannot have. */
export class InvalidParametersError extends Error {
  override readonly name = 'InvalidParametersError'
}
