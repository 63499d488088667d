/**
 * An SQD Portal as an endpoint: finalized blocks in bulk, without a key (docs.sqd.dev, "Portal API"). It answers what
 * catching up asks most: logs by filter, headers, and the senders of transactions whose logs it has given. Everything else
 * it refuses, so that another endpoint is asked. Blocks of the last hour are not read here at all.
 */
import { LRUCache } from 'lru-cache'
import type { Hash } from '../../market/segment.ts'
import { mapParallel } from '../../store/parallel.ts'
import type { Answers, Call, CallSender } from './call-sender.ts'
import { chains } from './chains.ts'
import {
  BlockNotYetAvailableError,
  RangeChangedError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
} from './faults.ts'
import { quantity } from './headers.ts'
import type { Pacing } from './pacing.ts'

/** What an address of a portal begins with; the rest is the address of a dataset. */
const PREFIX = 'portal+'

export const isPortalUrl = ({ protocol }: URL): boolean => protocol.startsWith(PREFIX)

/** Datasets by name, and the chains they are of. */
const datasets: Readonly<Record<string, number>> = {
  'base-mainnet': chains.base.id,
  'base-sepolia': chains.baseSepolia.id,
  devnet: chains.devnet.id,
}

/** Blocks younger than this are left to other endpoints (seconds). */
const LEFT_SECONDS = 3_600
/** For so long (ms) the newest block that may be read is remembered. */
const NEWEST_MS = 60_000
/** Senders of transactions that are remembered. */
const SENDERS_MAX = 200_000
/** Headers this close to each other are read together. */
const NEAR_BLOCKS = 50
const PARALLEL = 2

type Header = {
  readonly number: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: number
}
type PortalLog = Readonly<Record<'address' | 'data' | 'transactionHash', string>> & {
  readonly logIndex: number
  readonly topics: readonly string[]
}
type PortalBlock = {
  readonly header: Header
  readonly logs?: readonly PortalLog[]
  readonly transactions?: readonly { readonly hash: Hash; readonly from: string }[]
}

const fields = {
  block: { number: true, hash: true, parentHash: true, timestamp: true },
  log: { address: true, topics: true, data: true, logIndex: true, transactionHash: true },
  transaction: { hash: true, from: true },
}

/** `timeoutMs`: for one answer. */
type PortalLimits = { readonly timeoutMs: number }

/** Opens a portal as what sends calls; nothing is sent yet. */
export function openPortal(url: URL, name: string, { limits, pacing }: PortalParts): CallSender {
  const base = url.href.slice(PREFIX.length).replace(/\/+$/, '')
  const portal = openStream(base, name, limits)
  const senders = new LRUCache<Hash, string>({ max: SENDERS_MAX })
  let newest: { readonly at: number; readonly block: number } | undefined

  /** The newest block that is read here: final, and older than an hour. */
  const lastBlock = async (): Promise<number> => {
    if (newest && Date.now() - newest.at < NEWEST_MS) return newest.block
    const since = Math.floor(Date.now() / 1_000) - LEFT_SECONDS
    const [final, then] = await Promise.all([
      portal.read('finalized-head', 'number'),
      portal.read(`timestamps/${since}/block`, 'block_number'),
    ])
    newest = { at: Date.now(), block: Math.min(final, then - 1) }
    return newest.block
  }
  const blocksOf = async (span: { readonly from: number; readonly to: number }, query: object) => {
    if (span.to > (await lastBlock())) throw new BlockNotYetAvailableError(span.to)
    return portal.blocks(span, query)
  }
  const headersOf = async (numbers: readonly number[]): Promise<ReadonlyMap<number, Header>> => {
    const found = new Map<number, Header>()
    for (const { from, to } of together(numbers))
      for (const { header } of await blocksOf({ from, to }, { includeAllBlocks: true }))
        found.set(header.number, header)
    return found
  }
  const logsOf = async (filter: Filter): Promise<readonly object[]> => {
    const span = { from: Number(filter.fromBlock), to: Number(filter.toBlock) }
    if (Number.isNaN(span.to)) throw new BlockNotYetAvailableError()
    const blocks = await blocksOf(span, { logs: [{ ...wantedOf(filter), transaction: true }] })
    for (const { transactions = [] } of blocks)
      for (const { hash, from } of transactions) senders.set(hash, from)
    return blocks.flatMap((block) => (block.logs ?? []).map((log) => logAnswer(block.header, log)))
  }
  const methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_chainId: async () => quantity(datasets[base.split('/').at(-1) ?? ''] ?? 0),
    eth_blockNumber: async () => quantity(await lastBlock()),
    eth_getBlockByNumber: async ([block]) => {
      const number = block === 'latest' ? await lastBlock() : Number(block)
      return headerAnswer((await headersOf([number])).get(number))
    },
    eth_getLogs: ([filter]) => logsOf(filter as Filter),
    eth_getTransactionByHash: async ([hash]) => {
      const from = senders.get(hash as Hash)
      if (from === undefined) throw new RpcRefusedError(name, 'a transaction without a log that it gave')
      return { hash, from }
    },
  }
  const one = ({ method, params }: Call): Promise<unknown> => {
    const answer = methods[method]
    if (!answer) throw new RpcRefusedError(name, `${method}: a portal has logs and headers alone`, 'method')
    return pacing.run({ calls: 1, isOfLogs: method === 'eth_getLogs' }, () => answer(params))
  }
  const many = async (calls: readonly Call[], answers: Answers): Promise<void> => {
    const open = calls.flatMap((call, at) => (answers.has(at) ? [] : [{ call, at }]))
    const isHeader = ({ call: { method, params } }: { readonly call: Call }) =>
      method === 'eth_getBlockByNumber' && params[0] !== 'latest'
    const numbers = open.filter(isHeader).map(({ call: { params } }) => Number(params[0]))
    const headers = await pacing.run({ calls: 1, isOfLogs: false }, () => headersOf(numbers))
    await mapParallel(open, PARALLEL, async (each) => {
      const known = isHeader(each) ? headers.get(Number(each.call.params[0])) : undefined
      answers.set(each.at, known ? headerAnswer(known) : await one(each.call))
    })
  }
  return { one: async (call) => one(call), many }
}

type PortalParts = { readonly limits: PortalLimits; readonly pacing: Pacing }

/** Spans that hold these blocks, those close to each other in one. */
function together(numbers: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && number - last.to <= NEAR_BLOCKS) last.to = number
    else spans.push({ from: number, to: number })
  }
  return spans
}

/** A filter of eth_getLogs. */
type Filter = {
  readonly fromBlock: string
  readonly toBlock: string
  readonly address?: unknown
  readonly topics?: readonly unknown[]
}

function wantedOf({ address, topics = [] }: Filter): Readonly<Record<string, unknown>> {
  const wanted = [['address', address] as const, ...topics.map((topic, at) => [`topic${at}`, topic] as const)]
  return Object.fromEntries(
    wanted.flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [[key, [value].flat().map((each) => String(each))]],
    ),
  )
}

const logAnswer = (header: Header, log: PortalLog): object => ({
  ...log,
  blockNumber: quantity(header.number),
  blockHash: header.hash,
  logIndex: quantity(log.logIndex),
  blockTimestamp: quantity(header.timestamp),
})

const headerAnswer = (header: Header | undefined): object | null =>
  header
    ? { ...header, number: quantity(header.number), timestamp: quantity(header.timestamp) }
    : null

/** The portal's own protocol: NDJSON over POST. */
function openStream(base: string, name: string, { timeoutMs }: PortalLimits) {
  const ask = async (path: string, body?: object): Promise<Response> => {
    const init = body
      ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : {}
    const response = await fetch(`${base}/${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(
      (cause: unknown) => {
        throw new RpcUnavailableError(name, `${path}: ${String(cause)}`, cause)
      },
    )
    const said = response.ok ? '' : (await response.text().catch(() => '')).slice(0, SHOWN)
    if (response.ok) return response
    if (response.status === 409) throw new RangeChangedError(`${name} has another fork: ${said}`)
    if (response.status === 429) throw new RateLimitedError(name, said, retryAfterMs(response))
    if (response.status === 400 || response.status === 404) throw new RpcRefusedError(name, said)
    throw new RpcUnavailableError(name, `${path}: status ${response.status} ${said}`)
  }
  return {
    /** A number in an answer. */
    async read(path: string, key: string): Promise<number> {
      const answer: unknown = await (await ask(path)).json().catch(() => null)
      const value = Number((answer as Readonly<Record<string, unknown>> | null)?.[key] ?? Number.NaN)
      if (!Number.isSafeInteger(value)) throw new RpcUnavailableError(name, `${path}: no ${key}`)
      return value
    },
    /** The blocks of a span that a query asks for, and its last one. An answer may stop anywhere: the next goes on. */
    async blocks({ from, to }: { readonly from: number; readonly to: number }, query: object) {
      const blocks: PortalBlock[] = []
      for (let next = from; next <= to; ) {
        const last = blocks.at(-1)?.header
        const parent = last && last.number === next - 1 ? { parentBlockHash: last.hash } : {}
        const request = { type: 'evm', fromBlock: next, toBlock: to, fields, ...parent, ...query }
        const response = await ask('finalized-stream', request)
        const found = linesOf(name, response.status === 204 ? '' : await response.text())
        const end = found.at(-1)?.header.number
        if (end === undefined || end < next) throw new BlockNotYetAvailableError(next)
        for (const block of found) {
          const { number } = block.header
          if (number < next || number > to) throw new RangeChangedError(`${name} gave block ${number} unasked`)
          blocks.push(block)
        }
        next = end + 1
      }
      return blocks
    },
  }
}

/** Characters shown of a refusal. */
const SHOWN = 200

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : seconds * 1_000
}

/** Blocks, a line of JSON each. Throws RpcUnavailableError: an answer that broke off ends within a line. */
function linesOf(name: string, text: string): readonly PortalBlock[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        const block = JSON.parse(line) as Partial<PortalBlock> | null
        if (Number.isSafeInteger(block?.header?.number)) return block as PortalBlock
      } catch {
        // The same fault as of a line that is no block.
      }
      throw new RpcUnavailableError(name, 'a line that is no block')
    })
}
