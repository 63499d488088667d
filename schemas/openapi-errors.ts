import {
  type ApiError,
  type ErrorCode,
  errorBody,
  InvalidParameterError,
  MethodNotAllowedError,
  RateLimitExceededError,
  RouteNotFoundError,
  ServiceUnavailableError,
  SuspendedKeyError,
  TierRequiredError,
  TokenNotFoundError,
  UnauthorizedError,
} from './errors.ts'
import type { Json, JsonSchema } from './field.ts'
import type { AnswerHeaderName } from './headers.ts'

const text = (says: string): JsonSchema => ({ type: 'string', description: says })
const help = text('What to do')

/** What `details` say under each code. What refuses before the API is reached may leave them empty. */
const details = {
  INVALID_PARAMETER: {
    parameter: text('Name of the parameter, as it was sent'),
    provided: { type: ['string', 'number', 'null'], description: 'Its value; null: it is missing' },
    allowed: text('What it may be'),
  },
  UNAUTHORIZED: {
    help,
    reason: {
      ...text('What is wrong with the key'),
      enum: ['missing_api_key', 'invalid_api_key', 'expired_api_key'],
    },
  },
  SUSPENDED_API_KEY: { help },
  INSUFFICIENT_TIER: { help, required_tier: text('The least tier'), current_tier: text('The account’s') },
  RESOURCE_NOT_FOUND: {
    token: text('The id, where no token has it'),
    hint: text('How a token is found by its symbol'),
    snapshot: text('The id, where no snapshot has it'),
    path: text('The path, where no route is'),
  },
  METHOD_NOT_ALLOWED: { method: text('The method that was sent') },
  RATE_LIMIT_EXCEEDED: {
    limit: { type: 'integer', description: 'Requests in a UTC hour' },
    remaining: { type: 'integer', description: '0' },
    reset_at: text('When the next hour begins, ISO 8601'),
  },
  INTERNAL_ERROR: {},
  SERVICE_UNAVAILABLE: {},
} as const satisfies Readonly<Record<ErrorCode, Readonly<Record<string, JsonSchema>>>>

/** The body of an error with one of some codes. */
export const errorSchema = (codes: readonly ErrorCode[]): JsonSchema => ({
  type: 'object',
  properties: {
    error: {
      type: 'object',
      description: 'Why there is no answer',
      properties: {
        code: { type: 'string', enum: codes, description: 'Stands for the condition; never changes' },
        message: text('The condition in words; may change'),
        details: {
          type: 'object',
          description: 'What is the matter, in figures',
          properties: Object.assign({}, ...codes.map((code) => details[code])) as JsonSchema,
        },
        request_id: text('Names the request: the header X-Request-Id'),
      },
      required: ['code', 'message', 'details', 'request_id'],
    },
  },
  required: ['error'],
})

/** A kind of refusal: its status and codes, the headers it brings, and answers of that kind. */
export type DescribedRefusal = {
  readonly says: string
  readonly codes: readonly ErrorCode[]
  readonly headers: readonly AnswerHeaderName[]
  readonly examples: Readonly<Record<string, ApiError | Error>>
}

const UNKNOWN_TOKEN = '0x0000000000000000000000000000000000000001'

/** Every refusal, by status. */
export const refusals: Readonly<Record<string, DescribedRefusal>> = {
  '400': {
    says: 'A parameter is missing or not valid; the first such one is named.',
    codes: ['INVALID_PARAMETER'],
    headers: [],
    examples: {
      outside: new InvalidParameterError({ parameter: 'limit', provided: 150, allowed: '1-100' }),
      missing: new InvalidParameterError({
        parameter: 'q',
        provided: null,
        allowed: 'at least 2 characters, at most 100',
      }),
    },
  },
  '401': {
    says: 'No key, or one that is not valid.',
    codes: ['UNAUTHORIZED'],
    headers: [],
    examples: { missing: new UnauthorizedError('missing_api_key') },
  },
  '403': {
    says: 'The key is suspended, or its tier does not include this.',
    codes: ['INSUFFICIENT_TIER', 'SUSPENDED_API_KEY'],
    headers: [],
    examples: {
      tier: new TierRequiredError({ required: 'professional', current: 'basic' }),
      suspended: new SuspendedKeyError(),
    },
  },
  '404': {
    says: 'There is no such thing.',
    codes: ['RESOURCE_NOT_FOUND'],
    headers: [],
    examples: {
      token: new TokenNotFoundError(UNKNOWN_TOKEN),
      path: new RouteNotFoundError('/v1/nothing'),
    },
  },
  '405': {
    says: 'Another method than GET, HEAD and OPTIONS was sent.',
    codes: ['METHOD_NOT_ALLOWED'],
    headers: ['Allow'],
    examples: { post: new MethodNotAllowedError('POST') },
  },
  '429': {
    says: 'The account has no requests left in this UTC hour.',
    codes: ['RATE_LIMIT_EXCEEDED'],
    headers: ['Retry-After'],
    examples: {
      exceeded: new RateLimitExceededError({ limit: 100, resetAt: 1_767_229_200, now: 1_767_228_000 }),
    },
  },
  '500': {
    says: 'A defect of the service. It is written down under the request’s id.',
    codes: ['INTERNAL_ERROR'],
    headers: [],
    examples: { defect: new Error('never told') },
  },
  '503': {
    says: 'Nothing to answer with yet: before the first snapshot, and while minutes are taken back.',
    codes: ['SERVICE_UNAVAILABLE'],
    headers: ['Retry-After'],
    examples: { wait: new ServiceUnavailableError(5) },
  },
}

/** The refusal's answers as a reader gets them. */
export const refusalExamples = ({ examples }: DescribedRefusal): Json =>
  Object.fromEntries(
    Object.entries(examples).map(([name, error]) => [
      name,
      { value: errorBody(error, '0f6a1e0c-3a55-4b6f-9f0e-2d6c1b7a9e42') as Json },
    ]),
  )
