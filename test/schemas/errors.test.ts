import { describe, expect, it } from 'vitest'
import {
  errorBody,
  InvalidParameterError,
  MethodNotAllowedError,
  RateLimitExceededError,
  RouteNotFoundError,
  ServiceUnavailableError,
  SuspendedKeyError,
  statusBody,
  TierRequiredError,
  TokenNotFoundError,
  UnauthorizedError,
} from '../../schemas/errors.ts'

describe('an error that is answered', () => {
  it.each([
    [
      new InvalidParameterError({ parameter: 'limit', provided: 101, allowed: '1-100' }),
      400,
      'INVALID_PARAMETER',
    ],
    [new UnauthorizedError('missing_api_key'), 401, 'UNAUTHORIZED'],
    [new SuspendedKeyError(), 403, 'SUSPENDED_API_KEY'],
    [new TierRequiredError({ required: 'professional', current: 'basic' }), 403, 'INSUFFICIENT_TIER'],
    [new RouteNotFoundError('/v1/nothing'), 404, 'RESOURCE_NOT_FOUND'],
    [new TokenNotFoundError('0xab'), 404, 'RESOURCE_NOT_FOUND'],
    [new MethodNotAllowedError('POST'), 405, 'METHOD_NOT_ALLOWED'],
    [new RateLimitExceededError({ limit: 100, resetAt: 7200, now: 7140 }), 429, 'RATE_LIMIT_EXCEEDED'],
    [new ServiceUnavailableError(5), 503, 'SERVICE_UNAVAILABLE'],
  ])('%s has its status and code', (error, status, code) => {
    expect([error.status, error.code]).toEqual([status, code])
    expect(errorBody(error, 'r').error).toMatchObject({ code, message: error.message, request_id: 'r' })
  })

  it('carries the facts and headers of its condition', () => {
    const limited = new RateLimitExceededError({ limit: 100, resetAt: 7200, now: 7140 })
    expect(limited.details).toEqual({ limit: 100, remaining: 0, reset_at: '1970-01-01T02:00:00Z' })
    expect(limited.headers).toEqual({ 'Retry-After': '60' })
    expect(new MethodNotAllowedError('POST').headers).toEqual({ Allow: 'GET, HEAD, OPTIONS' })
    expect(new UnauthorizedError('invalid_api_key').headers).toEqual({ 'WWW-Authenticate': 'Bearer' })
    expect(new TokenNotFoundError('x'.repeat(900)).details).toMatchObject({ token: 'x'.repeat(128) })
  })
})

it('says nothing of an error that is not meant to be answered', () => {
  expect(errorBody(new Error('table z100-market is gone'), 'r')).toEqual({
    error: {
      code: 'INTERNAL_ERROR',
      message: 'The request could not be answered.',
      details: {},
      request_id: 'r',
    },
  })
})

it('finds a code for an error that is only a status', () => {
  const codeOf = (status: number) => statusBody(status, '', 'r').error.code
  expect([400, 404, 405, 414, 502, 503].map(codeOf)).toEqual([
    'INVALID_PARAMETER',
    'RESOURCE_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'INVALID_PARAMETER',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ])
  expect(statusBody(503, 'Not yet.', 'r').error.message).toBe('Not yet.')
})
