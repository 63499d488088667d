/** A chain whose answers were recorded once, served again as JSON-RPC up to a head that the test moves, by endpoints that lie. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Address, Hash } from '../../market/segment.ts'
import { slot0Of } from './pool-state.ts'
import { rpc } from './raw-logs.ts'

export type RawLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
  readonly logIndex: string
  readonly transactionHash: string
}
export type RawFilter = {
  readonly address?: readonly string[]
  readonly topics: readonly (readonly string[] | null)[]
  readonly fromBlock: string
  readonly toBlock: string
}
type RawHeader = { readonly number: string; readonly hash: string; readonly timestamp: string }
type RawReceipt = {
  readonly transactionHash: string
  readonly from: string
  readonly logs: readonly RawLog[]
}
type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

export type RecordedChain = {
  readonly headers: readonly RawHeader[]
  readonly logs: readonly RawLog[]
  /** By block. */
  readonly logsOf: readonly (readonly RawLog[])[]
  readonly receipts: ReadonlyMap<string, RawReceipt>
}

/** Records all of a chain: its headers, logs, and the receipts of the transactions that have logs. */
export async function recordChain(url: string): Promise<RecordedChain> {
  const [last] = await rpc<string>(url, [['eth_blockNumber']])
  const numbers = Array.from({ length: Number(last) + 1 }, (_, number) => `0x${number.toString(16)}`)
  const headers = await rpc<RawHeader>(
    url,
    numbers.map((number) => ['eth_getBlockByNumber', number, false]),
  )
  const [logs] = await rpc<RawLog[]>(url, [['eth_getLogs', { fromBlock: '0x0', toBlock: last }]])
  const hashes = [...new Set(logs!.map(({ transactionHash }) => transactionHash))]
  const receipts = await rpc<RawReceipt>(
    url,
    hashes.map((hash) => ['eth_getTransactionReceipt', hash]),
  )
  const logsOf = headers.map((): RawLog[] => [])
  for (const log of logs!) logsOf[Number(log.blockNumber)]!.push(log)
  return {
    ...{ headers, logsOf, logs: logs! },
    receipts: new Map(receipts.map((receipt) => [receipt.transactionHash, receipt])),
  }
}

/** An endpoint of the chain. `lie` changes what it answers to a query of logs, or with a receipt; `head`: its newest block. */
export type RecordedEndpoint = {
  readonly url: string
  head: number
  lie: (logs: readonly RawLog[], filter: RawFilter | 'receipt') => readonly RawLog[]
  calls: number
  stop(): Promise<void>
}

export async function serveRecorded(chain: RecordedChain): Promise<RecordedEndpoint> {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await textOf(request)) as Call | readonly Call[]
    const answers = (Array.isArray(asked) ? asked : [asked]).map((call: Call) => {
      endpoint.calls += 1
      return { jsonrpc: '2.0', id: call.id, result: answerTo(chain, endpoint, call) }
    })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const endpoint: RecordedEndpoint = {
    url: `http://127.0.0.1:${port}`,
    head: chain.headers.length - 1,
    lie: (logs) => logs,
    calls: 0,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

function answerTo(chain: RecordedChain, endpoint: RecordedEndpoint, { method, params }: Call): unknown {
  if (method === 'eth_chainId') return '0x7a69'
  if (method === 'eth_getBlockByNumber') {
    const number = params[0] === 'latest' ? endpoint.head : Number(params[0])
    return number > endpoint.head ? null : { ...chain.headers[number], transactions: [] }
  }
  if (method === 'eth_getLogs') {
    const filter = params[0] as RawFilter
    const [from, to] = [Number(filter.fromBlock), Math.min(endpoint.head, Number(filter.toBlock))]
    const within = chain.logsOf.slice(from, to + 1).flat()
    return endpoint.lie(
      within.filter((log) => isWanted(log, filter)),
      filter,
    )
  }
  if (method === 'eth_call') {
    const [call, block] = params as [{ readonly to: Address; readonly data: Hash }, string]
    return slot0Of(chain.logs, call, Number(block))
  }
  const receipt = chain.receipts.get(String(params[0]))
  if (method === 'eth_getTransactionByHash') return receipt && { from: receipt.from }
  if (method === 'eth_getTransactionReceipt')
    return receipt ? { ...receipt, logs: endpoint.lie(receipt.logs, 'receipt') } : null
  throw new Error(`${method} was not recorded`)
}

const isWanted = (log: RawLog, { address, topics }: RawFilter): boolean =>
  (address === undefined || address.includes(log.address.toLowerCase())) &&
  topics.every((wanted, at) => wanted === null || wanted.includes(log.topics[at] ?? ''))

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
