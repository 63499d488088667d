import { type RateLimit, rateLimitIn } from './rate-limit.ts'

/** Error codes of the API. */
export type ErrorCode =
  | 'INVALID_PARAMETER'
  | 'UNAUTHORIZED'
  | 'INSUFFICIENT_TIER'
  | 'SUSPENDED_API_KEY'
  | 'RESOURCE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** The API answered with an error. Code NO_ANSWER: the answer is not the API's, such as a proxy's HTML page or a redirect. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status. */
  readonly status: number
  readonly code: ErrorCode | 'NO_ANSWER'
  /** For INVALID_PARAMETER: `parameter`, `provided` and `allowed`. */
  readonly details: Readonly<Record<string, unknown>>
  /** To quote when reporting a problem; null: the answer has none. */
  readonly requestId: string | null
  /** Seconds to wait before the next attempt; null: unknown. */
  readonly retryAfterSeconds: number | null
  /** null: the answer does not state it. */
  readonly rateLimit: RateLimit | null

  constructor(response: Response, text: string) {
    const { code, message, details, request_id: requestId } = errorIn(text)
    super(message ?? strangerText(response))
    this.status = response.status
    this.code = code ?? 'NO_ANSWER'
    this.details = details ?? {}
    this.requestId = requestId ?? response.headers.get('x-request-id')
    this.retryAfterSeconds = secondsIn(response.headers.get('retry-after'))
    this.rateLimit = rateLimitIn(response.headers)
  }
}

/** Whether something thrown is an error of the API, with this code if one is given. */
export const isApiError = (error: unknown, code?: ApiError['code']): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)

/** No response was received: the network failed, or the timeout passed (`cause` says which). */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

type ErrorDetails = {
  readonly code?: ErrorCode
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly request_id?: string
}

/** What is said of an answer that is not the API's. Browsers hide the status of a redirect and where it leads. */
function strangerText({ status, type, headers }: Response): string {
  const to = headers.get('location')
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return `The address redirects${to ? ` to ${to}` : ''}: use the address it leads to as baseUrl.`
  return `The answer is not the API's: status ${status}, ${headers.get('content-type') ?? 'no content type'}.`
}

/** The error in a body; empty if there is none. */
function errorIn(text: string): ErrorDetails {
  try {
    return (JSON.parse(text) as { error?: ErrorDetails } | null)?.error ?? {}
  } catch {
    return {}
  }
}

/** RFC 9110 §10.2.3: Retry-After is a number of seconds or a date. */
function secondsIn(value: string | null): number | null {
  if (value === null) return null
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
