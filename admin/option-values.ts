import { InvalidArgumentError } from 'commander'

/** Parses a whole number from 1 on, as commander's parsers do: throws InvalidArgumentError. */
export function countFrom(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

/** Collects the addresses of a repeated option. */
export function urlsFrom(url: string, before: readonly string[] | undefined): readonly string[] {
  if (!/^https?:\/\//.test(url)) throw new InvalidArgumentError('It must be an http or https address.')
  return [...(before ?? []), url]
}

/** A minute by its number, or by a time in ISO 8601 (without a zone: UTC). */
export function minuteFrom(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text)
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text)
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text)
  const seconds = Date.parse(hasZone ? text : `${text}Z`) / 1_000
  if (!isIso || Number.isNaN(seconds)) {
    throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:05Z, or the number of a minute.')
  }
  return Math.floor(seconds / 60)
}
