/** The error shape of the service and all its codes. Gateway, edge and Lambda render their errors from here. */
import { keyWay } from './key-way.ts'

/** Status and default message by code. Data only, so that it can be written into the edge's functions and gateway responses. */
export const errorCodes = {
  INVALID_PARAMETER: { status: 400, message: 'A parameter is missing or not valid.' },
  UNAUTHORIZED: { status: 401, message: 'The API key is missing or not valid.' },
  INSUFFICIENT_TIER: { status: 403, message: 'The tier of this account does not include this resource.' },
  SUSPENDED_API_KEY: { status: 403, message: 'This API key is suspended.' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'The resource does not exist.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This resource can only be read.' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'The rate limit of this account is exceeded.' },
  INTERNAL_ERROR: { status: 500, message: 'The request could not be answered.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is not available at the moment.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCodes

/** The body of every status from 400 on. `request_id` is also in the header X-Request-Id. */
export type ErrorBody = {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details: Readonly<Record<string, unknown>>
    readonly request_id: string
  }
}

/** The part of the page of errors that says what a code means and what to do. */
export const errorPage = (code: ErrorCode): string => `/docs/errors#${code}`

/** What to do, with the place that says more. */
const helpWith = (code: ErrorCode, help?: string) => ({
  help: `${help === undefined ? '' : `${help} `}See ${errorPage(code)}.`,
})

/** An error that a reader gets as it is, with its `headers`; any other is a 500 without details. */
export abstract class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    facts: { message?: string; help?: string; details?: object; headers?: Record<string, string> } = {},
  ) {
    super(facts.message ?? errorCodes[code].message)
    this.name = new.target.name
    this.code = code
    this.status = errorCodes[code].status
    this.details = { ...facts.details, ...helpWith(code, facts.help) }
    this.headers = facts.headers ?? {}
  }
}

/** 400: `allowed` describes the values of `parameter`, in words or as a range; `provided` is the value sent, null if it is missing. */
export class InvalidParameterError extends ApiError {
  constructor(details: { parameter: string; provided: string | number | null; allowed: string }) {
    const fault = details.provided === null ? 'is missing' : 'is not valid'
    const message = `The parameter ${details.parameter} ${fault}: it takes ${details.allowed}.`
    super('INVALID_PARAMETER', { message, details })
  }
}

/** 400: nothing of the resource has the name `parameter`; `allowed` lists the names that it takes. */
export class UnknownParameterError extends ApiError {
  constructor(details: { parameter: string; provided: string | number; allowed: string }) {
    const message = `The parameter ${details.parameter} is unknown: this resource takes ${details.allowed}.`
    super('INVALID_PARAMETER', { message, details })
  }
}

/** 401: the reason helps the key's owner and never repeats the key. */
export class UnauthorizedError extends ApiError {
  constructor(reason: 'missing_api_key' | 'invalid_api_key' | 'expired_api_key') {
    const help = `Send your key in the header Authorization: Bearer <key>. ${keyWay()}`
    super('UNAUTHORIZED', { help, details: { reason }, headers: { 'WWW-Authenticate': 'Bearer' } })
  }
}

/** 403: the operator has suspended the key or its account. */
export class SuspendedKeyError extends ApiError {
  constructor() {
    super('SUSPENDED_API_KEY', { help: 'Ask the operator of this service.' })
  }
}

/** 403: the resource needs a higher tier than the account has. */
export class TierRequiredError extends ApiError {
  constructor(tiers: { required: string; current: string }) {
    const help = 'Ask the operator of this service for a higher tier.'
    super('INSUFFICIENT_TIER', {
      help,
      details: { required_tier: tiers.required, current_tier: tiers.current },
    })
  }
}

/** Maximum length of a request's text that an error repeats, in UTF-16 units. */
export const ECHO_LENGTH = 128

/** 404: no route of the service has this path. */
export class RouteNotFoundError extends ApiError {
  constructor(path: string) {
    super('RESOURCE_NOT_FOUND', { details: { path: path.slice(0, ECHO_LENGTH) } })
  }
}

/** 404: the id is malformed or names no token known here. */
export class TokenNotFoundError extends ApiError {
  constructor(token: string) {
    const hint =
      'A token is named by its contract address; /v1/tokens?field=symbol&value=… finds it by its symbol.'
    super('RESOURCE_NOT_FOUND', {
      message: 'The requested token was not found.',
      details: { token: token.slice(0, ECHO_LENGTH), hint },
    })
  }
}

/** 404: no token known here names this address or handle as its creator. */
export class CreatorNotFoundError extends ApiError {
  constructor(creator: string) {
    super('RESOURCE_NOT_FOUND', {
      message: 'The requested creator was not found.',
      details: { creator: creator.slice(0, ECHO_LENGTH) },
    })
  }
}

/** 404: the id is no address. */
export class WalletNotFoundError extends ApiError {
  constructor(wallet: string) {
    super('RESOURCE_NOT_FOUND', {
      message: 'A wallet is named by its address: 0x and 40 hex digits.',
      details: { wallet: wallet.slice(0, ECHO_LENGTH) },
    })
  }
}

/** 404: the id is malformed, or names no snapshot whose manifest is kept. */
export class SnapshotNotFoundError extends ApiError {
  constructor(snapshot: string) {
    super('RESOURCE_NOT_FOUND', {
      message: 'The requested snapshot was not found.',
      details: { snapshot: snapshot.slice(0, ECHO_LENGTH) },
    })
  }
}

/** 404: there is no recap of this week: it is not over, or lies before what is kept. */
export class RecapNotFoundError extends ApiError {
  constructor(week: string) {
    super('RESOURCE_NOT_FOUND', {
      message: 'There is no recap of this week.',
      details: {
        week,
        hint: 'A recap is made when its week is over: on Monday, a minute after midnight UTC.',
      },
    })
  }
}

/** The methods every route answers, as the header Allow has them. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** 405: the service is read-only, but for an address that takes messages by POST. */
export class MethodNotAllowedError extends ApiError {
  constructor(method: string, allow = ALLOWED_METHODS, message?: string) {
    const words = message === undefined ? {} : { message }
    super('METHOD_NOT_ALLOWED', { ...words, details: { method }, headers: { Allow: allow } })
  }
}

/** 429: `limit` requests an hour, or a placeholder of it; `resetAt` is the end of the hour, `now` the time of the refusal, in Unix seconds. */
export class RateLimitExceededError extends ApiError {
  constructor(usage: { limit: number | string; resetAt: number; now: number }) {
    const reset_at = new Date(usage.resetAt * 1000).toISOString().replace('.000Z', 'Z')
    super('RATE_LIMIT_EXCEEDED', {
      message: `The limit of ${usage.limit} requests an hour is reached.`,
      details: { limit: usage.limit, remaining: 0, reset_at },
      headers: { 'Retry-After': String(Math.max(1, usage.resetAt - usage.now)) },
    })
  }
}

/** 429: `limit` bytes of the archive's files a day, or a placeholder of it. */
export class ArchiveLimitError extends ApiError {
  constructor({ limit }: { readonly limit: number | string }) {
    super('RATE_LIMIT_EXCEEDED', {
      message: `The limit of ${limit} bytes of the archive a day is reached.`,
      details: { limit, remaining: 0 },
    })
  }
}

/** 503: no data yet; the reader may retry after `retryAfterSeconds`. */
export class ServiceUnavailableError extends ApiError {
  constructor(retryAfterSeconds: number, message?: string) {
    super('SERVICE_UNAVAILABLE', {
      ...(message === undefined ? {} : { message }),
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  }
}

/** The body for whatever was thrown: an ApiError as it is, anything else an INTERNAL_ERROR without its cause. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const { code, message, details } =
    error instanceof ApiError
      ? error
      : {
          code: 'INTERNAL_ERROR' as const,
          message: errorCodes.INTERNAL_ERROR.message,
          details: helpWith('INTERNAL_ERROR'),
        }
  return { error: { code, message, details, request_id: requestId } }
}

/** The body for an error known only by its HTTP status, as a CDN or a gateway knows it; an unlisted status takes its class's general code. */
export function statusBody(status: number, message: string, requestId: string): ErrorBody {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const general: ErrorCode = status < 500 ? 'INVALID_PARAMETER' : 'INTERNAL_ERROR'
  const code = codes.find((candidate) => errorCodes[candidate].status === status) ?? general
  const words = message || errorCodes[code].message
  return { error: { code, message: words, details: helpWith(code), request_id: requestId } }
}
