/** A chain in memory that answers JSON-RPC as a node does, and remembers what it was asked. */
import { type AbiEvent, encodeAbiParameters, pad } from 'viem'
import type { Chain } from '../../ingest/client/chains.ts'
import type { Log } from '../../ingest/client/logs.ts'
import type { Call, Rpc } from '../../ingest/client/rpc.ts'
import { type EventName, events, topicOf } from '../../ingest/decode/events.ts'
import type { Address, Block, Hash } from '../../market/segment.ts'
import { address, hash } from './facts.ts'
import { type ChainNode, hexQuantity, loneRpc, type NodeLog, openNode } from './json-rpc.ts'

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
  sealingSeconds: 0,
  schedule: [{ fromBlock: 0, atMs: beat(0) * 1_000, everyMs: 2_000 }],
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
export function encode(name: EventName, args: Readonly<Record<string, unknown>>) {
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

export type MockChain = ChainNode & {
  readonly rpc: Rpc
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

export function openMockChain(head: number, time: (blockNumber: number) => number = beat): MockChain {
  let logs: readonly NodeLog[] = []
  const forks: number[] = []
  // The hash tells the fork that the block is on.
  const hashAt = (block: number): Hash =>
    hash(block * 1_000 + forks.filter((from) => block >= from).length + 7)
  const logsIn = (from: number, to: number) =>
    logs.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
  const node = openNode({
    id: mockChain.id,
    last: head,
    hashOf: hashAt,
    timestampOf: time,
    logsIn,
    transaction: (asked) => ({
      from: chain.transactionFrom,
      logs: logs.filter(({ transactionHash }) => transactionHash === asked),
    }),
  })
  const rpc = loneRpc(async (call) => {
    chain.asked.push(call)
    chain.before(call)
    return chain.distort(call, node.ask(call))
  })
  const chain: MockChain = Object.assign(node, {
    rpc,
    asked: [],
    emit: (block: number, emitted: readonly Emitted[]) => {
      const first = logsIn(block, block).length
      const own = emitted.map(({ from, event, args, transaction }, at) => ({
        address: from,
        ...encode(event, args),
        blockNumber: hexQuantity(block),
        blockHash: hashAt(block),
        logIndex: hexQuantity(first + at),
        transactionHash: transaction ?? hash(block * 1_000_000 + first + at),
      }))
      logs = [...logs, ...own].sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber))
    },
    block: (number: number): Block => ({ number, hash: hashAt(number), timestamp: time(number) }),
    fork: (fromBlock: number) => {
      forks.push(fromBlock)
      logs = logs.filter(({ blockNumber }) => Number(blockNumber) < fromBlock)
    },
    before: () => {},
    distort: (_call: Call, given: unknown) => given,
    transactionFrom: address(0xf40),
  })
  return chain
}
