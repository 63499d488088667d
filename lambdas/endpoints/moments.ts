import type { Minute } from '../../market/segment.ts'

/** The minute in which a validated moment lies; a date alone means `time` (HH:MM) of that day, in UTC. */
export const minuteOf = (text: string, time: string): Minute => {
  const moment = text.length > DATE_LENGTH ? text.replace(/Z?$/, 'Z') : `${text}T${time}:00Z`
  return Math.floor(Date.parse(moment) / 60_000)
}

/** The last minute that was over at a validated moment; a date alone means the end of that day. */
export const lastMinuteOver = (text: string): Minute =>
  minuteOf(text, '23:59') - (text.length > DATE_LENGTH ? 1 : 0)

const DATE_LENGTH = 10
