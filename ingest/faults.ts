/** What can go wrong between the chain and the log of minutes, by name. `retryable` says what to do: try again, or stop loudly. */

/** A fault of reading the chain. Retryable: asking again, later or elsewhere, can help; otherwise the process has to end. */
export abstract class IngestError extends Error {
  abstract readonly retryable: boolean
}

/** For `catch`: a fault of reading the chain is an answer, anything else is thrown on. */
export function orFault(error: unknown): IngestError {
  if (error instanceof IngestError) return error
  throw error
}

/** A kind of fault that says no more than its words. */
export const kindOf = <Facts extends readonly unknown[]>(
  name: string,
  says: (...facts: Facts) => string,
  retryable = true,
) =>
  class extends IngestError {
    override readonly name = name
    readonly retryable = retryable
    constructor(...facts: Facts) {
      super(says(...facts))
    }
  }

/** The endpoint refuses to answer for so many blocks at once. `allowedBlocks`: how many it says it would answer for. */
export class BlockRangeTooLargeError extends IngestError {
  override readonly name = 'BlockRangeTooLargeError'
  readonly retryable = true
  readonly allowedBlocks: number | undefined
  constructor(said: string, allowedBlocks?: number) {
    super(`the block range is too large for the endpoint: ${said}`)
    this.allowedBlocks = allowedBlocks
  }
}

/** The endpoint takes no JSON-RPC batch of this size. */
export const BatchTooLargeError = kindOf(
  'BatchTooLargeError',
  (said: string) => `the batch is too large for the endpoint: ${said}`,
)

/** The endpoint takes no filter with so many addresses. */
export const FilterTooLargeError = kindOf(
  'FilterTooLargeError',
  (said: string) => `the filter has too many addresses for the endpoint: ${said}`,
)

/** The endpoint answers eth_getLogs only where the filter names addresses. */
export const AddressRequiredError = kindOf(
  'AddressRequiredError',
  (said: string) => `the endpoint wants addresses: ${said}`,
)

/** The endpoint is asked too often. `retryAfterMs`: when it says to come back. */
export class RateLimitedError extends IngestError {
  override readonly name = 'RateLimitedError'
  readonly retryable = true
  readonly retryAfterMs: number | undefined
  constructor(endpoint: string, said: string, retryAfterMs?: number) {
    super(`${endpoint} is asked too often: ${said}`)
    this.retryAfterMs = retryAfterMs
  }
}

/** The endpoint could not be reached, did not answer in time, or answered nonsense. `endpoint` is a host name: URLs carry keys. */
export class RpcUnavailableError extends IngestError {
  override readonly name = 'RpcUnavailableError'
  readonly retryable = true
  constructor(endpoint: string, said: string, cause?: unknown) {
    super(`${endpoint} is unavailable: ${said}`, { cause })
  }
}

/** The endpoint understood the request and will never answer it: an unknown method, invalid parameters, a refused key. */
export const RpcRefusedError = kindOf(
  'RpcRefusedError',
  (endpoint: string, said: string) => `${endpoint} refused: ${said}`,
  false,
)

/** The endpoint does not have this block (yet): it lags, or the chain became shorter. */
export const BlockNotYetAvailableError = kindOf(
  'BlockNotYetAvailableError',
  (blockNumber?: number) => `block ${blockNumber ?? 'asked for'} is not available yet`,
)

/** The endpoint no longer has the state after this block: it keeps no archive. */
export const StateUnavailableError = kindOf(
  'StateUnavailableError',
  (endpoint: string, said: string | number) =>
    `${endpoint} does not have state that old (an archive has): ${said}`,
)

/** Endpoints say different things of the same state, and no two of them the same. */
export const StateDisputedError = kindOf(
  'StateDisputedError',
  (block: number) => `endpoints disagree on the state after block ${block}; a further --rpc-url would decide`,
)

/** What was asked of contracts in one call is more than a contract's code may be long, as which nodes treat it. */
export const StateAnswerTooLargeError = kindOf(
  'StateAnswerTooLargeError',
  (said: string) => `too much was asked of contracts at once: ${said}`,
)

/** The chain changed, or contradicted itself, while a range was read. Nothing of the range is used. */
export const RangeChangedError = kindOf(
  'RangeChangedError',
  (what: string) => `the range changed while it was read: ${what}`,
)

/** A log of a genuine contract that does not decode. Contracts do not garble their events, endpoints do: the range is read again, elsewhere. */
export class MalformedLogError extends IngestError {
  override readonly name = 'MalformedLogError'
  readonly retryable = true
  constructor(what: string, cause?: unknown) {
    super(`a log of a genuine contract does not decode: ${what}`, { cause })
  }
}

/** What was said to be an address's code is none. */
export const MalformedCodeError = kindOf('MalformedCodeError', () => 'the code of an address is not in hex')

/** Of blocks that have been read before, an endpoint gives fewer logs: it is the one that leaves some out. */
export const OmittingEndpointError = kindOf(
  'OmittingEndpointError',
  (endpoint: string) => `${endpoint} leaves out logs that were read before`,
)

/** The endpoint serves another chain than the configured one. */
export const WrongChainError = kindOf(
  'WrongChainError',
  (expected: number, actual: number, endpoint: string) =>
    `${endpoint} serves chain ${actual}, expected ${expected}`,
  false,
)

/** A header's timestamp is not what the chain's exact beat says: every minute would be cut wrongly. */
export const WrongBeatError = kindOf(
  'WrongBeatError',
  (blockNumber: number, expected: number, actual: number) =>
    `block ${blockNumber} has timestamp ${actual}, the chain's beat says ${expected}`,
  false,
)
