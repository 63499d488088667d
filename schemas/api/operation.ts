/** What an operation of the API is, and how each kind of them is described. */

import type { JsonSchema } from '../values/field.ts'
import type { Parameter } from '../values/parameters.ts'
import * as parameters from '../values/parameters.ts'
import type { Tier } from './access.ts'

/**
 * An operation of the API. `documentParameters`: those that name a published document, in the order of its name; null: none is
 * published, and the answer is read from the tables. `rest`: the other parameters.
 */
export type Operation = {
  readonly path: `/v1/${string}`
  readonly description: string
  readonly needs: 'nothing' | 'key'
  /** The least tier that may ask; absent: any. */
  readonly tier?: Tier
  /** Its answers are not counted against the hour's limit. */
  readonly isUncounted?: true
  readonly documentParameters: readonly Parameter[] | null
  readonly rest: readonly Parameter[]
  /** JSON Schema of the answer to a canonical request. */
  readonly body: JsonSchema
  /** Absent: JSON. */
  readonly mediaType?: string
  /** There may be no answer although no id is asked for: 404. */
  readonly mayBeAbsent?: true
  readonly cacheControl: string
  /** The same of an answer that can no longer change; absent: there is none. */
  readonly lastingCacheControl?: string
}

/** A document is overwritten once a minute: fresh for 20 s, and better old than none. */
const DOCUMENT_CACHE = 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
/** Answers of the API are not cached: they could reach another account. */
const NOT_CACHED = 'no-store'
/** Texts of the code change only with a deployment. */
export const FIXED_CACHE = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'

/** What anybody may ask, and what changes each minute. */
export const MINUTE_CACHE = 'public, max-age=60, stale-while-revalidate=30, stale-if-error=86400'

/** Sealed for days: a cache may keep it for good. */
export const LASTING_CACHE = 'public, max-age=31536000, immutable'

type Facts = {
  readonly documentParameters?: readonly Parameter[]
  readonly rest?: readonly Parameter[]
  readonly body: JsonSchema
}

/** An operation with published documents. */
export const publishedOperation = (
  path: `/v1/${string}`,
  description: string,
  { documentParameters = [], rest = [], body }: Facts,
): Operation & { readonly documentParameters: readonly Parameter[] } => ({
  path,
  description,
  needs: 'key',
  documentParameters,
  rest: [...rest, parameters.strict],
  body,
  cacheControl: DOCUMENT_CACHE,
  ...(rest.includes(parameters.asOfTime) ? { lastingCacheControl: LASTING_CACHE } : {}),
})

/** An operation that is answered from the tables. */
export const readOperation = (
  path: `/v1/${string}`,
  description: string,
  { rest = [], body }: Facts,
): Operation & { readonly documentParameters: null } => ({
  path,
  description,
  needs: 'key',
  documentParameters: null,
  rest: [...rest, parameters.strict],
  body,
  cacheControl: NOT_CACHED,
})

/** A text of the code, for whoever asks. */
export const fixedOperation = (
  facts: Omit<Operation, 'needs' | 'documentParameters' | 'rest' | 'cacheControl'>,
  cacheControl = FIXED_CACHE,
) => ({
  ...facts,
  needs: 'nothing' as const,
  documentParameters: null,
  rest: [parameters.strict],
  cacheControl,
})

/** A text that is no JSON. */
export const fixedTextOperation = (
  path: `/v1/${string}`,
  description: string,
  [mediaType, cacheControl]: readonly [string, string],
) =>
  fixedOperation(
    { path, description, mediaType: `${mediaType}; charset=utf-8`, body: { type: 'string' } },
    cacheControl,
  )
