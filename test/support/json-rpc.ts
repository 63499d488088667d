/** JSON-RPC as a node answers it, for the chains that tests keep in memory. */
import type { Address, Hash } from '../../market/segment.ts'

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

/** Answers a message, single or batch, by a table of methods. One that throws is answered as a call that reverts. */
export function answering(methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>>) {
  const one = ({ id, method, params }: RpcCall) => {
    try {
      return { jsonrpc: '2.0', id, result: methods[method]?.(params) }
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: 3, message: `execution reverted: ${error}` } }
    }
  }
  return async (body: string): Promise<string> => {
    const asked = JSON.parse(body) as RpcCall | readonly RpcCall[]
    return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked as RpcCall))
  }
}

/** A chain in which all of a header follows from its number. */
export type HeaderChain = {
  hashOf(block: number): string
  timestampOf(block: number): number
}

/** eth_getBlockByNumber of such a chain. */
export function headerOf(asked: unknown, chain: HeaderChain & { readonly head: number }) {
  const number = asked === 'latest' ? chain.head : Number(asked)
  if (number > chain.head) return null
  const [hash, parentHash] = [chain.hashOf(number), chain.hashOf(number - 1)]
  return { number: hexQuantity(number), hash, parentHash, timestamp: hexQuantity(chain.timestampOf(number)) }
}

/** The first and last block that a filter asks for, as far as they are there. */
export const spanOf = ({ fromBlock, toBlock }: Filter, head: number): readonly [number, number] => [
  Number(fromBlock),
  toBlock === 'latest' ? head : Math.min(head, Number(toBlock)),
]

/** Whether a log is of the contracts and topics that a filter asks for. */
export function wantedBy({ address, topics }: Filter) {
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
  readonly logIndex: string
  readonly transactionHash: string
}

/** What a node has of a chain. */
export type NodeChain = HeaderChain & {
  readonly id: number
  readonly last: number
  logsIn(from: number, to: number): readonly NodeLog[]
  /** Answers eth_call as of a block's end. */
  call(asked: { readonly to?: Address; readonly data: Hash }, block: number): Hash
  /** Who sent a transaction that has logs, and these. */
  transaction?(hash: string): { readonly from: string; readonly logs: readonly NodeLog[] } | undefined
}

export type ChainNode = {
  /** The newest block that is there. @default the chain's last */
  head: number
  /** Changes what it answers to a query of logs, or with a receipt. */
  lie: (logs: readonly NodeLog[], filter: Filter | 'receipt') => readonly NodeLog[]
  /** Answers a JSON-RPC message. */
  answer(body: string): Promise<string>
}

/** Opens a node of a chain. */
export function openNode(chain: NodeChain): ChainNode {
  const node: ChainNode = {
    head: chain.last,
    lie: (logs) => logs,
    answer: answering({
      eth_chainId: () => hexQuantity(chain.id),
      eth_blockNumber: () => hexQuantity(node.head),
      eth_getBlockByNumber: ([block]) => headerOf(block, { ...chain, head: node.head }),
      eth_getCode: () => '0x',
      eth_call: ([call, block]) => chain.call(call as { data: Hash }, Number(block)),
      eth_getLogs: ([asked]) => {
        const filter = asked as Filter
        return node.lie(chain.logsIn(...spanOf(filter, node.head)).filter(wantedBy(filter)), filter)
      },
      eth_getTransactionByHash: ([hash]) => chain.transaction?.(String(hash)) ?? null,
      eth_getTransactionReceipt: ([hash]) => {
        const { logs = [] } = chain.transaction?.(String(hash)) ?? {}
        return logs[0] ? { blockNumber: logs[0].blockNumber, logs: node.lie(logs, 'receipt') } : null
      },
    }),
  }
  return node
}
