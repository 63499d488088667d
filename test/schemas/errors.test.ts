import { expect, it } from 'vitest'
import {
  MethodNotAllowedError,
  RateLimitExceededError,
  statusBody,
  TokenNotFoundError,
  UnauthorizedError,
} from '../../schemas/api/errors.ts'

it('an error carries the facts and headers of its condition', () => {
  const limited = new RateLimitExceededError({ limit: 100, resetAt: 7200, now: 7140 })
  expect(limited.details).toEqual({
    limit: 100,
    remaining: 0,
    reset_at: '1970-01-01T02:00:00Z',
    help: 'See /docs/errors#RATE_LIMIT_EXCEEDED.',
  })
  expect(limited.headers).toEqual({ 'Retry-After': '60' })
  expect(new MethodNotAllowedError('POST').headers).toEqual({ Allow: 'GET, HEAD, OPTIONS' })
  expect(new UnauthorizedError('invalid_api_key').headers).toEqual({ 'WWW-Authenticate': 'Bearer' })
  expect(new TokenNotFoundError('x'.repeat(900)).details).toMatchObject({ token: 'x'.repeat(128) })
})

it('an error of which only the status is known has a code', () => {
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
