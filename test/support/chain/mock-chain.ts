/** A chain in memory that answers JSON-RPC as a node does, and remembers what it was asked. */
import type { Chain } from '../../../ingest/client/chains.ts'
import type { Call, Rpc } from '../../../ingest/client/rpc.ts'
import type { Address, Block, Hash } from '../../../market/segment.ts'
import { address, hash } from '../market/facts.ts'
import { type ChainNode, loneRpc, type NodeLog, openNode } from './json-rpc.ts'
import { type Emitted, FACTORY, nodeLogs, POOL_MANAGER } from './raw-logs.ts'

/** Two seconds a block, so that 30 blocks are a minute. */
export const beat = (blockNumber: number): number => 6_000 + 2 * blockNumber

export const mockChain: Chain = {
  name: 'base',
  id: 7,
  factory: FACTORY,
  poolManager: POOL_MANAGER,
  internalSenders: [],
  passThroughs: [],
  references: [],
  creationsFrom: 0,
  publicEndpoints: null,
  sealingSeconds: 0,
  schedule: [{ fromBlock: 0, atMs: beat(0) * 1_000, everyMs: 2_000 }],
}

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
  transactionTo: Address
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
      to: chain.transactionTo,
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
      const place = { block, blockHash: hashAt(block), first }
      const own = nodeLogs(emitted, place, (logIndex) => hash(block * 1_000_000 + logIndex))
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
    transactionTo: address(0xf41),
  })
  return chain
}
