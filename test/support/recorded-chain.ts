/** A chain whose answers were recorded once, served again as JSON-RPC up to a head that the test moves, by endpoints that lie. */
import { startFaultyProxy } from './faulty-proxy.ts'
import { answering, hexQuantity, spanOf, wantedBy } from './json-rpc.ts'
import { slot0Of } from './pool-state.ts'
import { rpcMany } from './raw-logs.ts'

export type RecordedLog = {
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
  readonly logs: readonly RecordedLog[]
}

export type RecordedChain = {
  readonly headers: readonly RawHeader[]
  readonly logs: readonly RecordedLog[]
  /** By block. */
  readonly logsOf: readonly (readonly RecordedLog[])[]
  readonly receipts: ReadonlyMap<string, RawReceipt>
}

/** Records all of a chain: its headers, logs, and the receipts of the transactions that have logs. */
export async function recordChain(url: string): Promise<RecordedChain> {
  const [last] = await rpcMany<string>(url, [['eth_blockNumber']])
  const numbers = Array.from({ length: Number(last) + 1 }, (_, number) => hexQuantity(number))
  const headers = await rpcMany<RawHeader>(
    url,
    numbers.map((number) => ['eth_getBlockByNumber', number, false]),
  )
  const [logs] = await rpcMany<RecordedLog[]>(url, [['eth_getLogs', { fromBlock: '0x0', toBlock: last }]])
  const hashes = [...new Set(logs!.map(({ transactionHash }) => transactionHash))]
  const receipts = await rpcMany<RawReceipt>(
    url,
    hashes.map((hash) => ['eth_getTransactionReceipt', hash]),
  )
  const logsOf = headers.map((): RecordedLog[] => [])
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
  lie: (logs: readonly RecordedLog[], filter: RawFilter | 'receipt') => readonly RecordedLog[]
  stop(): Promise<void>
}

export async function serveRecorded(chain: RecordedChain): Promise<RecordedEndpoint> {
  const { url, stop } = await startFaultyProxy((body) => answer(body))
  const endpoint: RecordedEndpoint = {
    ...{ url, stop },
    head: chain.headers.length - 1,
    lie: (logs) => logs,
  }
  const answer = answering({
    eth_chainId: () => '0x7a69',
    eth_getBlockByNumber: ([block]) => {
      const number = block === 'latest' ? endpoint.head : Number(block)
      return number > endpoint.head ? null : { ...chain.headers[number], transactions: [] }
    },
    eth_getLogs: ([asked]) => {
      const filter = asked as RawFilter
      const [from, to] = spanOf(filter, endpoint.head)
      const within = chain.logsOf.slice(from, to + 1).flat()
      return endpoint.lie(within.filter(wantedBy(filter)), filter)
    },
    eth_call: ([call, block]) => slot0Of(chain.logs, call as Parameters<typeof slot0Of>[1], Number(block)),
    eth_getTransactionByHash: ([hash]) => {
      const receipt = chain.receipts.get(String(hash))
      return receipt && { from: receipt.from }
    },
    eth_getTransactionReceipt: ([hash]) => {
      const receipt = chain.receipts.get(String(hash))
      return receipt ? { ...receipt, logs: endpoint.lie(receipt.logs, 'receipt') } : null
    },
  })
  return endpoint
}
