/** What to do after a change of the account that timed out; null: another error. It may have been made: a key, for one, that nobody saw. */
export const timedOutText = (error: unknown): string | null =>
  error instanceof Error && error.name === 'TimeoutError'
    ? 'No answer came in time, but what you asked for may have been done. Reload the page and look. If there is a key that you were never shown, revoke it: it takes a place, and its text cannot be had again.'
    : null
