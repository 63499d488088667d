import { ApiError, ConnectionError } from './errors.ts'
import { VERSION } from './wire.ts'

/** What a request is made with. */
export type RequestOptions = {
  readonly apiKey: string | null
  /** Longest time of one attempt, in seconds. */
  readonly timeoutSeconds: number
  /** Attempts after the first. */
  readonly maxRetries: number
  /** Longest time spent waiting between attempts, in seconds of the whole call. */
  readonly maxWaitSeconds: number
  readonly signal: AbortSignal | null
  readonly fetch: typeof fetch
}

/** Statuses after which another attempt can succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const FIRST_PAUSE_SECONDS = 0.5

/**
 * Sends a GET request and returns the response with its text; tries again after a failure that may pass, as late as
 * Retry-After says. Throws ApiError, ConnectionError, and the signal's reason.
 */
export async function request(url: string, options: RequestOptions): Promise<[Response, string]> {
  let waitedSeconds = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await once(url, options)
    } catch (error) {
      const pause = pauseAfter(error, attempt)
      waitedSeconds += pause ?? 0
      if (pause === null || attempt >= options.maxRetries || waitedSeconds > options.maxWaitSeconds)
        throw error
      await sleep(pause, options.signal)
    }
  }
}

async function once(url: string, options: RequestOptions): Promise<[Response, string]> {
  const { apiKey, signal, timeoutSeconds } = options
  const { controller, release } = controllerUnder(signal)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutSeconds * 1_000)
  let response: Response
  let text: string
  try {
    response = await options.fetch(url, {
      headers: {
        Accept: 'application/json',
        'X-Client': `z100-typescript/${VERSION}`,
        ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      // Followed to another host, a request loses its key.
      redirect: 'manual',
      signal: controller.signal,
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    const what = isLate ? `gave no answer in ${timeoutSeconds} seconds` : 'cannot be reached'
    throw new ConnectionError(`The service ${what}.`, { cause })
  } finally {
    clearTimeout(timer)
    release()
  }
  if (!response.ok) throw new ApiError(response, text)
  return [response, text]
}

/** A controller that the caller's signal aborts as well, until it is released: AbortSignal.any is younger than Safari 17.4. */
export function controllerUnder(signal: AbortSignal | null) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return { controller, release: () => signal?.removeEventListener('abort', abort) }
}

/** Seconds before the next attempt, with jitter; null: another attempt cannot help. */
function pauseAfter(error: unknown, attempt: number): number | null {
  if (error instanceof ApiError) {
    if (!PASSING.has(error.status)) return null
    if (error.retryAfterSeconds !== null) return error.retryAfterSeconds
  } else if (!(error instanceof ConnectionError)) return null
  return FIRST_PAUSE_SECONDS * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** The longest time of a timer: one that is longer ends at once. */
const TIMER_MS = 2 ** 31 - 1

/** Waits, at most 24 days; throws the signal's reason when it is aborted. */
export function sleep(seconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(seconds * 1_000, TIMER_MS),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}
