import {
  type Answer,
  ApiError,
  type Asked,
  type BodyOf,
  createClient,
  type Path,
} from '../../../clients/typescript/index.ts'
import { silenceText } from './freshness.ts'
import { accessOf, TIMEOUT_SECONDS } from './key.ts'

/** The message for an error of the API. */
export function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return silenceText()
  if (error.details['reason'] === 'missing_api_key') return 'This data requires an API key.'
  if (error.status === 503 && error.message.includes('first snapshot')) {
    const [progress = ''] = /\d+ %/.exec(error.message) ?? []
    return `The first figures are being made${progress && `, ${progress}`}.`
  }
  return `${error.message} (${error.code})`
}

/** Pause if an error has no Retry-After. */
const MINUTE_SECONDS = 60

/** The 429 of a key, and until when it is not used, by the reader's clock, which may be wrong. */
let exhausted: { readonly refusal: ApiError; readonly until: number; readonly key: string | null } | null =
  null

/** When a key with a used-up limit may be used again, Unix ms. */
export const askedAgainAt = (): number => exhausted?.until ?? Date.now()

/**
 * Requests one answer with the page's key; sends nothing until a used-up limit has ended. Throws ApiError, and what
 * fetch throws.
 */
export async function ask<P extends Path>(
  path: P,
  asked: Asked<P>,
  signal?: AbortSignal,
): Promise<Answer<BodyOf<P>>> {
  const { key } = await accessOf()
  if (exhausted && exhausted.key === key && Date.now() < exhausted.until) throw exhausted.refusal
  const client = createClient({
    baseUrl: location.origin,
    timeoutSeconds: TIMEOUT_SECONDS,
    maxRetries: 0,
    apiKey: key,
    ...(signal ? { signal } : {}),
  })
  const get = client.get as (path: P, asked: Asked<P>) => Promise<Answer<BodyOf<P>>>
  try {
    return await get(path, asked)
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) {
      const until = Date.now() + 1_000 * (error.retryAfterSeconds ?? MINUTE_SECONDS)
      exhausted = { refusal: error, until, key }
    }
    throw error
  }
}
