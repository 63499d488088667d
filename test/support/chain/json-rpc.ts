/** JSON-RPC as a node answers it, for the chains that tests keep in memory. */
import { openTraits } from '../../../ingest/client/endpoint-traits.ts'
import { StateUnavailableError } from '../../../ingest/client/faults.ts'
import type { Call, Rpc } from '../../../ingest/client/rpc.ts'
import type { Address, Hash } from '../../../market/segment.ts'

/** One call of a request. */
export type RpcCall = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

/** What eth_getLogs is asked. */
export type Filter = {
  readonly address?: readonly string[]
  readonly topics: readonly (readonly string[] | null)[]
  readonly fromBlock: string
  readonly toBlock: string
}

export const hexQuantity = (value: number): string => `0x${value.toString(16)}`

type RpcWords = [method: string, ...params: unknown[]]

/** Answers of JSON-RPC calls, in the order of the calls. Throws on an error answer. */
export async function rpcMany<T>(url: string, calls: readonly RpcWords[]): Promise<T[]> {
  const answers: T[] = []
  for (let from = 0; from < calls.length; from += 200) {
    const body = calls
      .slice(from, from + 200)
      .map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const batch = (await response.json()) as { id: number; result: T; error?: { message: string } }[]
    for (const { result, error } of batch.sort((a, b) => a.id - b.id)) {
      if (error) throw new Error(error.message)
      answers.push(result)
    }
  }
  return answers
}

/** The answer of one call. Throws on an error answer. */
export const rpc = async <T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> =>
  (await rpcMany<T>(url, [[method, ...params]]))[0]!

/** The headers of all blocks up to one (absent: the head), by number. */
export async function readRawHeaders(rpcUrl: string, toBlock?: number) {
  const to = toBlock ?? Number(await rpc<Hash>(rpcUrl, 'eth_blockNumber'))
  const numbers = [...Array(to + 1).keys()]
  return rpcMany<{ hash: Hash; timestamp: Hash }>(
    rpcUrl,
    numbers.map((n) => ['eth_getBlockByNumber', hexQuantity(n), false]),
  )
}

type Ask = (call: Call) => unknown

/** One endpoint alone, in this process. */
export function loneRpc(answer: (call: Call) => Promise<unknown>, endpoint = openTraits('mock')): Rpc {
  const rpc: Rpc = {
    request: (method, params) => answer({ method, params }),
    batch: (calls) => Promise.all(calls.map(answer)),
    pinned: () => rpc,
    next: () => rpc,
    fastest: () => rpc,
    each: () => [rpc],
    endpoint,
  }
  return rpc
}

/** The only endpoint, which keeps no state of the past. */
export const withoutState = ({ request, endpoint }: Rpc): Rpc =>
  loneRpc(async ({ method, params }) => {
    if (method === 'eth_call') throw new StateUnavailableError('pruned', 'missing trie node')
    return request(method, params)
  }, endpoint)

/** Answers a message, single or batch, of calls. One that throws is answered as a call that reverts. */
export function answering(ask: Ask): (body: string) => Promise<string> {
  const one = async ({ id, method, params }: RpcCall) => {
    try {
      return { jsonrpc: '2.0', id, result: await ask({ method, params }) }
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: 3, message: `execution reverted: ${error}` } }
    }
  }
  return async (body) => {
    const asked = JSON.parse(body) as RpcCall | readonly RpcCall[]
    return JSON.stringify(await (Array.isArray(asked) ? Promise.all(asked.map(one)) : one(asked as RpcCall)))
  }
}

/** A chain in which all of a header follows from its number. */
export type HeaderChain = {
  hashOf(block: number): string
  timestampOf(block: number): number
  /** The time in Unix ms, for nodes that give it. */
  timeMsOf?(block: number): number
}

/** What a node gives beside the seconds of headers: the seconds of logs, and the milliseconds of both, or wrong ones. */
export type TimesGiven = { readonly logs: boolean; readonly ms: 'absent' | 'present' | 'wrong' }

/** Whether a log is of the contracts and topics that a filter asks for. */
function wantedBy({ address, topics }: Filter) {
  const addresses = address && new Set(address)
  const wanted = topics.map((some) => some && new Set(some))
  return (log: { readonly address: string; readonly topics: readonly string[] }): boolean =>
    (addresses?.has(log.address.toLowerCase()) ?? true) &&
    wanted.every((some, at) => some?.has(log.topics[at] ?? '') ?? true)
}

/** A log on the wire. */
export type NodeLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
  readonly blockHash?: string
  readonly logIndex: string
  readonly transactionHash: string
}

/** What a node has of a chain. */
export type NodeChain = HeaderChain & {
  readonly id: number
  readonly last: number
  logsIn(from: number, to: number): readonly NodeLog[]
  /** Answers eth_call as of a block's end. */
  call?(asked: { readonly to?: Address; readonly data: Hash }, block: number): Hash
  /** Who sent a transaction that has logs, to whom, and these. */
  transaction?(
    hash: string,
  ): { readonly from: string; readonly to?: string; readonly logs: readonly NodeLog[] } | undefined
}

export type ChainNode = {
  /** The newest block that is there. @default the chain's last */
  head: number
  /** Changes what it answers to a query of logs, or with a receipt. */
  lie: (logs: readonly NodeLog[], filter: Filter | 'receipt') => readonly NodeLog[]
  /** @default seconds of headers alone */
  times: TimesGiven
  readonly ask: Ask
  /** Answers a JSON-RPC message. */
  readonly answer: (body: string) => Promise<string>
}

/** Opens a node of a chain. */
export function openNode(chain: NodeChain): ChainNode {
  const headerOf = (asked: unknown) => {
    const number = asked === 'latest' ? node.head : Number(asked)
    if (number > node.head) return null
    const [hash, parentHash] = [chain.hashOf(number), chain.hashOf(number - 1)]
    const transactions = new Set(chain.logsIn(number, number).map(({ transactionHash }) => transactionHash))
    return {
      number: hexQuantity(number),
      timestamp: hexQuantity(chain.timestampOf(number)),
      hash,
      parentHash,
      transactions: [...transactions],
      ...msIn('timestampMs', number),
    }
  }
  const msIn = (name: string, block: number) => {
    const { ms } = node.times
    const time = chain.timeMsOf?.(block) ?? chain.timestampOf(block) * 1_000
    return ms === 'absent' ? {} : { [name]: hexQuantity(ms === 'wrong' ? time + 1_234 : time) }
  }
  const timed = (log: NodeLog): NodeLog => {
    if (!node.times.logs) return log
    const block = Number(log.blockNumber)
    return Object.assign(
      { ...log, blockTimestamp: hexQuantity(chain.timestampOf(block)) },
      msIn('blockTimestampMs', block),
    )
  }
  const logsFor = (filter: Filter) => {
    const { fromBlock, toBlock } = filter
    const to = toBlock === 'latest' ? node.head : Math.min(node.head, Number(toBlock))
    const logs = chain.logsIn(Number(fromBlock), to).filter(wantedBy(filter))
    return node.lie(logs.map(timed), filter)
  }
  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_chainId: () => hexQuantity(chain.id),
    eth_blockNumber: () => hexQuantity(node.head),
    eth_getBlockByNumber: ([block]) => headerOf(block),
    eth_getCode: () => '0x',
    eth_call: ([call, block]) => chain.call?.(call as { data: Hash }, Number(block)),
    eth_getLogs: ([filter]) => logsFor(filter as Filter),
    eth_getTransactionByHash: ([hash]) => chain.transaction?.(String(hash)) ?? null,
    eth_getTransactionReceipt: ([hash]) => {
      const { logs = [] } = chain.transaction?.(String(hash)) ?? {}
      return logs[0] ? { blockNumber: logs[0].blockNumber, logs: node.lie(logs.map(timed), 'receipt') } : null
    },
  }
  const ask: Ask = ({ method, params }) => methods[method]?.(params)
  const node: ChainNode = {
    head: chain.last,
    lie: (logs) => logs,
    ask,
    answer: answering(ask),
    times: { logs: false, ms: 'absent' },
  }
  return node
}
