/**
 * A look at the newest blocks by one eth_getLogs: it asks for every event that any query asks for, from the last block read
 * on, so that its answer tells of new blocks, has their logs, and shows whether the last block is still the chain's. The
 * filter is wide: swaps of other pools come with it, some hundred logs a block of Base, and are left out here.
 */
import type { Block } from '../market/segment.ts'
import type { Chain } from './chains.ts'
import { quantity } from './headers.ts'
import { isWanted, type Log, type LogFilter, logsFrom } from './logs.ts'
import { headQuery } from './queries.ts'
import type { Call, Rpc } from './rpc.ts'

/** New blocks, and all that is asked of them. */
export type Glimpse = { readonly after: Block; readonly last: Block; readonly logs: readonly Log[] }

type Ground = { readonly rpc: Rpc; readonly chain: Chain; readonly timeOf: (blockNumber: number) => number }

/**
 * What is new after `after`. `head`: the newest block, where it was asked for before; the logs are asked for up to it, so
 * that none means that there are none. undefined: nothing is known to be new. 'reorged': `after` is another block now.
 */
export async function lookAfter(
  { rpc, chain, timeOf }: Ground,
  after: Block,
  head?: Block,
): Promise<Glimpse | 'reorged' | undefined> {
  const toBlock = head ? quantity(head.number) : 'latest'
  const asked = { ...headQuery(chain), fromBlock: quantity(after.number), toBlock }
  const span = { from: after.number, to: head?.number ?? Number.MAX_SAFE_INTEGER }
  const logs = logsFrom(await rpc.request('eth_getLogs', [asked]), span)
  const fresh = logs.filter(({ blockNumber }) => blockNumber > after.number)
  if (logs.some((log) => log.blockNumber === after.number && log.blockHash !== after.hash)) return 'reorged'
  if (head) return head.number > after.number ? { after, last: head, logs: fresh } : undefined
  const number = fresh.reduce((most, { blockNumber }) => Math.max(most, blockNumber), 0)
  const hash = fresh.find(({ blockNumber }) => blockNumber === number)?.blockHash
  return hash && { after, last: { number, hash, timestamp: timeOf(number) }, logs: fresh }
}

/** The same, with the answers that are known already. */
export const answering = (rpc: Rpc, known: (call: Call) => unknown): Rpc => ({
  ...rpc,
  get endpoint() {
    return rpc.endpoint
  },
  request: async (method, params) => known({ method, params }) ?? rpc.request(method, params),
  batch: async (calls) => {
    const answers = calls.map(known)
    const asked = await rpc.batch(calls.filter((_, at) => answers[at] === undefined))
    let next = 0
    return answers.map((answer) => answer ?? asked[next++])
  },
  pinned: (fault) => answering(rpc.pinned(fault), known),
  swiftest: () => answering(rpc.swiftest(), known),
})

/** A node's answer to a call, where the glimpse has it. */
export function answerOf(
  { after, last, logs }: Glimpse,
  { method, params: [asked] }: Call,
  timeOf: Chain['timestampOf'],
): unknown {
  if (method === 'eth_getLogs') {
    const filter = asked as LogFilter & { readonly fromBlock: string; readonly toBlock: string }
    const isAll = Number(filter.fromBlock) === after.number + 1 && Number(filter.toBlock) === last.number
    return isAll ? logs.filter((log) => isWanted(log, filter)) : undefined
  }
  if (method !== 'eth_getBlockByNumber') return undefined
  const number = Number(asked)
  const found = logs.find(({ blockNumber }) => blockNumber === number)
  const hash = [after, last].find((block) => block.number === number)?.hash ?? found?.blockHash
  if (!hash) return undefined
  const before = number - 1 === after.number ? after.hash : ''
  return { number, hash, parentHash: before, timestamp: timeOf?.(number) }
}
