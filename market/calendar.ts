/** Units of UTC time, and where a time lies in them. */
import type { Block, Minute } from './segment.ts'

export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400
export const DAY_MINUTES = 1_440

/** UTC minute of a block, or of what has its time. */
export const minuteOfBlock = ({ timestamp }: Pick<Block, 'timestamp'>): Minute => Math.floor(timestamp / 60)

/** UTC hour of a minute, counted from 1970. */
export const hourOfMinute = (minute: Minute): number => Math.floor(minute / 60)

/** UTC day of a minute, counted from 1970. */
export const dayOfMinute = (minute: Minute): number => Math.floor(minute / DAY_MINUTES)
