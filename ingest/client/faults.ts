/** The faults of reading the chain, by name. `retryable`: try again, or end the process. */

/** A fault of reading the chain. Retryable: another attempt, later or at another endpoint, can help; otherwise the process must end. */
export abstract class IngestError extends Error {
  abstract readonly retryable: boolean
}

/** For `catch`: returns a fault of reading the chain, and rethrows anything else. */
export function orFault(error: unknown): IngestError {
  if (error instanceof IngestError) return error
  throw error
}

/** A fault with nothing but a message. */
export const kindOf = <Facts extends readonly unknown[]>(
  name: string,
  messageOf: (...facts: Facts) => string,
  retryable = true,
) =>
  class extends IngestError {
    override readonly name = name
    readonly retryable = retryable
    constructor(...facts: Facts) {
      super(messageOf(...facts))
    }
  }

/**
 * The endpoint refuses so many blocks at once, or (`isCertain` is false) only failed with so many. `allowedBlocks`: the
 * limit that it names.
 */
export class BlockRangeTooLargeError extends IngestError {
  override readonly name = 'BlockRangeTooLargeError'
  readonly retryable = true
  readonly allowedBlocks: number | undefined
  readonly isCertain: boolean
  constructor(said: string, allowedBlocks?: number, isCertain = true) {
    super(
      isCertain
        ? `the block range is too large for the endpoint: ${said}`
        : `the block range may be too large for the endpoint: ${said}`,
    )
    this.allowedBlocks = allowedBlocks
    this.isCertain = isCertain
  }
}

/** The endpoint refuses a JSON-RPC batch of this size. `allowedCalls`: its limit, if known. */
export class BatchTooLargeError extends IngestError {
  override readonly name = 'BatchTooLargeError'
  readonly retryable = true
  readonly allowedCalls: number | undefined
  constructor(said: string, allowedCalls?: number) {
    super(`the batch is too large for the endpoint: ${said}`)
    this.allowedCalls = allowedCalls
  }
}

/** The endpoint refuses a filter because it has too many addresses, or too many values of a topic. */
export class FilterTooLargeError extends IngestError {
  override readonly name = 'FilterTooLargeError'
  readonly retryable = true
  readonly too: 'addresses' | 'topics'
  constructor(said: string, too: 'addresses' | 'topics' = 'addresses') {
    super(`the filter has too many ${too} for the endpoint: ${said}`)
    this.too = too
  }
}

/** The endpoint answers eth_getLogs only for filters with addresses. */
export const AddressRequiredError = kindOf(
  'AddressRequiredError',
  (said: string) => `the endpoint requires addresses: ${said}`,
)

/** The endpoint limits the rate. `retryAfterMs`: the pause that it requires. */
export class RateLimitedError extends IngestError {
  override readonly name = 'RateLimitedError'
  readonly retryable = true
  readonly retryAfterMs: number | undefined
  constructor(endpoint: string, said: string, retryAfterMs?: number) {
    super(`${endpoint} rate-limited the request: ${said}`)
    this.retryAfterMs = retryAfterMs
  }
}

/** The endpoint's quota of a day or a month (undefined: unknown which) is used up. `retryAfterMs`: the pause that it requires. */
export class QuotaSpentError extends IngestError {
  override readonly name = 'QuotaSpentError'
  readonly retryable = true
  readonly period: 'day' | 'month' | undefined
  readonly retryAfterMs: number | undefined
  constructor(endpoint: string, said: string, period?: 'day' | 'month', retryAfterMs?: number) {
    super(`the quota of ${endpoint} is used up: ${said}`)
    this.period = period
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The endpoint could not be reached, did not answer in time, or its answer is malformed. `endpoint` is a host name,
 * because URLs contain keys. `isBusy`: it says that it is busy, so fewer blocks would not help.
 */
export class RpcUnavailableError extends IngestError {
  override readonly name = 'RpcUnavailableError'
  readonly retryable = true
  readonly isBusy: boolean
  constructor(
    endpoint: string,
    said: string,
    { cause, isBusy = false }: { cause?: unknown; isBusy?: boolean } = {},
  ) {
    super(`${endpoint} is unavailable: ${said}`, { cause })
    this.isBusy = isBusy
  }
}

/** Scope of a refusal: these parameters, a method that is not available to us, or all requests, as with an invalid key. */
export type RefusalScope = 'request' | 'method' | 'everything'

/** The endpoint refuses the request. */
export class RpcRefusedError extends IngestError {
  override readonly name = 'RpcRefusedError'
  readonly retryable = false
  readonly scope: RefusalScope
  constructor(endpoint: string, said: string, scope: RefusalScope = 'request') {
    const advice = scope === 'everything' ? '; check its URL, key and plan, or give another endpoint' : ''
    super(`${endpoint} refused: ${said}${advice}`)
    this.scope = scope
  }
}

/** An endpoint that has refused gets no request before `retryAfterMs` have passed. */
export class EndpointClosedError extends IngestError {
  override readonly name = 'EndpointClosedError'
  readonly retryable = true
  readonly retryAfterMs: number
  constructor(said: string, retryAfterMs: number) {
    super(`${said}; not asked again for ${Math.ceil(retryAfterMs / 1_000)} s`)
    this.retryAfterMs = retryAfterMs
  }
}

/** The endpoint does not have this block: it lags, or the chain became shorter. */
export const BlockNotYetAvailableError = kindOf(
  'BlockNotYetAvailableError',
  (blockNumber?: number) => `block ${blockNumber ?? 'asked for'} is not available yet`,
)

/** The endpoint no longer has the state after this block: it is no archive. */
export const StateUnavailableError = kindOf(
  'StateUnavailableError',
  (endpoint: string, said: string | number) =>
    `${endpoint} does not have state that old (an archive has): ${said}`,
)

/** The endpoint serves only newer blocks, at all or on this plan. */
export const HistoryUnavailableError = kindOf(
  'HistoryUnavailableError',
  (endpoint: string, said: string) =>
    `${endpoint} does not serve blocks that old (another endpoint may): ${said}`,
)

/** No two endpoints agree on the same state. */
export const StateDisputedError = kindOf(
  'StateDisputedError',
  (block: number) => `endpoints disagree on the state after block ${block}; a further --rpc-url would decide`,
)

/** An eth_call exceeds the limit of a contract's code size, which nodes apply to deployless calls. */
export const StateAnswerTooLargeError = kindOf(
  'StateAnswerTooLargeError',
  (said: string) => `too much was asked of contracts at once: ${said}`,
)

/** The chain changed, or answers contradict each other, while a range was read. The range is discarded. */
export const RangeChangedError = kindOf(
  'RangeChangedError',
  (what: string) => `the range changed while it was read: ${what}`,
)

/** A log of a genuine contract that cannot be decoded: the endpoint's fault, so the range is read again elsewhere. */
export class MalformedLogError extends IngestError {
  override readonly name = 'MalformedLogError'
  readonly retryable = true
  constructor(what: string, cause?: unknown) {
    super(`a log of a genuine contract does not decode: ${what}`, { cause })
  }
}

/** An answer to eth_getCode is not code. */
export const MalformedCodeError = kindOf('MalformedCodeError', () => 'the code of an address is not in hex')

/** An endpoint returns fewer logs of blocks that were read before: it omits some. */
export const OmittingEndpointError = kindOf(
  'OmittingEndpointError',
  (endpoint: string) => `${endpoint} leaves out logs that were read before`,
)

/** The own tables or buckets throttle, fail or do not answer. */
export const StoreUnavailableError = kindOf(
  'StoreUnavailableError',
  ({ name, message }: Error) => `the tables or buckets are unavailable: ${name}: ${message}`,
)

/** The endpoint serves another chain than the configured one. */
export const WrongChainError = kindOf(
  'WrongChainError',
  (expected: number, actual: number, endpoint: string) =>
    `${endpoint} serves chain ${actual}, expected ${expected}`,
  false,
)
