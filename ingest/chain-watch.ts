/** Watches the chain itself: new blocks, the delay of their times behind the clock, and their quorum with the schedule. */
import type { Block } from '../market/segment.ts'
import type { ChainTrouble } from '../store/published/stored-status.ts'
import type { OffSchedule } from './client/chain-clock.ts'

/** Without a new block for this long (seconds), the chain has halted. */
const STILL_SECONDS = 60
/** Blocks older than this (seconds) are late. */
const LATE_SECONDS = 60
/** Headers differ from the schedule for this long (seconds) before v1/status reports it. */
const OFF_SECONDS = 600

export type ChainWatch = {
  /** A header's time differed from the schedule; true: none had in the last ten minutes. `now`: Unix seconds. */
  off(off: OffSchedule, now: number): boolean
  /** The newest block as just asked for; null: nothing is wrong. */
  seen(head: Block, now: number): ChainTrouble | null
}

/** Opens a watch that has seen no block. */
export function openChainWatch(): ChainWatch {
  let newest: { readonly hash: string; readonly at: number } | undefined
  let strayed: { readonly block: number; readonly since: number; readonly last: number } | undefined
  return {
    off({ block }, now) {
      const isNew = !strayed || now - strayed.last > OFF_SECONDS
      strayed = isNew || !strayed ? { block, since: now, last: now } : { ...strayed, last: now }
      return isNew
    },
    seen({ hash, timestamp }, now) {
      if (newest?.hash !== hash) newest = { hash, at: now }
      const isOff =
        strayed && now - strayed.last <= OFF_SECONDS && strayed.last - strayed.since >= OFF_SECONDS
      const trouble = {
        stillSince: now - newest.at >= STILL_SECONDS ? timestamp : null,
        lateAt: now - timestamp >= LATE_SECONDS ? timestamp : null,
        offSince: isOff && strayed ? strayed.block : null,
      }
      return Object.values(trouble).some((value) => value !== null) ? { ...trouble, seenAt: now } : null
    },
  }
}
