/** The pause between two polls of the chain's head. */
import { kindOf } from '../client/faults.ts'

/** The default in milliseconds: 86,400 polls a day. */
export const POLL_MS = 1_000
/** Bounds of the pause. Minutes are sealed later by up to one pause. */
const LIMITS = { least: 100, most: 60_000 } as const

/** The text is not a valid pause. */
const MalformedPollError = kindOf(
  'MalformedPollError',
  (text: string) =>
    `${JSON.stringify(text)} is no pause between polls: give whole milliseconds from ${LIMITS.least} to ${LIMITS.most}`,
  false,
)

/** Parses milliseconds; an empty text is the default. Throws MalformedPollError. */
export function pollMsFrom(text: string | undefined): number {
  if (!text) return POLL_MS
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (ms < LIMITS.least || ms > LIMITS.most) throw new MalformedPollError(text)
  return ms
}
