/** One JSON-RPC endpoint and its measured limits: blocks, calls and addresses per request, and its rate. */

import { LRUCache } from 'lru-cache'
import type { Address, Hash } from '../market/segment.ts'
import {
  AddressRequiredError,
  BatchTooLargeError,
  FilterTooLargeError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
  WrongChainError,
} from './faults.ts'
import { answersById, type Exchange, type ExchangeLimits, openExchange, resultOf } from './http-exchange.ts'
import { openPacing, type Pacing, type PacingReports } from './pacing.ts'

/** One JSON-RPC call. */
export type Call = { readonly method: string; readonly params: readonly unknown[] }

/** What is known of an endpoint, as long as the process runs. */
export type EndpointTraits = {
  /** Its host, numbered if two share one. Path and query may hold a key. */
  readonly name: string
  readonly width: RangeWidth
  /** It answers eth_getLogs without an address. */
  takesTopicsAlone: boolean
  /** Addresses in one filter. */
  addressesAFilter: number
  /** Blocks per second of the last range of full width; undefined: none yet. */
  blocksPerSecond: number | undefined
  /** Until then (Unix ms) it is asked after the others, because it omitted logs. */
  distrustedUntil: number
  /** Until then (Unix ms) it is asked last, because it did not answer. */
  silentUntil: number
  /** Until then (Unix ms) it is not asked for the state of a past block, because it had none. */
  noStateUntil: number
  /** Senders of transactions asked for, cached. */
  readonly senders: LRUCache<Hash, Address>
}

/** Traits of an endpoint that has not been asked yet. */
export const openTraits = (name: string): EndpointTraits => ({
  name,
  width: openRangeWidth(),
  takesTopicsAlone: true,
  // Endpoints limit the size of a filter without publishing the limit.
  addressesAFilter: 500,
  blocksPerSecond: undefined,
  distrustedUntil: 0,
  silentUntil: 0,
  noStateUntil: 0,
  senders: new LRUCache({ max: SENDERS_MAX }),
})

const SENDERS_MAX = 10_000

export type EndpointSettings = ExchangeLimits &
  PacingReports & {
    /** The chain that it must serve. */
    readonly chainId: number | undefined
  }

/** Both methods throw an IngestError. */
export type Endpoint = {
  readonly traits: EndpointTraits
  askOne(call: Call): Promise<unknown>
  /** One failed call fails all. */
  askMany(calls: readonly Call[]): Promise<readonly unknown[]>
}

/** Opens one endpoint; nothing is asked yet. */
export function openEndpoint(url: URL, name: string, settings: EndpointSettings): Endpoint {
  const traits = openTraits(name)
  const pacing = openPacing(name, settings)
  const sender = senderOf(name, openExchange(url, name, settings), pacing)
  const { chainId } = settings
  let isRightChain = chainId === undefined

  const assertServes = async (): Promise<void> => {
    if (isRightChain || chainId === undefined) return
    const id = Number(await sender.one({ method: 'eth_chainId', params: [] }))
    if (id !== chainId) throw new WrongChainError(chainId, id, name)
    isRightChain = true
  }
  const asked = async <T>(calls: readonly Call[], ask: () => Promise<T>): Promise<T> => {
    try {
      await assertServes()
      return await ask()
    } catch (fault) {
      throw recordFault(fault, traits, calls)
    }
  }
  return {
    traits,
    askOne: (call) => asked([call], () => sender.one(call)),
    askMany: (calls) => asked(calls, () => sender.many(calls)),
  }
}

/** Calls in a batch until the endpoint refuses one. */
const BATCH_MAX = 100

const senderOf = (name: string, exchange: Exchange, pacing: Pacing) => {
  let batchLimit = BATCH_MAX

  const one = (call: Call): Promise<unknown> => {
    const { method } = call
    return pacing.run({ calls: 1, isOfLogs: method === 'eth_getLogs' }, async () =>
      resultOf(name, method, await exchange.post(method, { jsonrpc: '2.0', id: 1, ...call })),
    )
  }
  const batch = (calls: readonly Call[]): Promise<readonly unknown[]> => {
    const [{ method } = { method: '' }] = calls
    return pacing.run({ calls: calls.length, isOfLogs: false }, async () => {
      const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
      const answer = await exchange.post(method, body)
      // A batch that is refused as a whole is answered with one object.
      if (!Array.isArray(answer)) {
        resultOf(name, method, answer)
        throw new RpcUnavailableError(name, `${method}: a batch was answered with one result`)
      }
      const byId = answersById(answer)
      return calls.map((call, id) => resultOf(name, call.method, byId.get(id)))
    })
  }
  const many = async (calls: readonly Call[]): Promise<readonly unknown[]> => {
    const results: unknown[] = []
    while (results.length < calls.length) {
      const size = Math.min(batchLimit, pacing.batchSize())
      const part = calls.slice(results.length, results.length + size)
      const [first] = part
      try {
        if (part.length === 1 && first) results.push(await one(first))
        else results.push(...(await batch(part)))
      } catch (fault) {
        if (part.length === 1) throw fault
        if (fault instanceof BatchTooLargeError) batchLimit = Math.floor(part.length / 2)
        else if (!(fault instanceof RateLimitedError) || part.length <= pacing.batchSize()) throw fault
      }
    }
    return results
  }
  return { one, many }
}

/** Records the limit that a fault reveals; returns the fault to throw: a refusal if no other form of the query is left. */
const recordFault = (fault: unknown, traits: EndpointTraits, calls: readonly Call[]): unknown => {
  const isOfForm = fault instanceof AddressRequiredError || fault instanceof FilterTooLargeError
  if (!isOfForm) return fault
  const addresses = Math.max(...calls.map(addressesIn))
  if (fault instanceof AddressRequiredError && addresses === 0) traits.takesTopicsAlone = false
  else if (fault instanceof FilterTooLargeError && addresses > 1)
    traits.addressesAFilter = Math.min(traits.addressesAFilter, Math.floor(addresses / 2))
  else return new RpcRefusedError(traits.name, fault.message)
  return fault
}

const addressesIn = ({ params: [filter] }: Call): number => {
  const { address } = (filter ?? {}) as { readonly address?: unknown }
  return Array.isArray(address) ? address.length : 0
}

/** How many blocks an endpoint is asked for at once: fewer after a refusal, more after a fast answer. */
export type RangeWidth = {
  blocks(): number
  /** The endpoint refused so many blocks; `allowedBlocks`: its limit, if it named one. */
  narrow(refusedBlocks: number, allowedBlocks?: number): void
  /** A range of the full width was read, its slowest answer in so many ms. */
  widen(slowestMs?: number): void
}

// Coinbase's endpoints allow 1,000 blocks of Base, QuickNode's 10,000.
const START_BLOCKS = 1_000
const MOST_BLOCKS = 10_000
/** An answer slower than this is so close to the timeout (10 s) that a wider range might exceed it. */
const SLOW_MS = 3_000
/** After so many ranges a refused width is tried again: the cause may have been dense blocks or a temporary fault. Doubles with each further refusal. */
const FORGET_AFTER = { least: 10, most: 200 } as const

/** Opens a width, at first of so many blocks; it is never less than one. */
export function openRangeWidth(blocks = START_BLOCKS): RangeWidth {
  let width = blocks
  /** The smallest refused width. */
  let refused = Number.POSITIVE_INFINITY
  /** The last width that was read. */
  let good = 0
  let successes = 0
  let forgetAfter: number = FORGET_AFTER.least
  let isForgotten = false
  return {
    blocks: () => width,
    narrow(refusedBlocks, allowedBlocks) {
      successes = 0
      if (isForgotten) forgetAfter = Math.min(forgetAfter * 2, FORGET_AFTER.most)
      isForgotten = false
      // If it refuses what it allows, something else is too much.
      const isSmaller = allowedBlocks !== undefined && allowedBlocks < refusedBlocks
      refused = isSmaller ? allowedBlocks + 1 : refusedBlocks
      const half = Math.max(1, Math.floor(refusedBlocks / 2))
      width = isSmaller ? allowedBlocks : good < refusedBlocks ? Math.max(half, good) : half
      good = Math.min(good, width)
    },
    widen(slowestMs = 0) {
      successes += 1
      good = width
      if (successes % forgetAfter === 0 && refused <= MOST_BLOCKS) {
        refused = Math.max(refused, width) * 2
        isForgotten = true
      }
      if (slowestMs > SLOW_MS) return
      // Half way to the refused width; less than an eighth is not worth another refusal.
      const next = Math.min(MOST_BLOCKS, Math.ceil(width * 1.5), Math.floor((width + refused) / 2))
      if (refused - width > width / 8) width = Math.max(width, next)
    },
  }
}
