/** What a file of the archive is about: a UTC day or, of the running day, an hour; and the keys of its files. */
import type { Minute } from '../market/segment.ts'
import { objectPrefixes } from '../store/tables.ts'

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
export function spanAt(kind: SpanKind, minute: Minute): Span {
  const minutes = spanMinutes[kind]
  const first = Math.floor(minute / minutes) * minutes
  const text = new Date(first * 60_000).toISOString()
  const name = kind === 'day' ? `date=${text.slice(0, 10)}` : `hour=${text.slice(0, 13)}`
  return { kind, name, first, end: first + minutes }
}

/** The spans of a kind from one minute to before another, oldest first: whole ones only. */
export function spansBetween(kind: SpanKind, first: Minute, end: Minute): readonly Span[] {
  const spans: Span[] = []
  for (let span = spanAt(kind, first); span.end <= end; span = spanAt(kind, span.end)) spans.push(span)
  return spans
}

/** The span of a name in a manifest; undefined: it is none. */
export function spanNamed(name: string): Span | undefined {
  const [, kind, text = ''] = /^(date|hour)=(\d{4}-\d\d-\d\d(?:T\d\d)?)$/.exec(name) ?? []
  const ms = Date.parse(kind === 'hour' ? `${text}:00Z` : text)
  if (!kind || Number.isNaN(ms)) return undefined
  const span = spanAt(kind === 'hour' ? 'hour' : 'day', ms / 60_000)
  return span.name === name ? span : undefined
}

/** A file of a set: its folder and what its name ends with. */
export type SetFile = { readonly name: string; readonly extension: string }

const folders = { day: archive, hour: `${archive}live/` } as const

/** Key of a set's file. */
export const fileKey = ({ name, extension }: SetFile, span: Span): string =>
  `${folders[span.kind]}${name}/${span.name}/part-000.${extension}`

/** Key of the copy of a replaced file. */
export const replacedKey = ({ name, extension }: SetFile, span: Span, revision: number): string =>
  `${archive}replaced/${name}/${span.name}/revision=${revision}/part-000.${extension}`
