import {
  type Answer,
  type Asked,
  type BodyOf,
  openClient,
  type Path,
  RefusedError,
} from '../../schemas/client.ts'
import { accessOf } from './access.ts'

/** What is said to a reader whom the API refused. */
export function refusalText(error: unknown): string {
  if (!(error instanceof RefusedError)) return 'The service does not answer. Is this machine connected?'
  if (error.details['reason'] === 'missing_api_key') return 'These figures are read with an API key.'
  return `${error.message} (${error.code})`
}

const MINUTE_MS = 60_000

/** When a used-up limit ends, Unix ms: what the answer says, else a minute from now. */
export function resetOf({ details, retryAfterSeconds }: RefusedError): number {
  const told = Date.parse(String(details['reset_at'] ?? ''))
  if (!Number.isNaN(told)) return told
  return Date.now() + (retryAfterSeconds === null ? MINUTE_MS : retryAfterSeconds * 1_000)
}

/** A service that has not answered by then hangs: the page says so, and asks again with the next snapshot. */
export const TIMEOUT_SECONDS = 15

let exhausted: {
  readonly refusal: RefusedError
  readonly until: number
  readonly key: string | null
} | null = null

/** Asks for one answer, with the key that the page has; nothing is asked until a used-up limit has ended. Throws RefusedError, and what fetch throws. */
export async function ask<P extends Path>(
  path: P,
  asked: Asked<P>,
  signal?: AbortSignal,
): Promise<Answer<BodyOf<P>>> {
  const { key } = await accessOf()
  if (exhausted && exhausted.key === key && Date.now() < exhausted.until) throw exhausted.refusal
  const client = openClient({
    baseUrl: location.origin,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(key === null ? {} : { key }),
    ...(signal ? { signal } : {}),
  })
  const get = client.get as (path: P, asked: Asked<P>) => Promise<Answer<BodyOf<P>>>
  try {
    return await get(path, asked)
  } catch (error) {
    if (error instanceof RefusedError && error.status === 429) {
      exhausted = { refusal: error, until: resetOf(error), key }
    }
    throw error
  }
}
