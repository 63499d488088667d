import type { Syntax } from './parameter-syntax.ts'

/** A point in time as a reader wrote it. `isDay`: a date without a time; `ms` is its start in UTC. */
export type WrittenTime = { readonly ms: number; readonly isDay: boolean }

const DAY = '(\\d{4})-(\\d\\d)-(\\d\\d)'
const CLOCK = '(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?'
/** A plus sign that was not percent-encoded arrives as a space. Java adds the zone's name, Go adds `UTC`. */
const OFFSET = ' ?([Zz]|UTC|GMT|[-+ ](?:\\d\\d)(?::?\\d\\d)?)(?: UTC)?(?:\\[[\\w/+-]+\\])?'
const CALENDAR = `${DAY}(?:[Tt ]${CLOCK}(?:${OFFSET})?)?`
/** Ten digits are seconds from 2001 to 2286, three, six or nine more are their decimals. */
const UNIX = '(\\d{10})(?:\\.(\\d+))?|(\\d{13})(?:\\d{3}|\\d{6})?'

const WRITTEN = new RegExp(`^(?:${CALENDAR}|${UNIX})$`)

/**
 * Reads RFC 3339 and ISO 8601 as programming languages print them, with any number of decimals and UTC where no offset is
 * given, and Unix time in seconds or their thousandths, millionths or billionths. Decimals beyond milliseconds are cut off. Null: none of these, or no such day.
 */
export function readTime(text: string): WrittenTime | null {
  const parts = WRITTEN.exec(text.trim())
  if (!parts) return null
  const [, year, month, day, hour, minute, second, decimals, offset, unix, unixDecimals, unixMs] = parts
  if (unixMs !== undefined) return { ms: Number(unixMs), isDay: false }
  if (unix !== undefined) return { ms: Number(unix) * 1_000 + milliseconds(unixDecimals), isDay: false }
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (new Date(date).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return null
  if (hour === undefined) return { ms: date, isDay: true }
  const shift = offsetMinutes(offset)
  const clock = [Number(hour), Number(minute), Number(second ?? 0)] as const
  if (shift === null || clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return null
  const seconds = clock[0] * 3_600 + (clock[1] - shift) * 60 + clock[2]
  return { ms: date + seconds * 1_000 + milliseconds(decimals), isDay: false }
}

const milliseconds = (decimals = ''): number => Number(decimals.slice(0, 3).padEnd(3, '0'))

/** Minutes east of UTC; null: no offset that exists. */
function offsetMinutes(text = 'Z'): number | null {
  const [, sign, hours, minutes = '0'] = /^([-+ ])(\d\d):?(\d\d)?$/.exec(text) ?? []
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const ALLOWED =
  'a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z or 2026-01-31 14:00:00.5+02:00, or Unix seconds'

/** A date, a date and time, or Unix time. */
export const timeSyntax: Syntax = {
  schema: { type: 'string', pattern: WRITTEN.source.replaceAll('?:', '') },
  allowed: ALLOWED,
  description: 'ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds',
  isRead: (text) => readTime(text) !== null,
}
