/** The typed client of the z100 API and its live stream: see README.md. */
export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts'
export { ApiError, ConnectionError, type ErrorCode, isApiError } from './errors.ts'
export type { Answer, Asked, BodyOf, Path, QueryOf } from './paths.ts'
export type { RateLimit } from './rate-limit.ts'
export type { Launch, StreamEvent, StreamOptions } from './stream.ts'
export type * from './wire.ts'
