/** What is said to a reader whom the API refused. */
import { RefusedError } from '../../schemas/client.ts'

/** What is the matter, in a sentence. */
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
