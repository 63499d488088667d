/** Calls to several endpoints: one that fails is replaced by the next. Answers are raw. */
import { setTimeout as delay } from 'node:timers/promises'
import { budgets } from '../../schemas/deployment/budgets.ts'
import type { Answers, Call } from './call-sender.ts'
import { type Chain, chainOfId } from './chains.ts'
import { chainIdIn, type Endpoint, openEndpoint } from './endpoint.ts'
import { type EndpointTraits, rest } from './endpoint-traits.ts'
import { endpointUrls } from './endpoint-urls.ts'
import {
  BlockRangeTooLargeError,
  EndpointClosedError,
  HistoryUnavailableError,
  IngestError,
  orFault,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
} from './faults.ts'
import type { Wait } from './pacing.ts'
import { openPreference } from './preference.ts'
import type { RunState } from './refusals.ts'

export type { Call } from './call-sender.ts'
export type { EndpointTraits } from './endpoint-traits.ts'

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
  /** Attempts at one call on a pinned endpoint, if there are others. @default 3 */
  readonly pinnedAttempts?: number
  /** Pause before the second attempt; doubles with each. @default 250 */
  readonly backoffMs?: number
  /** The chain that every endpoint must serve, checked once for each. @default not checked */
  readonly chainId?: number
  /** Largest answer; a larger one counts as a block range or a batch too large. @default budgets.answer */
  readonly maxBytes?: number
  /** Pause after an endpoint's first refusal; doubles with each until it answers. @default 1_000 */
  readonly refusalPauseMs?: number
  /** Called for each pause that an endpoint requires. @default not called */
  readonly onWait?: (wait: Wait) => void
  /** Called for each HTTP request, with its number of calls. @default not called */
  readonly onRequest?: (calls: number) => void
}

type Settings = Required<Omit<RpcOptions, 'chainId'>> & { readonly chainId: number | undefined }

/** Opens endpoints, in order of preference: if one fails, the next is used. Open them once per process, to keep their traits. */
export function openRpc(urls: readonly string[], options: RpcOptions = {}): Rpc {
  const settings: Settings = {
    timeoutMs: 10_000,
    attempts: 4,
    pinnedAttempts: 3,
    backoffMs: 250,
    maxBytes: budgets.answer,
    refusalPauseMs: 1_000,
    onWait: () => {},
    onRequest: () => {},
    chainId: undefined,
    ...options,
  }
  const { http, portals } = endpointUrls(urls)
  return rpcOf(openEndpoints([...http, ...portals], settings), settings)
}

function openEndpoints(urls: readonly string[], settings: Settings): readonly Endpoint[] {
  const hosts = urls.map((url) => new URL(url))
  const run: RunState = { hasAnswered: false, newest: 0 }
  return hosts.map((url, at) => {
    const before = hosts.slice(0, at).filter(({ host }) => host === url.host).length
    return openEndpoint(url, before === 0 ? url.host : `${url.host} (${before + 1})`, { ...settings, run })
  })
}

function rpcOf(all: readonly Endpoint[], settings: Settings): Rpc {
  const { attempts, backoffMs } = settings
  const preference = openPreference(all)
  const { current, moveOn } = preference
  // A portal has none of the newest blocks.
  const isLone = all.filter(({ traits }) => !traits.isFarOnly).length === 1
  const askAny = async <T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    const since = performance.now()
    // One that can be waited for is not given up for one that refuses.
    let waitable: unknown
    const isWorthAnother = (fault: unknown, tried: number): boolean =>
      (tried < attempts && isElsewheres(fault)) ||
      (isLone && isShortPause(fault) && performance.now() - since < WAIT_MS)
    const attempt = async () => {
      const endpoint = current()
      try {
        return await ask(endpoint)
      } catch (fault) {
        if (isElsewheres(fault)) moveOn(endpoint)
        if (fault instanceof IngestError && fault.retryable) waitable = fault
        throw fault
      }
    }
    try {
      return await retried({ backoffMs, isWorthAnother }, attempt)
    } catch (fault) {
      throw isElsewheres(fault) ? (waitable ?? fault) : fault
    }
  }
  const each = (): readonly Rpc[] => all.map(on)
  const pinned = (): Rpc => on(current())
  const nextAfter = (endpoint: Endpoint): Rpc => {
    moveOn(endpoint)
    return pinned()
  }
  const fastest = (): Rpc => on(preference.fastest())
  // A single endpoint gets as many attempts as several together.
  const pinnedAttempts = all.length > 1 ? settings.pinnedAttempts : attempts
  const pinnedSettings = { ...settings, pinnedAttempts, isLone }
  const on = (endpoint: Endpoint): Rpc => ({
    request: (method, params) =>
      askPinned(endpoint, pinnedSettings, () => endpoint.askOne({ method, params })),
    batch: (calls) => allOf(endpoint, pinnedSettings, calls),
    endpoint: endpoint.traits,
    pinned,
    next: () => nextAfter(endpoint),
    fastest,
    each,
  })
  return {
    request: (method, params) => askAny((endpoint) => endpoint.askOne({ method, params })),
    batch: (calls) => askAny((endpoint) => resultsOf(endpoint, calls, new Map())),
    get endpoint() {
      return current().traits
    },
    pinned,
    next: () => nextAfter(current()),
    fastest,
    each,
  }
}

/** The results of calls in their order; those in `answers` are there already. */
async function resultsOf(
  endpoint: Endpoint,
  calls: readonly Call[],
  answers: Answers,
): Promise<readonly unknown[]> {
  await endpoint.askMany(calls, answers)
  return calls.map((_, at) => answers.get(at))
}

/** No further attempt is made after so long (ms): one that hangs is not waited for four times. */
const ATTEMPTS_MS = 15_000

type PinnedSettings = Settings & {
  /** There is no other endpoint: short pauses after refusals are waited out. */
  readonly isLone: boolean
}

async function askPinned<T>(
  { traits }: Endpoint,
  { attempts, pinnedAttempts, backoffMs, isLone }: PinnedSettings,
  ask: () => Promise<T>,
): Promise<T> {
  const since = performance.now()
  const isWorthAnother = (fault: unknown, tried: number): boolean => {
    if (isLone && isShortPause(fault)) return performance.now() - since < WAIT_MS
    // A 429 has been retried for a while already, a refusal has its pause.
    if (!isEndpointsOwn(fault) || pauseOf(fault) !== undefined) return false
    // Another attempt costs less than reading a range again, at half its width.
    return tried < (isOfRange(fault) ? attempts : pinnedAttempts) && performance.now() - since < ATTEMPTS_MS
  }
  try {
    return await retried({ backoffMs, isWorthAnother }, ask)
  } catch (fault) {
    if (isNoAnswer(fault)) rest(traits, performance.now() - since, pauseOf(fault))
    throw fault
  }
}

/** The results of many calls; continues as long as attempts bring answers; answered calls are not repeated. */
async function allOf(
  endpoint: Endpoint,
  settings: PinnedSettings,
  calls: readonly Call[],
): Promise<readonly unknown[]> {
  const answers: Answers = new Map()
  for (;;) {
    const before = answers.size
    try {
      return await askPinned(endpoint, settings, () => resultsOf(endpoint, calls, answers))
    } catch (fault) {
      if (!isEndpointsOwn(fault) || pauseOf(fault) !== undefined || answers.size === before) throw fault
    }
  }
}

/** The pause (ms) that a fault names; undefined: it is none that names one. */
const pauseOf = (fault: unknown): number | undefined =>
  fault instanceof RateLimitedError || fault instanceof EndpointClosedError
    ? (fault.retryAfterMs ?? 0)
    : undefined

/** Pauses (ms) after refusals up to this length are waited out if there is no other endpoint, for this long in all. */
const SHORT_PAUSE_MS = 8_000
const WAIT_MS = 20_000

const isShortPause = (fault: unknown): fault is EndpointClosedError =>
  fault instanceof EndpointClosedError && fault.retryAfterMs <= SHORT_PAUSE_MS

/** The chain that these endpoints serve, according to the first that answers. Throws IngestError, one that can be retried if there is one; UnknownChainError. */
export async function servedChain(rpc: Rpc): Promise<Chain> {
  const faults: IngestError[] = []
  for (const one of rpc.each()) {
    const id = await one
      .request('eth_chainId', [])
      .then((answer) => chainIdIn(one.endpoint.name, answer))
      .catch(orFault)
    if (typeof id === 'number') return chainOfId(id)
    faults.push(id)
  }
  throw (
    faults.find(({ retryable }) => retryable) ??
    faults[0] ??
    new RpcUnavailableError('the chain', 'no endpoint is configured')
  )
}

const isNoAnswer = (fault: unknown): boolean =>
  fault instanceof RpcUnavailableError ||
  fault instanceof RateLimitedError ||
  fault instanceof EndpointClosedError ||
  isOfRange(fault)

/** A request failed, perhaps because of its number of blocks. */
const isOfRange = (fault: unknown): boolean => fault instanceof BlockRangeTooLargeError && !fault.isCertain

const isEndpointsOwn = (fault: unknown): boolean => isNoAnswer(fault) || fault instanceof RpcRefusedError

/** Another endpoint may answer. */
const isElsewheres = (fault: unknown): boolean =>
  isEndpointsOwn(fault) || fault instanceof HistoryUnavailableError

async function retried<T>(
  how: { readonly backoffMs: number; readonly isWorthAnother: (fault: unknown, tried: number) => boolean },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (fault) {
      if (!how.isWorthAnother(fault, tried)) throw fault
      const backoffMs = how.backoffMs * 2 ** (tried - 1)
      await delay(isShortPause(fault) ? Math.min(backoffMs, fault.retryAfterMs) : backoffMs)
    }
  }
}
