import { notFoundPage } from '../pages/site.ts'
import { type ApiError, errorBody, ServiceUnavailableError, statusBody, UnauthorizedError } from './errors.ts'
import { responseHeaders } from './headers.ts'

/** The gateway's own answers: headers and body may name `$context.…`; without a status the gateway's own stays. */
export type GatewayResponse = {
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The gateway's name for the request's id. */
const REQUEST_ID = '$context.requestId'
/** The authorizer's reason. */
const REASON = '$context.authorizer.reason'
/** A key of a new account is known to the gateway within minutes. */
const NEW_ACCOUNT_SECONDS = 60

const headers = {
  ...responseHeaders,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': REQUEST_ID,
}

const lowerCase = (named: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]))

const thrown = (error: ApiError): GatewayResponse => ({
  status: error.status,
  headers: { ...headers, ...lowerCase(error.headers) },
  body: JSON.stringify(errorBody(error, REQUEST_ID)),
})

const known = (status: number, message = ''): GatewayResponse => ({
  status,
  headers: status === 429 ? { ...headers, 'retry-after': '1' } : headers,
  body: JSON.stringify(statusBody(status, message, REQUEST_ID)),
})

const denied = thrown(new UnauthorizedError('invalid_api_key'))
const notHere = known(404, 'There is nothing at this address.')
const tooLate = known(504, 'The request took too long.')

/** The gateway's answers by its own name for the condition; used by the stack and the local gateway. */
export const gatewayResponses = {
  /** No Authorization header. */
  UNAUTHORIZED: thrown(new UnauthorizedError('missing_api_key')),
  /** The authorizer's refusal, which is cached for half a minute. */
  ACCESS_DENIED: { ...denied, body: denied.body.replace('invalid_api_key', REASON) },
  /** The account's hidden key is in no usage plan yet. */
  INVALID_API_KEY: thrown(new ServiceUnavailableError(NEW_ACCOUNT_SECONDS, 'This account is being set up.')),
  /** The limit per second; the API itself answers for the limit per hour. */
  THROTTLED: known(429, 'Too many requests in one second.'),
  QUOTA_EXCEEDED: known(429),
  /** No such path. Everything below /v1 has one, so only browsers looking for a page get this. */
  MISSING_AUTHENTICATION_TOKEN: {
    status: 404,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    body: notFoundPage,
  },
  RESOURCE_NOT_FOUND: notHere,
  REQUEST_TOO_LARGE: known(413, 'The request is too large.'),
  INTEGRATION_TIMEOUT: tooLate,
  INTEGRATION_FAILURE: known(502),
  AUTHORIZER_FAILURE: known(500),
  AUTHORIZER_CONFIGURATION_ERROR: known(500),
  DEFAULT_4XX: { ...known(400, 'The request is not valid.'), status: null },
  DEFAULT_5XX: { ...known(500), status: null },
} as const satisfies Record<string, GatewayResponse>
