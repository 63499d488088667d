/** What a file of the archive is about: a UTC day or, of the running day, an hour; and the keys of its files. */
import type { Minute } from '../market/segment.ts'
import { objectPrefixes, padded } from '../store/aws/tables.ts'

const { archive } = objectPrefixes

/** Key of the manifest. */
export const archiveManifestKey = `${archive}manifest.json`

/** Minutes of each kind of span. */
export const spanMinutes = { day: 1_440, hour: 60 } as const
export type SpanKind = keyof typeof spanMinutes

/** A day or hour of UTC. `name` as in keys: `date=2026-11-25`, `hour=2026-11-25T10`. */
export type Span = {
  readonly kind: SpanKind
  readonly name: string
  readonly first: Minute
  /** The first minute after it. */
  readonly end: Minute
}

/** The span of a kind that holds a minute. */
export function spanHolding(kind: SpanKind, minute: Minute): Span {
  const minutes = spanMinutes[kind]
  const first = Math.floor(minute / minutes) * minutes
  const text = new Date(first * 60_000).toISOString()
  const name = kind === 'day' ? `date=${text.slice(0, 10)}` : `hour=${text.slice(0, 13)}`
  return { kind, name, first, end: first + minutes }
}

/** The spans of a kind from one minute to before another, oldest first: whole ones only. */
export function spansBetween(kind: SpanKind, first: Minute, end: Minute): readonly Span[] {
  const spans: Span[] = []
  for (let span = spanHolding(kind, first); span.end <= end; span = spanHolding(kind, span.end))
    spans.push(span)
  return spans
}

/** The span of a name in a manifest; undefined: it is none. */
export function spanNamed(name: string): Span | undefined {
  const [, kind, text = ''] = /^(date|hour)=(\d{4}-\d\d-\d\d(?:T\d\d)?)$/.exec(name) ?? []
  const ms = Date.parse(kind === 'hour' ? `${text}:00Z` : text)
  if (!kind || Number.isNaN(ms)) return undefined
  const span = spanHolding(kind === 'hour' ? 'hour' : 'day', ms / 60_000)
  return span.name === name ? span : undefined
}

/** A file of a set: its folder and what its name ends with. */
export type SetFile = { readonly name: string; readonly extension: string }

const folders = { day: archive, hour: `${archive}live/` } as const

/** Key of a set's file; `part`: of several, its number. */
export const fileKey = ({ name, extension }: SetFile, span: Span, part = 0): string =>
  `${folders[span.kind]}${name}/${span.name}/part-${padded(part, 3)}.${extension}`

/** Key of the copy of a file that a later revision replaced. */
export function replacedKey(path: string, revision: number): string {
  const [, rest = '', part = ''] = /^(.*)\/([^/]*)$/.exec(path.slice(archive.length)) ?? []
  return `${archive}replaced/${rest}/revision=${revision}/${part}`
}
