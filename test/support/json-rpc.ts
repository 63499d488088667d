/** JSON-RPC as a node answers it, for the chains that tests keep in memory. */

/** One call of a request. */
export type RpcCall = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

/** What eth_getLogs is asked. */
export type Filter = {
  readonly address?: string | readonly string[]
  readonly topics?: readonly (string | readonly string[] | null)[]
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

/** eth_getBlockByNumber of a chain in which all of a header follows from its number. */
export function headerOf(
  asked: unknown,
  chain: {
    readonly head: number
    hashOf(block: number): string
    timestampOf(block: number): number
  },
) {
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
export function wantedBy({ address, topics = [] }: Filter) {
  const addresses = address === undefined ? undefined : new Set([address].flat())
  const wanted = topics.map((some) => (some === null ? undefined : new Set([some].flat())))
  return (log: { readonly address: string; readonly topics: readonly string[] }): boolean =>
    (addresses?.has(log.address.toLowerCase()) ?? true) &&
    wanted.every((some, at) => some?.has(log.topics[at] ?? '') ?? true)
}
