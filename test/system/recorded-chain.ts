/** A development chain whose logs were recorded once, to be answered again by nodes in memory: as it was, or laid out over blocks of two seconds or any other pace. */
import { decodeFunctionData, encodeFunctionResult, pad, toHex } from 'viem'
import { type Chain, chains } from '../../ingest/client/chains.ts'
import { guessedBlock, guessedTimeMs } from '../../ingest/client/schedule.ts'
import { extsload, slotOf } from '../../ingest/client/state-calls.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import { grouped } from '../../market/grouped.ts'
import type { Hash } from '../../market/segment.ts'
import { startDevnetMarket } from '../support/chain/devnet-market.ts'
import { startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import {
  type ChainNode,
  type HeaderChain,
  hexQuantity,
  type NodeChain,
  type NodeLog,
  openNode,
  readRawHeaders,
  rpc,
  rpcMany,
} from '../support/chain/json-rpc.ts'
import { type BlockPace, erasOf } from '../support/chain/paces.ts'
import { hashOfText } from '../support/market/facts.ts'

export type RecordedChain = NodeChain & {
  /** In chain order. */
  readonly logs: readonly NodeLog[]
  /** Who sent the transactions that have logs. */
  readonly senders: ReadonlyMap<string, string>
}

/** Records all of a chain. */
async function recordChain(url: string): Promise<RecordedChain> {
  const headers = await readRawHeaders(url)
  const logs = await rpc<NodeLog[]>(url, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))]
  const transactions = await rpcMany<{ readonly hash: string; readonly from: string }>(
    url,
    hashes.map((hash) => ['eth_getTransactionByHash', hash]),
  )
  const senders = new Map(transactions.map(({ hash, from }) => [hash, from]))
  const hashOf = (block: number) => headers[block]?.hash ?? toHex(0, { size: 32 })
  const timestampOf = (block: number) => Number(headers[block]?.timestamp)
  return chainOf({ last: headers.length - 1, hashOf, timestampOf, logs, senders })
}

/** Records a small market that goes on for so many minutes: the same each time, from 2026-01-01 00:00 UTC on. */
export async function recordMarket(
  minutes: number,
  past: Parameters<typeof startDevnetMarket>[1],
): Promise<RecordedChain> {
  const market = await startDevnetMarket(7, { days: 0.02, creators: 2, posts: 3, ...past }, () => NOW)
  for (let minute = 0; minute < minutes; minute += 1) await market.mineMinute(20)
  return recordChain(market.rpcUrl).finally(market.stop)
}
const NOW = Date.UTC(2026, 0, 1)

/** What follows from the logs of a chain. */
function chainOf(chain: HeaderChain & Pick<RecordedChain, 'last' | 'logs' | 'senders'>): RecordedChain {
  const byBlock = grouped(chain.logs, ({ blockNumber }) => Number(blockNumber))
  const byTransaction = grouped(chain.logs, ({ transactionHash }) => transactionHash)
  return {
    ...chain,
    id: chains.devnet.id,
    call: pricesIn(chain.logs),
    logsIn: (from, to) =>
      Array.from({ length: to - from + 1 }, (_, at) => byBlock.get(from + at) ?? []).flat(),
    transaction(hash) {
      const [from, logs] = [chain.senders.get(hash), byTransaction.get(hash)]
      return from && logs ? { from, logs } : undefined
    },
  }
}

/** extsload(bytes32[]) of a PoolManager with these logs: the price that the last Initialize or Swap up to a block left in each pool. */
function pricesIn(logs: readonly NodeLog[]): NonNullable<NodeChain['call']> {
  const prices = logs.flatMap(({ address, topics: [topic, id], data, blockNumber }) => {
    // Initialize: fee, tickSpacing, hooks, sqrtPriceX96; Swap: two amounts, sqrtPriceX96.
    const place = topic === topicOf.initialize ? 3 : topic === topicOf.poolSwap ? 2 : undefined
    if (address.toLowerCase() !== chains.devnet.poolManager || place === undefined) return []
    const price = BigInt(`0x${data.slice(2 + 64 * place, 66 + 64 * place)}`)
    return [{ id: id as Hash, block: Number(blockNumber), price }]
  })
  const byPool = grouped(prices, ({ id }) => id)
  const bySlot = new Map([...byPool].map(([id, own]) => [slotOf(id), own]))
  return ({ data }, block) => {
    const [asked] = decodeFunctionData({ abi: extsload, data }).args
    const priceOf = (slot: Hash) => bySlot.get(slot)?.findLast((set) => set.block <= block)?.price ?? 0n
    return encodeFunctionResult({ abi: extsload, result: asked.map((slot) => pad(toHex(priceOf(slot)))) })
  }
}

/** A node with an address of its own. */
export type RecordedEndpoint = ChainNode & { readonly url: string; stop(): Promise<void> }

export async function serveRecorded(chain: RecordedChain): Promise<RecordedEndpoint> {
  const node = openNode(chain)
  const { url, stop } = await startFaultyProxy(node.answer)
  return Object.assign(node, { url, stop })
}

/** A height of its own: nobody may take a block for its distance from the first. */
const FIRST_BLOCK = 1_000_000

/** A chain laid out, and what ingest has to know of it. */
type RelaidChain = RecordedChain & { readonly rules: Chain }

/** Lays a chain out up to 20 seconds after its last log, in blocks of these paces. */
export function relayChain(chain: RecordedChain, paces: readonly BlockPace[]): RelaidChain {
  const timeOf = ({ blockNumber }: NodeLog) => chain.timestampOf(Number(blockNumber))
  const times = chain.logs.map(timeOf)
  const begin = Math.floor(Math.min(...times) / 60) * 60
  const schedule = erasOf(paces, { block: FIRST_BLOCK, ms: begin * 1_000 })
  const blockAt = (time: number) => guessedBlock(schedule, time * 1_000) ?? FIRST_BLOCK
  const timeMsOf = (block: number) => guessedTimeMs(schedule, block) ?? (begin - 1) * 1_000
  const timestampOf = (block: number) => Math.floor(timeMsOf(block) / 1_000)
  const last = blockAt(Math.max(...times) + 20)
  const own = grouped(chain.logs, (log) => blockAt(timeOf(log)))
  const hashOf = (block: number) => hashOfText(`block ${block}`)
  const logs = Array.from({ length: last - FIRST_BLOCK + 1 }, (_, at) => {
    const number = FIRST_BLOCK + at
    return (own.get(number) ?? []).map((log, logIndex) => ({
      ...log,
      blockNumber: hexQuantity(number),
      blockHash: hashOf(number),
      logIndex: hexQuantity(logIndex),
    }))
  }).flat()
  const rules: Chain = { ...chains.devnet, creationsFrom: FIRST_BLOCK, sealingSeconds: 6, schedule }
  return { ...chainOf({ last, hashOf, timestampOf, timeMsOf, logs, senders: chain.senders }), rules }
}
