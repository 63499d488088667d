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

/** Pause after the client's own attempts, in ms, ± a half, so that writers do not return together. */
const PAUSE_MS = 2_000
const pauseAWhile = (): Promise<void> => sleep(PAUSE_MS * (0.5 + Math.random()))

/** Pause before DynamoDB is asked again for what it left of a batch: 50 ms before the first repetition, doubling up to 1.6 s. */
export const pauseBefore = (attempt: number): Promise<void> => sleep(25 * 2 ** Math.min(attempt, 6))

/**
 * Makes a client repeat throttled requests for as long as they are throttled, for a process that would only end to start
 * again. Other errors reject as before.
 */
export function outlastThrottling(client: DynamoDBClient, pause = pauseAWhile): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      for (;;) {
        try {
          return await next(args)
        } catch (error) {
          if (!isThrottled(error)) throw error
          await pause()
        }
      }
    },
    // Around the client's own attempts.
    { step: 'initialize', priority: 'high', name: 'outlastThrottling' },
  )
  return client
}
