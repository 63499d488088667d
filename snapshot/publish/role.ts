/** Which of several publishers is live: one with newer rules or another layout of its checkpoints catches up beside it. */

import type { Minute } from '../../market/segment.ts'
import type { Refold } from '../../schemas/api/service.ts'
import { type Live, type Logs, nothingLive, OWN_RULES, type PublisherProgress } from '../../store/log/logs.ts'
import { LAYOUT } from '../engine/checkpoint.ts'

/** This release's publisher: its rules, and the layout of its checkpoints. */
export const OWN_PUBLISHER = `${OWN_RULES}/${LAYOUT}`

/** The log that a publisher follows, and the register of all. */
export type Own = { readonly logs: Logs; readonly log: string; readonly publisher: string }

/** What a publisher may do in one run. */
export type Role = { readonly live: Live; readonly isLive: boolean }

/** Where there is no register: one publisher alone. */
const alone: Role = { live: nothingLive, isLive: true }

/** Whether a publisher is live. The first one of a table becomes it. */
export async function roleOf(own: Own | undefined): Promise<Role> {
  if (!own) return alone
  const { logs, log, publisher } = own
  const live = await logs.live()
  if (live.publisher === '' && live.log === log) {
    await logs.putLive({ log, publisher, past: [publisher] }, live)
    return roleOf(own)
  }
  return { live, isLive: live.log === log && live.publisher === publisher }
}

/**
 * Makes a publisher live whose documents are ready, unless it has been live before: then somebody went back, and it
 * waits to be told. `published`: the newest published minute, behind which nobody may begin. Returns its role then.
 */
export async function takeOver(
  { logs, log, publisher }: Own,
  { live }: Role,
  { minute, published }: { readonly minute: Minute; readonly published: Minute | undefined },
): Promise<Role> {
  const isReady = minute >= (published ?? minute) && !live.past.includes(publisher)
  const isDone = isReady && (await logs.putLive({ log, publisher, past: [...live.past, publisher] }, live))
  return isDone ? { live: await logs.live(), isLive: true } : { live, isLive: false }
}

/** A publisher that has put no progress for so many seconds has ended. */
const ENDED_SECONDS = 600

/**
 * The publisher that will take over, as v1/status describes it: one that has never been live. `published`: the newest
 * published minute; `from`: the first one of the log.
 */
export async function refoldOf(
  logs: Logs,
  now: number,
  { published, from }: { readonly published: Minute; readonly from: Minute },
): Promise<Refold | null> {
  const { past } = await logs.live()
  const next = (await logs.publishers())
    .filter(({ publisher, at }) => !past.includes(publisher) && now - at < ENDED_SECONDS)
    .sort((a, b) => b.at - a.at)[0]
  if (!next) return null
  const left = Math.max(1, published - (next.minute ?? from))
  return { rulesVersion: rulesOf(next), to: published, minutes: left, seconds: secondsLeft(next, left) }
}

/** RULES_VERSION of a publisher. */
const rulesOf = ({ publisher }: PublisherProgress): number =>
  Number(/^\d+\.(\d+)\//.exec(publisher)?.[1] ?? 0)

/** Seconds for the minutes that are left, at the rate since the publisher's first run; null: it is not known yet. */
export function secondsLeft({ first, minute, at }: PublisherProgress, left: number): number | null {
  const done = (minute ?? 0) - (first.minute ?? minute ?? 0)
  return done > 0 ? Math.round((left * (at - first.at)) / done) : null
}
