/** A chain in memory that answers JSON-RPC as a node does, and remembers what it was asked. */
import { type AbiEvent, encodeAbiParameters, pad } from 'viem'
import type { Chain } from '../../ingest/chains.ts'
import { openTraits } from '../../ingest/endpoint.ts'
import { type EventName, events, topicOf } from '../../ingest/events.ts'
import type { Log } from '../../ingest/logs.ts'
import type { Call, Rpc } from '../../ingest/rpc.ts'
import type { Address, Block, Hash } from '../../market/segment.ts'
import { address, hash } from './facts.ts'
import { type Filter, headerOf, hexQuantity, spanOf, wantedBy } from './json-rpc.ts'

export const FACTORY = address(0xfac)
export const POOL_MANAGER = address(0x4b)

/** Two seconds a block, so that 30 blocks are a minute. */
export const beat = (blockNumber: number): number => 6_000 + 2 * blockNumber

export const mockChain: Chain = {
  name: 'base',
  id: 7,
  factory: FACTORY,
  poolManager: POOL_MANAGER,
  internalSenders: [],
  references: [],
  creationsFrom: 0,
  publicEndpoints: null,
  sealingDepth: 1,
  timestampOf: beat,
}

/** An event as a contract would emit it; arguments by their name in events.ts. */
export type Emitted = {
  readonly from: Address
  readonly event: EventName
  readonly args: Readonly<Record<string, unknown>>
  /** Events of one transaction share it. @default one of its own */
  readonly transaction?: Hash
}

/** Topics and data of an event. Every indexed argument is an address or a hash. */
export const encode = (name: EventName, args: Readonly<Record<string, unknown>>) => {
  const { inputs }: AbiEvent = events[name]
  const valuesOf = (some: AbiEvent['inputs']) => some.map((input) => args[input.name ?? ''])
  const plain = inputs.filter((input) => !input.indexed)
  const indexed = valuesOf(inputs.filter((input) => input.indexed)) as Hash[]
  return {
    topics: [topicOf[name], ...indexed.map((value) => pad(value))],
    data: encodeAbiParameters(plain, valuesOf(plain) as never),
  }
}

/** A log as the decoders take it. */
export const logOf = ({ from, event, args, transaction }: Emitted, place: Partial<Log> = {}): Log => ({
  address: from,
  ...encode(event, args),
  blockNumber: 1,
  blockHash: hash(1),
  logIndex: 0,
  transactionHash: transaction ?? hash(0x7a),
  ...place,
})

export type MockChain = {
  readonly rpc: Rpc
  /** The newest block that is there. */
  head: number
  /** Every call so far, in order; those of a batch one by one. */
  readonly asked: Call[]
  /** Puts events into a block; places count on from what is there. */
  emit(blockNumber: number, emitted: readonly Emitted[]): void
  /** The canonical header. */
  block(blockNumber: number): Block
  /** From this block on the chain is another one, without logs. */
  fork(fromBlock: number): void
  /** Called before each answer; throws what the endpoint would, or changes the chain. */
  before: (call: Call) => void
  /** Changes an answer before it is given. */
  distort: (call: Call, answer: unknown) => unknown
  transactionFrom: Address
}

export const openMockChain = (head: number, time: (blockNumber: number) => number = beat): MockChain => {
  const logs = new Map<number, Log[]>()
  const forks: number[] = []
  // The hash tells the fork that the block is on.
  const hashAt = (block: number): Hash =>
    hash(block * 1_000 + forks.filter((from) => block >= from).length + 7)
  const blockAt = (number: number): Block => ({ number, hash: hashAt(number), timestamp: time(number) })

  const found = (filter: Filter) => {
    const [from, to] = spanOf(filter, chain.head)
    const within = [...logs].filter(([number]) => number >= from && number <= to)
    return within.flatMap(([, own]) => own).filter(wantedBy(filter))
  }
  const raw = (log: Log) => ({
    ...log,
    blockHash: hashAt(log.blockNumber),
    blockNumber: hexQuantity(log.blockNumber),
    logIndex: hexQuantity(log.logIndex),
    removed: false,
  })
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_chainId: () => hexQuantity(mockChain.id),
    eth_getBlockByNumber: ([block]) => {
      const header = headerOf(block, { head: chain.head, hashOf: hashAt, timestampOf: time })
      const own = logs.get(Number(block)) ?? []
      return header && { ...header, transactions: [...new Set(own.map((log) => log.transactionHash))] }
    },
    eth_getTransactionReceipt: ([transaction]) => {
      const own = [...logs.values()].flat().filter((log) => log.transactionHash === transaction)
      return own[0] ? { blockNumber: hexQuantity(own[0].blockNumber), logs: own.map(raw) } : null
    },
    eth_getTransactionByHash: ([own]) => ({ hash: own, from: chain.transactionFrom }),
    eth_getLogs: ([filter]) => found(filter as Filter).map(raw),
  }
  const answer = async (call: Call): Promise<unknown> => {
    chain.asked.push(call)
    chain.before(call)
    return chain.distort(call, answers[call.method]?.(call.params))
  }
  const rpc: Rpc = {
    request: (method, params) => answer({ method, params }),
    batch: (calls) => Promise.all(calls.map(answer)),
    pinned: () => rpc,
    next: () => rpc,
    fastest: () => rpc,
    each: () => [rpc],
    endpoint: openTraits('mock'),
  }
  const chain: MockChain = {
    ...{ rpc, head },
    asked: [],
    emit: (blockNumber, emitted) => {
      const own = logs.get(blockNumber) ?? []
      logs.set(blockNumber, own)
      for (const one of emitted) {
        const logIndex = own.length
        const transactionHash = one.transaction ?? hash(blockNumber * 1_000_000 + logIndex)
        own.push(logOf(one, { blockNumber, logIndex, transactionHash }))
      }
    },
    block: blockAt,
    fork: (fromBlock) => {
      forks.push(fromBlock)
      for (const number of logs.keys()) if (number >= fromBlock) logs.delete(number)
    },
    before: () => {},
    distort: (_call, given) => given,
    transactionFrom: address(0xf40),
  }
  return chain
}
