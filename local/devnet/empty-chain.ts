/**
 * A chain of one empty block, over JSON-RPC, for anvil to fork. Of a chain of its own anvil hashes the whole state at
 * every block, empty ones too: 20 ms with a few hundred tokens, which makes an hour of blocks 12 s of replay. Of a
 * fork it does not: 0.2 ms.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { listen, type StandIn } from '../aws/listening.ts'
import { create2Deployer } from './addresses.ts'

type Call = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

// github.com/Arachnid/deterministic-deployment-proxy, runtime code
const create2DeployerCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
const ZERO = `0x${'0'.repeat(64)}`
// keccak256 of the empty trie and of the empty list
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/** Serves the chain on a port of its own; anvil asks it for every address it has not met. `timestamp` is Unix seconds. */
export function startEmptyChain(timestamp: number): Promise<StandIn> {
  const answer = answering(genesisBlock(timestamp))
  // A connection that lies idle stays: closed here just when anvil uses it again, it would fail anvil's own caller.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    bodyOf(request)
      .then((body) => {
        const asked = JSON.parse(body) as Call | readonly Call[]
        const text = JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked as Call))
        response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      })
      // Somebody else than anvil asks for what is no call.
      .catch(() => response.writeHead(400).end())
  })
  return listen('empty chain', server)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
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
    // Any hash will do; with the time in it two chains differ from their first block.
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
