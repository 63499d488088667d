import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Names of DynamoDB's refusals for more requests than a table, an account or a partition takes. */
const throttlings: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]

/** Whether DynamoDB throttled a request, so that a retry can succeed. */
const isThrottled = (error: unknown): boolean => error instanceof Error && throttlings.includes(error.name)

/** Codes of lost and refused connections. */
const lost: ReadonlySet<unknown> = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'],
  ...['EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'],
])

/** Whether a table or bucket throttled a request, failed itself, or did not answer, so that the same request can succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, $fault, $metadata } = error as Error & {
    readonly code?: unknown
    readonly $fault?: unknown
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const isOfServer = $fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500
  return isOfServer || isThrottled(error) || lost.has(code) || error.name === 'TimeoutError'
}

/** Pause after the client's own attempts, in ms, ± a half, so that writers do not return together. */
const PAUSE_MS = 2_000

/** Pause before DynamoDB is asked again for what it left of a batch: 50 ms before the first repetition, doubling up to 1.6 s. */
export const pauseBefore = (attempt: number): Promise<void> => sleep(25 * 2 ** Math.min(attempt, 6))

/** Called before each pause with its cause, its number in a row, and its length in ms. */
export type OnPause = (cause: Error, times: number, ms: number) => void

/**
 * Makes a client repeat throttled requests for as long as they are throttled, for a process that would only end to start
 * again. Other errors reject as before.
 */
export function outlastThrottling(
  client: DynamoDBClient,
  onPause: OnPause,
  pauseMs = PAUSE_MS,
): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      for (let times = 1; ; times += 1) {
        try {
          return await next(args)
        } catch (error) {
          if (!(error instanceof Error && isThrottled(error))) throw error
          const ms = pauseMs * (0.5 + Math.random())
          onPause(error, times, ms)
          await sleep(ms)
        }
      }
    },
    // Around the client's own attempts.
    { step: 'initialize', priority: 'high', name: 'outlastThrottling' },
  )
  return client
}
