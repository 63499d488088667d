/** What providers allow: rates, widths, batches and filters, refused in their words. For a proxy of faulty-proxy.ts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../../dev/devnet/random.ts'
import { openRpc, type RpcOptions } from '../../../ingest/client/rpc.ts'
import {
  type FaultyProxy,
  type ProxyAnswer,
  type ProxyExchange,
  type ProxyTarget,
  refusal,
  startFaultyProxy,
  toEach,
} from './faulty-proxy.ts'
import type { Filter, RpcCall } from './json-rpc.ts'

/** Absent: without limit. Rates are per second. */
export type Limits = {
  readonly calls?: number
  readonly requests?: number
  /** Say how long to wait with each 429. @default false */
  readonly retryAfter?: boolean
  /** Blocks of one eth_getLogs, and whether the refusal names the number. */
  readonly span?: number
  readonly saysSpan?: boolean
  /** Far too wide: "no backend is currently healthy". */
  readonly healthySpan?: number
  readonly batch?: number
  /** Time that every answer takes. */
  readonly latencyMs?: number
  /** Of a hundred requests so many fail: with HTTP 500, 502, 504, or cut off; of a hundred of these so many with HTTP 403. */
  readonly failing?: number
  readonly refusing?: number
  /** Of a hundred requests for logs so many are answered with none. */
  readonly empty?: number
  /** Of a hundred calls so many fail, alone or within a batch. */
  readonly failingCalls?: number
  /** What it says to a range above `span`, in place of the usual words. */
  readonly says?: { readonly code: number; readonly message: string; readonly status?: number }
  /** From the n-th request on, so many requests are answered with a page and HTTP 403. */
  readonly closed?: { readonly from: number; readonly requests: number }
  readonly wantsAddresses?: boolean
  /** Values of one topic in a filter. */
  readonly topics?: number
  /** The oldest block whose state it still has, and the oldest one whose logs it serves. */
  readonly stateFrom?: number
  readonly logsFrom?: number
}

/** Starts an endpoint in front of each target, with the limits at its place, and an RPC of all of them. */
export async function startProxies(
  targets: readonly ProxyTarget[],
  { limits = [], ...options }: RpcOptions & { readonly limits?: readonly Limits[] } = {},
) {
  const random = randomFrom(5, 1)
  const proxies = await Promise.all(targets.map(startFaultyProxy))
  const counts = proxies.map((proxy, at) => limitRate(proxy, limits[at] ?? {}, random))
  // With a key that nobody may print.
  const urls = proxies.map(({ url }) => `${url}/secret-key`)
  const stop = async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  }
  return { rpc: openRpc(urls, options), proxies, counts, stop }
}

/** What an endpoint with limits counted. */
export type Count = { requests: number; calls: number; refused: number }

/** Puts limits in front of a proxy; gives what it counts from then on. */
export function limitRate(proxy: FaultyProxy, limits: Limits, random = randomFrom(5, 1)): Count {
  const count: Count = { requests: 0, calls: 0, refused: 0 }
  const buckets = [openBucket(limits.calls), openBucket(limits.requests)] as const
  proxy.fault = (calls) => {
    count.requests += 1
    count.calls += calls.length
    const isGranted = buckets[0](calls.length) && buckets[1](1)
    const { closed } = limits
    if (closed && count.requests >= closed.from && count.requests < closed.from + closed.requests)
      return async () => ({ status: 403, text: '<html><title>Attention Required!</title></html>' })
    if (isGranted) return strictly(limits, calls, (percent) => random.below(100) < percent)
    count.refused += 1
    return async () => ({
      status: 429,
      text: '{"message":"Too Many Requests"}',
      ...(limits.retryAfter && { headers: { 'retry-after': '1' } }),
    })
  }
  return count
}

/** A token bucket that holds a second's worth. */
function openBucket(rate = Number.POSITIVE_INFINITY): (count: number) => boolean {
  if (rate === Number.POSITIVE_INFINITY) return () => true
  let tokens = rate
  let at = performance.now()
  return (count) => {
    tokens = Math.min(rate, tokens + ((performance.now() - at) * rate) / 1_000)
    at = performance.now()
    if (tokens < count) return false
    tokens -= count
    return true
  }
}

function strictly(limits: Limits, calls: readonly RpcCall[], chance: (percent: number) => boolean) {
  const filters = calls.flatMap(({ method, params: [filter] }) =>
    method === 'eth_getLogs' ? [filter as Filter] : [],
  )
  const widths = filters.map(({ fromBlock, toBlock }) => Number(toBlock) - Number(fromBlock) + 1)
  const width = Math.max(0, ...widths)
  if (limits.failing && chance(limits.failing)) {
    if (chance(limits.refusing ?? 0))
      return chance(50) ? 'HTTP 403 in HTML' : 'a method that is not whitelisted'
    return failures[[25, 33, 50].findIndex(chance) + 1]
  }
  if (filters.length > 0 && chance(limits.empty ?? 0)) return toEach({ result: [] })
  if (limits.batch && calls.length > limits.batch)
    return refusal(-32_600, `maximum ${limits.batch} calls in 1 batch`)
  const states = calls.flatMap(({ method, params }) => (method === 'eth_call' ? [Number(params[1])] : []))
  if (limits.stateFrom && states.some((block) => block < (limits.stateFrom ?? 0)))
    return refusal(-32_000, 'missing trie node 0x00 (path ) state 0x00 is not available')
  if (filters.some(({ fromBlock }) => Number(fromBlock) < (limits.logsFrom ?? 0)))
    return refusal(-32_602, 'Archive requests require a personal token', 403)
  if (limits.wantsAddresses && filters.some(({ address }) => !address))
    return refusal(-32_701, 'Please specify an address in your request')
  const values = filters.flatMap(({ topics }) => topics.map((wanted) => wanted?.length ?? 0))
  if (Math.max(0, ...values) > (limits.topics ?? Number.POSITIVE_INFINITY))
    return refusal(-32_000, 'exceed max topics')
  if (limits.healthySpan && width > limits.healthySpan)
    return refusal(-32_011, 'no backend is currently healthy to serve traffic', 503)
  if (limits.span && width > limits.span)
    return limits.says
      ? refusal(limits.says.code, limits.says.message, limits.says.status)
      : limits.saysSpan
        ? refusal(-32_600, `eth_getLogs is limited to a ${limits.span} block range`)
        : refusal(-32_000, 'block range too large')
  const { latencyMs = 0, failingCalls = 0 } = limits
  if (latencyMs + failingCalls === 0) return undefined
  return async ({ isBatch, passed }: ProxyExchange): Promise<ProxyAnswer> => {
    await sleep(latencyMs)
    const text = await passed()
    const answers = [JSON.parse(text) as { readonly id: unknown }]
      .flat()
      .map((answer) =>
        chance(failingCalls)
          ? { jsonrpc: '2.0', id: answer.id, error: { code: -32_603, message: 'internal error' } }
          : answer,
      )
    return { status: 200, text: JSON.stringify(isBatch ? answers : answers[0]) }
  }
}

/** Ways in which a request fails, in turn equally likely. */
const failures = ['a cut connection', 'HTTP 500', 'HTTP 502 in HTML', 'HTTP 504'] as const
