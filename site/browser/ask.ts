/** What a page asks of the API, with the key that it has. A used-up limit is kept to: nothing is asked until its end. */
import {
  type Answer,
  type Asked,
  type BodyOf,
  openClient,
  type Path,
  RefusedError,
} from '../../schemas/client.ts'
import { accessOf } from './access.ts'
import { resetOf } from './refusals.ts'

/** A service that has not answered by then hangs: the page says so, and asks again with the next snapshot. */
export const TIMEOUT_SECONDS = 15

let exhausted: {
  readonly refusal: RefusedError
  readonly until: number
  readonly key: string | null
} | null = null

/** Asks for one answer. Throws RefusedError, and what fetch throws. */
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
