import { firstMinuteOf, intervalAt } from '../../market/index/index-history.ts'
import type { Syntax } from './parameter-syntax.ts'

const DAY_MS = 86_400_000
const WEEK = /^(\d{4})-W(\d\d)$/

/** The ISO 8601 week of a number of weeks since 5 January 1970: `2026-W47`. It belongs to the year of its Thursday. */
export function weekText(week: number): string {
  const thursday = new Date(firstMinuteOf('week', week) * 60_000 + 3 * DAY_MS)
  const year = thursday.getUTCFullYear()
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

/** The number of such a week; null: the text names none. */
export function weekFrom(text: string): number | null {
  const [, year, number] = WEEK.exec(text) ?? []
  if (year === undefined) return null
  // 4 January is always in the first week.
  const first = intervalAt('week', Date.UTC(Number(year), 0, 4) / 60_000)
  const week = first + Number(number) - 1
  return weekText(week) === text ? week : null
}

export const weekSyntax: Syntax = {
  schema: { type: 'string', pattern: WEEK.source },
  allowed: 'an ISO 8601 week such as 2026-W47',
  isRead: (text) => weekFrom(text) !== null,
}
