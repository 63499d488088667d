/** Watches the chain itself: new blocks, the delay of their times behind the clock, their agreement with the schedule; and quotas. */
import type { Block } from '../market/segment.ts'
import type { ChainTrouble } from '../store/published/stored-status.ts'
import type { OffSchedule } from './client/chain-clock.ts'
import type { Wait } from './client/pacing.ts'

/** Without a new block for this long (seconds), the chain has halted. */
const STILL_SECONDS = 60
/** Blocks older than this (seconds) are late. */
const LATE_SECONDS = 60
/** Headers differ from the schedule for this long (seconds) before v1/status reports it. */
const OFF_SECONDS = 600

export type ChainWatch = {
  /** A header's time differed from the schedule; true: none had in the last ten minutes. `now`: Unix seconds. */
  off(off: OffSchedule, now: number): boolean
  /** An endpoint requires a pause. */
  waits(wait: Wait): void
  /** Trouble with the newest block as just received; null: nothing is wrong. */
  seen(head: Block, now: number): ChainTrouble | null
  /** The same while no block is received. */
  trouble(now: number): ChainTrouble | null
}

/** Opens a watch that has seen no block. */
export function openChainWatch(): ChainWatch {
  let newest: { readonly hash: string; readonly at: number } | undefined
  let strayed: { readonly block: number; readonly since: number; readonly last: number } | undefined
  let quota: ChainTrouble['quota'] = null

  const withHead = (head: Pick<ChainTrouble, 'stillSince' | 'lateAt'>, now: number): ChainTrouble | null => {
    const isOff = strayed && now - strayed.last <= OFF_SECONDS && strayed.last - strayed.since >= OFF_SECONDS
    const trouble = {
      ...head,
      offSince: isOff && strayed ? strayed.block : null,
      quota: quota && quota.until > now ? quota : null,
    }
    return Object.values(trouble).some((value) => value !== null) ? { ...trouble, seenAt: now } : null
  }
  return {
    off({ block }, now) {
      const isNew = !strayed || now - strayed.last > OFF_SECONDS
      strayed = isNew || !strayed ? { block, since: now, last: now } : { ...strayed, last: now }
      return isNew
    },
    waits(wait) {
      if (wait.for === 'quota') quota = { endpoint: wait.endpoint, until: Math.floor(wait.until / 1_000) }
    },
    seen({ hash, timestamp }, now) {
      if (newest?.hash !== hash) newest = { hash, at: now }
      const stillSince = now - newest.at >= STILL_SECONDS ? timestamp : null
      return withHead({ stillSince, lateAt: now - timestamp >= LATE_SECONDS ? timestamp : null }, now)
    },
    trouble: (now) => withHead({ stillSince: null, lateAt: null }, now),
  }
}
