/** JSON-RPC over several endpoints: one that fails is replaced by the next. Answers are raw. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Chain, chainOfId } from './chains.ts'
import { type Call, type Endpoint, type EndpointTraits, openEndpoint } from './endpoint.ts'
import { endpointUrls } from './endpoint-urls.ts'
import { RateLimitedError, RpcRefusedError, RpcUnavailableError } from './faults.ts'
import type { Wait } from './pacing.ts'

export type { Call, EndpointTraits } from './endpoint.ts'

/** JSON-RPC over several endpoints. `request` and `batch` throw IngestError. */
export type Rpc = {
  /** The result of one call. */
  request(method: string, params: readonly unknown[]): Promise<unknown>
  /** The results of many calls, in their order. One failed call fails all. */
  batch(calls: readonly Call[]): Promise<readonly unknown[]>
  /** Traits of the preferred endpoint, or of the pinned one. */
  readonly endpoint: EndpointTraits
  /** The same, pinned to the preferred endpoint. */
  pinned(): Rpc
  /** Prefers the endpoint after this one, for all calls without a pin; returns the same, pinned to it. */
  next(): Rpc
  /** The same, pinned to the endpoint with the most blocks per second; sometimes to another one, to measure it. */
  fastest(): Rpc
  /** The same, pinned to each endpoint. */
  each(): readonly Rpc[]
}

/** Times are milliseconds. */
export type RpcOptions = {
  /** For one whole HTTP exchange. @default 10_000 */
  readonly timeoutMs?: number
  /** Attempts at one call, over all endpoints. @default 4 */
  readonly attempts?: number
  /** Attempts at one call on a pinned endpoint. @default 2 */
  readonly pinnedAttempts?: number
  /** Pause before the second attempt; doubles with each. @default 250 */
  readonly backoffMs?: number
  /** The chain that every endpoint must serve, checked once for each. @default not checked */
  readonly chainId?: number
  /** Largest answer; a larger one counts as a block range too large. @default 64 MiB */
  readonly maxBytes?: number
  /** Called for each pause that an endpoint requires. @default not called */
  readonly onWait?: (wait: Wait) => void
  /** Called for each HTTP request, with its number of calls. @default not called */
  readonly onRequest?: (calls: number) => void
}

type Settings = Required<Omit<RpcOptions, 'chainId'>> & { readonly chainId: number | undefined }

/** Another endpoint is preferred if it is this many times as fast. */
const FASTER = 1.3
/** Every 8th range is read from an endpoint whose speed is unknown, every 60th from the next one in turn. */
const UNKNOWN_EVERY = 8
const AGAIN_EVERY = 60

/** An endpoint that did not answer is avoided for this many times as long as it was waited for: one that is down costs 1/30 of the time. */
const REST_FACTOR = 30

/** The endpoint with the most blocks per second among those that omitted no logs; `now` unless another is much faster. */
const fastestOf = (all: readonly Endpoint[], now: Endpoint): Endpoint => {
  const speed = ({ traits }: Endpoint) => traits.blocksPerSecond ?? 0
  const trusted = all.filter(({ traits }) => !isDistrusted(traits))
  const [first = now] = trusted.includes(now) ? [now] : trusted
  return trusted.reduce((most, one) => (speed(one) > FASTER * speed(most) ? one : most), first)
}

/** Opens endpoints, in order of preference: if one fails, the next is asked. Open them once per process, to keep their traits. */
export const openRpc = (urls: readonly string[], options: RpcOptions = {}): Rpc => {
  const settings: Settings = {
    timeoutMs: 10_000,
    attempts: 4,
    pinnedAttempts: 2,
    backoffMs: 250,
    maxBytes: 64 * 1024 * 1024,
    onWait: () => {},
    onRequest: () => {},
    chainId: undefined,
    ...options,
  }
  return rpcOf(openEndpoints(endpointUrls(urls).http, settings), settings)
}

const openEndpoints = (urls: readonly string[], settings: Settings): readonly Endpoint[] => {
  const hosts = urls.map((url) => new URL(url))
  return hosts.map((url, at) => {
    const before = hosts.slice(0, at).filter(({ host }) => host === url.host).length
    return openEndpoint(url, before === 0 ? url.host : `${url.host} (${before + 1})`, settings)
  })
}

const rpcOf = (all: readonly Endpoint[], settings: Settings): Rpc => {
  const { attempts, backoffMs } = settings
  let preferred = 0
  const current = (): Endpoint => {
    const endpoint = all[preferred % all.length]
    if (!endpoint) throw new RpcUnavailableError('the chain', 'no endpoint is configured')
    return endpoint
  }
  const moveOn = (from: Endpoint): void => {
    if (from === current()) preferred += 1
  }
  const askAny = <T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<T> =>
    retried({ attempts, backoffMs, isWorthAnother: isEndpointsOwn }, async () => {
      const endpoint = current()
      try {
        return await ask(endpoint)
      } catch (fault) {
        if (isEndpointsOwn(fault)) moveOn(endpoint)
        throw fault
      }
    })
  const each = (): readonly Rpc[] => all.map(on)
  const pinned = (): Rpc => on(current())
  const nextAfter = (endpoint: Endpoint): Rpc => {
    moveOn(endpoint)
    return pinned()
  }
  let turns = 0
  const fastest = (): Rpc => {
    turns += 1
    const best = fastestOf(all, current())
    preferred = all.indexOf(best)
    const unknown = all.find(({ traits }) => traits.blocksPerSecond === undefined)
    const again = turns % AGAIN_EVERY === 0 ? all[(turns / AGAIN_EVERY) % all.length] : undefined
    return on((turns % UNKNOWN_EVERY === 0 ? unknown : again) ?? best)
  }
  const on = (endpoint: Endpoint): Rpc => ({
    request: (method, params) => askPinned(endpoint, settings, () => endpoint.askOne({ method, params })),
    batch: (calls) => askPinned(endpoint, settings, () => endpoint.askMany(calls)),
    endpoint: endpoint.traits,
    pinned,
    next: () => nextAfter(endpoint),
    fastest,
    each,
  })
  return {
    request: (method, params) => askAny((endpoint) => endpoint.askOne({ method, params })),
    batch: (calls) => askAny((endpoint) => endpoint.askMany(calls)),
    get endpoint() {
      return current().traits
    },
    pinned,
    next: () => nextAfter(current()),
    fastest,
    each,
  }
}

async function askPinned<T>(
  { traits }: Endpoint,
  { pinnedAttempts: attempts, backoffMs }: Settings,
  ask: () => Promise<T>,
): Promise<T> {
  // A 429 has been retried for a while already.
  const isWorthAnother = (fault: unknown) => isEndpointsOwn(fault) && !(fault instanceof RateLimitedError)
  const since = performance.now()
  try {
    return await retried({ attempts, backoffMs, isWorthAnother }, ask)
  } catch (fault) {
    const pauseMs = fault instanceof RateLimitedError ? (fault.retryAfterMs ?? 0) : 0
    if (isNoAnswer(fault)) rest(traits, performance.now() - since, pauseMs)
    throw fault
  }
}

/** The chain that these endpoints serve, according to the first that answers. Throws IngestError, UnknownChainError. */
export const servedChain = async (rpc: Rpc): Promise<Chain> =>
  chainOfId(Number(await rpc.request('eth_chainId', [])))

/** The endpoint did not answer within `waitedMs`. `pauseMs`: the pause it requires itself. */
export const rest = (traits: EndpointTraits, waitedMs: number, pauseMs = 0): void => {
  const restMs = Math.max(REST_FACTOR * waitedMs, pauseMs)
  traits.silentUntil = Math.max(traits.silentUntil, Date.now() + restMs)
}

/** It did not answer recently. */
export const isSilent = ({ silentUntil }: EndpointTraits): boolean => Date.now() < silentUntil

/** It omitted logs recently. */
export const isDistrusted = ({ distrustedUntil }: EndpointTraits): boolean => Date.now() < distrustedUntil

const isNoAnswer = (fault: unknown): boolean =>
  fault instanceof RpcUnavailableError || fault instanceof RateLimitedError

const isEndpointsOwn = (fault: unknown): boolean => isNoAnswer(fault) || fault instanceof RpcRefusedError

const retried = async <T>(
  how: {
    readonly attempts: number
    readonly backoffMs: number
    readonly isWorthAnother: (fault: unknown) => boolean
  },
  attempt: () => Promise<T>,
): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (fault) {
      if (tried >= how.attempts || !how.isWorthAnother(fault)) throw fault
      await delay(how.backoffMs * 2 ** (tried - 1))
    }
  }
}
