/** The errors of the API as OpenAPI describes them. */
import { BOARD_SIZE } from '../../market/rules.ts'
import {
  type ErrorCode,
  InvalidParameterError,
  MethodNotAllowedError,
  RateLimitExceededError,
  RouteNotFoundError,
  ServiceUnavailableError,
  SuspendedKeyError,
  TierRequiredError,
  TokenNotFoundError,
  UnauthorizedError,
} from '../api/errors.ts'
import { KEY_PAGE } from '../api/key-way.ts'
import type { JsonSchema } from '../values/field.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })

/** `details` by code, beside `help`, which all have. Gateway and edge may leave the others out. */
const details = {
  INVALID_PARAMETER: {
    parameter: text('Name of the parameter as sent'),
    provided: { type: ['string', 'number', 'null'], description: 'Its value; null: missing' },
    allowed: text('Allowed values'),
  },
  UNAUTHORIZED: {
    reason: {
      ...text('What is wrong with the key'),
      enum: ['missing_api_key', 'invalid_api_key', 'expired_api_key'],
    },
  },
  SUSPENDED_API_KEY: {},
  INSUFFICIENT_TIER: {
    required_tier: text('The lowest tier that includes it'),
    current_tier: text('The account’s tier'),
  },
  RESOURCE_NOT_FOUND: {
    token: text('The id, if no token has it'),
    hint: text('How to find a token by its symbol'),
    creator: text('The address or handle, if no creator has it'),
    wallet: text('The id, if it is no address'),
    snapshot: text('The id, if no snapshot has it'),
    week: text('The week, if there is no recap of it'),
    path: text('The path, if there is no such route'),
  },
  METHOD_NOT_ALLOWED: { method: text('The method sent') },
  RATE_LIMIT_EXCEEDED: {
    limit: { type: 'integer', description: 'Requests allowed per UTC hour' },
    remaining: { type: 'integer', description: '0' },
    reset_at: text('When the next hour begins, ISO 8601'),
  },
  INTERNAL_ERROR: {},
  SERVICE_UNAVAILABLE: {},
} as const satisfies Readonly<Record<ErrorCode, Readonly<Record<string, JsonSchema>>>>

const help = text('What to do, and the part of the page of errors that says more')

/** The body of an error with one of some codes. */
export const errorSchema = (codes: readonly ErrorCode[]): JsonSchema => ({
  type: 'object',
  properties: {
    error: {
      type: 'object',
      description: 'The error',
      properties: {
        code: { type: 'string', enum: codes, description: 'Machine-readable error code; stable' },
        message: text('Human-readable message; may change'),
        details: {
          type: 'object',
          description: 'Details; the keys depend on the code',
          properties: Object.assign({ help }, ...codes.map((code) => details[code])) as JsonSchema,
        },
        request_id: text('Request id, as in the X-Request-Id header'),
      },
      required: ['code', 'message', 'details', 'request_id'],
    },
  },
  required: ['error'],
})

/** What to do about an error, by code. */
export const remedies: Readonly<Record<ErrorCode, string>> = {
  INVALID_PARAMETER:
    'Give the parameter that `details.parameter` names a value that `details.allowed` describes. The same request will be refused again.',
  UNAUTHORIZED: `Send a key in the header \`Authorization: Bearer <key>\`. \`details.reason\` says whether it is missing, not a key of this service, or past its end. [A key](${KEY_PAGE}) says how to get one.`,
  INSUFFICIENT_TIER:
    '`details.required_tier` is the lowest tier that may read this, `details.current_tier` your own. Ask the operator for a higher one.',
  SUSPENDED_API_KEY:
    'The operator has suspended the account of this key. Ask them; new keys of the account are refused, too.',
  RESOURCE_NOT_FOUND:
    'Nothing has this path, or nothing has the id that `details` repeats. Tokens are named by their contract address: `/v1/search` and `/v1/tokens` find it.',
  METHOD_NOT_ALLOWED: 'Use a method of the header `Allow`. The API is only read.',
  RATE_LIMIT_EXCEEDED:
    'Wait as many seconds as `Retry-After` says: until `details.reset_at`, if it is the limit of the hour. `/v1/usage` says what is left and does not count. [Start](/docs/start) says how one request a minute is enough.',
  INTERNAL_ERROR:
    'Try again after a second, then after longer pauses. If it stays, tell the operator the `request_id`: the log has the cause.',
  SERVICE_UNAVAILABLE:
    'Try again after as many seconds as `Retry-After` says. `/v1/status` says what is wrong.',
}

/** Errors of one status: its meaning, and examples that together have all of its codes and headers. */
export type DescribedRefusal = {
  /** Its name in the components: an identifier in every language. */
  readonly name: string
  readonly description: string
  readonly examples: Readonly<Record<string, Error>>
}

const UNKNOWN_TOKEN = '0x0000000000000000000000000000000000000001'

/** Every refusal, by status. */
export const refusals: Readonly<Record<string, DescribedRefusal>> = {
  '400': {
    name: 'InvalidParameter',
    description: 'A parameter is missing or invalid; the first one is named.',
    examples: {
      outside: new InvalidParameterError({ parameter: 'limit', provided: 150, allowed: `1-${BOARD_SIZE}` }),
      missing: new InvalidParameterError({
        parameter: 'q',
        provided: null,
        allowed: 'at least 2 characters, at most 100',
      }),
    },
  },
  '401': {
    name: 'Unauthorized',
    description: 'The API key is missing or invalid.',
    examples: { missing: new UnauthorizedError('missing_api_key') },
  },
  '403': {
    name: 'Forbidden',
    description: 'The key is suspended, or its tier does not include this resource.',
    examples: {
      tier: new TierRequiredError({ required: 'professional', current: 'basic' }),
      suspended: new SuspendedKeyError(),
    },
  },
  '404': {
    name: 'NotFound',
    description: 'The resource does not exist.',
    examples: { token: new TokenNotFoundError(UNKNOWN_TOKEN), path: new RouteNotFoundError('/v1/nothing') },
  },
  '405': {
    name: 'MethodNotAllowed',
    description: 'The method was not GET, HEAD or OPTIONS.',
    examples: { post: new MethodNotAllowedError('POST') },
  },
  '429': {
    name: 'RateLimitExceeded',
    description: 'The account has no requests left in this UTC hour.',
    examples: {
      exceeded: new RateLimitExceededError({ limit: 100, resetAt: 1_767_229_200, now: 1_767_228_000 }),
    },
  },
  '500': {
    name: 'InternalError',
    description: 'Internal error, logged with the request id.',
    examples: { defect: new Error('never shown') },
  },
  '503': {
    name: 'ServiceUnavailable',
    description: 'Temporarily unavailable: before the first snapshot, or while a reorg is being rolled back.',
    examples: { wait: new ServiceUnavailableError(5) },
  },
}
