/** An SQD Portal over a node's chain, which stops where it likes, limits requests, and knows forks: what it answers is the node's. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listen } from '../../../dev/emulators/listening.ts'
import { type ChainNode, hexQuantity, type NodeLog } from '../../support/chain/json-rpc.ts'

type Query = {
  readonly fromBlock: number
  readonly toBlock: number
  readonly parentBlockHash?: string
  readonly includeAllBlocks?: boolean
  readonly logs?: readonly (Readonly<Record<string, readonly string[] | boolean>> & {
    readonly address?: readonly string[]
  })[]
}
type Header = { readonly number: number; readonly hash: string; readonly timestamp: number }
type Raw = Readonly<Record<'number' | 'timestamp' | 'hash' | 'parentHash', string>>

export type PortalOptions = {
  /** Blocks of one answer at most. @default no limit */
  readonly stopsAfter?: number
  /** Every n-th request is refused with HTTP 429. @default none */
  readonly refusesEach?: number
  /** Every n-th answer is cut off within a line. @default none */
  readonly cutsEach?: number
  /** The newest block that is final. @default the node's head */
  readonly final?: number
  /** Another fork from here on: other hashes than the node's. @default none */
  readonly forkFrom?: number
}

export type Portal = {
  /** As an endpoint of the service. */
  readonly url: string
  /** What was asked, and the last block of each answer. */
  readonly asked: { readonly query: Query; readonly last: number }[]
  stop(): Promise<void>
}

/** Starts a portal of a dataset. */
export async function startPortal(node: ChainNode, options: PortalOptions = {}): Promise<Portal> {
  const { stopsAfter = Number.POSITIVE_INFINITY, refusesEach = 0, cutsEach = 0, forkFrom } = options
  const asked: Portal['asked'] = []
  let requests = 0
  const isTurn = (each: number) => each > 0 && requests % each === 0

  const forked = (number: number, hash: string): string =>
    forkFrom !== undefined && number >= forkFrom ? `0xf0${hash.slice(4)}` : hash
  const headerOf = async (number: number): Promise<Header & { readonly parentHash: string }> => {
    const raw = (await node.ask({
      method: 'eth_getBlockByNumber',
      params: [hexQuantity(number), false],
    })) as Raw
    return {
      number,
      hash: forked(number, raw.hash),
      parentHash: forked(number - 1, raw.parentHash),
      timestamp: Number(raw.timestamp),
    }
  }
  const logsOf = async ({ logs = [] }: Query, from: number, to: number): Promise<readonly NodeLog[]> => {
    const found = await Promise.all(
      logs.map(({ address, ...wanted }) => {
        const topics = [0, 1, 2, 3].map((at) => wanted[`topic${at}`] ?? null)
        const filter = { address, topics, fromBlock: hexQuantity(from), toBlock: hexQuantity(to) }
        return node.ask({ method: 'eth_getLogs', params: [filter] }) as readonly NodeLog[]
      }),
    )
    return found.flat()
  }
  const blockOf = async (number: number, logs: readonly NodeLog[]) => {
    const own = logs.filter(({ blockNumber }) => Number(blockNumber) === number)
    const hashes = [...new Set(own.map(({ transactionHash }) => transactionHash))]
    type Sent = { readonly from: string; readonly to?: string } | null
    const sent = hashes.map(
      (hash) => node.ask({ method: 'eth_getTransactionByHash', params: [hash] }) as Sent,
    )
    return JSON.stringify({
      header: await headerOf(number),
      logs: own.map(({ address, topics, data, logIndex, transactionHash }) => ({
        address,
        topics,
        data,
        logIndex: Number(logIndex),
        transactionHash,
      })),
      transactions: hashes.map((hash, at) => ({ hash, from: sent[at]?.from, to: sent[at]?.to })),
    })
  }
  /** The blocks with matches, and the first and the last one. */
  const linesOf = async (query: Query, to: number): Promise<readonly string[]> => {
    const { fromBlock: from, includeAllBlocks } = query
    const logs = await logsOf(query, from, to)
    const all = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    const matching = new Set([from, to, ...logs.map(({ blockNumber }) => Number(blockNumber))])
    const wanted = includeAllBlocks ? all : all.filter((number) => matching.has(number))
    return Promise.all(wanted.map((number) => blockOf(number, logs)))
  }
  const answer = async (query: Query, response: ServerResponse): Promise<void> => {
    const { fromBlock, toBlock, parentBlockHash } = query
    requests += 1
    const end = (status: number, body = '') => void response.writeHead(status).end(body)
    if (isTurn(refusesEach)) return end(429, 'Too Many Requests')
    const last = Math.min(toBlock, options.final ?? node.head, fromBlock + stopsAfter - 1)
    if (fromBlock > last) return end(204)
    if (parentBlockHash && parentBlockHash !== (await headerOf(fromBlock - 1)).hash)
      return end(409, JSON.stringify({ previousBlocks: [await headerOf(fromBlock - 1)] }))
    asked.push({ query, last })
    const text = (await linesOf(query, last)).map((line) => `${line}\n`).join('')
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end(isTurn(cutsEach) ? text.slice(0, -text.length / 3) : text)
  }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url !== '/datasets/base-mainnet/finalized-stream') response.writeHead(404).end('no dataset')
    else await answer((await json(request)) as Query, response)
  }
  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const { url, stop } = await listen('portal', server)
  return { url: `portal+${url}/datasets/base-mainnet`, asked, stop }
}
