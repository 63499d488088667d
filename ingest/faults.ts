/** What can go wrong between the chain and the log of minutes, by name. `retryable` says what to do: try again, or stop loudly. */

/** A fault of reading the chain. Retryable: asking again, later or elsewhere, can help; otherwise the process has to end. */
export abstract class IngestError extends Error {
  abstract readonly retryable: boolean
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
export class BatchTooLargeError extends IngestError {
  override readonly name = 'BatchTooLargeError'
  readonly retryable = true
  constructor(said: string) {
    super(`the batch is too large for the endpoint: ${said}`)
  }
}

/** The endpoint takes no filter with so many addresses. */
export class FilterTooLargeError extends IngestError {
  override readonly name = 'FilterTooLargeError'
  readonly retryable = true
  constructor(said: string) {
    super(`the filter has too many addresses for the endpoint: ${said}`)
  }
}

/** The endpoint answers eth_getLogs only where the filter names addresses. */
export class AddressRequiredError extends IngestError {
  override readonly name = 'AddressRequiredError'
  readonly retryable = true
  constructor(said: string) {
    super(`the endpoint wants addresses: ${said}`)
  }
}

/** The endpoint is asked too often. `retryAfterMs`: when it says to come back. */
export class RateLimitedError extends IngestError {
  override readonly name = 'RateLimitedError'
  readonly retryable = true
  readonly endpoint: string
  readonly retryAfterMs: number | undefined
  constructor(endpoint: string, said: string, retryAfterMs?: number) {
    super(`${endpoint} is asked too often: ${said}`)
    this.endpoint = endpoint
    this.retryAfterMs = retryAfterMs
  }
}

/** The endpoint could not be reached, did not answer in time, or answered nonsense. `endpoint` is a host name: URLs carry keys. */
export class RpcUnavailableError extends IngestError {
  override readonly name = 'RpcUnavailableError'
  readonly retryable = true
  readonly endpoint: string
  constructor(endpoint: string, said: string, cause?: unknown) {
    super(`${endpoint} is unavailable: ${said}`, { cause })
    this.endpoint = endpoint
  }
}

/** The endpoint understood the request and will never answer it: an unknown method, invalid parameters, a refused key. */
export class RpcRefusedError extends IngestError {
  override readonly name = 'RpcRefusedError'
  readonly retryable = false
  readonly endpoint: string
  constructor(endpoint: string, said: string) {
    super(`${endpoint} refused: ${said}`)
    this.endpoint = endpoint
  }
}

/** The endpoint does not have this block (yet): it lags, or the chain became shorter. */
export class BlockNotYetAvailableError extends IngestError {
  override readonly name = 'BlockNotYetAvailableError'
  readonly retryable = true
  readonly blockNumber: number | undefined
  constructor(blockNumber?: number) {
    super(`block ${blockNumber ?? 'asked for'} is not available yet`)
    this.blockNumber = blockNumber
  }
}

/** The endpoint no longer has the state after this block: it keeps no archive. */
export class StateUnavailableError extends IngestError {
  override readonly name = 'StateUnavailableError'
  readonly retryable = true
  constructor(endpoint: string, said: string | number) {
    super(`${endpoint} does not have state that old (an archive has): ${said}`)
  }
}

/** Endpoints say different things of the same state, and no two of them the same. */
export class StateDisputedError extends IngestError {
  override readonly name = 'StateDisputedError'
  readonly retryable = true
  constructor(block: number) {
    super(`endpoints disagree on the state after block ${block}; a further --rpc-url would decide`)
  }
}

/** What was asked of contracts in one call is more than a contract's code may be long, as which nodes treat it. */
export class StateAnswerTooLargeError extends IngestError {
  override readonly name = 'StateAnswerTooLargeError'
  readonly retryable = true
  constructor(said: string) {
    super(`too much was asked of contracts at once: ${said}`)
  }
}

/** The chain changed, or contradicted itself, while a range was read. Nothing of the range is used. */
export class RangeChangedError extends IngestError {
  override readonly name = 'RangeChangedError'
  readonly retryable = true
  constructor(what: string) {
    super(`the range changed while it was read: ${what}`)
  }
}

/** A log of a genuine contract that does not decode. Contracts do not garble their events, endpoints do: the range is read again, elsewhere. */
export class MalformedLogError extends IngestError {
  override readonly name = 'MalformedLogError'
  readonly retryable = true
  constructor(what: string, cause?: unknown) {
    super(`a log of a genuine contract does not decode: ${what}`, { cause })
  }
}

/** What was said to be an address's code is none. */
export class MalformedCodeError extends IngestError {
  override readonly name = 'MalformedCodeError'
  readonly retryable = true
  constructor() {
    super('the code of an address is not in hex')
  }
}

/** Of blocks that have been read before, an endpoint gives fewer logs: it is the one that leaves some out. */
export class OmittingEndpointError extends IngestError {
  override readonly name = 'OmittingEndpointError'
  readonly retryable = true
  constructor(endpoint: string) {
    super(`${endpoint} leaves out logs that were read before`)
  }
}

/** Blocks were read without some of their logs: they are read again, elsewhere. */
export class OmittedLogsError extends IngestError {
  override readonly name = 'OmittedLogsError'
  readonly retryable = true
  constructor(blockNumber: number) {
    super(`blocks from ${blockNumber} on were read with logs left out`)
  }
}

/** The endpoint serves another chain than the configured one. */
export class WrongChainError extends IngestError {
  override readonly name = 'WrongChainError'
  readonly retryable = false
  readonly expected: number
  readonly actual: number
  constructor(expected: number, actual: number, endpoint: string) {
    super(`${endpoint} serves chain ${actual}, expected ${expected}`)
    this.expected = expected
    this.actual = actual
  }
}

/** A header's timestamp is not what the chain's exact beat says: every minute would be cut wrongly. */
export class WrongBeatError extends IngestError {
  override readonly name = 'WrongBeatError'
  readonly retryable = false
  constructor(blockNumber: number, expected: number, actual: number) {
    super(`block ${blockNumber} has timestamp ${actual}, the chain's beat says ${expected}`)
  }
}
