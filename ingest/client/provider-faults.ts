/** Classifies the errors of endpoints: by their text where it is known (provider-texts.ts), else by HTTP status or code. */

import { allowedBlocks, allowedCalls, periodIn } from '../texts/provider-numbers.ts'
import { isOneOf, knownTexts as texts } from '../texts/provider-texts.ts'
import {
  AddressRequiredError,
  BatchTooLargeError,
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  HistoryUnavailableError,
  type IngestError,
  QuotaSpentError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
  StateAnswerTooLargeError,
  StateUnavailableError,
} from './faults.ts'

/** A JSON-RPC error, its `data` behind its message, or an HTTP status and body (`code` is then the status). */
export type ProviderError = {
  readonly code: number
  readonly message: string
  /** HTTP status of the answer. @default 200 */
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
}

// Only the beginning of a message is read: an endpoint can send one of any length.
const READ_LENGTH = 400

const GET_LOGS = 'eth_getLogs'

// HTTP: a server, a gateway or a CDN timed out. It may be too much that was requested, or a bad moment.
const timedOut = new Set([408, 504, 524])
const PAYLOAD_TOO_LARGE = 413
const TOO_MANY_REQUESTS = 429
/** A pause this long (ms) is that of a quota. */
const QUOTA_MS = 600_000

/** EIP-1474: a limit is exceeded. For eth_getLogs it can be that of a range. */
const LIMIT_EXCEEDED = -32_005

/** HTTP: the key, the address or the plan is refused, for all requests. */
const closed = new Set([401, 402, 403, 404, 451])
/** JSON-RPC 2.0 §5.1: invalid request, unknown method, invalid params. */
const refusals = new Set([-32_600, -32_601, -32_602])

/** An error with the inputs of its classification. */
type Case = {
  readonly endpoint: string
  readonly method: string
  readonly error: ProviderError
  /** The text; empty for a page of HTML, whose words are those of a CDN. */
  readonly text: string
  /** For people. */
  readonly said: string
}

const hasStatus = ({ code, status }: ProviderError, wanted: number): boolean =>
  code === wanted || status === wanted

type Rule = (given: Case) => IngestError | undefined

/** The first rule that applies decides. */
const rules: readonly Rule[] = [
  ({ text, said }) => (isOneOf(texts.noBatches, text) ? new BatchTooLargeError(said, 1) : undefined),
  ({ text, said, method, error }) =>
    isOneOf(texts.tooManyCalls, text) || (hasStatus(error, PAYLOAD_TOO_LARGE) && method !== GET_LOGS)
      ? new BatchTooLargeError(said, allowedCalls(text))
      : undefined,
  ({ text, endpoint, said, error: { retryAfterMs = 0 } }) =>
    isOneOf(texts.quotaSpent, text) || retryAfterMs >= QUOTA_MS
      ? new QuotaSpentError(endpoint, said, periodIn(text), retryAfterMs || undefined)
      : undefined,
  ({ method, text, said, endpoint }) =>
    method !== 'eth_call' && isOneOf(texts.historyMissing, text)
      ? new HistoryUnavailableError(endpoint, said)
      : undefined,
  ({ method, text, said }) =>
    method === 'eth_call' && isOneOf(texts.codeTooLarge, text)
      ? new StateAnswerTooLargeError(said)
      : undefined,
  ({ method, text, said, endpoint }) =>
    method === 'eth_call' &&
    isOneOf([...texts.historyMissing, ...texts.stateMissing, ...texts.blockMissing], text)
      ? new StateUnavailableError(endpoint, said)
      : undefined,
  ({ text }) => (isOneOf(texts.blockMissing, text) ? new BlockNotYetAvailableError() : undefined),
  ({ error, endpoint, said }) =>
    hasStatus(error, TOO_MANY_REQUESTS)
      ? new RateLimitedError(endpoint, said, error.retryAfterMs)
      : undefined,
  ({ text, endpoint, said }) =>
    isOneOf(texts.busy, text) ? new RpcUnavailableError(endpoint, said, { isBusy: true }) : undefined,
  (given) => (given.method === GET_LOGS ? faultOfLogs(given) : undefined),
  ({ text, endpoint, said, error }) =>
    isOneOf(texts.tooOften, text) ? new RateLimitedError(endpoint, said, error.retryAfterMs) : undefined,
  ({ text, endpoint, said }) =>
    isOneOf(texts.methodClosed, text) ? new RpcRefusedError(endpoint, said, 'method') : undefined,
  ({ error, text, endpoint, said }) =>
    closed.has(error.code) || closed.has(error.status ?? 0) || isOneOf(texts.planClosed, text)
      ? new RpcRefusedError(endpoint, said, 'everything')
      : undefined,
  ({ text, endpoint, said }) =>
    isOneOf(texts.later, text) ? new RpcUnavailableError(endpoint, said) : undefined,
  ({ error, method, endpoint, said }) =>
    error.code === LIMIT_EXCEEDED && method !== GET_LOGS
      ? new RateLimitedError(endpoint, said, error.retryAfterMs)
      : undefined,
  ({ error, endpoint, said }) => (refusals.has(error.code) ? new RpcRefusedError(endpoint, said) : undefined),
]

const faultOfLogs: Rule = ({ text, said, error }) => {
  if (isOneOf(texts.tooManyTopics, text)) return new FilterTooLargeError(said, 'topics')
  if (isOneOf(texts.tooManyAddresses, text)) return new FilterTooLargeError(said)
  if (isOneOf(texts.addressWanted, text)) return new AddressRequiredError(said)
  if (hasStatus(error, PAYLOAD_TOO_LARGE) || isOneOf(texts.tooManyBlocks, text))
    return new BlockRangeTooLargeError(said, allowedBlocks(text))
  if (timedOut.has(error.code)) return new BlockRangeTooLargeError(said, undefined, false)
  return undefined
}

/** The fault that an endpoint's error means. An unknown one counts as unavailable, which is retried. */
export function faultOf(endpoint: string, method: string, error: ProviderError): IngestError {
  const isPage = /^\s*</.test(error.message)
  const message = plainText(error.message.slice(0, READ_LENGTH), isPage)
  const given: Case = {
    endpoint,
    method,
    error,
    text: isPage ? '' : message,
    said: `${method}: ${message} (${error.code})`,
  }
  for (const rule of rules) {
    const fault = rule(given)
    if (fault) return fault
  }
  return new RpcUnavailableError(endpoint, given.said)
}

/** A text of an endpoint as one line for a terminal or a log; of a page its title. */
function plainText(message: string, isPage: boolean): string {
  const title = isPage ? (/<title>([^<]*)/i.exec(message)?.[1] ?? 'a page') : message
  return title.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
