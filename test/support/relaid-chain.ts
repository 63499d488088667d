/** The logs of a development chain laid out over blocks of exactly two seconds, as Base has them. It is kept in memory: any of its blocks can be its head. */
import { createHash } from 'node:crypto'
import { type Chain, chains } from '../../ingest/chains.ts'
import { topicOf } from '../../ingest/events.ts'
import { answering, type Filter, headerOf, hexQuantity, spanOf, wantedBy } from './json-rpc.ts'
import { slot0Of } from './pool-state.ts'
import { rpcMany } from './raw-logs.ts'

const BLOCK_SECONDS = 2
/** A height of its own: nobody may take a block for its distance from the first. */
const FIRST_BLOCK = 1_000_000

type RawLog = Readonly<Record<'address' | 'data' | 'transactionHash', string>> & {
  readonly topics: readonly string[]
}
type Placed = RawLog & { readonly number: number; readonly logIndex: string; readonly blockNumber: string }
export type RelaidChain = {
  /** What ingest has to know of it. */
  readonly rules: Chain
  readonly last: number
  /** The newest block that is there. @default `last` */
  head: number
  /** Blocks after `from` in which something happened. */
  busyBlocks(from: number): readonly number[]
  /** Answers a JSON-RPC message as a node does. */
  answer(body: string): Promise<string>
}

const FOREIGN_POOL = `0x${'f'.repeat(64)}`
const foreignSwap: RawLog = {
  address: chains.devnet.poolManager,
  topics: [topicOf.poolSwap, FOREIGN_POOL, `0x${'e'.repeat(64)}`],
  data: `0x${'0'.repeat(6 * 64)}`,
  transactionHash: '',
}

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`
const hashOfBlock = (number: number): string => hashOf(`block ${number}`)

/** `secondsBehind`: of blocks after the last log. `isBusy`: every block has a swap of a pool that is none of the platform's, as on Base. */
export type Layout = { readonly secondsBehind?: number; readonly isBusy?: boolean }

/** Reads a development chain, and lays its logs out. */
export async function relayChain(
  rpcUrl: string,
  { secondsBehind = 20, isBusy = false }: Layout = {},
): Promise<RelaidChain> {
  const [all = []] = await rpcMany<(RawLog & { readonly blockNumber: string })[]>(rpcUrl, [
    ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }],
  ])
  const numbers = [...new Set(all.map(({ blockNumber }) => blockNumber))]
  const blocks = await rpcMany<{ readonly number: string; readonly timestamp: string }>(
    rpcUrl,
    numbers.map((number) => ['eth_getBlockByNumber', number, false]),
  )
  const times = new Map(blocks.map(({ number, timestamp }) => [number, Number(timestamp)]))
  const hashes = [...new Set(all.map(({ transactionHash }) => transactionHash))]
  const transactions = await rpcMany<{ readonly hash: string; readonly from: string }>(
    rpcUrl,
    hashes.map((hash) => ['eth_getTransactionByHash', hash]),
  )
  const begin = Math.floor(Math.min(...times.values()) / 60) * 60
  const blockAt = (time: number) => FIRST_BLOCK + Math.floor((time - begin) / BLOCK_SECONDS)
  const timestampOf = (block: number) => begin + (block - FIRST_BLOCK) * BLOCK_SECONDS
  const timeOf = (log: { readonly blockNumber: string }) => blockAt(times.get(log.blockNumber) ?? 0)
  const last = Math.max(...all.map(timeOf)) + secondsBehind / BLOCK_SECONDS
  const others = Array.from({ length: isBusy ? last - FIRST_BLOCK + 1 : 0 }, (_, at) => ({
    ...foreignSwap,
    transactionHash: hashOf(`swap ${at}`),
    number: FIRST_BLOCK + at,
  }))
  const own = all.map((log) => ({ ...log, number: timeOf(log) }))
  const logs = placed([...own, ...others].sort((a, b) => a.number - b.number))
  const ownLogs = logs.filter(({ topics }) => topics[1] !== FOREIGN_POOL)
  const senders = new Map(transactions.map(({ hash, from }) => [hash, from]))
  const rules: Chain = { ...chains.devnet, creationsFrom: FIRST_BLOCK, sealingDepth: 3, timestampOf }

  const chain: RelaidChain = {
    rules,
    last,
    head: last,
    busyBlocks: (from) => [...new Set(logs.map(({ number }) => number))].filter((number) => number > from),
    answer: answering({
      eth_chainId: () => hexQuantity(rules.id),
      eth_getBlockByNumber: ([block]) =>
        headerOf(block, { head: chain.head, hashOf: hashOfBlock, timestampOf }),
      eth_getTransactionByHash: ([hash]) => ({ hash, from: senders.get(String(hash)) }),
      eth_getCode: () => '0x',
      eth_call: ([call, block]) => slot0Of(ownLogs, call as Parameters<typeof slot0Of>[1], Number(block)),
      eth_getTransactionReceipt: ([hash]) => {
        const found = ownLogs.filter(({ transactionHash }) => transactionHash === hash)
        return found[0] ? { blockNumber: found[0].blockNumber, logs: found } : null
      },
      eth_getLogs: ([filter]) => found(logs, filter as Filter, chain.head),
    }),
  }
  return chain
}

/** The logs of the new chain, numbered within each block. */
function placed(logs: readonly (RawLog & { readonly number: number })[]): readonly Placed[] {
  const counts = new Map<number, number>()
  return logs.map((log) => {
    const { number } = log
    const logIndex = counts.get(number) ?? 0
    counts.set(number, logIndex + 1)
    return {
      ...log,
      ...{
        blockNumber: hexQuantity(number),
        blockHash: hashOfBlock(number),
        logIndex: hexQuantity(logIndex),
      },
    }
  })
}

function found(logs: readonly Placed[], filter: Filter, head: number): readonly Placed[] {
  const [from, to] = spanOf(filter, head)
  const isWanted = wantedBy(filter)
  const found: Placed[] = []
  // By halves to the first of the span: a chain of a day is asked a hundred thousand times.
  for (let at = firstFrom(logs, from); at < logs.length; at += 1) {
    const log = logs[at]
    if (!log || log.number > to) break
    if (isWanted(log)) found.push(log)
  }
  return found
}

function firstFrom(logs: readonly Placed[], block: number): number {
  let [low, high] = [0, logs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((logs[middle]?.number ?? 0) < block) low = middle + 1
    else high = middle
  }
  return low
}
