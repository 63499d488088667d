import type { ToRead } from './catch-up.ts'
import type { OffSchedule } from './client/chain-clock.ts'
import type { IngestError } from './client/faults.ts'
import type { Wait } from './client/pacing.ts'
import type { LeftOut } from './decode/old-tokens.ts'
import type { MovedStart } from './read/log-start.ts'
import type { NarrowEndpoint } from './read/narrow-endpoints.ts'
import type { Progress } from './writer/progress.ts'

/** Events of the ingest process. */
export type IngestEvent =
  | Progress
  /** Once, before the first block is read: the blocks up to the head, and blocks per call. */
  | { readonly is: 'begins'; readonly blocks: ToRead; readonly blocksACall: number }
  /** At the start: an endpoint that history cannot be read through. */
  | ({ readonly is: 'narrow endpoint' } & NarrowEndpoint)
  /** No endpoint has the state before the requested block: the log begins later. */
  | ({ readonly is: 'start moved' } & MovedStart)
  /** A token older than the log that is left out of it. */
  | ({ readonly is: 'left out' } & LeftOut)
  /** A request to an endpoint, with its number of calls. */
  | { readonly is: 'asked'; readonly calls: number }
  /** A header's time differs from the schedule; costs calls, nothing else. `isFirst`: none had for a while. */
  | ({ readonly is: 'off schedule'; readonly isFirst: boolean } & OffSchedule)
  /** The log of newer rules is being copied from the live one; `items`: copied so far. */
  | { readonly is: 'copying'; readonly items: number }
  /** The first log goes on with the minutes that an ended process had sealed. */
  | { readonly is: 'resumed'; readonly minutes: number }
  /** The first log is whole: readers follow it from now on. */
  | { readonly is: 'known' }
  /** An endpoint requires a pause. */
  | { readonly is: 'wait'; readonly wait: Wait }
  /** A WebSocket has subscribed, or (`cause`) was closed. `endpoint`: its host. */
  | { readonly is: 'socket'; readonly endpoint: string; readonly cause: string | null }
  /** A transient fault: everything is opened again after a pause. */
  | { readonly is: 'retry'; readonly wait: Wait; readonly fault: IngestError }

/** Too frequent for the process's log. */
const unlogged: ReadonlySet<IngestEvent['is']> = new Set(['read', 'pushed', 'idle', 'begins', 'asked'])

/** An event as a line of the process's log; undefined: it is not logged. */
export function lineOf(event: IngestEvent): string | undefined {
  if (unlogged.has(event.is) || (event.is === 'off schedule' && !event.isFirst)) return undefined
  if (event.is === 'wait' && event.wait.for === 'turn') return undefined
  const entry = 'entry' in event ? { n: event.entry.n, minute: event.entry.minute } : {}
  const cause = event.is === 'rewound' && event.entry.is === 'rewound' ? { cause: event.entry.cause } : {}
  const wait = 'wait' in event ? { ...event.wait, until: new Date(event.wait.until).toISOString() } : {}
  const fault =
    'fault' in event && event.fault ? { error: event.fault.name, message: event.fault.message } : {}
  const socket = event.is === 'socket' ? { endpoint: event.endpoint, cause: event.cause } : {}
  const gap = event.is === 'gap' ? event.gap : {}
  const { is: _, ...narrow } = event.is === 'narrow endpoint' ? event : { is: event.is }
  const moved = event.is === 'start moved' ? { wanted: event.wanted, block: event.block } : {}
  const left = event.is === 'left out' ? { token: event.token, why: event.why } : {}
  const off = event.is === 'off schedule' ? offOf(event) : {}
  const name = `ingest.${event.is.replace(' ', '_')}`
  const copying = event.is === 'copying' ? { items: event.items } : {}
  const resumed = event.is === 'resumed' ? { minutes: event.minutes } : {}
  const own = {
    ...copying,
    ...resumed,
    ...entry,
    ...cause,
    ...wait,
    ...socket,
    ...fault,
    ...gap,
    ...narrow,
    ...moved,
    ...left,
    ...off,
  }
  return JSON.stringify({ event: name, ...own })
}

/** The last line of a process that a fault ends. */
export const endedLine = ({ name, message }: IngestError): string =>
  JSON.stringify({ event: 'ingest.ended', error: name, message })

const offOf = ({ block, timestamp, guessed }: OffSchedule) => ({ block, timestamp, guessed })
