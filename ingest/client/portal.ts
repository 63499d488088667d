/**
 * An SQD Portal as an endpoint: old blocks in bulk, without a key (docs.sqd.dev, "Portal API"; its state since blocks of 200 ms
 * is untried). It answers what reading a far range asks: logs by filter, headers, and who sent the transactions of the logs
 * it gave. Everything else it leaves to other endpoints, and whatever is younger than an hour.
 */
import { LRUCache } from 'lru-cache'
import { numberToHex } from 'viem'
import type { Hash } from '../../market/segment.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import type { Answers, Call, CallSender } from './call-sender.ts'
import { chains } from './chains.ts'
import { BlockNotYetAvailableError, kindOf } from './faults.ts'
import type { ExchangeLimits } from './http-exchange.ts'
import type { Pacing } from './pacing.ts'
import {
  openPortalStream,
  type PortalBlock,
  type PortalHeader,
  type PortalSpan,
  type PortalTransaction,
} from './portal-stream.ts'

/** A portal has no answer to this; another endpoint has. */
export const NotOfPortalError = kindOf(
  'NotOfPortalError',
  (endpoint: string, method: string) =>
    `${endpoint} is a portal, which has logs and headers alone: ${method}`,
)

/** Datasets by their names in the URL, and the ids of their chains. */
const datasets: Readonly<Record<string, number>> = {
  'base-mainnet': chains.base.id,
  'base-sepolia': chains.baseSepolia.id,
  devnet: chains.devnet.id,
}

/** Blocks younger than this (seconds) are left to other endpoints. */
const LEFT_SECONDS = 3_600
/** Transactions that are remembered. */
const SENT_MAX = 200_000
/** Headers this close to each other are read with all between them: a portal limits requests, not bytes. */
const NEAR_BLOCKS = 1_000
/** Requests in parallel. */
const PARALLEL = 4

/** Opens a portal; nothing is sent yet. `name` replaces its URL in errors. */
export function openPortal(
  url: URL,
  name: string,
  { limits, pacing }: { readonly limits: ExchangeLimits; readonly pacing: Pacing },
): CallSender {
  const dataset = new URL(url.href.replace(/^portal\+/i, '').replace(/\/+$/, ''))
  const stream = openPortalStream(dataset, name, { limits, pacing })
  const sent = new LRUCache<Hash, PortalTransaction>({ max: SENT_MAX })

  const blocksOf = async (span: PortalSpan, query: object): Promise<readonly PortalBlock[]> => {
    const blocks = await stream(span, query)
    const young = Math.floor(Date.now() / 1_000) - LEFT_SECONDS
    const newest = blocks.find(({ header }) => header.timestamp > young)
    if (newest) throw new BlockNotYetAvailableError(newest.header.number)
    return blocks
  }
  const headersOf = async (numbers: readonly number[]): Promise<ReadonlyMap<number, object>> => {
    const read = await mapParallel(spansOf(numbers), PARALLEL, (span) =>
      blocksOf(span, { includeAllBlocks: true }),
    )
    return new Map(read.flat().map(({ header }) => [header.number, headerAnswer(header)]))
  }
  const logsOf = async (filter: Filter): Promise<readonly object[]> => {
    const span = { from: Number(filter.fromBlock), to: Number(filter.toBlock) }
    if (!(span.from <= span.to)) throw new NotOfPortalError(name, 'logs up to the newest block')
    const blocks = await blocksOf(span, { logs: [{ ...wantedBy(filter), transaction: true }] })
    for (const { transactions = [] } of blocks) for (const each of transactions) sent.set(each.hash, each)
    return blocks.flatMap(({ header, logs = [] }) => logs.map((log) => logAnswer(header, log)))
  }
  const methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_chainId: async () => numberToHex(datasets[dataset.pathname.split('/').at(-1) ?? ''] ?? 0),
    eth_getLogs: ([filter]) => logsOf(filter as Filter),
    eth_getTransactionByHash: async ([hash]) => {
      const transaction = sent.get(hash as Hash)
      if (!transaction) throw new NotOfPortalError(name, 'a transaction of which it gave no log')
      return transaction
    },
  }
  const one = async (call: Call): Promise<unknown> => {
    const number = headerNumber(call)
    if (number !== undefined) return (await headersOf([number])).get(number) ?? null
    const answer = methods[call.method]
    if (!answer) throw new NotOfPortalError(name, call.method)
    return answer(call.params)
  }
  const many = async (calls: readonly Call[], answers: Answers): Promise<void> => {
    const open = calls.flatMap((call, at) => (answers.has(at) ? [] : [{ call, at }]))
    const headers = await headersOf(open.flatMap(({ call }) => headerNumber(call) ?? []))
    for (const { call, at } of open) {
      const number = headerNumber(call)
      answers.set(at, number === undefined ? await one(call) : (headers.get(number) ?? null))
    }
  }
  return { one, many }
}

/** The block whose header a call asks for by its number. */
function headerNumber({ method, params: [block, hasTransactions] }: Call): number | undefined {
  const number = Number(block)
  return method === 'eth_getBlockByNumber' && hasTransactions === false && Number.isSafeInteger(number)
    ? number
    : undefined
}

/** Spans that hold these blocks, those close to each other in one. */
function spansOf(numbers: readonly number[]): readonly PortalSpan[] {
  const spans: { from: number; to: number }[] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && number - last.to <= NEAR_BLOCKS) last.to = number
    else spans.push({ from: number, to: number })
  }
  return spans
}

/** What eth_getLogs is asked. */
type Filter = {
  readonly fromBlock: string
  readonly toBlock: string
  readonly address?: readonly string[]
  readonly topics?: readonly (readonly string[] | null)[]
}

/** The same in a portal's words. */
function wantedBy({ address, topics = [] }: Filter): object {
  const wanted = [['address', address], ...topics.map((topic, at) => [`topic${at}`, topic])] as const
  return Object.fromEntries(wanted.filter(([, values]) => values !== null && values !== undefined))
}

const headerAnswer = ({ number, timestamp, ...header }: PortalHeader): object => ({
  ...header,
  number: numberToHex(number),
  timestamp: numberToHex(timestamp),
})

const logAnswer = (
  { number, hash, timestamp }: PortalHeader,
  { logIndex, ...log }: NonNullable<PortalBlock['logs']>[number],
): object => ({
  ...log,
  blockNumber: numberToHex(number),
  blockHash: hash,
  logIndex: numberToHex(logIndex),
  blockTimestamp: numberToHex(timestamp),
})
